"""Twenty questions: one after the other, until the tree can predict."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import ParameterError
from bough.explain.flip import LONGEST, Flip, Flips
from bough.explain.row import refuse_several_labels
from bough.explain.rules_and_conditions import cell_of
from bough.node_words import Verdict, mixed_verdict, verdict_of
from bough.predict import EVERY, next_nodes
from bough.query_kinds import Below, EachValue, OneOf, Query
from bough.schema import Feature, Kind, Value
from bough.table import Table, typed_row
from bough.table.match_columns import Values, as_in_file, typed
from bough.text_layout import shortened
from bough.tree import Tree
from bough.walk import features_above, parents, products, steps_below
from bough.words import cell_word, plain, row_count

MOST_ANSWERS = 5  # of one question that `why` tells about


class Standing:
    """Where a row may be of which only some features are known.

    At a query about a known feature it goes where the tree leads it; at one about a feature that
    stays unknown it goes every way, weighed by the rows; at one that is still to be asked it waits.
    What is not known of the row in the table counts for nothing.
    """

    def __init__(
        self, tree: Tree, table: Table, known: Set[int], unknown: Set[int], missing: str = "stop"
    ) -> None:
        self.table = table
        self._tree = tree
        n_features = len(tree.schema.features)
        is_known = _marks(known, n_features)[tree.feature]  # of leaves too, where it says nothing
        is_unknown = _marks(unknown, n_features)[tree.feature]
        is_branch = tree.feature >= 0
        goes_to = next_nodes(tree, table, 0, missing=missing)
        goes_every_way = is_unknown | (is_known & (goes_to == EVERY))
        stops = ~is_branch | (is_known & (goes_to < 0) & ~goes_every_way)
        above = np.maximum(parents(tree), 0)
        share = np.where(is_known[above], goes_to[above] == np.arange(len(tree)), 0.0)
        share = np.where(goes_every_way[above], tree.flow, share)
        share[0] = 1.0
        self._is_open = is_branch & ~is_known & ~is_unknown
        self._mass = np.where(self._is_open | stops, products(tree, share), 0.0)
        self._is_asked_below = self._is_open[above]
        self._may_reach = products(tree, np.where(self._is_asked_below, 1.0, share)) > 0

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """The nodes where the row may be."""
        return np.flatnonzero(self._mass)

    @cached_property
    def asked(self) -> int | None:
        """The feature to ask about: the one that most of the row waits for; None: there is none."""
        waiting = self.places[self._is_open[self.places]]
        if not len(waiting):
            return None
        return int(np.argmax(np.bincount(self._tree.feature[waiting], self._mass[waiting])))

    @property
    def asking(self) -> list[int]:
        """The nodes that ask about it, the likeliest first."""
        here = self.places[self._tree.feature[self.places] == self.asked]
        asks = here[self._is_open[here]]
        return [int(node) for node in asks[np.argsort(-self._mass[asks], kind="stable")]]

    @property
    def most_left(self) -> int:
        """How many questions may still be asked at most, if all are answered."""
        is_counted = self._is_asked_below.copy()
        is_counted[0] = False
        to_ask = features_above(self._tree, is_counted)
        reached = [to_ask[node] for node in np.flatnonzero(self._may_reach).tolist()]
        if len(self.places) == 1:
            return max(features.bit_count() for features in reached)
        return reduce(or_, reached).bit_count()  # each place may ask about others

    def shares(self) -> dict[Value, float]:
        """Return the share of each class; none for numbers."""
        if not self._tree.schema.has_classes:
            return {}
        classes = self._tree.schema.labels[0].classes
        return dict(zip(classes, self._mean(self._tree.shares[:, 0]).tolist(), strict=True))

    def verdict(self, digits: int | None) -> Verdict:
        """Return the guess if no more is asked."""
        return mixed_verdict(self._tree, self.places, self._mass[self.places], digits)

    def _mean(self, of_nodes: NDArray[np.float64]) -> NDArray[np.float64]:
        mass = self._mass[self.places]
        return np.asarray(np.average(of_nodes[self.places], axis=0, weights=mass))


def _marks(features: Set[int], n_features: int) -> NDArray[np.bool_]:
    """Return for each feature, and for none at the end, whether it is in the set."""
    marks = np.zeros(n_features + 1, np.bool_)
    marks[list(features)] = True
    return marks


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
    """The prediction, and how many rows of the training table may be like this one."""
    shares: dict[Value, float]
    """The share of each class; empty for numbers."""
    said: tuple[str, ...]
    """What was answered, in words: 'sex = female', 'age is not known'."""
    flip: Flip | None
    """The nearest change that flips the prediction; None if there is none, or something is not known."""

    @property
    def guess(self) -> Any:  # noqa: ANN401 - a class or a number
        return self.verdict.guess

    def __str__(self) -> str:
        """Return the prediction, why, and what would change it, in words."""
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
    """Asks one question after the other until the tree, of one label, can predict.

    A feature is asked about at most once. Where the answer is not known, all branches are followed,
    each with the weight of its rows.

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
    → Yes 60 % (average of 2 branches, weighted by their training rows)
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
        pivots = {query.said for query in queries if isinstance(query, Below)}
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
        """Answer the question: a number, a date, the name of a value, or any of these as text; None: it is missing."""
        number = self._asked()
        feature = self._tree.schema.features[number]
        schema = self._tree.schema
        read = typed(schema.features, number, as_in_file(schema, number, value))
        self._say(_Said(number, read, ""))
        cell = cell_of(self._standing.table, number, 0)
        word = "is missing" if cell is None else f"= {cell_word(feature, cell)}"
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
            for step in steps_below(self._tree, node)
        ]
        more = len(answers) - MOST_ANSWERS
        listed = answers if more <= 0 else [*answers[:MOST_ANSWERS], f"{more:,} more"]
        rows = row_count(self._tree[node].n_rows)
        return f"{plain(name)} tells these {rows} apart: {', '.join(listed)}"

    @property
    def result(self) -> Outcome:
        """The prediction; before the interview is over, what it would be if no more was asked."""
        flip = None
        verdict = self._standing.verdict(self._digits)
        if self.is_over and all(said.values is not None for said in self._history):
            flips = Flips(self._tree, self._digits, self._missing)
            (flip,) = flips.nearest(self._standing.table, [0], [verdict.guess])
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
