"""Fixtures: trees made by hand, and files that hold what is expected."""

from pathlib import Path

import handmade
import pytest

from bough.tree import Tree
from bough.tree.check import check_arrays

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser):
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the files of tests/golden"
    )


@pytest.fixture(params=list(handmade.TREES))
def tree(request):
    """Give every tree made by hand, one after the other."""
    return handmade.TREES[request.param]()


@pytest.fixture(scope="session", autouse=True)
def _grown_trees_are_checked():
    """Check every tree that the core grows in a test: users' are not, since the core made them."""
    as_they_are = Tree.grown

    def checked(schema, arrays, find_shown):
        tree = as_they_are(schema, arrays, find_shown)
        find_tally = vars(tree).get("find_tally", lambda: tree.tally)
        check_arrays(schema, {**vars(tree), "tally": find_tally(), "shown": find_shown()})
        return tree

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Tree, "grown", checked)
        yield


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
