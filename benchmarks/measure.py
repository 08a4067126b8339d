"""Measure one library on one seeded table, in a process of its own, and print a line of JSON.

    python benchmarks/measure.py TABLE PEER [--threads 2] [--repeat 3] [--budget 20] [--rows N]

`compare.py` starts it. Libraries with threads of their own do not disturb each other that way, and
memory is counted from the same start.
"""

import json
import os
import sys
import time
import warnings
from argparse import ArgumentParser
from dataclasses import replace

N_WARM_UP = 1_000  # rows of the fit that loads a library and starts its threads
N_SINGLE = 300  # rows predicted one at a time
BUDGET_SINGLE = 1.0


def main():
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("table")
    parser.add_argument("peer")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--budget", type=float, default=20.0)
    parser.add_argument("--rows", type=int, default=None)
    options = parser.parse_args()
    # Read by OpenMP when a library is loaded, so before the imports below.
    os.environ["OMP_NUM_THREADS"] = str(options.threads)
    warnings.simplefilter("ignore")  # of the libraries that are measured
    from peers import OURS, PEERS
    from synthetic import WORKLOADS

    workload = WORKLOADS[options.table]
    workload = workload.resized(options.rows or workload.n_rows)
    table, peer = workload.make(), PEERS[options.peer](workload, options.threads)
    record = {"peer": options.peer, **measured(workload, peer, table, options)}
    if options.peer in OURS:
        record |= costs(workload, peer, table, options)
    print(json.dumps(record))


def measured(workload, peer, table, options):
    """Return what a peer needs for a workload, and how good its tree is."""
    from quiet_timing import peak_memory, time_call

    warm_up(peer, table)
    kept = []

    def fit():
        kept.clear()  # the model before must not count as memory of the next
        kept.append(peer.fit(table.X, table.y))

    first, memory = peak_memory(fit)
    timing = time_call(fit, repeat=options.repeat, budget=options.budget, first=first)
    model = kept[0]
    predicting = time_call(
        lambda: peer.predict(model, table.X), repeat=options.repeat, budget=options.budget / 4
    )
    leaves = peer.n_leaves(model)
    return {
        "table": workload.name,
        "n_rows": workload.n_rows,
        "n_columns": table.X.shape[1],
        "max_depth": workload.max_depth,
        "min_samples_leaf": workload.min_samples_leaf,
        "threads": options.threads,
        "seconds": round(timing.seconds, 6),
        "runs": len(timing.runs),
        "spread": round(timing.spread, 6),
        "dropped": timing.n_dropped,
        "others": round(timing.others, 4),
        "is_disturbed": timing.is_disturbed,
        "memory_mb": round(memory / 1e6, 1),
        "leaves": int(sum(leaves)),
        "trees": len(leaves),
        "train": score(workload, peer, model, table.X, table.y),
        "test": score(workload, peer, model, table.X_test, table.y_test),
        "predict_seconds": round(predicting.seconds, 6),
        "predict_disturbed": predicting.is_disturbed,
        "one_row_us": one_row(peer, model, table.X),
    }


def costs(workload, peer, table, options):
    """Return what helps to say where the time goes: that of the root, and the speed of memory."""
    from bandwidth import copy_rate, read_rate, table_bytes
    from quiet_timing import time_call

    stump = replace(peer, workload=replace(workload, max_depth=1))
    root = time_call(
        lambda: stump.fit(table.X, table.y), repeat=options.repeat, budget=options.budget / 4
    )
    return {
        "root_seconds": round(root.seconds, 6),
        "table_mb": round(table_bytes(table.X) / 1e6, 1),
        "read_gb_per_second": round(read_rate(options.threads) / 1e9, 1),
        "copy_gb_per_second": round(copy_rate(options.threads) / 1e9, 1),
    }


def warm_up(peer, table):
    from synthetic import head

    few = min(N_WARM_UP, len(table.y))
    rows = head(table.X, few)
    peer.predict(peer.fit(rows, table.y[:few]), rows)


def score(workload, peer, model, X, y):
    """Return the share of right guesses, or the root of the mean squared error."""
    import numpy as np

    guesses = peer.guesses(peer.predict(model, X))
    if workload.task == "regression":
        return round(float(np.sqrt(np.mean((guesses - y) ** 2))), 6)
    return round(float(np.mean(guesses == y)), 6)


def one_row(peer, model, X):
    """Return the microseconds that the prediction of one row takes, the median; arrays only."""
    import numpy as np

    if not isinstance(X, np.ndarray):
        return None
    taken, start = [], time.perf_counter()
    for row in range(N_SINGLE):
        before = time.perf_counter()
        peer.predict(model, X[row : row + 1])
        taken.append(time.perf_counter() - before)
        if time.perf_counter() - start > BUDGET_SINGLE:
            break
    return round(1e6 * float(np.median(taken)), 1)


if __name__ == "__main__":
    sys.exit(main())
