"""`Interview`: asks one question after the other, until the tree can guess."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bough.draw.cells import shortened
from bough.draw.verdict import Verdict, verdict_of
from bough.errors import ParameterError
from bough.explain import Flip, Flips, refuse_several_labels
from bough.explain.flip import LONGEST
from bough.explain.values import cell_of, cell_word
from bough.interview.standing import Standing
from bough.query import Below, EachValue, OneOf, Query
from bough.schema import Feature, Kind, Value
from bough.table import typed_row
from bough.table.typed import Values, typed
from bough.tree import Tree
from bough.walk import steps_below
from bough.words import plain, row_count

MOST_ANSWERS = 5  # of one question that `why` tells about


@dataclass(frozen=True)
class Question:
    """What is asked next."""

    feature: str
    kind: Kind
    choices: tuple[Value, ...]
    """The values that the tree knows; empty for numbers and dates."""
    pivots: tuple[float, ...]
    """What the tree would compare with, a date in microseconds since 1970; empty for choices."""
    may_be_missing: bool
    """Whether the tree has an answer for a missing value."""
    number: int
    """Which question it is, from 1 on."""
    most: int
    """How many questions there are at most, with those asked already, if all of the others are answered."""


@dataclass(frozen=True)
class Outcome:
    """What an interview has come to."""

    verdict: Verdict
    """The guess, and how many rows of the training table may be like this one."""
    shares: dict[Value, float]
    """The share of each class; empty for numbers."""
    said: tuple[str, ...]
    """What was answered, in words: 'sex = female', 'age is not known'."""
    flip: Flip | None
    """The nearest change that flips the guess; None if there is none, or something is not known."""

    @property
    def guess(self) -> Any:  # noqa: ANN401 - a class or a number
        return self.verdict.guess

    def __str__(self) -> str:
        """Return the guess, why, and what would change it, in words."""
        lines = [f"→ {self.verdict.in_full}"]
        if self.said:
            lines.append(plain(f"because {' and '.join(self.said)}"))
        if self.flip:
            lines.append(self.flip.line)
        return "\n".join(lines)


@dataclass(frozen=True)
class _Said:
    """One answer of the person who is asked."""

    feature: int
    values: Values | None  # none: they do not know
    words: str


class Interview:
    """Asks one question after the other until the tree can guess.

    A feature is asked about at most once. Where the answer is not known, all branches are followed,
    each with the weight of its rows.

    Parameters
    ----------
    tree
        The tree; it guesses one label.
    digits
        How many significant digits numbers have at least in words.
    missing
        Where a missing value goes, as `bough.predict.said_of` has it.

    Examples
    --------
    >>> interview = Interview(play_tennis_tree)
    >>> interview.question.feature, interview.question.choices
    ('outlook', ('Overcast', 'Rain', 'Sunny'))
    >>> interview.answer("Rain")
    >>> print(interview.why())
    wind tells these 5 rows apart: wind = Strong → No 100 %, wind = Weak → Yes 100 %
    >>> interview.dont_know()
    >>> print(interview.result)
    → Yes 60 % (5 rows)
    because outlook = Rain and wind is not known
    """

    def __init__(self, tree: Tree, *, digits: int = 3, missing: str = "stop") -> None:
        refuse_several_labels(tree)
        self._tree, self._digits, self._missing = tree, digits, missing
        self._history: list[_Said] = []
        self._standing = self._stand()

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to ask."""
        return self._standing.asked is None

    @property
    def question(self) -> Question | None:
        """What to ask next; None when the interview is over."""
        if (number := self._standing.asked) is None:
            return None
        feature = self._tree.schema.features[number]
        nodes = self._standing.asking
        queries = [self._tree[node].query for node in nodes]
        pivots = {query.pivot for query in queries if isinstance(query, Below)}
        return Question(
            feature=feature.name,
            kind=feature.kind,
            choices=_choices(feature, queries),
            pivots=() if feature.choices else tuple(sorted(pivots)),
            may_be_missing=self._missing == "weigh"
            or bool((self._tree.missing_child[nodes] >= 0).any()),
            number=len(self._history) + 1,
            most=len(self._history) + self._standing.most_left,
        )

    def answer(self, value: object) -> None:
        """Answer the question.

        Parameters
        ----------
        value
            A number, a date, the name of a value, or any of these as text; None: it is missing.
        """
        number = self._asked()
        feature = self._tree.schema.features[number]
        self._say(_Said(number, typed(self._tree.schema.features, number, value), ""))
        cell = cell_of(self._standing.table, number, 0)
        word = "is missing" if value is None else f"= {cell_word(feature, cell, self._digits)}"
        self._history[-1] = replace(self._history[-1], words=f"{feature.name} {word}")

    def dont_know(self) -> None:
        """Say that the answer is not known: all branches are followed, weighed by their rows."""
        number = self._asked()
        name = self._tree.schema.features[number].name
        self._say(_Said(number, None, f"{name} is not known"))

    def back(self) -> None:
        """Take the last answer back. Before the first there is none, and nothing happens."""
        del self._history[-1:]
        self._standing = self._stand()

    def why(self) -> str:
        """Return in words why this is asked: what its answers would say."""
        name = self._tree.schema.features[self._asked()].name
        node = self._standing.asking[0]
        answers = [
            f"{shortened(plain(f'{name} {step.answer}'), LONGEST, '…')} → "
            f"{verdict_of(self._tree, step.node.id, self._digits)}"
            for step in steps_below(self._tree, node, self._digits)
        ]
        more = len(answers) - MOST_ANSWERS
        listed = answers if more <= 0 else [*answers[:MOST_ANSWERS], f"{more:,} more"]
        rows = row_count(self._tree[node].n_rows)
        return f"{plain(name)} tells these {rows} apart: {', '.join(listed)}"

    @property
    def result(self) -> Outcome:
        """The guess; before the interview is over, what it would be if no more was asked."""
        flip = None
        verdict = self._standing.verdict(self._digits)
        if self.is_over and all(said.values is not None for said in self._history):
            flips = Flips(self._tree, self._digits, self._missing)
            flip = flips.nearest(self._standing.table, 0, verdict.guess)
        said = tuple(said.words for said in self._history)
        return Outcome(verdict, self._standing.shares(), said, flip)

    def _asked(self) -> int:
        if (number := self._standing.asked) is None:
            raise ParameterError("The interview is over. Take an answer back first: back().")
        return number

    def _say(self, said: _Said) -> None:
        self._history.append(said)
        self._standing = self._stand()

    def _stand(self) -> Standing:
        known: Values = {}
        for said in self._history:
            known |= said.values or {}
        unknown = {said.feature for said in self._history} - set(known)
        blank = typed_row({}, self._tree.schema)
        values = tuple(known.get(number, each) for number, each in enumerate(blank.values))
        row = replace(blank, values=values)
        return Standing(self._tree, row, set(known), unknown, self._missing)


def _choices(feature: Feature, queries: Sequence[Query | None]) -> tuple[Value, ...]:
    """Return the values that some of the queries know; all that there are if order matters."""
    codes: set[int] = set()
    for query in queries:
        match query:
            case EachValue():
                codes.update(query.codes)
            case OneOf():
                codes.update(query.codes + query.others)
    return tuple(feature.choices[code] for code in sorted(codes)) or feature.choices
