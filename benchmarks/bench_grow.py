"""Time growing alone, without reading the table, and check the tree first.

python benchmarks/bench_grow.py [--threads 2] [--repeat 5] [TABLE …]
"""

from argparse import ArgumentParser

import numpy as np
from quiet import time_call
from results import append, surroundings
from synthetic import WORKLOADS

from bough.encode import Labels
from bough.grow import grow
from bough.schema import Label
from bough.settings import Settings
from bough.table import read

N_CHECKED = 20_000  # rows of the trees that are grown in two ways
TABLES = (
    "small",
    "million",
    "million-deep",
    "few-values",
    "regression",
    "wide",
    "purity",
    "random",
)


def main():
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(WORKLOADS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    records = [measured(WORKLOADS[name], options) for name in options.tables or TABLES]
    print(f"Appended to {append(records, surroundings())}.")


def measured(workload, options):
    """Check, time and print the growth of one tree."""
    check(workload.resized(min(N_CHECKED, workload.n_rows)))
    table, labels, settings = parts(workload)
    timing = time_call(
        lambda: grow(table, labels, settings, n_jobs=options.threads), repeat=options.repeat
    )
    marked = " (disturbed)" if timing.is_disturbed else ""
    print(f"{workload.name:13} {timing.median:9.4f} s ± {timing.spread:.4f}{marked}")
    return {
        "stage": "grow",
        "table": workload.name,
        "n_rows": workload.n_rows,
        "threads": options.threads,
        "median": round(timing.median, 6),
        "seconds": round(timing.seconds, 6),
        "spread": round(timing.spread, 6),
        "is_disturbed": timing.is_disturbed,
    }


def check(workload):
    """Stop where the plain search grows another tree than the fast one."""
    table, labels, settings = parts(workload)
    fast = grow(table, labels, settings, n_jobs=2)
    plain = grow(table, labels, settings, regime={"use_fast_search": False})
    for name in ("feature", "pivot", "tally", "missing_child"):
        same = np.array_equal(getattr(fast, name), getattr(plain, name), equal_nan=True)
        assert same, f"{workload.name}: {name} depends on the way of searching"


def parts(workload):
    made = workload.make()
    settings = Settings(
        criterion="gini" if workload.task == "classification" else "squared_error",
        max_depth=workload.max_depth,
        min_samples_leaf=workload.min_samples_leaf,
    )
    return read(made.X), labels_of(workload, made.y), settings


def labels_of(workload, y):
    if workload.task == "regression":
        return Labels((Label("label"),), None, y[np.newaxis])
    label = Label("label", tuple(range(workload.n_classes)), "int64")
    return Labels((label,), y[np.newaxis].astype(np.int32), None)


if __name__ == "__main__":
    main()
