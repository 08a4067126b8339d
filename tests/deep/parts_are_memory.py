"""Growths from random parts against those in memory, on more random tables. Run by `make deep`."""

import pytest
import random_parts

N_ALL = 1_000
BLOCK = 40


@pytest.mark.parametrize("first", range(random_parts.N_SEEDS, N_ALL, BLOCK))
def test_random_parts_give_the_bytes_of_the_tree_in_memory(first, monkeypatch):
    for seed in range(first, first + BLOCK):
        random_parts.check_random_parts(seed, monkeypatch)
