"""The core grows the tree of `bough.reference`, node for node, and predicts as it does."""

import pytest
from against_reference import check_random_table

N_TABLES = 1_000  # 19,000 more in tests/deep
BLOCK = 100


@pytest.mark.parametrize("first", range(0, N_TABLES, BLOCK))
def test_the_core_grows_the_reference_tree(first):
    for seed in range(first, first + BLOCK):
        check_random_table(seed)
