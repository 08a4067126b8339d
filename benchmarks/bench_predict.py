"""Time predicting alone: the nodes where rows stop, without reading the table.

python benchmarks/bench_predict.py [--threads 2] [--repeat 5] [TABLE …]
"""

from argparse import ArgumentParser

import numpy as np
from bench_grow import parts
from quiet import time_call
from results import append, surroundings
from synthetic import WORKLOADS

from bough.grow import grow
from bough.predict import stops

TABLES = ("small", "million", "million-deep", "ten-million", "categories", "mixed")


def main():
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(WORKLOADS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    records = [measured(WORKLOADS[name], options) for name in options.tables or TABLES]
    print(f"Appended to {append(records, surroundings())}.")


def measured(workload, options):
    """Check, time and print the routing of all rows of one table."""
    table, labels, settings = parts(workload)
    tree = grow(table, labels, settings, n_jobs=options.threads)
    check(tree, stops(tree, table, n_jobs=options.threads))
    timing = time_call(lambda: stops(tree, table, n_jobs=options.threads), repeat=options.repeat)
    rate = table.n_rows / timing.median / 1e6
    marked = " (disturbed)" if timing.is_disturbed else ""
    print(
        f"{workload.name:13} {timing.median:9.5f} s ± {timing.spread:.5f}, {rate:6.1f} M rows/s{marked}"
    )
    return {
        "stage": "predict",
        "table": workload.name,
        "n_rows": workload.n_rows,
        "threads": options.threads,
        "median": round(timing.median, 6),
        "seconds": round(timing.seconds, 6),
        "spread": round(timing.spread, 6),
        "is_disturbed": timing.is_disturbed,
    }


def check(tree, nodes):
    """Stop where rows are led to other leaves than those they were grown into."""
    is_leaf = tree.feature < 0
    reached = np.bincount(nodes, minlength=len(is_leaf))
    assert np.array_equal(reached, np.where(is_leaf, tree.n_rows, 0)), "rows stop elsewhere"


if __name__ == "__main__":
    main()
