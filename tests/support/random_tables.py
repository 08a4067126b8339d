"""Random small tables, with settings to grow from them, in a form that both sides can read.

Columns have few distinct values, so that ties, constants and twins are common.
"""

import math
import random
from dataclasses import dataclass, field

import bough.reference as ref

NUMBER_CRITERIA = ("squared_error", "absolute_error", "poisson", "quantile")
CLASS_CRITERIA = ("error", "gini", "entropy", "log_loss", "gain_ratio")
SIZES = ("S", "M", "L", "XL")  # an ordered kind: not in alphabetical order
EXTREMES = (0.0, -0.0, 5e-324, -5e-324, 1e-308, 1.7e308, -1.7e308, 1.7976931348623157e308)


@dataclass
class RandomTable:
    """A table, the settings, and rows to predict; None is a missing value."""

    seed: int
    columns: dict[str, list]
    kinds: dict[str, str]  # "number", "integer", "text", "boolean", "coded" or "ordered"
    labels: list
    weights: list | None
    settings: dict
    probes: dict[str, list] = field(default_factory=dict)

    @property
    def is_regression(self):
        return self.settings["criterion"] in NUMBER_CRITERIA

    def reference_tree(self):
        return ref.grow(self.reference_table(), ref.Settings(**self.settings))

    def reference_table(self):
        columns = {name: _positions(self.kinds[name], self.columns[name]) for name in self.columns}
        coded = [name for name, kind in self.kinds.items() if kind in ("coded", "text", "boolean")]
        return ref.Table(columns, self.labels, self.weights, choices=coded)

    def frame(self, columns=None):
        """The columns, or the probes, as an Arrow table."""
        import pyarrow as pa  # polars does not run under the thread sanitizer

        types = {"number": pa.float64(), "integer": pa.int64(), "coded": pa.int64()}
        types |= {"text": pa.string(), "ordered": pa.string(), "boolean": pa.bool_()}
        schema = pa.schema([(name, types[kind]) for name, kind in self.kinds.items()])
        return pa.table(self.columns if columns is None else columns, schema=schema)

    @property
    def types(self):
        """What cannot be inferred from the frame."""
        chosen = {name: "category" for name, kind in self.kinds.items() if kind == "coded"}
        return chosen | {n: list(SIZES) for n, kind in self.kinds.items() if kind == "ordered"}

    def rows(self, columns):
        """The rows of some columns, as the reference reads them."""
        read = {name: _positions(self.kinds[name], columns[name]) for name in columns}
        n_rows = len(next(iter(read.values())))
        return [{name: values[row] for name, values in read.items()} for row in range(n_rows)]


def random_table(seed):
    """Return the random table with a number: always the same one."""
    rng = random.Random(seed)
    n_rows = (
        1 if rng.random() < 0.02 else rng.choice([2, 4, 6, 8, 10, 10, 16, 20, 20, 30, 40, 60, 60])
    )
    n_columns = rng.choice([1, 1, 2, 2, 3, 4, 5, 6])
    columns, kinds = {}, {}
    for number in range(n_columns):
        name = f"c{number}"
        if columns and rng.random() < 0.15:  # a twin of the column before it
            columns[name], kinds[name] = list(columns[f"c{number - 1}"]), kinds[f"c{number - 1}"]
            continue
        kinds[name] = rng.choice(
            ["number", "number", "integer", "text", "text", "coded", "boolean", "ordered"]
        )
        columns[name] = _column(rng, kinds[name], n_rows)
    settings = _settings(rng)
    make_labels = _numbers if settings["criterion"] in NUMBER_CRITERIA else _classes
    labels = make_labels(rng, n_rows, columns)
    weights = _weights(rng, n_rows)
    if settings["criterion"] == "poisson":
        labels = _counts(rng, labels, weights)
    table = RandomTable(seed, columns, kinds, labels, weights, settings)
    table.probes = _probes(rng, table)
    return table


def _column(rng, kind, n_rows):
    pool = _pool(rng, kind)
    share_missing = rng.choice([0, 0, 0, 0.1, 0.3, 0.3, 0.8, 1.0 if rng.random() < 0.2 else 0])
    return [None if rng.random() < share_missing else rng.choice(pool) for _ in range(n_rows)]


def _pool(rng, kind):
    match kind:
        case "text":
            return rng.sample(
                ["a", "b", "c", "B", "", "é", "ß", "10", "9", " x"], rng.randint(1, 7)
            )
        case "boolean":
            return [False, True]
        case "ordered":
            return list(SIZES[: rng.randint(1, 4)])
        case "coded":
            return rng.sample([-2, 0, 1, 2, 9, 10, 11, 100], rng.choice([1, 2, 3, 5, 8]))
        case "integer":
            start = rng.choice([0, -3, 2**53 - 3, -(2**53) - 2, 2**62, -(2**63) + 1, 2**63 - 9])
            return [start + step for step in range(rng.randint(1, 8))]
    return _pool_of_numbers(rng)


def _pool_of_numbers(rng):
    match rng.randrange(6):
        case 0:
            return [float(number) for number in range(-3, 4)]
        case 1:
            return rng.sample(EXTREMES, rng.randint(1, 6))
        case 2:  # neighbours: no float64 lies between them
            start = rng.choice([1.0, -1.0, 0.1, 1e15, 2.0**53])
            pool = [start]
            for _ in range(rng.randint(1, 5)):
                pool.append(math.nextafter(pool[-1], math.inf))
            return pool
        case 3:
            return [round(0.1 * number, 1) for number in range(-2, 8)]
        case 4:
            return [rng.gauss(0, 1) for _ in range(40)]
    return [7.25]


def _settings(rng):
    criterion = rng.choice([*CLASS_CRITERIA, *NUMBER_CRITERIA])
    settings = {"criterion": criterion, "categorical": rng.choice(["each", "group", "auto"])}
    if criterion == "quantile":
        settings["quantile"] = rng.choice([0.1, 0.25, 0.3, 1 / 3, 0.5, 0.9, 0.999])
    if rng.random() < 0.4:
        return settings
    rules = {
        "max_depth": rng.randint(0, 5),
        "min_samples_split": rng.choice([2, 3, 5, 10, 0.1, 0.25, 0.3, 0.5]),
        "min_samples_leaf": rng.choice([1, 2, 3, 5, 0.05, 0.1, 0.2, 0.3]),
        "min_weight_fraction_leaf": rng.choice([0.0, 0.05, 0.1, 0.125, 0.2, 0.3, 0.5]),
        "min_impurity_decrease": rng.choice([0.0, 1e-9, 0.01, 0.02, 0.05, 0.08, 0.1, 0.125]),
        "max_leaf_nodes": rng.randint(2, 12),
    }
    chosen = rng.sample(sorted(rules), rng.choice([1, 1, 2, 3]))
    return settings | {name: rules[name] for name in chosen}


def _weights(rng, n_rows):
    match rng.randrange(6):
        case 0:
            pool = [1, 2, 3]
        case 1:
            pool = [0, 0, 1, 2]
        case 2:
            pool = [0.1, 0.2, 0.3, 0.7, 1.0]
        case 3:
            pool = [0.0, 0.1, 1 / 3, 1e-3, 12.5]
        case _:
            return None
    weights = [rng.choice(pool) for _ in range(n_rows)]
    weights[rng.randrange(n_rows)] = pool[-1]  # at least one row counts
    return weights


def _classes(rng, n_rows, columns):
    classes = rng.choice([["no", "yes"], [0, 1], list("abcde"), [3, 10, 20], ["x", "y", "z"]])
    if rng.random() < 0.03:
        classes = [7]
    if rng.random() < 0.5:
        return [rng.choice(classes) for _ in range(n_rows)]
    return [classes[_signal(rng, columns, row) % len(classes)] for row in range(n_rows)]


def _numbers(rng, n_rows, columns):
    scale = rng.choice([1, 0.1, 1e-9, 1e9])
    offset = rng.choice([0, 0, -2, 1e6])
    pool = [round(rng.gauss(0, 1), rng.choice([0, 1, 15])) for _ in range(rng.choice([2, 4, 40]))]
    labels = [
        scale * (_signal(rng, columns, row) % 5) + offset
        if rng.random() < 0.7
        else rng.choice(pool)
        for row in range(n_rows)
    ]
    if scale in (0.1, 1) and offset <= 0:  # some labels are of another order of magnitude
        labels = [label * rng.choice([1, 1, 1e12]) for label in labels]
    return labels


def _counts(rng, labels, weights):
    """Labels that are 0 or more; some row that takes part has more."""
    counts = [abs(label) if rng.random() < 0.8 else 0.0 for label in labels]
    if not any(count and weight for count, weight in zip(counts, weights or counts, strict=True)):
        return [count + 1 for count in counts]
    return counts


def _signal(rng, columns, row):
    """A number that the row's values decide, but for some noise."""
    names = list(columns)[:2]
    if rng.random() < 0.25:
        return rng.randrange(10)
    return sum(len(repr(columns[name][row])) + ord(repr(columns[name][row])[-1]) for name in names)


def _probes(rng, table):
    """Rows whose values are mixed anew, with more missing values and unseen ones."""
    unseen = {"text": "never", "coded": 5}
    probes = {}
    for name, kind in table.kinds.items():
        known = [value for value in table.columns[name] if value is not None]
        values = [*known, None, unseen.get(kind) if known else None]
        probes[name] = [rng.choice(values) for _ in range(12)]
    return probes


def _positions(kind, values):
    """What a tree compares: the place of an ordered value, any other value itself."""
    if kind != "ordered":
        return values
    return [None if value is None else SIZES.index(value) for value in values]
