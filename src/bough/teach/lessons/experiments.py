"""What experiments are made of: rows, trees grown from some of them, errors on others, and means over trials."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bough.datasets import load
from bough.encode import Labels
from bough.errors import ParameterError
from bough.grow import grow
from bough.learn.labelled_rows import LabelledRows
from bough.predict import stops
from bough.schema import Label
from bough.settings import Settings
from bough.table import TableLike, read
from bough.teach.walkthrough import read_taught
from bough.tree import Tree
from bough.walk import depths, parents

MOST_ROWS, LEAST_ROWS = 100_000, 40
RADIUS = float(np.sqrt(2 / np.pi))  # of a circle with half of the area of a square from -1 to 1
NEEDS_CLASSES = "This lesson counts errors: it needs a target with classes."
Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]


def made_rows(values: ArrayLike, labels: ArrayLike) -> LabelledRows:
    """Return rows of numbers with labels 0 and 1."""
    codes = np.asarray(labels, dtype=np.int32)[np.newaxis]
    return LabelledRows(
        read(np.asarray(values, dtype=np.float64)), Labels((Label("y", (0, 1)),), codes, None)
    )


def circle_rows(
    chance: np.random.Generator, n_rows: int, label_noise: float = 0.0, feature_noise: float = 0.0
) -> LabelledRows:
    """Return points of a square, labelled 1 inside a circle that has half of its area.

    Some labels are turned round, or the numbers moved a bit after the labels were given.
    """
    points = chance.uniform(-1, 1, (n_rows, 2))
    is_inside = (points**2).sum(axis=1) < RADIUS**2
    is_turned = chance.random(n_rows) < label_noise
    return made_rows(points + chance.normal(0, feature_noise, points.shape), is_inside ^ is_turned)


def rows_to_split(
    table: TableLike | None, target: str | None, usual: str = "species"
) -> LabelledRows:
    """Return rows for parts of which something can be concluded; by default the penguins."""
    if table is None:
        table, target = dict(load("penguins")), usual
    rows = rows_of(table, target)
    if len(rows) < LEAST_ROWS:
        raise ParameterError(
            f"This lesson splits the rows: it needs at least {LEAST_ROWS} with a label, not {len(rows)}."
        )
    return rows


def rows_of(table: TableLike, target: str | None) -> LabelledRows:
    """Return the rows of a table that have a label."""
    taught = read_taught(table, target, most_rows=MOST_ROWS)
    if not taught.exact.classes:
        raise ParameterError(NEEDS_CLASSES)
    return LabelledRows(taught.exact.table, taught.exact.labels)


def tree_from(rows: LabelledRows, **settings: Any) -> Tree:  # noqa: ANN401 - as `Settings` has them
    """Return the tree that rows grow by entropy, as the textbooks do."""
    wanted = Settings(**{"criterion": "entropy", **settings})
    return grow(rows.table, rows.labels, wanted, match_by_name=True)


def wrong(tree: Tree, rows: LabelledRows) -> float:
    """Return the share of rows that a tree gets wrong."""
    return float(np.mean(tree.class_guess[stops(tree, rows.table), 0] != rows.answers))


def wrong_at_depths(tree: Tree, rows: LabelledRows, up_to: int | None = None) -> Floats:
    """Return the share of wrong rows of a tree cut at each depth, from 0 on.

    Beyond the depth of the tree nothing changes any more.
    """
    found = np.asarray(wrong_rows_at_depths(tree, rows).mean(axis=1))
    return found if up_to is None else found[np.minimum(np.arange(up_to + 1), len(found) - 1)]


def wrong_rows_at_depths(tree: Tree, rows: LabelledRows) -> NDArray[np.bool_]:
    """Return which rows a tree cut at each depth gets wrong, (depths, rows)."""
    here, depth, above = stops(tree, rows.table), depths(tree), parents(tree)
    found = np.empty((int(depth.max()) + 1, len(rows)), np.bool_)
    for level in range(len(found) - 1, -1, -1):
        here = np.where(depth[here] > level, above[here], here)
        found[level] = tree.class_guess[here, 0] != rows.answers
    return found


def parted(
    rows: LabelledRows, chance: np.random.Generator, *shares: float
) -> tuple[LabelledRows, ...]:
    """Return rows in parts of these shares, at random; the last part has the others."""
    order = chance.permutation(len(rows))
    ends = np.cumsum(np.round(np.array(shares) * len(rows)).astype(np.intp))
    return tuple(rows.take(part) for part in np.split(order, ends))


def n_trials(rows: LabelledRows) -> int:
    """Return how often an experiment is repeated: the fewer rows there are, the more often."""
    return int(np.clip(20_000 // len(rows), 5, 50))


@dataclass(frozen=True)
class Mean:
    """The mean of figures of several trials, and how sure it is."""

    mean: float
    error: float
    """Its standard error."""


def mean_of(figures: ArrayLike) -> Mean:
    """Return the mean of independent trials.

    Examples
    --------
    >>> mean_of([1, 2, 3, 4])
    Mean(mean=2.5, error=0.6454972243679028)
    """
    known = np.asarray(figures, dtype=np.float64)
    return Mean(float(known.mean()), float(known.std(ddof=1) / np.sqrt(len(known))))
