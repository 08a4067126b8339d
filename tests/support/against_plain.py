"""The same growth by every search of the core: the plain one is the oracle of the others."""

import numpy as np
from growths import ARRAYS
from option_growths import random_growth
from regimes import FAST, PLAIN

from bough.grow import grow

N_TABLES = 80  # in the suite
N_ALL = 2_000  # in `make deep`


def assert_same(tree, oracle, where):
    for name in ARRAYS:
        ours, theirs = getattr(tree, name), getattr(oracle, name)
        same = (ours is None and theirs is None) or np.array_equal(ours, theirs, equal_nan=True)
        assert same, f"{name} differs: {where}"


def check_random_growth(seed):
    growth = random_growth(seed)
    oracle = grow(*growth, regime=PLAIN)
    for name, regime in FAST.items():
        for n_jobs in (1, 3):
            tree = grow(*growth, n_jobs=n_jobs, regime=regime)
            assert_same(tree, oracle, f"seed {seed}, {name}, {n_jobs} threads")
