"""What `exact=False` costs and saves: in memory, and in partitions that an engine of plain lists counts.

python benchmarks/binning.py
"""

import time

import numpy as np

from bough import DecisionTreeClassifier
from bough.partitioned import InProcess
from bough.partitioned.fit import grown_from
from bough.partitioned.read_parts import RawPart

N_ROWS, N_NEW = 1_000_000, 100_000
N_PARTS, GATHERED = 8, 20_000


def made(n_rows):
    """Return ten columns, one with missing values, and two classes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 10))
    X[rng.random(n_rows) < 0.1, 3] = np.nan
    score = X[:, 0] + X[:, 1] * X[:, 2] + np.nan_to_num(X[:, 3]) + rng.normal(size=n_rows) / 2
    return X, (score > 0).astype(int)


def least_time(work, n_times=3):
    taken = []
    for _ in range(n_times):
        start = time.process_time()
        found = work()
        taken.append(time.process_time() - start)
    return min(taken), found


def main():
    X, y = made(N_ROWS + N_NEW)
    old, new = slice(N_ROWS), slice(N_ROWS, None)
    parts = [RawPart(i, X[old][i::N_PARTS], y[old][i::N_PARTS]) for i in range(N_PARTS)]
    for exact in (True, False):
        for depth in (8, 12, None):
            tree = DecisionTreeClassifier(
                max_depth=depth, min_samples_leaf=20, exact=exact, n_jobs=1
            )
            seconds, _ = least_time(lambda tree=tree: tree.fit(X[old], y[old]))
            accuracy = tree.score(X[new], y[new])
            print(
                f"{exact=}, {depth=}: {seconds:.2f} s, {accuracy:.2%} of new rows right", flush=True
            )
        tree = DecisionTreeClassifier(max_depth=8, min_samples_leaf=20, exact=exact)
        work = lambda tree=tree: grown_from(InProcess(), parts, tree, GATHERED)  # noqa: E731
        seconds, (_, _, passes) = least_time(work, 1)
        sent = sum(each.sent for each in passes) / N_PARTS
        print(
            f"{exact=}, {N_PARTS} parts: {seconds:.1f} s, {len(passes)} passes, {sent:,.0f} bytes a part"
        )


if __name__ == "__main__":
    main()
