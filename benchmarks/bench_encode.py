"""Time what happens before the first search: reading a table, and encoding it in the core.

    python benchmarks/bench_encode.py [--rows 1000000] [--threads 2] [--repeat 5]

Encoding is timed as the growth of a tree of depth 1, which searches the root, too. Beside each time
stands how fast the bytes of the table were passed, and first of all how fast memory can be copied.
"""

from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from bench_grow import labels_of
from quiet import time_call
from results import append, surroundings
from synthetic import WORKLOADS

from bough.grow import grow
from bough.settings import Settings
from bough.table import read

STUMP = Settings(criterion="gini", max_depth=1, min_samples_leaf=20)


def main():
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    numbers = WORKLOADS["million"].resized(options.rows)
    made = numbers.make()
    check(made.X)
    records = [
        report("copying memory", copier(made.X, options.threads), 2 * made.X.nbytes, options)
    ]
    for form, X in forms(made.X).items():
        records.append(report(f"read {form}", lambda X=X: read(X), made.X.nbytes, options))
    labels, table = labels_of(numbers, made.y), read(made.X)
    stump = lambda: grow(table, labels, STUMP, n_jobs=options.threads)  # noqa: E731
    records.append(report("encode and search the root", stump, made.X.nbytes, options))
    frame = WORKLOADS["categories"].resized(options.rows).make().X
    records.append(report("read categories", lambda: read(frame), 2 * frame.size, options))
    print(f"Appended to {append(records, surroundings())}.")


def forms(X):
    """Return the same numbers as users bring them."""
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    names = [f"x{i}" for i in range(X.shape[1])]
    columns = {name: X[:, i].copy() for i, name in enumerate(names)}
    return {
        "float64 rows": X,
        "float64 columns": np.asfortranarray(X),
        "float32 rows": X.astype(np.float32),
        "pandas": pd.DataFrame(columns),
        "polars": pl.DataFrame(columns),
        "pyarrow": pa.table(columns),
    }


def copier(X, threads):
    """Return a call that copies a table with several threads."""
    parts = np.array_split(X, threads)
    places = np.array_split(np.empty_like(X), threads)
    pool = ThreadPoolExecutor(threads)
    return lambda: list(pool.map(np.copyto, places, parts))


def check(X):
    """Stop where reading copies or changes an array of float64."""
    table = read(X)
    for column, values in enumerate(table.values):
        assert np.shares_memory(values, X), "an array of float64 was copied"
        assert np.array_equal(values, X[:, column]), f"column {column} was changed"


def report(stage, call, n_bytes, options):
    timing = time_call(call, repeat=options.repeat)
    rate = n_bytes / timing.median / 1e9
    marked = " (disturbed)" if timing.is_disturbed else ""
    print(f"{stage:28} {timing.median:9.5f} s ± {timing.spread:.5f}, {rate:6.1f} GB/s{marked}")
    return {
        "stage": stage,
        "n_rows": options.rows,
        "threads": options.threads,
        "median": round(timing.median, 6),
        "seconds": round(timing.seconds, 6),
        "spread": round(timing.spread, 6),
        "gigabytes_per_second": round(rate, 2),
        "is_disturbed": timing.is_disturbed,
    }


if __name__ == "__main__":
    main()
