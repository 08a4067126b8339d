"""Bags of trees: bough's beside scikit-learn's trees and its random forest, by processor time.

python benchmarks/bagging.py [ROWS]

The least of three runs each, in turn; with `n_jobs=2`, which works in other processes, by the clock.
Pickles of 50 deep regressors and sparse tables come first.
"""

import pickle
import sys
import time
from functools import partial
from itertools import product

import numpy as np
import scipy.sparse
import sklearn.tree
from sklearn.ensemble import (
    BaggingClassifier,
    BaggingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

import bough

RUNS = 3
BAGS = {
    "Classifier": (BaggingClassifier, RandomForestClassifier),
    "Regressor": (BaggingRegressor, RandomForestRegressor),
}


def least(*acts, clock=time.process_time):
    """Return the least time of each act, all in turn."""
    found = np.full(len(acts), np.inf)
    for _ in range(RUNS):
        for place, act in enumerate(acts):
            begin = clock()
            act()
            found[place] = min(found[place], clock() - begin)
    return found


def bags(n_rows):
    chance = np.random.default_rng(0)
    X = chance.normal(size=(n_rows, 20))
    number = X @ chance.normal(size=20) + chance.normal(size=n_rows)
    print("bag | bough s | scikit-learn's trees, ratio | random forest, ratio")
    for task, y in (("Classifier", (number > 0).astype(int)), ("Regressor", number)):
        bag, forest = BAGS[task]
        ours, theirs = (getattr(each, f"DecisionTree{task}") for each in (bough, sklearn.tree))
        for n_trees, most, n_jobs in product((50, 100), (None, "sqrt"), (1, 2)):
            same = {"n_jobs": n_jobs, "random_state": 0}
            growers = (
                bag(ours(max_features=most, n_jobs=1), n_trees, **same),
                bag(theirs(max_features=most), n_trees, **same),
                forest(n_trees, max_features=most, **same),
            )
            clock = time.process_time if n_jobs == 1 else time.perf_counter
            mine, trees, wood = least(*(partial(each.fit, X, y) for each in growers), clock=clock)
            print(
                f"{n_trees} {task} max_features={most} n_jobs={n_jobs} | {mine:.2f} | "
                f"{trees / mine:.1f} | {wood / mine:.1f}",
                flush=True,
            )


def sparse():
    for n_rows, n_columns, share in ((10_000, 20_000, 0.002), (5_000, 100_000, 0.002)):
        chance = np.random.default_rng(0)
        n = int(n_rows * n_columns * share)
        places = chance.integers(0, n_rows, n), chance.integers(0, n_columns, n)
        X = scipy.sparse.csr_matrix((chance.integers(1, 6, n) * 1.0, places), (n_rows, n_columns))
        y = (np.asarray(X[:, :200].sum(axis=1)).ravel() > 1) ^ (chance.random(n_rows) < 0.1)
        ours = bough.DecisionTreeClassifier(max_depth=20, n_jobs=1)
        theirs = sklearn.tree.DecisionTreeClassifier(max_depth=20, random_state=0)
        fits = least(lambda: ours.fit(X, y), lambda: theirs.fit(X, y))  # noqa: B023
        reads = least(lambda: ours.predict(X), lambda: theirs.predict(X))  # noqa: B023
        print(f"sparse {n_rows} x {n_columns}: fit {fits}, predict {reads} s, scikit-learn second")


def pickles():
    chance = np.random.default_rng(0)
    X = chance.normal(size=(10_000, 10))
    y = X @ chance.normal(size=10) + chance.normal(size=10_000)
    for grower in (bough.DecisionTreeRegressor(n_jobs=1), sklearn.tree.DecisionTreeRegressor()):
        trees = BaggingRegressor(grower, 50, random_state=0).fit(X, y).estimators_
        data = pickle.dumps(trees)
        times = least(lambda: pickle.dumps(trees), lambda: pickle.loads(data))  # noqa: B023
        print(f"pickles of {type(grower).__module__}: {len(data) / 1e6:.1f} MB, {times} s")


if __name__ == "__main__":
    pickles()
    sparse()
    bags(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
