"""Random tables and settings give the model file of the tree in memory; `make deep` has more of them."""

import pytest
from random_parts import N_SEEDS, check_random_parts


@pytest.mark.parametrize("seed", range(N_SEEDS))
def test_random_parts_give_the_bytes_of_the_tree_in_memory(seed, monkeypatch):
    check_random_parts(seed, monkeypatch)
