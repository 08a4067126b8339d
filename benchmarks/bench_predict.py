"""Time predicting alone: the nodes where rows stop, without reading the table.

python benchmarks/bench_predict.py [--threads 2] [--repeat 5] [TABLE …]
"""

import numpy as np
from grow_arguments import parts
from time_one_stage import Rate, run_on_tables, timed

from bough.grow import grow
from bough.predict import stops

TABLES = ("small", "million", "million-deep", "ten-million", "categories", "mixed")


def measured(workload, options):
    """Check, time and print the routing of all rows of one table."""
    table, labels, settings = parts(workload)
    tree = grow(table, labels, settings, n_jobs=options.threads)
    check(tree, stops(tree, table, n_jobs=options.threads))
    return timed(
        "predict",
        lambda: stops(tree, table, n_jobs=options.threads),
        options,
        table=workload.name,
        n_rows=workload.n_rows,
        rate=Rate(workload.n_rows / 1e6, "M rows/s"),
    )


def check(tree, nodes):
    """Stop where rows are led to other leaves than those they were grown into."""
    is_leaf = tree.feature < 0
    reached = np.bincount(nodes, minlength=len(is_leaf))
    assert np.array_equal(reached, np.where(is_leaf, tree.n_rows, 0)), "rows stop elsewhere"


if __name__ == "__main__":
    run_on_tables(__doc__, measured, TABLES)
