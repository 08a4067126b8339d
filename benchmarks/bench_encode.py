"""Time what happens before the first search: reading a table, and encoding it in the core.

    python benchmarks/bench_encode.py [--rows 1000000] [--threads 2] [--repeat 5]

Encoding is timed as the growth of a tree of depth 1, which searches the root, too. Beside each time
stands how fast the bytes of the table were passed, and first of all how fast memory is.
"""

from dataclasses import replace

import numpy as np
from bandwidth import copy_rate, read_rate, table_bytes
from grow_arguments import parts
from synthetic import WORKLOADS
from time_one_stage import Rate, note, parser, timed

from bough.grow import grow
from bough.table import read


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--rows", type=int, default=1_000_000)
    options = arguments.parse_args()
    print(
        f"Memory is read at {read_rate(options.threads) / 1e9:.1f} GB/s "
        f"and copied at {copy_rate(options.threads) / 1e9:.1f} GB/s."
    )
    numbers = WORKLOADS["million"].resized(options.rows)
    X = numbers.make().X
    check(X)
    records = [read_as(form, numbers, table, options) for form, table in forms(X).items()]
    stump = parts(replace(numbers, max_depth=1))
    records.append(
        timed(
            "encode and search the root",
            lambda: grow(*stump, n_jobs=options.threads),
            options,
            table=numbers.name,
            n_rows=options.rows,
            rate=rate_of(X),
        )
    )
    categories = WORKLOADS["categories"].resized(options.rows)
    records.append(read_as("pandas", categories, categories.make().X, options))
    note(records)


def read_as(form, workload, table, options):
    """Time reading a table in one form."""
    return timed(
        f"read {form}",
        lambda: read(table),
        options,
        table=workload.name,
        n_rows=workload.n_rows,
        rate=rate_of(table),
    )


def rate_of(table):
    return Rate(table_bytes(table) / 1e9, "GB/s")


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


def check(X):
    """Stop where reading copies or changes an array of float64."""
    table = read(X)
    for column, values in enumerate(table.values):
        assert np.shares_memory(values, X), "an array of float64 was copied"
        assert np.array_equal(values, X[:, column]), f"column {column} was changed"


if __name__ == "__main__":
    main()
