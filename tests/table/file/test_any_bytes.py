"""Whatever the bytes, a file is a table or a clear error, and soon."""

import random
import time

import pytest
from damaged_tables import damaged, outcome

SEEDS = range(150)


@pytest.mark.parametrize("seed", SEEDS)
def test_any_bytes_are_a_table_or_an_error(made, seed):
    chance = random.Random(seed)
    name = made(damaged(chance), "x")
    began = time.process_time()
    outcome(name, chance)
    assert time.process_time() - began < 5
