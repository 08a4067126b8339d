"""The options of an estimator that are timed: what they are, and the tables they are tried on.

Rows and labels are drawn as in `synthetic.py`: several columns decide together, up to noise.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from synthetic import N_VALUES, SEED, codes_of, frame, signal

TASKS = ("classes", "numbers")
DEPTHS = (None, 8)
ANY_DEPTH = (None,)
N_SPARSE = 500  # columns of the sparse table
DENSITY = 0.01
MANY = 4_000  # values of the one large category


@dataclass(frozen=True)
class Drawn:
    """The rows that a tree grows from."""

    X: Any
    y: np.ndarray
    weights: np.ndarray | None = None


def dense(rng, n_rows, n_columns, task):
    X = rng.standard_normal((n_rows, n_columns))
    return Drawn(X, labels(signal(X[:, :6].T, rng), task))


def labels(lean, task):
    return (lean > 0).astype(np.int64) if task == "classes" else lean


def twin(rng, n_rows, n_columns, task):
    """Give the first column once more in another unit: kilometres beside miles."""
    rows = dense(rng, n_rows, n_columns, task)
    rows.X[:, -1] = 1.609344 * rows.X[:, 0]
    return rows


def weighted(rng, n_rows, n_columns, task):
    rows = dense(rng, n_rows, n_columns, task)
    return Drawn(rows.X, rows.y, rng.uniform(0.1, 3.0, n_rows))


def bootstrap(rng, n_rows, n_columns, task):
    """Count rows as often as a forest draws them for one of its trees."""
    rows = dense(rng, n_rows, n_columns, task)
    counts = np.bincount(rng.integers(0, n_rows, n_rows), minlength=n_rows)
    return Drawn(rows.X, rows.y, counts.astype(np.float64))


def many_classes(rng, n_rows, n_columns, _task):
    """Draw 300 classes, some rare, in the order of what decides them."""
    X = rng.standard_normal((n_rows, n_columns))
    lean = signal(X[:, :6].T, rng)
    edges = np.quantile(lean, np.linspace(0, 1, 301)[1:-1] ** 1.5)
    return Drawn(X, np.digitize(lean, edges))


def sparse(rng, n_rows, _n_columns, task):
    """Draw counts of words, most of them 0; the labels lean on a tenth of the words."""
    import scipy.sparse

    n_stored = int(n_rows * N_SPARSE * DENSITY)
    where = rng.integers(0, n_rows, n_stored), rng.integers(0, N_SPARSE, n_stored)
    counts = (1.0 + rng.poisson(0.7, n_stored), where)
    X = scipy.sparse.coo_matrix(counts, shape=(n_rows, N_SPARSE)).tocsr()
    loads = np.zeros(N_SPARSE)
    loads[:50] = rng.standard_normal(50)
    return Drawn(X, labels(X @ loads + 0.5 * rng.standard_normal(n_rows), task))


def strings(rng, n_rows, _n_columns, task):
    codes = [codes_of(rng, n_rows, n) for n in N_VALUES]
    columns = {f"c{n}": texts(n)[mine] for mine, n in zip(codes, N_VALUES, strict=True)}
    return Drawn(frame(columns), labels(lean_of(rng, codes, N_VALUES), task))


def many_values(rng, n_rows, n_columns, task):
    """Draw numbers beside a category of thousands of values, as tail numbers of aeroplanes."""
    X = rng.standard_normal((n_columns - 1, n_rows))
    codes = (MANY * rng.random(n_rows) ** 1.5).astype(np.int64)
    columns = {f"x{at}": column for at, column in enumerate(X)} | {"plane": texts(MANY)[codes]}
    lean = signal(X[:6], rng) + lean_of(rng, [codes], [MANY])
    return Drawn(frame(columns), labels(lean, task))


def texts(n_values):
    return np.array([f"v{value:04}" for value in range(n_values)], dtype=object)


def lean_of(rng, codes, sizes):
    lean = rng.standard_normal(len(codes[0]))
    for mine, n in zip(codes, sizes, strict=True):
        lean += (0.5 * rng.standard_normal(n))[mine]
    return lean


def three_outputs(rng, n_rows, n_columns, task):
    X = rng.standard_normal((n_rows, n_columns))
    leans = [signal(X[:, order].T, rng) for order in (range(6), range(1, 7), range(2, 8))]
    return Drawn(X, np.column_stack([labels(lean, task) for lean in leans]))


def counts(rng, n_rows, n_columns, _task):
    X = rng.standard_normal((n_rows, n_columns))
    return Drawn(X, rng.poisson(np.exp(0.5 * signal(X[:, :6].T, rng))).astype(np.float64))


def weighted_counts(rng, n_rows, n_columns, task):
    """Count claims, each row weighed by how long it was looked at."""
    rows = counts(rng, n_rows, n_columns, task)
    return Drawn(rows.X, rows.y, rng.uniform(0.1, 3.0, n_rows))


def whole_labels(rng, n_rows, n_columns, _task):
    rows = dense(rng, n_rows, n_columns, "numbers")
    return Drawn(rows.X, np.round(10 * rows.y))


def whole_numbers(rng, n_rows, n_columns, task):
    rows = dense(rng, n_rows, n_columns, task)
    return Drawn(np.round(1000 * rows.X).astype(np.int32), rows.y)


def single_precision(rng, n_rows, n_columns, task):
    rows = dense(rng, n_rows, n_columns, task)
    return Drawn(rows.X.astype(np.float32), rows.y)


def directions(n_columns):
    """The fifth column may only raise the guess, the sixth only lower it, as the labels do."""
    return [0, 0, 0, 0, 1, -1, *[0] * (n_columns - 6)]


@dataclass(frozen=True)
class Option:
    """An option: the table it is tried on, what both libraries are told, and the ratio wanted."""

    name: str
    title: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    draw: Callable[..., Drawn] = dense
    tasks: tuple[str, ...] = TASKS
    depths: tuple[int | None, ...] = DEPTHS
    wanted: float = 10
    ours: Mapping[str, Any] = field(default_factory=dict)  # what only bough is told
    theirs: Mapping[str, Any] = field(default_factory=dict)
    has_strings: bool = False  # scikit-learn needs them encoded first, which counts
    is_default_table: bool = True  # rows and columns as large as those of the default

    def make(self, task, n_rows, n_columns):
        return self.draw(np.random.default_rng(SEED), n_rows, n_columns, task)

    def settings_of(self, library, n_columns):
        chosen = {**self.settings, **(self.ours if library == "bough" else self.theirs)}
        return {name: each(n_columns) if callable(each) else each for name, each in chosen.items()}


CLASSES, NUMBERS = (("classes",), ("numbers",))
OPTIONS = {
    each.name: each
    for each in (
        Option("default", "the default"),
        Option("entropy", "`entropy`", {"criterion": "entropy"}, tasks=CLASSES),
        Option("twin-entropy", "a twin column, `entropy`", {"criterion": "entropy"}, twin, CLASSES),
        Option("twin", "a twin column", draw=twin),
        Option("weights", "weights (floats)", draw=weighted),
        Option(
            "classes300",
            "300 classes",
            draw=many_classes,
            tasks=CLASSES,
            wanted=5,
            is_default_table=False,
        ),
        Option("monotonic", "`monotonic_cst`", {"monotonic_cst": directions}),
        Option(
            "sparse",
            "sparse, 1 %, 500 columns",
            draw=sparse,
            wanted=3,
            is_default_table=False,
        ),
        Option(
            "strings",
            "ten columns of strings",
            draw=strings,
            has_strings=True,
            is_default_table=False,
        ),
        Option(
            "strings-group",
            "the same in groups",
            draw=strings,
            ours={"categorical": "group"},
            has_strings=True,
            is_default_table=False,
        ),
        Option(
            "many-values",
            "a string of 4,000 values, in groups",
            draw=many_values,
            ours={"categorical": "group"},
            has_strings=True,
        ),
        Option("leaves", "`max_leaf_nodes=64`", {"max_leaf_nodes": 64}, depths=ANY_DEPTH),
        Option("decrease", "`min_impurity_decrease=1e-5`", {"min_impurity_decrease": 1e-5}),
        Option("features", '`max_features="sqrt"`', {"max_features": "sqrt"}, wanted=2),
        Option("random", '`splitter="random"`', {"splitter": "random"}, wanted=2),
        Option(
            "forest",
            '`max_features="sqrt"`, bootstrap weights',
            {"max_features": "sqrt"},
            bootstrap,
            wanted=2,
        ),
        Option("outputs", "three outputs", draw=three_outputs),
        Option("poisson", "`poisson`", {"criterion": "poisson"}, counts, NUMBERS),
        Option(
            "poisson-weights",
            "`poisson`, weights (floats)",
            {"criterion": "poisson"},
            weighted_counts,
            NUMBERS,
        ),
        Option(
            "absolute",
            "`absolute_error`",
            {"criterion": "absolute_error"},
            tasks=NUMBERS,
            wanted=5,
        ),
        Option(
            "quantile",
            "`quantile` 0.9, scikit-learn's `absolute_error`",
            tasks=NUMBERS,
            wanted=5,
            ours={"criterion": "quantile", "quantile": 0.9},
            theirs={"criterion": "absolute_error"},
        ),
        Option("integers", "integer labels", draw=whole_labels, tasks=NUMBERS),
        Option("int32", "int32 matrix", draw=whole_numbers),
        Option("float32", "float32 matrix", draw=single_precision),
    )
}
