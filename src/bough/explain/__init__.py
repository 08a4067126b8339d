"""Why a row got its prediction: `Explanation`, as data and in words. The other files work it out, and explain trees."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Context, Decimal
from itertools import pairwise
from math import floor, fsum, log10
from typing import Any

from bough.explain.flip import LONGEST, Flip
from bough.explain.rules_and_conditions import Condition, Conditions, Narrowing, joined
from bough.node_words import Verdict
from bough.query_kinds import Below, OneOf, Query
from bough.schema import Value
from bough.text_layout import shortened, shortened_condition
from bough.tree import Tree
from bough.walk import Step, steps_below
from bough.words import counted, number, plain, share

MOST_ANSWERS = 6  # of a query that are told one by one


@dataclass(frozen=True)
class RowPart:
    """A part of a row that goes on in parts."""

    share: float
    """How much of the row it is."""
    conditions: tuple[Condition, ...]
    """What it has in common with the rows where it stops, from the first missing value on."""
    verdict: Verdict
    """What the node says where it stops."""
    contribution: float
    """How much it adds to the share of the predicted class, or to the predicted number."""
    stopped: str = ""
    """Why it stopped before a leaf, in words; empty if it came to one."""

    @property
    def words(self) -> str:
        """The part in words; a long list of conditions is cut short."""
        conditions = shortened(plain(joined(self.conditions)), LONGEST, "…")
        words = f"{share(self.share):>5}  {conditions} → {self.verdict}"
        return f"{words} ({plain(self.stopped)})" if self.stopped else words

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "part": self.share,
            "conditions": [each.as_dict() for each in self.conditions],
            **self.verdict.as_dict(),
            "contribution": self.contribution,
            "stopped": self.stopped,
        }


def more_parts(parts: Sequence[RowPart]) -> str:
    """Return parts in words that are not told one by one."""
    together = share(sum(part.share for part in parts))
    return f"{together:>5}  in {counted(len(parts), 'more part')}"


class Parting:
    """What leads the parts of rows to where they stop."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._flow = tree.flow
        self._narrowing = Narrowing(tree)

    def why(self, node_id: int) -> str:
        """Return which value is missing at a node, and how much of a row goes to each answer."""
        query = self._tree[node_id].query
        assert query is not None  # noqa: S101 - a leaf asks for no value
        answers = _known(query).answers
        shares = [
            f"{share(float(self._flow[step.node.id]))} {answer}"
            for step, answer in zip(steps_below(self._tree, node_id), answers, strict=True)
        ]
        if (more := len(shares) - MOST_ANSWERS) > 1:
            shares = [*shares[:MOST_ANSWERS], f"{more:,} more"]
        how_many = "both answers" if len(answers) == 2 else f"all {len(answers):,} answers"
        return f"{query.feature.name} is missing: follows {how_many}, {', '.join(shares)}"

    def conditions(self, trail: Sequence[Step]) -> tuple[Condition, ...]:
        """Return what the answers on some steps ask of each feature, all taken together."""
        found: Conditions = {}
        for above, step in pairwise(trail):
            found = self._narrowing.below(found, above.node, step.node)
        # That missing values went along when the tree was grown is no reason here.
        return tuple(replace(each, may_be_missing=not each.may_be_known) for each in found.values())


def _known(query: Query) -> Query:
    """Return a query whose answers do not say where missing values went."""
    return replace(query, missing=None) if isinstance(query, Below | OneOf) else query


GAP = "  "
EXACT = Context(prec=1000, rounding=ROUND_HALF_EVEN)  # holds any double to any decimal
MOST_PARTS = 6  # that are told one by one
LONGEST_WHOLE = 15  # digits; numbers beyond are rounded before the point too


@dataclass(frozen=True)
class ExplainedStep:
    """One query on the trail of a row, and what its answer did to the prediction."""

    feature: str
    answer: str
    """The answer in words, with the name of the feature: 'age ≥ 11 or missing'."""
    value: Value | None
    """What the row has there; None if it is missing, or no value that the tree knows."""
    value_word: str
    """The same in words: '34', 'missing', 'unseen'."""
    margin: float | None
    """How far a number lies from the pivot, a date in days; None for others."""
    contribution: float
    """How much the answer added to the share of the predicted class, or to the predicted number."""
    note: str = ""
    """Why a missing or unseen value went this way."""
    is_one_of_several: bool = False
    """Whether the answer lists several values, of which the row has one."""
    is_date: bool = False
    digits: int | None = None
    """How many significant digits the margin has at least in words."""

    @property
    def words(self) -> str:
        """The answer in words, with the value where that says more; long lists are cut short."""
        words = shortened_condition(plain(self.answer), LONGEST, "…")
        if self.margin is not None:
            days = " days" if self.is_date else ""
            words += f" (it is {self.value_word}, {number(self.margin, self.digits)}{days} away)"
        elif self.is_one_of_several:
            words += f" (it is {plain(self.value_word)})"
        return f"{words}: {plain(self.note)}" if self.note else words

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        names = ("feature", "answer", "value", "margin", "contribution", "note")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class Explanation:
    """Why a row got its prediction, and what would change it.

    `start` and all contributions, of steps and of parts, add up to `value`.
    """

    verdict: Verdict
    """What the node says where the row stops, or what the nodes say together where its parts do."""
    start: float
    """The share of the predicted class among all rows, or the prediction for all rows."""
    value: float
    """The share of the predicted class where the row stops, or the prediction there."""
    steps: tuple[ExplainedStep, ...]
    stopped: str
    """Why the row stopped before a leaf, in words; empty if it came to one."""
    flip: Flip | None = None
    """The nearest change that flips the prediction; None if there is none."""
    parted: str = ""
    """Why the row goes on in parts after the steps, in words; empty if it does not."""
    parts: tuple[RowPart, ...] = ()
    """The parts, the largest first."""

    @property
    def guess(self) -> Any:  # noqa: ANN401 - a class or a number
        return self.verdict.guess

    @property
    def share(self) -> float | None:
        """The share of the predicted class; None for numbers."""
        return self.verdict.share

    @property
    def spread(self) -> float | None:
        """How far the rows lie from a predicted number; None for classes."""
        return self.verdict.spread

    def __str__(self) -> str:
        """Return the explanation in words: the prediction, a line for each step, the nearest flip."""
        lines = [self.verdict.in_full, *self._added_up()]
        if self.stopped:
            lines.append(plain(self.stopped))
        lines.append(self.flip.line if self.flip else "no change flips the prediction")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"Explanation({self.verdict})"

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            **self.verdict.as_dict(),
            "start": self.start,
            "value": self.value,
            "steps": [step.as_dict() for step in self.steps],
            "stopped": self.stopped,
            "parted": self.parted,
            "parts": [part.as_dict() for part in self.parts],
            "flip": None if self.flip is None else self.flip.as_dict(),
        }

    def _added_up(self) -> Iterator[str]:
        added = [(step.contribution, step.words) for step in self.steps]
        added += [(part.contribution, part.words) for part in self.parts[:MOST_PARTS]]
        if more := self.parts[MOST_PARTS:]:
            added.append((fsum(part.contribution for part in more), more_parts(more)))
        values = [self.start]
        for contribution, _ in added:
            values.append(values[-1] + contribution)
        values[-1] = self.value  # what rounding has added or lost in between
        if self.verdict.share is not None:
            first, figures = share(self.start), _differences([100 * each for each in values], 0)
        else:
            decimals = _decimals(values, self.verdict.digits)
            first = number(float(_rounded(self.start, decimals)) + 0.0)  # never -0
            figures = _differences(values, decimals)
            if self.verdict.digits is not None:
                first, *figures = _with_zeros([first, *figures])
        room = max(map(len, [first, *figures]))
        lines = [f"{GAP}{first.rjust(room)}{GAP}all rows"]
        for figure, (_, words) in zip(figures, added, strict=True):
            lines.append(f"{GAP}{figure.rjust(room)}{GAP}{words}")
        if self.parted:
            lines.insert(len(self.steps) + 1, f"{GAP}{'':{room}}{GAP}{plain(self.parted)}")
        yield from lines


def _differences(values: Sequence[float], decimals: int) -> list[str]:
    """Return the steps between rounded values, so that what is shown adds up."""
    rounded = [_rounded(value, decimals) for value in values]
    steps = [EXACT.subtract(b, a) for a, b in pairwise(rounded)]
    return [f"{'−' if step < 0 else '+'}{number(float(abs(step)))}" for step in steps]


def _with_zeros(figures: list[str]) -> list[str]:
    """Return figures with as many decimals as the one that has most."""
    n_decimals = [len(each.partition(".")[2]) for each in figures]
    most = max(n_decimals)
    if not most or any("e" in each for each in figures):
        return figures
    return [
        f"{each}{'' if n else '.'}{'0' * (most - n)}"
        for each, n in zip(figures, n_decimals, strict=True)
    ]


def _decimals(values: Sequence[float], digits: int | None) -> int:
    """Return how many decimals give the largest value this many digits."""
    largest = max(map(abs, values))
    if digits is None or largest == 0:
        return 17 if largest else 0
    whole = floor(log10(largest)) + 1
    return digits - whole if whole > LONGEST_WHOLE else max(digits - whole, 1)


def _rounded(value: float, decimals: int) -> Decimal:
    return Decimal(value).quantize(Decimal(1).scaleb(-decimals), context=EXACT)
