"""What a format cannot express is refused with a sentence that names the node; other trees, however large, are written."""

import shutil
import sys

import handmade
import numpy as np
import pytest
from replays import differences, hostile_columns, rows_at_edges, truths_and_levels

from bough import DecisionTreeClassifier
from bough.errors import ExportError, ParameterError
from bough.exports import export
from bough.exports import replay as replays
from bough.exports.rows_to_predict import Rows


def refusal(tree, *words, **options):
    with pytest.raises(ParameterError) as error:
        export(tree, *words, **options)
    return str(error.value)


def test_characters_that_a_format_does_not_have():
    tree = handmade.awkward_names()
    name = r"'red \x1b[31m\x07\x00 \u202eevil\u2066 \x85'"
    remedy = "Rename it, or choose another format."
    assert refusal(tree, "sql") == (
        f"node 2 cannot be exported: {name} has '\\x00', which SQL cannot hold. {remedy}"
    )
    assert refusal(tree, "c").endswith(f"has '\\x00', which C cannot hold. {remedy}")
    assert refusal(tree, "pmml").endswith(f"has '\\x1b', which PMML cannot hold. {remedy}")
    assert refusal(tree, "onnx") == (
        """node 0 cannot be exported: 'say "hi", it\\'s' may be the empty text, which in ONNX is a missing """
        f"one. {remedy}"
    )


def test_several_labels_are_no_expression_and_no_pmml():
    tree = handmade.two_outputs()
    assert refusal(tree, "sql", expression=True) == (
        "node 0 cannot be exported: one expression cannot be several predictions. Leave out 'expression'."
    )
    assert refusal(tree, "pmml") == (
        "node 0 cannot be exported: it predicts several labels, and a tree of PMML has one. "
        "Fit a tree for each."
    )


def test_dates_and_large_integers_are_not_pmml():
    remedy = "Choose another format, such as 'onnx' or 'c'."
    assert refusal(handmade.beyond_float(), "pmml") == (
        f"node 0 cannot be exported: 'id' has integers beyond 2^53, which PMML rounds. {remedy}"
    )
    assert "is a date, which PMML does not compare exactly" in refusal(truths_and_levels(), "pmml")


def test_a_leaf_is_no_graph():
    assert refusal(handmade.one_leaf(), "onnx") == (
        "node 0 cannot be exported: a tree without questions has no input, and ONNX needs one. "
        "Predict its label."
    )


def test_values_that_go_everywhere():
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    model = DecisionTreeClassifier(missing="weigh").fit(X, [0, 0, 1, 1])
    assert refusal(model, "c") == (
        "node 0 cannot be exported: missing values go to every answer there (missing='weigh'), and "
        "exports follow one. Set missing='stop', or predict with bough."
    )


def test_trees_that_databases_do_not_read():
    assert refusal(handmade.chain(20_000), "sql") == (
        "SQL would need 20,000 conditions, which databases take too long to read (at most 10,000). "
        "Prune the tree, or export it as 'c' or 'onnx'."
    )


def test_names_in_which_spark_fills_in_variables():
    tree = hostile_columns(["a", "${env:HOME}", "c"])
    assert refusal(tree, "sql", dialect="spark") == (
        "node 2 cannot be exported: Spark fills in what stands after '${' in the name '${env:HOME}'. "
        "Rename it, or choose another format."
    )


def test_a_deep_tree_is_flat_sql():
    tree = handmade.chain(300)  # more than SQLite could read within one another
    rows = rows_at_edges(tree, 50)
    assert (
        differences(export(tree, "sql", dialect="sqlite"), "sql", tree, rows, dialect="sqlite")
        == []
    )


def test_a_large_tree_is_a_table_and_a_loop():
    tree = handmade.chain(5_000)
    content = export(tree, "python")
    assert "while FEATURE[at] >= 0:" in content
    rows = Rows(tree.schema.features, (np.array([-1.0, 0.5, 777.7, 4999.5, 1e9, np.nan]),), 6)
    assert differences(content, "python", tree, rows) == []


def test_formats_that_nothing_runs():
    table = {name: ["x"] for name in ("outlook", "temperature", "humidity", "wind")}
    assert refusal(handmade.play_tennis(), "dot", check=table) == (
        "format='dot' makes no predictions that could be checked. "
        "These do: sql, python, c, javascript, java, onnx, pmml, sklearn, treelite."
    )


def test_a_difference_names_the_row_and_the_path(monkeypatch):
    tree = handmade.play_tennis()
    table = {"outlook": ["Rain"], "temperature": ["Hot"], "humidity": ["High"], "wind": ["Weak"]}
    wrong = replays.Said([("Yes",)], [[0.5, 0.5]])
    monkeypatch.setitem(replays.RUNNERS, "python", lambda *_: wrong)
    with pytest.raises(ExportError) as error:
        export(tree, "python", check=table)
    assert str(error.value) == (
        "row 0: the export gives 0.5 as the probability of 'No', but the tree 0.0 "
        "(node 5: outlook = Rain → wind = Weak). "
        "This is a bug in bough: please report it with the model."
    )


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (replays.Said([("b", 4)], []), "gives 4 for 'y1', but the tree 3"),
        (
            replays.Said([("b", 3)], [[0.0, 1.0, 0.25, 0.75]]),
            "gives 0.25 as the probability of 2 for 'y1', but the tree 0.0",
        ),
        (replays.Said([("b", 3)], [[0.0, 1.0]]), "gives 2 values, but the tree 4"),
    ],
)
def test_of_several_labels_the_first_that_differs_is_named(monkeypatch, wrong, says):
    tree = DecisionTreeClassifier().fit([[0.0], [1.0]], np.array([["a", 2], ["b", 3]], object))
    monkeypatch.setitem(replays.RUNNERS, "python", lambda *_: wrong)
    with pytest.raises(ExportError) as error:
        export(tree.grown_tree_, "python", check=[[1.0]])
    assert f"row 0: the export {says} (node " in str(error.value)


def test_a_package_that_is_not_there(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    assert refusal(handmade.play_tennis(), "onnx") == (
        "The format 'onnx' needs the package onnx. Install it with pip install 'bough[onnx]'."
    )


def test_a_tool_that_is_not_there(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    table = {name: ["x"] for name in ("outlook", "temperature", "humidity", "wind")}
    assert refusal(handmade.play_tennis(), "javascript", check=table) == (
        "To check this export, bough needs Node.js, which is not installed. "
        "Install it (Debian: apt install nodejs)."
    )
