"""Fixtures: trees made by hand, and files that hold what is expected."""

import gc
from pathlib import Path

import handmade
import pytest

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser):
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the files of tests/golden"
    )


def pytest_collection_finish():
    """Leave the tests themselves, which stay to the end, out of every collection of garbage."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish():
    gc.unfreeze()


@pytest.fixture(params=list(handmade.TREES))
def tree(request):
    """Give every tree made by hand, one after the other."""
    return handmade.TREES[request.param]()


@pytest.fixture
def play_tennis_tree():
    return handmade.play_tennis()


@pytest.fixture
def large_from_2000(monkeypatch):
    """Let tables of 2,000 rows be so large that they are not cross-validated."""
    monkeypatch.setattr("bough.learn.row_plan.SMALL", 2000)


@pytest.fixture
def golden(request):
    """Compare bytes with a golden file, or rewrite it under --update-golden."""

    def compare(name, found):
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.write_bytes(found)
        assert found.decode() == path.read_bytes().decode()

    return compare
