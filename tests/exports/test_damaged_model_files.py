"""Damaged model files: a valid tree or a clear error."""

import re
from pathlib import Path

import handmade
import pytest
from damaged_files import good_files, outcome, try_damages

SEEDS, FILES = range(4), 600  # `make fuzz` tries as many as there is time for


@pytest.mark.parametrize("seed", SEEDS)
def test_a_damaged_file_gives_a_valid_tree_or_a_clear_error(seed):
    assert try_damages(seed, FILES) > 0


@pytest.mark.parametrize("number", range(len(handmade.TREES) + 3))
def test_a_good_file_gives_a_tree(number):
    assert outcome(good_files()[number], all_uses=True) == ""


@pytest.mark.parametrize("number", range(len(handmade.TREES)))
def test_a_file_that_ends_early_gives_no_tree(number):
    data = good_files()[number].rstrip()
    assert all(outcome(data[:length]) for length in range(len(data)))


CORPUS = sorted((Path(__file__).parents[1] / "corpus").glob("*.json"))


def test_the_files_of_the_corpus_are_refused_in_many_ways_or_serve_every_use():
    said = {path.name: outcome(path.read_bytes(), all_uses=True) for path in CORPUS}
    refused = [each for each in said.values() if each]
    assert len(refused) >= 40
    assert all(name.startswith("loads") for name, each in said.items() if not each)
    assert len({re.sub(r"\d+|'[^']*'", "_", each) for each in refused}) >= 30
