"""The losses of rows whose missing values go to every answer, for every tree of a series."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bough.learn.rows import LabelledRows
from bough.losses import row_losses
from bough.predict import Parts, parts_of
from bough.prune import Series
from bough.tree import Mixtures, Tree, averaged

Sums = NDArray[np.float64]

MOST_NUMBERS = 4_000_000  # that are held at once


@dataclass(frozen=True, eq=False)
class WeighedRows:
    """Rows that go down a tree in parts, and what is to be measured of them."""

    tree: Tree
    rows: LabelledRows
    loss: str
    quantile: float | None

    def sums(self, series: Series) -> Sums:
        """Return sums over the rows for each tree: w·loss, w²·loss and w²·loss²."""
        entries = averaged(self.tree)
        total = np.zeros((len(series), 3))
        for rows, parts in self._portions(entries.shape[1]):
            total += series.sums_over_mixtures(parts, entries, partial(self._values, rows))
        return total

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

    def _portions(self, n_numbers: int) -> Iterator[tuple[LabelledRows, Parts]]:
        """Give a few rows at a time, since each may meet every node."""
        step = max(MOST_NUMBERS // (len(self.tree) * n_numbers), 1)
        for start in range(0, len(self.rows), step):
            rows = self.rows.take(np.arange(start, min(start + step, len(self.rows))))
            yield rows, parts_of(self.tree, rows.table, np.arange(len(rows)))

    def _values(self, rows: LabelledRows, some: NDArray[np.intp], means: Sums) -> Sums:
        mixtures = Mixtures(self.tree, means)
        places = len(self.tree) + np.arange(len(means))
        losses = row_losses(mixtures, self.loss, places, rows.answers[some], quantile=self.quantile)
        weights = np.ones(len(some)) if rows.weights is None else rows.weights[some]
        once = weights * losses
        return np.stack([once, weights * once, once * once], axis=1)
