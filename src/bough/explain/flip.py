"""What would change a guess: the nearest change of a row that flips it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.explain.condition import Condition, conditions_of
from bough.explain.row_values import Cell, cell_of, plain_cell
from bough.node_words import Verdict, verdict_of
from bough.predict import all_guesses, next_nodes
from bough.schema import Kind
from bough.table import Table
from bough.terminal_width import shortened
from bough.tree import Tree
from bough.walk import features_above, parents
from bough.words import plain

LONGEST = 80  # cells of a condition in a sentence
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
    """A change of some features of a row, and what the tree would guess then."""

    changes: tuple[Change, ...]
    verdict: Verdict

    def __str__(self) -> str:
        """Return it in words, as in 'age < 11 → survived 58 %'; long lists are cut short."""
        conditions = [plain(str(change.condition)) for change in self.changes]
        words = " and ".join(shortened(each, LONGEST, "…") for each in conditions)
        return f"{words} → {self.verdict}"

    @property
    def line(self) -> str:
        """The flip in words, with what it is: a number is not flipped, but another guess."""
        is_class = self.verdict.share is not None
        return f"{'nearest flip' if is_class else 'nearest other guess'}: {self}"

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        changes = [change.as_dict() for change in self.changes]
        return {"changes": changes, **self.verdict.as_dict()}


class _Nearness(NamedTuple):
    """How near a change is: fewer features, then less change, then more rows, then first in the tree."""

    n_features: int
    change: float
    n_rows_less: int
    leaf: int


class Flips:
    """Finds the nearest flip of rows.

    Parameters
    ----------
    tree
        The tree; it guesses one label.
    digits
        How many significant digits numbers have at least in words.
    missing
        Where a missing value goes, as `bough.predict.said_of` has it.
    """

    def __init__(self, tree: Tree, digits: int | None = None, missing: str = "stop") -> None:
        self._tree = tree
        self._digits = digits
        self._missing = missing
        self._parents = parents(tree)
        self._leaves = np.flatnonzero(tree.feature < 0)
        self._conditions = cache(partial(conditions_of, tree))  # few features are asked about
        self._guesses = all_guesses(tree)[:, 0]

    def nearest(self, table: Table, row: int, guess: Any) -> Flip | None:  # noqa: ANN401 - a label
        """Return the nearest flip of a row that got a guess; None if no change flips it.

        Nearest is the one that changes the fewest features; of these the one of the least relative
        change: of numbers as a share of the larger one, of ordered values as a share of all steps,
        of dates compared with a year. Another name counts as a whole change. A change from or to a
        missing value comes last. A part of a date counts as a feature of its own.
        """
        classes = self._tree.schema.labels[0].classes
        guessed = classes.index(guess) if classes else guess
        changed = features_above(self._tree, self._is_off(table, row))
        others = self._leaves[self._guesses[self._leaves] != guessed].tolist()
        for leaves in _by_count(others, changed):
            found = [
                near
                for leaf in leaves
                if (near := self._nearness(table, row, leaf, _bits(changed[leaf])))
            ]
            if found:
                leaf = min(found).leaf
                changes = self._changes(table, row, leaf, _bits(changed[leaf]))
                return Flip(tuple(changes), verdict_of(self._tree, leaf, self._digits))
        return None

    def _is_off(self, table: Table, row: int) -> NDArray[np.bool_]:
        """Return for each node whether its parent would send the row elsewhere."""
        goes_to = next_nodes(self._tree, table, row, missing=self._missing)
        is_off = goes_to[self._parents] != np.arange(len(self._tree))
        is_off[0] = False
        return np.asarray(is_off)

    def _changes(
        self, table: Table, row: int, leaf: int, features: Sequence[int]
    ) -> Iterator[Change]:
        for feature in features:
            cell = cell_of(table, feature, row)
            condition = self._conditions(feature)[leaf].told_of(cell)
            value = condition.nearest(cell)
            yield Change(replace(condition, may_be_missing=value is None), value)

    def _nearness(
        self, table: Table, row: int, leaf: int, features: Sequence[int]
    ) -> _Nearness | None:
        total = 0.0
        for feature in features:
            condition, value = self._conditions(feature)[leaf], cell_of(table, feature, row)
            if not condition.can_be_met:
                return None
            if self._missing == "weigh" and condition.nearest(value) is None:
                return None  # a missing value does not lead there, but everywhere
            total += _relative_change(condition, value)
        return _Nearness(len(features), total, -int(self._tree.n_rows[leaf]), leaf)


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


def _by_count(leaves: Sequence[int], changed: Sequence[int]) -> Iterator[list[int]]:
    """Group leaves by how many features must change, the fewest first."""
    groups: dict[int, list[int]] = {}
    for leaf in leaves:
        groups.setdefault(changed[leaf].bit_count(), []).append(leaf)
    for count in sorted(groups):
        yield groups[count]


def _bits(features: int) -> list[int]:
    """Return the numbers of the features in a set of bits."""
    return [number for number in range(features.bit_length()) if features >> number & 1]
