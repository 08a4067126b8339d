"""The examples in docstrings."""

import doctest
import importlib

import pytest

MODULES = [
    "classifier",
    "decision_tree",
    "depths",
    "edited",
    "loaded",
    "ranker",
    "reading",
    "regressor",
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name):
    module = importlib.import_module(f"bough.estimators.{name}")
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
