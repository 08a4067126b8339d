"""The core against the reference on 18,000 more random tables than the suite has.

Run by `make deep`: `pytest tests/deep/core_is_reference.py`.
"""

import pytest
from against_reference import check_random_table

N_TABLES = 2_000  # which the suite has
N_ALL = 20_000
BLOCK = 500


@pytest.mark.parametrize("first", range(N_TABLES, N_ALL, BLOCK))
def test_the_core_grows_the_reference_tree(first):
    for seed in range(first, first + BLOCK):
        check_random_table(seed)
