"""Time growing alone, without reading the table, and check the tree first.

python benchmarks/bench_grow.py [--threads 2] [--repeat 5] [TABLE …]
"""

import numpy as np
from grow_arguments import parts
from time_one_stage import run_on_tables, timed

from bough.grow import grow

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


def measured(workload, options):
    """Check, time and print the growth of one tree."""
    check(workload.resized(min(N_CHECKED, workload.n_rows)))
    growth = parts(workload)
    return timed(
        "grow",
        lambda: grow(*growth, n_jobs=options.threads),
        options,
        table=workload.name,
        n_rows=workload.n_rows,
    )


def check(workload):
    """Stop where the plain search grows another tree than the fast one."""
    growth = parts(workload)
    fast = grow(*growth, n_jobs=2)
    plain = grow(*growth, regime={"use_fast_search": False})
    for name in ("feature", "pivot", "tally", "missing_child"):
        same = np.array_equal(getattr(fast, name), getattr(plain, name), equal_nan=True)
        assert same, f"{workload.name}: {name} depends on the way of searching"


if __name__ == "__main__":
    run_on_tables(__doc__, measured, TABLES)
