"""Every query that a node may ask, with the tallies of its answers, for the audit.

Values are replaced by their rank among all values of their column, and missing ones by -1, so that
all columns are handled alike. Nothing here is shared with bough but the names of the kinds.
"""

from fractions import Fraction
from math import ceil
from typing import NamedTuple

import numpy as np
from audit_scores import TIE

from bough.query_kinds import QueryKind
from bough.schema import Kind

MISSING = -1
LAST = np.iinfo(np.int64).max
MOST_CELLS = 2**20  # rows times columns that are sorted at a time
MISSING_INTEGER = -(2**63)


class Query(NamedTuple):
    """A query; queries compare as the tie rule wants it, so that the smaller one wins."""

    feature: int
    kind: int
    detail: object  # Below: rank of the greatest value below; else the values of the first answer
    missing: int  # the answer of missing values; 0 where the node has none


class Column(NamedTuple):
    ranks: np.ndarray  # of the rows that take part
    values: np.ndarray = None  # of a column that is compared, by rank
    is_choice: bool = False


def read_columns(table, rows):
    """Return the columns of a table with ranks for values, for the rows that take part."""
    columns = []
    for feature, values in zip(table.features, table.values, strict=True):
        here = np.asarray(values)[rows]
        if feature.kind is Kind.CHOICE:
            columns.append(Column(here.astype(np.int64), is_choice=True))
            continue
        if feature.kind is Kind.NUMBER:
            is_missing = np.isnan(here)
        elif feature.kind is Kind.ORDERED:
            is_missing = here < 0
        else:
            is_missing = here == MISSING_INTEGER
        ranks = np.full(len(here), MISSING, dtype=np.int64)
        known, ranks[~is_missing] = np.unique(here[~is_missing], return_inverse=True)
        columns.append(Column(ranks, known))
    return columns


class Limits(NamedTuple):
    """What an answer of a query needs."""

    rows: int
    weight: int
    weights: slice  # the cells that add up to the weight

    def hold(self, tallies):
        weights = tallies[:, self.weights].sum(axis=1)
        return ((tallies[:, 0] >= self.rows) & (weights >= self.weight)).astype(bool)


def read_limits(settings, cells):
    """Return what an answer needs, from settings that may be shares of the rows."""
    least = rows_needed(settings.min_samples_leaf, len(cells.rows))
    share = Fraction(str(settings.min_weight_fraction_leaf)) - TIE
    weight = cells.weight(cells.cells.sum(axis=0).tolist())
    width = cells.n_classes or 1
    return Limits(max(least, 1), max(0, ceil(share * weight)), slice(1, 1 + width))


def rows_needed(setting, n_rows):
    if isinstance(setting, int):
        return setting
    return ceil(Fraction(str(setting)) * n_rows - TIE)


class TwoWay:
    """Many queries of two answers: the tallies of their first answers, and what they ask.

    `sums` has what the first answers add up to in floating point, for labels that are numbers.
    `n_asked` counts also those that a shortlist leaves out.
    """

    def __init__(self, total, first, asks, sums, n_asked=None):
        self.total, self.first, self.asks, self.sums = total, first, asks, sums
        self.n_asked = len(first) if n_asked is None else n_asked

    def __len__(self):
        return len(self.first)

    @property
    def features(self):
        return self.asks[:, 0].astype(int)

    def admissible(self, limits):
        keep = np.flatnonzero(limits.hold(self.first) & limits.hold(self.total - self.first))
        return self if len(keep) == len(self) else self._only(keep)

    def _only(self, keep, n_asked=None):
        sums = None if self.sums is None else self.sums[keep]
        return TwoWay(self.total, self.first[keep], self.asks[keep], sums, n_asked)

    def shortlist(self, gain):
        """Return those that come near to the best of their column: no other can be chosen."""
        gains, features = self.near(gain), self.features
        best = np.full(features.max() + 1, -np.inf)
        np.maximum.at(best, features, gains)
        keep = np.flatnonzero(gains >= best[features] - gain.margin)
        return self._only(keep, n_asked=len(self))

    def near(self, gain):
        return gain.two_way(self.first, self.total, self.sums)

    def query(self, at):
        return Query(*self.asks[at].tolist())

    def parts(self, at):
        first = tuple(self.first[at].tolist())
        return first, tuple((self.total - self.first[at]).tolist())


class Many:
    """One query with an answer for each value."""

    n_asked = 1

    def __init__(self, asks, tallies, sums):
        self.asks, self.tallies, self.sums = asks, tallies, sums

    def __len__(self):
        return 1

    @property
    def features(self):
        return np.array([self.asks[0]])

    def admissible(self, limits):
        return self if limits.hold(self.tallies).sum() >= 2 else ()

    def near(self, gain):
        return gain.many(self.tallies, self.sums)

    def query(self, _):
        return Query(*self.asks)

    def parts(self, _):
        return tuple(tuple(tally) for tally in self.tallies.tolist())


def node_queries(columns, cells, members, near, *, group, limits):
    """Return blocks of all admissible queries of the rows `members`."""
    exact, screen = cells.cells[members], near.screen
    numbers = [at for at, column in enumerate(columns) if not column.is_choice]
    step = max(1, MOST_CELLS // len(members))  # a large node has too many queries to keep them all
    blocks = []
    for start in range(0, len(numbers), step):
        for block in _compared(columns, numbers[start : start + step], members, exact, screen):
            likely = block.admissible(limits)
            blocks += [likely.shortlist(near)] if len(likely) else []
    for number, column in enumerate(columns):
        if column.is_choice:
            values = _Values(number, column.ranks[members], exact, screen)
            found = values.groups(cells) if group else values.each()
            blocks += [block for each in found if len(block := each.admissible(limits))]
    return blocks


def _compared(columns, numbers, members, exact, screen):
    """Return the Below and IsMissing queries of some columns that are compared."""
    ranks = [columns[at].ranks[members] for at in numbers]
    varying = [at for at, of in enumerate(ranks) if of.min() < of.max()]
    if not varying:
        return []
    numbers = np.array([numbers[at] for at in varying])
    ranks = np.array([ranks[at] for at in varying])
    ranks[ranks == MISSING] = LAST
    order = np.argsort(ranks, axis=1, kind="stable")
    ranks = np.take_along_axis(ranks, order, axis=1)
    column, at = np.nonzero((ranks[:, :-1] != ranks[:, 1:]) & (ranks[:, 1:] != LAST))
    n_known = (ranks != LAST).sum(axis=1)
    has_missing = n_known < len(members)
    again = has_missing[column]  # asked with the missing rows at the second answer, then the first

    def first(array):
        sums = np.cumsum(array[order], axis=1)
        below = sums[column, at]
        if not has_missing.any():
            return below
        missing = array.sum(axis=0) - sums[np.arange(len(numbers)), n_known - 1]
        return np.concatenate([below, below[again] + missing[column[again]], missing[has_missing]])

    rank = ranks[column, at]
    below = [numbers[column], np.full(len(column), QueryKind.BELOW), rank, again]
    below_again = [each[again] for each in below[:3]] + [np.zeros(again.sum(), int)]
    of_missing = numbers[has_missing]
    nothing = np.zeros(len(of_missing), int)
    is_missing = [of_missing, np.full(len(of_missing), QueryKind.IS_MISSING), nothing, nothing]
    asks = np.concatenate([np.stack(each, axis=1) for each in (below, below_again, is_missing)])
    sums = None if screen is None else first(screen)
    return [TwoWay(exact.sum(axis=0), first(exact), asks, sums)]


class _Values:
    """The values that a node has of one choice, and the tally of each, missing ones last."""

    def __init__(self, number, ranks, exact, screen):
        self.number = number
        places = np.where(ranks == MISSING, LAST, ranks)
        order = np.argsort(places, kind="stable")
        present, starts = np.unique(places[order], return_index=True)
        self.tallies = np.add.reduceat(exact[order], starts)
        self.sums = None if screen is None else np.add.reduceat(screen[order], starts)
        self.has_missing = present[-1] == LAST
        self.values = present.tolist()[: -1 if self.has_missing else None]

    def each(self):
        """Return the one query for each value."""
        if len(self.tallies) < 2:
            return []
        asks = (self.number, int(QueryKind.EACH_VALUE), tuple(self.values), len(self.values))
        return [Many(asks, self.tallies, self.sums)]

    def groups(self, cells):
        """Return the queries for a group of values, and the one for missing values."""
        is_first, asks = [], []
        for group in self._cuts(cells):
            is_in = [value in group for value in self.values]
            if not self.has_missing:
                is_first.append(is_in)
                asks.append((QueryKind.ONE_OF, group, 0))
                continue
            is_first += [[*is_in, True], [*is_in, False]]
            asks += [(QueryKind.ONE_OF, group, 0), (QueryKind.ONE_OF, group, 1)]
        if self.has_missing and self.values:
            is_first.append([False] * len(self.values) + [True])
            asks.append((QueryKind.IS_MISSING, (), 0))
        if not asks:
            return []
        table = np.empty((len(asks), 4), dtype=object)
        for at, (kind, group, side) in enumerate(asks):
            table[at] = self.number, int(kind), group, side
        picks = np.array(is_first, dtype=self.tallies.dtype)
        sums = None if self.sums is None else np.array(is_first, dtype=float) @ self.sums
        return [TwoWay(self.tallies.sum(axis=0), picks @ self.tallies, table, sums)]

    def _cuts(self, cells):
        """Return the groups that hold the first value: the cuts of each order, and it alone."""
        if len(self.values) < 2:
            return []
        cuts = {(self.values[0],)}
        for top, bottom in self._shares(cells):
            shares = zip(top, bottom, self.values, strict=True)
            order = [
                value for _, value in sorted((Fraction(a, b), value) for a, b, value in shares)
            ]
            for at in range(1, len(order)):
                sides = order[:at], order[at:]
                cuts.add(tuple(sorted(sides[0] if self.values[0] in sides[0] else sides[1])))
        return sorted(cuts)

    def _shares(self, cells):
        """Yield what each value is ordered by, as a numerator and a denominator for each value."""
        total = self.tallies.sum(axis=0)
        for where in cells.by_output:
            of_output = self.tallies[: len(self.values), where]
            if not cells.n_classes:
                yield of_output[:, 1].tolist(), of_output[:, 0].tolist()
                continue
            weights = of_output.sum(axis=1).tolist()
            classes = np.flatnonzero(total[where] > 0)
            for at in classes[-1:] if len(classes) == 2 else classes:
                yield of_output[:, at].tolist(), weights
