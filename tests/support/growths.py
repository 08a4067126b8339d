"""Random tables to grow trees from, and ways to change them, for tests of what is true of every tree.

Four kinds of table take turns: classes and numbers as labels, each with columns of continuous
values and of small whole numbers. All may have choices, missing values and weights.
"""

from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import cycle

import numpy as np
from audit import audit, class_labels, number_labels

from bough.grow import grow
from bough.predict import stops
from bough.schema import Feature, Kind
from bough.settings import Settings
from bough.table import Table
from bough.tree.check import ARRAYS
from bough.walk import parents

N_TABLES = 400
CLASS_CRITERIA = ("gini", "entropy", "error", "gain_ratio")
OTHER_CRITERIA = ("absolute_error", "poisson", "quantile")  # of numbers, beside the squared error


@dataclass(frozen=True, eq=False)
class Growth:
    """A table, its labels, and the settings to grow a tree with."""

    seed: int
    features: tuple[Feature, ...]
    values: tuple[np.ndarray, ...]
    y: np.ndarray  # class numbers or numbers
    weights: np.ndarray | None
    settings: Settings

    @property
    def is_classes(self):
        return self.settings.criterion in CLASS_CRITERIA

    @property
    def n_rows(self):
        return len(self.y)

    @cached_property
    def table(self):
        names = tuple(feature.name for feature in self.features)
        return Table(names, True, self.features, self.values, self.n_rows)  # noqa: FBT003

    @cached_property
    def labels(self):
        return (class_labels if self.is_classes else number_labels)(self.y, self.weights)

    @cached_property
    def tree(self):
        return grow(self.table, self.labels, self.settings)

    @property
    def rng(self):
        """A generator of its own, for changes to be made by chance."""
        return np.random.default_rng(10**6 + self.seed)

    @property
    def own_weights(self):
        return np.ones(self.n_rows) if self.weights is None else self.weights

    def but(self, **changes):
        return replace(self, **changes)

    def set(self, **settings):
        return replace(self, settings=replace(self.settings, **settings))

    def take(self, rows):
        """Take these rows, in this order; a row may be taken twice."""
        weights = None if self.weights is None else self.weights[rows]
        values = tuple(each[rows] for each in self.values)
        return replace(self, values=values, y=self.y[rows], weights=weights)

    def map_numbers(self, change):
        """Change the values of all numbers."""
        values = tuple(
            change(each) if feature.kind is Kind.NUMBER else each
            for feature, each in zip(self.features, self.values, strict=True)
        )
        return replace(self, values=values)

    def with_columns(self, order):
        """Take these columns, in this order; a column may be taken twice."""
        features = tuple(
            replace(self.features[old], column=new, name=f"c{new}") for new, old in enumerate(order)
        )
        return replace(self, features=features, values=tuple(self.values[old] for old in order))


def differences(tree, other, *, apart_from=()):
    """Return the names of the arrays that differ in any bit."""
    return [
        name
        for name in ARRAYS
        if name not in apart_from and _bytes(getattr(tree, name)) != _bytes(getattr(other, name))
    ]


def _bytes(array):
    return None if array is None else (array.shape, array.tobytes())


def node_rows(growth):
    """Return the rows of each node, as bytes of booleans, by following rows with `stops`."""
    tree = growth.tree
    at_node = np.zeros((len(tree), growth.n_rows), dtype=bool)
    at_node[stops(tree, growth.table), np.arange(growth.n_rows)] = True
    above = parents(tree)
    for node in range(len(tree) - 1, 0, -1):
        at_node[above[node]] |= at_node[node]
    return [rows.tobytes() for rows in at_node]


@cache
def random_growth(seed):
    """Return the random growth with a number: always the same one."""
    rng = np.random.default_rng(seed)
    is_classes, is_continuous = bool(seed % 2), bool(seed // 2 % 2)
    n_rows = int(rng.integers(6, 36))
    columns = [_column(rng, n_rows, is_continuous) for _ in range(rng.integers(2, 5))]
    kinds = [Kind.CHOICE if values.dtype == np.int32 else Kind.NUMBER for values in columns]
    features = [
        Feature(f"c{at}", kind, at, choices=tuple("abcdef") if kind is Kind.CHOICE else ())
        for at, kind in enumerate(kinds)
    ]
    signal = np.nan_to_num(columns[0].astype(float)) + rng.normal(size=n_rows)
    if is_classes:
        y = np.digitize(signal, np.quantile(signal, [0.3, 0.6, 0.8][: rng.integers(1, 4)]))
    else:
        y = signal if is_continuous else np.round(signal * 2)
    weights = rng.integers(1, 9, n_rows) / 4 if rng.random() < 0.25 else None
    return Growth(seed, tuple(features), tuple(columns), y, weights, _settings(rng, is_classes))


def _column(rng, n_rows, is_continuous):
    share_missing = rng.choice([0, 0, 0.2])
    if rng.random() < 0.3:
        codes = rng.integers(0, rng.integers(2, 7), n_rows)
        return np.where(rng.random(n_rows) < share_missing, -1, codes).astype(np.int32)
    values = rng.normal(size=n_rows) if is_continuous else rng.integers(-2, 4, n_rows).astype(float)
    return np.where(rng.random(n_rows) < share_missing, np.nan, values)


def _settings(rng, is_classes):
    rules = {"max_depth": 3, "min_samples_leaf": 2, "min_samples_split": 5, "max_leaf_nodes": 6}
    rules |= {"min_impurity_decrease": 0.02, "min_weight_fraction_leaf": 0.1}
    chosen = rng.choice(list(rules), size=2) if rng.random() < 0.3 else ()
    return Settings(
        criterion=str(rng.choice(CLASS_CRITERIA)) if is_classes else "squared_error",
        categorical=str(rng.choice(["each", "group"])),
        **{name: rules[name] for name in chosen},
    )


@cache
def tie_free_growths(*, is_classes):
    """Return random growths in which no node has two equally good queries."""
    found, seed = [], 2 + is_classes  # continuous values
    while len(found) < N_TABLES:
        growth = _without_twins(random_growth(seed))
        seed += 4
        if audit(growth.tree, growth.table, growth.labels, growth.settings).ties == 0:
            found.append(growth)
    return found


def _without_twins(growth):
    """Give every row a weight of its own, and stop where few rows make ties likely."""
    criterion = "gini" if growth.settings.criterion == "error" else growth.settings.criterion
    growth = growth.set(
        criterion=criterion, min_samples_split=6, min_samples_leaf=2, max_leaf_nodes=None
    )
    return growth.but(weights=growth.rng.uniform(0.5, 2, growth.n_rows))


@cache
def random_growths():
    """Return random growths by every criterion."""
    found = [random_growth(seed) for seed in range(N_TABLES)]
    numbers = [growth for growth in found if not growth.is_classes]
    criteria = zip(numbers, cycle(OTHER_CRITERIA), strict=False)
    return found + [_grown_by(criterion, growth) for growth, criterion in criteria]


def _grown_by(criterion, growth):
    if criterion == "poisson":  # some labels are 0, and none is negative
        growth = growth.but(y=np.maximum(growth.y, 0.0) + (growth.y == growth.y.max()))
    quantile = float(growth.rng.choice([0.1, 0.5, 0.9])) if criterion == "quantile" else None
    return growth.set(criterion=criterion, quantile=quantile)


def violations(holds, growths=None):
    """Return the seeds and the criteria of the growths of which something does not hold."""
    return [
        (growth.seed, growth.settings.criterion)
        for growth in (random_growths() if growths is None else growths)
        if not holds(growth)
    ]
