"""The trees that one setting gives, and what each of them loses."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bough.evidence import Candidate
from bough.grow import grow
from bough.learn.labelled_rows import LabelledRows
from bough.learn.measure import groups_of
from bough.learn.nested_trees import Growth, Sizes, Sums
from bough.loss_kinds import LOSSES, node_losses, row_losses
from bough.node_words import LARGEST
from bough.predict import Mixtures, RowParts, all_guesses, averaged, parts_of, stops, weighed_rows
from bough.pruning.series import Runs, Series
from bough.ranking import Groups, Moves, no_relevant_row
from bough.settings import Settings
from bough.table import Table
from bough.tree import Tree
from bough.walk import trails

MOST_NUMBERS = 4_000_000  # that are held at once
MOST_SIZES = 1000  # of a series that become candidates
SLACK = 1e-9  # of the loss: candidates that differ by no more are equally good


@dataclass(frozen=True, eq=False)
class WeighedRows:
    """Rows that go down a tree in parts, and what is to be measured of them."""

    tree: Tree
    rows: LabelledRows
    loss: str
    quantile: float | None

    def runs(self, series: Series) -> Iterator[Runs]:
        """Give what rows lose in which runs of trees, a few rows at a time."""
        entries, start = averaged(self.tree), 0
        for rows, parts in self._portions(entries.shape[1]):
            found = series.runs_of_mixtures(parts, entries, partial(self._losses, rows))
            yield found._replace(rows=start + found.rows)
            start += len(rows)

    def moves(self, series: Series) -> tuple[NDArray[np.int64], NDArray[np.intp], Sums]:
        """Return in which tree which row comes to have which mean guess, summed as `predict` does."""
        guess = averaged(self.tree)[:, 0]
        start, found = 0, []
        for rows, parts in self._portions(1):
            first, last = series.runs_of_parts(parts)
            comes = parts.shares * guess[parts.nodes]
            for row, (begin, end) in enumerate(pairwise(parts.starts.tolist()), start):
                runs = first[begin:end], last[begin:end]
                trees = np.unique(np.append(*runs)[np.tile(runs[0] < runs[1], 2)])[:-1]
                there = (runs[0] <= trees[:, np.newaxis]) & (trees[:, np.newaxis] < runs[1])
                means = np.cumsum(np.where(there, comes[begin:end], 0.0), axis=1)[:, -1]
                found.append((trees, np.full(len(trees), row), means))
            start += len(rows)
        numbers, of_rows, means = (np.concatenate(each) for each in zip(*found, strict=True))
        least, most = series.ranges(guess)
        return numbers, of_rows, np.clip(means, least[numbers], most[numbers])

    def _portions(self, n_numbers: int) -> Iterator[tuple[LabelledRows, RowParts]]:
        """Give a few rows at a time, since each may meet every node."""
        step = max(MOST_NUMBERS // (len(self.tree) * n_numbers), 1)
        for start in range(0, len(self.rows), step):
            rows = self.rows.take(np.arange(start, min(start + step, len(self.rows))))
            yield rows, parts_of(self.tree, rows.table, np.arange(len(rows)))

    def _losses(self, rows: LabelledRows, some: NDArray[np.intp], means: Sums) -> Sums:
        mixtures = Mixtures(self.tree, means)
        places = len(self.tree) + np.arange(len(means))
        return row_losses(mixtures, self.loss, places, rows.answers[some], quantile=self.quantile)


@dataclass(frozen=True)
class Setting:
    """What changes the queries of a tree, and so needs a growth of its own."""

    criterion: str
    categorical: str
    quantile: float | None = None
    """For the criterion 'quantile', and for the pinball loss."""
    missing: str = "stop"
    """Where a missing value goes when rows are guessed."""
    monotonic_cst: tuple[int, ...] | None = None
    """Which way guesses go along each column."""
    first: tuple[str, ...] = ()
    """The columns to ask about first."""
    forbid: tuple[str, ...] = ()
    """The columns never to ask about."""
    pivots: str = "round"
    exact: bool = True
    """Whether all values of numbers are told apart."""
    smallest_leaf: int = 1
    """The rows that a leaf has at least; where rows have weights, as many of the mean weight."""
    without: tuple[str, ...] = ()
    """Columns of many values not to ask about."""
    max_depth: int | None = None
    """The depth beyond which nothing is tried."""
    min_rows: int = 1
    """The rows that a leaf has at least whatever is tried, and whatever they weigh."""

    def grown(self, rows: LabelledRows, n_jobs: int, max_depth: int | None = None) -> Tree:
        """Return the tree that these rows grow."""
        settings = self.settings(max_depth, rows)
        return grow(rows.table, rows.labels, settings, n_jobs=n_jobs, match_by_name=True)

    def runner_up(self, rows: LabelledRows, column: str, n_jobs: int) -> tuple[Tree, Table] | None:
        """Return the best question about another column, and the rows without that column."""
        others = rows.without({column, *self.forbid, *self.without})
        if not others.table.features:
            return None
        found = replace(self, forbid=(), without=()).grown(others, n_jobs, 1)
        return None if len(found) == 1 else (found, others.table)

    def settings(self, max_depth: int | None, rows: LabelledRows) -> Settings:
        depths = [each for each in (max_depth, self.max_depth) if each is not None]
        is_weighed = rows.weights is not None and self.smallest_leaf > 1
        share = min(self.smallest_leaf / len(rows), 0.5) if is_weighed else 0.0
        return Settings(
            criterion=self.criterion,
            quantile=self.quantile if self.criterion == "quantile" else None,
            categorical=self.categorical,
            max_depth=min(depths, default=None),
            min_samples_leaf=self.min_rows
            if is_weighed
            else max(self.smallest_leaf, self.min_rows),
            min_weight_fraction_leaf=share,
            monotonic_cst=self.monotonic_cst,
            first=self.first or None,
            forbid=(*self.forbid, *self.without) or None,
            pivots=self.pivots,
            exact=self.exact,
        )


@dataclass(frozen=True, eq=False)
class Trial:
    """A growth, and rows that took no part in it."""

    growth: Growth
    rows: LabelledRows

    def sums(self, sizes: Sizes, loss: str, quantile: float | None, missing: str) -> Sums:
        """Return sums for each size: w·loss, w²·loss and w²·loss².

        They are over rows, or over groups of rows that depend on each other.
        """
        if LOSSES[loss].task.ranks:
            of_groups = self._of_groups(is_weighed=missing == "weigh")
            return self.growth.read_off(sizes, of_groups).T
        tree, table = self.growth.tree, self.rows.table
        weighed = weighed_rows(tree, table) if missing == "weigh" else np.empty(0, np.int64)
        others = np.delete(np.arange(len(self.rows)), weighed)
        whole = self.rows.take(others) if len(weighed) else self.rows
        in_parts = WeighedRows(tree, self.rows.take(weighed), loss, quantile)
        followed = trails(tree, stops(tree, whole.table))
        row = np.repeat(np.arange(len(whole)), np.diff(followed[0]))
        losses = row_losses(tree, loss, followed[1], whole.answers[row], quantile=quantile)

        def sums(series: Series) -> Sums:
            runs = series.runs_of_rows(followed, losses)
            if not len(weighed):
                return self._summed(series, runs)
            found = [(others, runs), *((weighed, each) for each in in_parts.runs(series))]
            placed = [each._replace(rows=rows[each.rows]) for rows, each in found]
            return self._summed(series, Runs(*map(np.concatenate, zip(*placed, strict=True))))

        return self.growth.read_off(sizes, sums).T

    def _summed(self, series: Series, runs: Runs) -> Sums:
        """Return the three sums for each tree, from what rows lose."""
        weights, group = self._row_weights, self.rows.group
        once = runs._replace(values=weights[runs.rows] * runs.values)
        if group is None:
            twice = once._replace(values=weights[runs.rows] * once.values)
            both = series.sums_over_runs(once._replace(values=once.values * once.values))
        else:
            number = np.unique(group, return_inverse=True)[1]
            of_group = np.bincount(number, weights)[number]
            twice = once._replace(values=of_group[runs.rows] * once.values)
            both = series.squares_over_groups(once, number)
        sums = [series.sums_over_runs(once), series.sums_over_runs(twice), both]
        return np.stack(sums, axis=1)

    def _of_groups(self, *, is_weighed: bool) -> Callable[[Series], Sums]:
        """Return what sums over the groups for each tree; their orders hang on all of their rows."""
        tree, groups = self.growth.tree, groups_of(self.rows)
        scores, here = all_guesses(tree)[:, 0], stops(tree, self.rows.table)
        weighed = weighed_rows(tree, self.rows.table) if is_weighed else np.empty(0, np.int64)
        if not len(weighed):
            return lambda series: _group_sums(scores, series.moves(here), groups, len(series))
        in_parts = WeighedRows(tree, self.rows.take(weighed), "ndcg_loss", None)

        def sums(series: Series) -> Sums:
            numbers, rows, nodes = series.moves(here)
            is_whole = ~np.isin(rows, weighed)
            trees, of_rows, means = in_parts.moves(series)
            numbers = np.append(numbers[is_whole], trees)
            rows = np.append(rows[is_whole], weighed[of_rows])
            places = np.append(nodes[is_whole], len(tree) + np.arange(len(means), dtype=np.int32))
            order = np.argsort(numbers, kind="stable")
            moves = numbers[order], rows[order], places[order]
            return _group_sums(np.append(scores, means), moves, groups, len(series))

        return sums

    def weights(self, loss: str) -> Sums:
        """Return how much each row counts, or each group of rows that depend on each other."""
        if LOSSES[loss].task.ranks:
            return groups_of(self.rows).weights
        if self.rows.group is None:
            return self._row_weights
        number = np.unique(self.rows.group, return_inverse=True)[1]
        return np.asarray(np.bincount(number, self._row_weights), np.float64)

    @property
    def _row_weights(self) -> Sums:
        return np.ones(len(self.rows)) if self.rows.weights is None else self.rows.weights


def _group_sums(scores: Sums, moves: Moves, groups: Groups, n_trees: int) -> Sums:
    """Return for each tree of a series the sums over the groups: w·loss, w²·loss and w²·loss²."""
    weights, sums = groups.weights, []
    for losses in groups.losses_in_series(scores, moves, n_trees):
        once = weights * losses
        sums.append((once.sum(), np.dot(weights, once), np.dot(once, once)))
    return np.array(sums)


def candidates(
    setting: Setting, growth: Growth, rows: LabelledRows, trials: Sequence[Trial], loss: str
) -> Iterator[Candidate]:
    """Give every tree that can be read off a growth from some rows, with its losses.

    Each trial has a growth and rows that took no part in it: the development rows, or a fold.
    """
    sizes = growth.sizes
    n_leaves = growth.read_off(sizes, lambda series: series.n_leaves.astype(np.float64))
    measured = sizes, loss, setting.quantile, setting.missing
    with np.errstate(over="ignore", invalid="ignore"):
        # A sum over the leaves of a smaller tree is a difference, which rounding may leave below 0.
        train = np.nan_to_num(_training_losses(Trial(growth, rows), *measured), nan=LARGEST)
        train = train.clip(0.0, LARGEST)
    weights = np.concatenate([trial.weights(loss) for trial in trials])
    total, squares = float(weights.sum()), float(np.dot(weights, weights))
    if total == 0:
        raise no_relevant_row()
    with np.errstate(over="ignore", invalid="ignore"):  # losses of labels of 1e300 have no squares
        once, twice, both = np.sum([trial.sums(*measured) for trial in trials], axis=0)
        dev = np.nan_to_num(once / total, nan=LARGEST).clip(0.0, LARGEST)
        variance = np.maximum(both - 2 * dev * twice + dev * dev * squares, 0.0)
        if trials[0].rows.group is not None:  # of which there may be few
            n_groups = int(np.count_nonzero(weights))
            variance *= n_groups / max(n_groups - 1, 1)
        error = np.nan_to_num(np.sqrt(variance) / total, nan=LARGEST, posinf=LARGEST)
    counts = np.rint(n_leaves).astype(np.int64)
    kept = _worth_keeping(sizes, counts, dev)
    figures = (each[np.concatenate(kept)].tolist() for each in (counts, train, dev, error))
    for size, n, on_train, on_dev, its_error in zip(sizes.some(kept), *figures, strict=True):
        yield Candidate(
            criterion=setting.criterion,
            categorical=setting.categorical,
            depth=size.depth,
            pruned_by=size.pruned_by,
            price=size.price,
            n_leaves=n,
            train=on_train,
            dev=on_dev,
            dev_error=its_error,
            smallest_leaf=setting.smallest_leaf,
            without=setting.without,
        )


def _worth_keeping(sizes: Sizes, n_leaves: NDArray[np.int64], dev: Sums) -> list[NDArray[np.bool_]]:
    """Return which sizes of each series stay: of very many, some that are well spread, and the best."""
    ends = np.cumsum([len(numbers) for numbers in sizes.by_way.values()])
    found = []
    for leaves, losses in zip(
        *(np.split(each, ends[:-1]) for each in (n_leaves, dev)), strict=True
    ):
        kept = np.full(len(leaves), len(leaves) <= MOST_SIZES)
        if len(leaves) > MOST_SIZES:
            steps = np.floor(MOST_SIZES * np.log(leaves) / np.log(leaves.max()))
            kept[np.unique(steps, return_index=True)[1]] = True
            best = np.flatnonzero(losses <= losses.min() * (1 + SLACK))
            kept[best[np.argmin(leaves[best])]] = True
        found.append(kept)
    return found


def _training_losses(
    learnt: Trial, sizes: Sizes, loss: str, quantile: float | None, missing: str
) -> Sums:
    growth, tree = learnt.growth, learnt.growth.tree
    losses = node_losses(tree, loss) if missing == "stop" else None
    if losses is None:  # the tallies do not tell
        sums = learnt.sums(sizes, loss, quantile, missing)[0]
        return np.asarray(sums / learnt.weights(loss).sum())
    shares = tree.weight / tree.weight[0]
    return growth.read_off(sizes, lambda series: series.sums_over_leaves(shares * losses))
