"""How alike the labels in blocks of rows are: of one time, of one entity."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.checks.labels import ClassLabels, KnownLabels


@dataclass(frozen=True)
class Blocks:
    """The labels of rows that lie in blocks, and how much they vary."""

    n_rows: NDArray[np.intp]
    """How many rows each block has; none is empty."""
    spread: NDArray[np.float64]
    """The variance of the labels in each block; of classes, the Gini impurity."""
    whole: float
    """The same of all rows."""

    @property
    def explained(self) -> float:
        """The share of the variance that lies between the blocks."""
        return self._share_without(float(self.n_rows @ self.spread), self.n_rows)

    @property
    def agreement(self) -> float:
        """How alike two rows of a block are: 0 as any two rows, 1 equal. Blocks of one row say nothing."""
        shared = self.n_rows > 1
        n_rows, spread = self.n_rows[shared], self.spread[shared]
        unbiased = spread * n_rows / (n_rows - 1)
        return self._share_without(float(n_rows @ unbiased), n_rows)

    def _share_without(self, within: float, n_rows: NDArray[np.intp]) -> float:
        return 1 - within / (float(n_rows.sum()) * self.whole) if self.whole > 0 else 0.0


def blocks_of(
    numbers: NDArray[np.integer[Any]], labels: KnownLabels, rows: NDArray[np.intp]
) -> Blocks:
    """Return the blocks that some rows lie in, given by number from 0 on for each of these rows."""
    n_rows = np.bincount(numbers)
    each = labels.each[rows]
    if isinstance(labels, ClassLabels):
        n_classes = len(labels.classes)
        whole = _gini(np.zeros_like(each), each, n_classes)
        return Blocks(n_rows, _gini(numbers, each, n_classes), float(whole[0]))
    values = each - each.mean()  # so that squares lose no digits
    means = np.bincount(numbers, values) / n_rows
    spread = np.maximum(np.bincount(numbers, values**2) / n_rows - means**2, 0)
    return Blocks(n_rows, spread, float(values.var()))


def _gini(
    numbers: NDArray[np.integer[Any]], codes: NDArray[Any], n_classes: int
) -> NDArray[np.float64]:
    n_rows = np.bincount(numbers)
    cells = numbers.astype(np.int64) * n_classes + codes
    if len(n_rows) * n_classes <= 8 * len(codes) + 1000:
        counts = np.bincount(cells)
        found = np.flatnonzero(counts)
        counts = counts[found]
    else:  # so many cells that most are empty
        found, counts = np.unique(cells, return_counts=True)
    same = np.bincount(found // n_classes, counts.astype(np.float64) ** 2)
    return np.asarray(1 - same / n_rows.astype(np.float64) ** 2)
