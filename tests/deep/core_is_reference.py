"""The core against the reference, and its fast searches against the plain one, on more random tables.

Run by `make deep`: `pytest tests/deep/core_is_reference.py`.
"""

import against_plain
import pytest
from against_reference import check_random_table

N_TABLES = 1_000  # which the suite has
N_ALL = 20_000
BLOCK = 500


@pytest.mark.parametrize("first", range(N_TABLES, N_ALL, BLOCK))
def test_the_core_grows_the_reference_tree(first):
    for seed in range(first, first + BLOCK):
        check_random_table(seed)


@pytest.mark.parametrize("first", range(against_plain.N_TABLES, against_plain.N_ALL, 80))
def test_every_regime_grows_the_tree_of_the_plain_search(first):
    for seed in range(first, first + 80):
        against_plain.check_random_growth(seed)
