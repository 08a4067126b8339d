"""What would change a guess: the nearest change of a row that flips it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.explain.rules_and_conditions import (
    Cell,
    Condition,
    ConditionsOf,
    cell_of,
    is_known,
    plain_cell,
)
from bough.node_words import Verdict, verdicts
from bough.predict import all_guesses, features_asked, next_nodes
from bough.schema import Kind
from bough.table import Table
from bough.text_layout import shortened_condition
from bough.tree import Tree
from bough.walk import depths, leaves_one_change_away, parents
from bough.words import plain

LONGEST = 80  # cells of a condition in a sentence
N_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1).sum(
    axis=1, dtype=np.uint8
)
MISSING_LAST = np.finfo(np.float64).max  # a change from or to a missing value
NEVER = inf  # where no change leads
TRIED = np.iinfo(np.uint32).max  # in place of a number of features
WORDS_AT_ONCE = 1_000_000  # so many rows at once that their words of bits take 8 MB
YEAR = 365 * 24 * 60 * 60 * 1_000_000  # microseconds


@dataclass(frozen=True)
class Change:
    """What one feature would have to be."""

    condition: Condition
    value: Cell | None
    """The nearest value that does, as tables hold it; None is missing."""

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        feature = self.condition.feature
        to = plain_cell(feature, self.value)
        return {"feature": feature.name, "condition": str(self.condition), "to": to}


@dataclass(frozen=True)
class Flip:
    """A change of some features of a row, and what the tree would predict then."""

    changes: tuple[Change, ...]
    verdict: Verdict

    def __str__(self) -> str:
        """Return it in words, as in 'age < 11 → survived 58 %'; long lists are cut short."""
        conditions = [plain(str(change.condition)) for change in self.changes]
        words = " and ".join(shortened_condition(each, LONGEST, "…") for each in conditions)
        return f"{words} → {self.verdict}"

    @property
    def line(self) -> str:
        """The flip in words, with what it is: a number is not flipped, but another prediction."""
        is_class = self.verdict.share is not None
        return f"{'nearest flip' if is_class else 'nearest other prediction'}: {self}"

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        changes = [change.as_dict() for change in self.changes]
        return {"changes": changes, **self.verdict.as_dict()}


class Flips:
    """Finds the nearest flip of rows in a tree of one label."""

    def __init__(self, tree: Tree, digits: int | None = None, missing: str = "stop") -> None:
        self._tree = tree
        self._missing = missing
        self._leaves = np.flatnonzero(tree.feature < 0)
        self._nodes = np.arange(len(tree), dtype=np.int32)
        self._above = parents(tree).astype(np.intp)
        self._led_by = _packed(tree.feature[self._above], len(tree.schema.features))
        depth = depths(tree)  # which no node has less of than the one before it
        self._levels = list(pairwise([*np.searchsorted(depth, range(1, depth[-1] + 2))]))
        self._conditions = cache(partial(ConditionsOf, tree))
        self._reach = cache(self._reach_of)
        self._verdict = verdicts(tree, digits)
        self._guesses = all_guesses(tree)[self._leaves, :1]
        # Single entries, of which there are too few for NumPy's speed.
        self._guess_of, self._n_rows = all_guesses(tree)[:, 0].copy().data, tree.n_rows.data
        # Leaves one change away that take longer one by one than all nodes at once; where hardly
        # any column is asked about, they are.
        self._many = 100 + (len(tree) // 100 if len(features_asked(tree)) > 2 else 0)

    def nearest(
        self, table: Table, rows: Sequence[int], guesses: Sequence[Any]
    ) -> list[Flip | None]:
        """Return the nearest flip of rows that got these guesses; None if no change flips one.

        Nearest is the one that changes the fewest features; of these the one of the least relative
        change: of numbers as a share of the larger one, of ordered values as a share of all steps,
        of dates compared with a year. Another name counts as a whole change. A change from or to a
        missing value comes last. Of equally near ones it is that with most rows, then the first in
        the tree. A part of a date counts as a feature of its own.
        """
        classes = self._tree.schema.labels[0].classes
        guessed = [classes.index(guess) for guess in guesses] if classes else guesses
        found = [
            self._of_one_change(table, row, guess) for row, guess in zip(rows, guessed, strict=True)
        ]
        left = [place for place, flip in enumerate(found) if flip is None]
        at_once = 1 + WORDS_AT_ONCE // (1 + self._led_by.size)
        for first in range(0, len(left), at_once):
            some = left[first : first + at_once]
            flips = self._nearest(
                table, [rows[place] for place in some], np.array([guessed[place] for place in some])
            )
            for place, flip in zip(some, flips, strict=True):
                found[place] = flip
        return found

    def _of_one_change(self, table: Table, row: int, guess: float) -> Flip | None:
        """Return the nearest flip that changes one feature; None if there is none."""
        best: tuple[float, int, int, int] | None = None  # the change, rows, the leaf, the feature
        by_feature: dict[int, tuple[ConditionsOf, Cell | None]] = {}
        goes_to = next_nodes(self._tree, table, row, missing=self._missing)
        for leaf, feature, below in leaves_one_change_away(self._tree, goes_to, self._many):
            if self._guess_of[leaf] == guess:
                continue
            if feature not in by_feature:
                by_feature[feature] = self._conditions(feature), cell_of(table, feature, row)
            conditions, cell = by_feature[feature]
            condition = conditions[below]
            if condition.can_be_known if self._missing == "weigh" else condition.can_be_met:
                change = min(_relative_change(condition, cell), MISSING_LAST)
                if best is None or change <= best[0]:
                    this = (change, -self._n_rows[leaf], leaf, feature)
                    best = this if best is None else min(best, this)
        return None if best is None else self._flip(table, row, best[2], best[3:])

    def _nearest(
        self, table: Table, rows: Sequence[int], guessed: NDArray[Any]
    ) -> list[Flip | None]:
        changed = self._changed(table, rows)
        is_other = self._guesses != guessed
        n_changed = np.zeros(is_other.shape, np.uint32)
        for number in range(changed.shape[2]):  # NumPy is slow along a short axis
            n_changed += N_BITS[changed[:, :, number]]
        np.putmask(n_changed, ~is_other, TRIED)
        found: list[Flip | None] = [None] * len(rows)
        left = np.arange(len(rows))  # those without a flip
        while True:
            fewest = n_changed[:, left].min(axis=0)
            left, fewest = left[fewest < TRIED], fewest[fewest < TRIED]
            if not len(left):
                return found
            are_all = len(left) == len(rows)
            leaves, places = np.nonzero((n_changed if are_all else n_changed[:, left]) == fewest)
            places = left[places]
            nearness = self._nearness(
                table, np.array(rows)[places], leaves, changed[leaves, places]
            )
            n_rows = self._tree.n_rows[self._leaves[leaves]]
            order = np.lexsort((leaves, -n_rows, nearness, places))
            is_first = np.append(True, np.diff(places[order]) > 0)
            for best in order[is_first & (nearness[order] < NEVER)].tolist():
                place, leaf = int(places[best]), int(leaves[best])
                features = _features(changed[leaf, place])
                found[place] = self._flip(table, rows[place], int(self._leaves[leaf]), features)
            n_changed[leaves, places] = TRIED
            left = np.array([place for place in left.tolist() if found[place] is None], np.intp)

    def _changed(self, table: Table, rows: Sequence[int]) -> NDArray[np.uint8]:
        """Return for each leaf and row the bits of the features that must change to come there."""
        goes_to = np.stack(
            [next_nodes(self._tree, table, row, missing=self._missing) for row in rows], axis=1
        )
        nodes, led_by = self._nodes[:, np.newaxis], self._led_by[:, np.newaxis]
        is_flat = len(rows) == self._led_by.shape[1] == 1  # NumPy is slow along short axes
        if is_flat:
            goes_to, nodes, led_by = goes_to[:, 0], self._nodes, self._led_by[:, 0]
        is_off = goes_to.take(self._above, axis=0) != nodes
        is_off[0] = False
        found = np.where(
            is_off if is_flat else is_off[:, :, np.newaxis], led_by, led_by.dtype.type(0)
        )
        for first, end in self._levels:
            found[first:end] |= found.take(self._above[first:end], axis=0)
        n_bytes = -(-len(self._tree.schema.features) // 8)
        at_leaves = found.take(self._leaves, axis=0).reshape(len(self._leaves), len(rows), -1)
        return at_leaves.view(np.uint8)[:, :, :n_bytes]

    def _flip(self, table: Table, row: int, leaf: int, features: Sequence[int]) -> Flip:
        changes = tuple(self._changes(table, row, leaf, features))
        return Flip(changes, self._verdict(leaf))

    def _changes(
        self, table: Table, row: int, leaf: int, features: Sequence[int]
    ) -> Iterator[Change]:
        for feature in features:
            cell = cell_of(table, feature, row)
            condition = self._conditions(feature)[leaf].told_of(cell)
            value = condition.nearest(cell)
            yield Change(replace(condition, may_be_missing=value is None), value)

    def _nearness(
        self,
        table: Table,
        rows: NDArray[np.intp],
        leaves: NDArray[np.intp],
        changed: NDArray[np.uint8],
    ) -> NDArray[np.float64]:
        """Return how large the change of each row is that leads to a leaf; `NEVER`: none does."""
        total = np.zeros(len(rows))
        never = np.zeros(len(rows), np.bool_)
        for feature in _features(np.bitwise_or.reduce(changed)):
            here = np.flatnonzero(changed[:, feature // 8] & (128 >> feature % 8))
            reach, values = self._reach(feature), table.values[feature][rows[here]]
            numbers = reach.numbers[leaves[here]]
            never[here] |= reach.is_never[numbers]
            total[here] += reach.changes(values, numbers)
        # A change from or to a missing value comes last, but before those that cannot be made.
        return np.where(never, NEVER, np.minimum(total, MISSING_LAST))

    def _reach_of(self, feature: int) -> "_Reach":
        at_leaves = [self._conditions(feature)[leaf] for leaf in self._leaves.tolist()]
        # Told apart by identity: comparing them takes longer than the few that are equal.
        distinct = {id(each): each for each in at_leaves}
        numbers = {key: number for number, key in enumerate(distinct)}
        return _Reach(
            list(distinct.values()),
            np.array([numbers[id(each)] for each in at_leaves]),
            is_weighed=self._missing == "weigh",
        )


class _Reach:
    """The conditions that leaves have for one feature, each once, and how far they are from values.

    `numbers` says which of them each leaf has. Where rows are weighed, a missing value leads
    everywhere, and so to no leaf.
    """

    def __init__(
        self, conditions: Sequence[Condition], numbers: NDArray[np.intp], *, is_weighed: bool
    ) -> None:
        self.conditions, self.numbers = conditions, numbers
        can_be_known = [each.can_be_known for each in conditions]
        can_be_met = can_be_known if is_weighed else [each.can_be_met for each in conditions]
        self.is_never = ~np.array(can_be_met)
        self._at_least = np.where(can_be_known, 0.0, inf)  # no change to missing is nearer
        if conditions[0].feature.kind is Kind.NUMBER:
            ends = [
                (each.low, each.high) if each.may_be_known else (1.0, 1.0) for each in conditions
            ]
            self._low = np.array([-inf if low is None else low for low, _ in ends])
            self._last = np.nextafter([inf if high is None else high for _, high in ends], -inf)

    def changes(self, values: NDArray[Any], numbers: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the relative change of values, none of which meets its condition, to one that does."""
        feature, found = self.conditions[0].feature, np.full(len(numbers), inf)
        has_value = is_known(feature, values)
        values, known = values[has_value], numbers[has_value]
        if feature.kind is Kind.NUMBER:
            values, low = values.astype(np.float64), self._low[known]
            new = np.where(values < low, low, self._last[known])
            larger = np.maximum(np.abs(new), np.abs(values))
            found[has_value] = np.abs(new / larger - values / larger)
        elif feature.kind is Kind.CHOICE:
            found[has_value] = 1.0
        else:  # exactly, as integers are
            change = cache(lambda number, old: _relative_change(self.conditions[number], old))
            found[has_value] = [*map(change, known.tolist(), values.tolist())]
        nearest: NDArray[np.float64] = np.maximum(found, self._at_least[numbers])
        return nearest


def _relative_change(condition: Condition, old: Cell | None) -> float:
    new = condition.nearest(old)
    if old is None or new is None:
        return inf
    match condition.feature.kind:
        case Kind.CHOICE:
            return 1.0
        case Kind.ORDERED:
            return abs(new - old) / max(len(condition.feature.choices) - 1, 1)
        case Kind.DATE:
            return abs(new - old) / (abs(new - old) + YEAR)
        case _:
            larger = max(abs(new), abs(old))
            return abs(new / larger - old / larger) if larger else 0.0


def _packed(features: NDArray[Any], n_features: int) -> NDArray[np.unsignedinteger]:
    """Return for each entry a row of bits, of which that of its feature is set, as words.

    Words are as short as all features allow, since whole trees of them are read for each row.
    """
    size = next((size for size in (1, 2, 4) if n_features <= 8 * size), 8)
    found = np.zeros((len(features), size * -(-n_features // (8 * size))), np.uint8)
    asks = np.flatnonzero(features >= 0)  # the root of a single leaf does not
    found[asks, features[asks] // 8] = 128 >> features[asks] % 8
    words: NDArray[np.unsignedinteger] = found.view(f"u{size}")
    return words


def _features(bits: NDArray[np.uint8]) -> list[int]:
    """Return the numbers of the features in a set of bits."""
    found: list[int] = np.flatnonzero(np.unpackbits(bits)).tolist()
    return found
