"""Which settings trees are grown with: criteria, ways to ask about categories, columns, smallest leaves."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from bough.checks.columns import SOME_VALUES
from bough.holdout import SHARES
from bough.learn.request import CATEGORICAL, Request, listed_once
from bough.learn.row_plan import SMALL, Plan
from bough.learn.tried_sizes import Setting
from bough.schema import Kind
from bough.table import Table

SMALLEST_LEAVES = (1, 5, 20)  # rows
# On ten splits of a real table of rankings, leaves of 80 rows were chosen five times, each time rightly:
# 1 - NDCG of 0.246 in place of 0.256 on new rows. Other tables gained nothing.
OF_RANKINGS = (*SMALLEST_LEAVES, 80)
LARGE = round(SHARES[0] * SMALL)  # training rows


@dataclass(frozen=True)
class SettingsTried:
    """The settings that are tried, round by round: each goes on with the best one so far.

    Over four splits of eleven real tables this chose as well as all combinations, at half the cost.
    """

    criteria: Sequence[str]
    modes: dict[tuple[str, ...], Sequence[str]]
    """The ways to ask about categories, with all columns and without some of them."""
    leaves: Sequence[int]
    first: Setting

    def __len__(self) -> int:
        """How many settings are tried, or a few more."""
        n_first = len(self.criteria) * len(self.modes[()])
        return n_first + sum(map(len, self.modes.values())) + len(self.leaves)

    def one_by_one(self, best: Callable[[], Setting]) -> Iterator[Setting]:
        """Give the settings one after the other; `best` tells which one did best so far."""
        for criterion, mode in product(self.criteria, self.modes[()]):
            yield replace(self.first, criterion=criterion, categorical=mode)
        chosen = best()
        without = [(each, mode) for each, modes in self.modes.items() for mode in modes if each]
        for columns, mode in without:
            yield replace(chosen, without=columns, categorical=mode)
        chosen = best()
        others = [each for each in self.criteria if chosen.without and each != chosen.criterion]
        for criterion in others:
            yield replace(chosen, criterion=criterion)
        chosen = best()
        for leaf in self.leaves[1:]:
            yield replace(chosen, smallest_leaf=leaf)


def settings_to_try(plan: Plan, request: Request) -> SettingsTried:
    """Return the settings to grow with: those the user names, or the usual ones.

    Columns of many values may mislead a tree, so growths without them are tried, too.
    """
    least = request.min_rows_per_leaf
    modes = {
        columns: _modes(plan.rows.without(columns).table, request)
        for columns in [(), *_left_out(_many_values(plan, request))]
    }
    criteria = request.criterion or plan.task.criteria
    usual = OF_RANKINGS if plan.task.ranks else SMALLEST_LEAVES
    leaves = _smallest_leaves(usual, len(plan.train), least)
    first = Setting(
        criteria[0], modes[()][0], request.quantile, request.missing, request.directions,
        first=tuple(request.first or ()), forbid=tuple(request.forbid or ()), pivots=request.pivots,
        exact=request.exact, smallest_leaf=leaves[0], max_depth=request.max_depth, min_rows=least,
    )  # fmt: skip
    return SettingsTried(criteria, modes, leaves, first)


def _smallest_leaves(usual: Sequence[int], n_rows: int, least: int) -> list[int]:
    """Return the smallest leaves to try; all settings have the first, and the best one the others.

    Growing to the last row takes longest. Where there are many rows, that is left to the best one.

    Examples
    --------
    >>> [_smallest_leaves((1, 5, 20), *each) for each in [(1000, 1), (50_000, 1), (1000, 8)]]
    [[1, 5, 20], [5, 1, 20], [8, 20]]
    """
    leaves = sorted({max(each, least) for each in usual})
    is_large = n_rows >= LARGE and len(leaves) == len(usual)
    return [leaves[1], leaves[0], *leaves[2:]] if is_large else leaves


def _modes(table: Table, request: Request) -> Sequence[str]:
    """Return the ways to ask about categories: both, where some feature has more than two values."""
    if request.categorical is not None:
        return listed_once("categorical", request.categorical)
    numbers = [len(each.choices) for each in table.features if each.kind is Kind.CHOICE]
    if numbers and request.min_rows_per_leaf > 1:
        return ["group"]  # an answer of its own for each value may have fewer rows
    return CATEGORICAL if max(numbers, default=0) > 2 else CATEGORICAL[:1]


def _many_values(plan: Plan, request: Request) -> list[str]:
    """Return the columns of many values that a tree can do without, those of most values first.

    By chance alone, some grouping of so many values looks good.
    """
    table = plan.rows.take(plan.train).table
    named = {*(request.first or ()), *(request.forbid or ())}
    n_values = {
        table.columns[feature.column]: len(np.unique(codes[codes >= 0]))
        for feature, codes in zip(table.features, table.values, strict=True)
        if feature.kind is Kind.CHOICE
    }
    many = {name: n for name, n in n_values.items() if n > SOME_VALUES and name not in named}
    others = {table.columns[feature.column] for feature in table.features} - named - many.keys()
    found = sorted(many, key=lambda name: (-many[name], name))
    return found if others else found[:-1]


def _left_out(columns: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the columns to do without: the first, the first two, the first four, …, and all.

    Examples
    --------
    >>> _left_out(["tail", "place", "street"])
    [('tail',), ('tail', 'place'), ('tail', 'place', 'street')]
    """
    numbers = [2**power for power in range(len(columns)) if 2**power < len(columns)]
    return [tuple(columns[:number]) for number in [*numbers, len(columns)] if number]
