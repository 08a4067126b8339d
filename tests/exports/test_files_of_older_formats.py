"""Model files of older formats, which load for ever: they are never written again."""

from pathlib import Path

import handmade
import pytest

from bough.exports.model_file import dumps, load

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("name", handmade.TREES)
def test_a_file_of_the_first_format_loads_for_ever(name):
    path = GOLDEN / "format_1" / f"{name}.bough.json"
    assert handmade.same_tree(load(path).tree, handmade.TREES[name]())


@pytest.mark.parametrize(
    ("name", "n_leaves"), [("penguins", 6), ("penguins_mass", 4), ("penguins_estimator", 14)]
)
def test_a_file_of_the_second_format_loads_for_ever(name, n_leaves):
    # What `fit` and an estimator wrote.
    path = GOLDEN / "format_2" / f"{name}.bough.json"
    model = load(path)
    assert model.tree.n_leaves == n_leaves
    assert dumps(model).splitlines()[3:] == path.read_bytes().splitlines()[3:]
