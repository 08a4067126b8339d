"""The examples in the docstrings of the checks run."""

import doctest
from importlib import import_module

import handmade
import pytest

MODULES = (
    "columns",
    "estimate",
    "leaks",
    "rows",
    "structure",
    "target",
    "training",
    "tree",
    "words",
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_run(name):
    tests = doctest.testmod(
        import_module(f"bough.checks.{name}"),
        extraglobs={"play_tennis_tree": handmade.play_tennis()},
    )
    assert tests.attempted > 0
    assert tests.failed == 0
