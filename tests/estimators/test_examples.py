"""The examples in docstrings and on the page about scikit-learn."""

import doctest
import importlib
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
MODULES = ["classifier", "decision_tree", "loaded", "reading", "regressor"]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name):
    module = importlib.import_module(f"bough.estimators.{name}")
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


def test_the_examples_of_the_page_run():
    found = doctest.testfile(str(DOCS / "scikit-learn.md"), module_relative=False)
    assert found.attempted > 0
    assert found.failed == 0
