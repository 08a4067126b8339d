"""The examples in the docstrings of the checks run."""

import doctest
from importlib import import_module

import pytest

MODULES = ("codes", "columns", "estimate", "leaks", "rows", "target", "training", "tree", "words")


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_run(name):
    tests = doctest.testmod(import_module(f"bough.checks.{name}"))
    assert tests.attempted > 0
    assert tests.failed == 0
