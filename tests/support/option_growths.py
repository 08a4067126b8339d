"""Random growths with every option of the fast search, from tables of up to 5,000 rows."""

from dataclasses import replace

import numpy as np

from bough.encode import Labels
from bough.schema import MISSING_INTEGER, Feature, Kind, Label
from bough.settings import Settings
from bough.table import Table

NUMBERS = ["squared_error", "squared_error", "poisson"]


def random_column(rng, n_rows):
    kind = rng.integers(7)
    if kind == 0:
        values = rng.normal(size=n_rows)
    elif kind == 1:
        values = rng.integers(0, 5, size=n_rows).astype(float)
    elif kind == 2:
        values = np.round(rng.normal(size=n_rows), 1)
    elif kind == 3:
        values = rng.integers(0, 4, size=n_rows).astype(np.int32)
    elif kind == 4:
        values = np.exp(rng.normal(size=n_rows) * 5)
    elif kind == 5:
        values = np.clip(rng.normal(size=n_rows) * 100 + 300, 0, 599).astype(np.int32)
    else:
        values = rng.integers(2**60, 2**60 + rng.choice([50, 1000]), size=n_rows)
    if rng.random() < 0.4:
        gone = rng.random(n_rows) < rng.choice([0.05, 0.5])
        marks = {"f": np.nan, "i": -1 if values.dtype == np.int32 else MISSING_INTEGER}
        values[gone] = marks[values.dtype.kind]
    return values


def kind_of(values):
    return {"float64": Kind.NUMBER, "int32": Kind.CHOICE, "int64": Kind.INTEGER}[values.dtype.name]


def choices_of(values):
    if values.dtype != np.int32:
        return ()
    return tuple(f"{choice:03}" for choice in range(4 if values.max() < 4 else 600))


def table_of(columns):
    features = tuple(
        Feature(f"x{i}", kind_of(values), i, choices=choices_of(values))
        for i, values in enumerate(columns)
    )
    names = tuple(feature.name for feature in features)
    return Table(names, True, features, tuple(columns), len(columns[0]))  # noqa: FBT003


def random_labels(rng, signal, n_rows):
    y = signal * rng.choice([0, 1]) + rng.normal(size=n_rows)
    weights = random_weights(rng, n_rows)
    outputs = [y, rng.normal(size=n_rows)] if rng.random() < 0.15 else [y]
    if rng.random() < 0.4:
        outputs = [shaped(rng, values) for values in outputs]
        if rng.random() < 0.3:
            outputs = [np.abs(values) for values in outputs]
        return Labels(
            tuple(Label(f"y{i}") for i in range(len(outputs))), None, np.array(outputs), weights
        )
    classes = [codes_of(values, int(rng.choice([2, 2, 3, 7, 300]))) for values in outputs]
    if rng.random() < 0.2:
        weights = balanced_weights(classes[0])
    labels = tuple(
        Label(f"y{i}", tuple(range(codes.max() + 1)), "int64") for i, codes in enumerate(classes)
    )
    return Labels(labels, np.array(classes), None, weights)


def shaped(rng, y):
    """Return number labels that are rounded, spread over many orders, or left as they are."""
    if rng.random() < 0.4:
        return np.round(y, 1)
    return np.exp(4 * y) if rng.random() < 0.2 else y


def codes_of(y, n_classes):
    codes = np.floor(y * n_classes / 4 + n_classes / 2)
    return np.clip(codes, 0, n_classes - 1).astype(np.int32)


def random_weights(rng, n_rows):
    kind = rng.integers(8)
    if kind == 0:
        return rng.integers(1, 4, size=n_rows).astype(float)
    if kind == 1:
        weights = rng.integers(0, 3, size=n_rows) / 8
        weights[0] = 1  # some row takes part
        return weights
    if kind == 2:
        return rng.random(n_rows) + 0.1
    if kind == 3:
        return np.exp(rng.normal(size=n_rows) * 10)
    return None


def balanced_weights(codes):
    counts = np.bincount(codes)
    return (len(codes) / (np.count_nonzero(counts) * counts[codes])).astype(float)


def random_settings(rng, labels):
    criteria = ["gini", "entropy", "gain_ratio", "error"] if labels.values is None else NUMBERS
    criterion = rng.choice(criteria)
    if criterion == "poisson" and labels.values.min() < 0:
        criterion = "squared_error"
    return Settings(
        criterion=str(criterion),
        max_leaf_nodes=rng.choice([None, None, None, 7, 60]),
        max_features=rng.choice([None, None, None, 1]),
        splitter=str(rng.choice(["best", "best", "best", "random"])),
        random_state=int(rng.integers(100)),
        categorical=str(rng.choice(["each", "group"])),
        max_depth=rng.choice([None, None, 3, 6]),
        min_samples_leaf=int(rng.choice([1, 1, 3, 20])),
        min_impurity_decrease=float(rng.choice([0, 0, 0, 0.01])),
        min_weight_fraction_leaf=float(rng.choice([0, 0, 0, 0.02])),
    )


def random_growth(seed):
    rng = np.random.default_rng(seed)
    n_rows = int(rng.choice([5, 30, 200, 1000, 5000]))
    columns = [random_column(rng, n_rows) for _ in range(rng.integers(1, 6))]
    signal = np.nan_to_num(columns[0].astype(float))
    signal = (signal - signal.mean()) / (signal.std() + 1e-9)
    labels = random_labels(rng, signal, n_rows)
    settings = random_settings(rng, labels)
    if settings.criterion == "squared_error" and labels.values.shape[0] == 1 and rng.random() < 0.3:
        directions = [
            0 if values.dtype == np.int32 else int(rng.integers(-1, 2)) for values in columns
        ]
        settings = replace(settings, monotonic_cst=tuple(directions))
    return table_of(columns), labels, settings
