"""The report of a model file, whatever its evidence says."""

import random

import handmade
import made_tables as made
import pytest
from plain_data import places, with_entry

import bough
from bough.errors import ModelFormatError
from bough.exports import export
from bough.exports.model_file import Model, dumps, loads
from bough.exports.model_file_evidence import evidence_about


@pytest.fixture(scope="module")
def result():
    table = bough.datasets.load("penguins")
    return bough.fit({**table.features, "species": table.labels}, "species")


def changed(result, path, value):
    """The evidence with one entry changed."""
    return with_entry(loads(dumps(result.saved)).evidence, path, value)


def test_a_result_tells_of_its_table_and_its_model_of_the_columns_it_knows(result):
    assert export(result, "html") == result.report()
    assert ">missing</th>" in export(result, "html")
    assert ">missing</th>" in export(result.saved, "html")
    assert ">missing</th>" not in export(result.saved.tree, "html")


def test_a_model_file_has_the_same_estimate(result):
    found = result.test["accuracy"]
    sentence = f"Likely range {100 * found.low:.1f}–{100 * found.high:.1f}\N{NO-BREAK SPACE}%"
    assert sentence in export(loads(dumps(result.saved)), "html")
    assert sentence in export(result.model, "html")


def test_a_tree_alone_has_a_report():
    assert "How well it predicts is not known" in export(handmade.play_tennis(), "html")


DAMAGES = [
    (["task"], "regression", " is about regression, but the tree is not."),
    (["test"], {}, ".test has no 'error'."),
    (["curve"], [], ".curve is empty."),
    (["baseline"], {}, ".baseline has no 'error'."),
    (["loss"], "log_loss", ".train has no 'log_loss'."),
    (["chosen", "dev"], -0.5, " has a loss below 0."),
    (["learning", 0, 1], -1.0, " has a loss below 0."),
    (["test", "accuracy", "value"], 1e308, " has 'accuracy' of 1e+308, beyond 0 to 1."),
    (["unavoidable"], -1.0, " has a loss below 0."),
    (["calibration", "bins"], [], ".calibration is about another tree."),
    (["calibration", "of_class"], 3, ".calibration is about another tree."),
    (["stops", 0, "node"], 99, ".stops[0] is about another tree."),
    (["stops", 0, "tally", 0], -1.0, ".stops[0] has rows of no weight."),
    (["stops", 0, "tally"], [1.0], ".stops[0] is about another tree."),
]


@pytest.mark.parametrize(("path", "value", "complaint"), DAMAGES, ids=lambda each: str(each)[:30])
def test_evidence_about_another_tree_is_refused(result, path, value, complaint):
    data = changed(result, path, value)
    if path == ["loss"]:
        data["train"].pop("log_loss")
    with pytest.raises(ModelFormatError) as error:
        evidence_about(result.grown_tree_, data)
    assert str(error.value) == f"evidence{complaint}"


@pytest.fixture(scope="module")
def two_trees():
    return bough.fit(made.classes(), "label")


OF_TWO_TREES = [
    (["simpler", "n_leaves"], 99, ".simpler.n_leaves is not that of its tree."),
    (["simpler", "test"], {}, ".simpler.test has no 'error'."),
    (["simpler", "stops", 0, "node"], 99, ".simpler.stops[0] is about another tree."),
    (["simpler", "tree"], {}, ".simpler.tree has no 'feature'."),
    (["simpler", "tree", "feature", 0], 99, ".simpler.tree"),
    (["simpler", "tree", "first_child", 0], 7, ".simpler.tree"),
    (["simpler", "tree", "pivot"], [1.0], ".simpler.tree"),
    (["thresholds", "of_class"], 2, ".thresholds is about another tree."),
    (["thresholds", "levels"], [], ".thresholds is about another tree."),
    (["thresholds", "levels", 0, 0], 1.5, ".thresholds is about another tree."),
    (["thresholds", "levels", 0, 1], -1.0, ".thresholds is about another tree."),
]


@pytest.mark.parametrize(
    ("path", "value", "complaint"), OF_TWO_TREES, ids=lambda each: str(each)[:30]
)
def test_a_damaged_simpler_tree_and_impossible_thresholds_are_refused(
    two_trees, path, value, complaint
):
    data = changed(two_trees, path, value)
    with pytest.raises(ModelFormatError) as error:
        evidence_about(two_trees.grown_tree_, data)
    assert str(error.value).startswith(f"evidence{complaint}")


ODD = [None, 0, 1, 10**9, 2**62, 0.0, 1e308, "", "</script>", [], {}, [0], "regression", "gini"]


def test_any_evidence_gives_a_page_or_is_refused(result):
    chance = random.Random(11)
    everywhere = places(loads(dumps(result.saved)).evidence)
    n_pages = 0
    for _ in range(120):
        data = changed(result, chance.choice(everywhere), chance.choice(ODD))
        model = Model(result.grown_tree_, {}, evidence=data)
        try:
            n_pages += export(model, "html").endswith("</html>\n")
        except ModelFormatError:
            continue
    assert 10 < n_pages < 120


def test_a_column_that_is_to_be_ignored_is_listed_as_left_out():
    tree = bough.DecisionTreeClassifier(types={"id": "ignore"})
    tree.fit({"id": ["a", "b"], "x": [1, 2]}, [0, 1])
    assert "left out" in bough.export(tree, "html")


def test_a_single_leaf_without_figures_of_development_rows_has_a_page(result):
    """Such a file was found by damaging others."""
    data = changed(result, ["chosen", "n_leaves"], 1) | {"dev": {}}
    page = export(Model(result.grown_tree_, {}, evidence=data), "html")
    assert "No question helps: the best tree is a single leaf" in page
