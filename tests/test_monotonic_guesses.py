"""What trees grown under `monotonic_cst` say: probabilities, scores, and what a file keeps."""

import json

import numpy as np
import pytest

import bough
from bough import DecisionTreeClassifier, DecisionTreeRanker, DecisionTreeRegressor
from bough.loss_kinds import node_losses


@pytest.fixture(scope="module")
def loans():
    """Rows of three numbers, and classes that go up along the first, but not everywhere."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(600, 3))
    y = np.sin(2 * X[:, 0]) + X[:, 1] + rng.normal(size=len(X)) > 0
    return X, y


def in_order(said, rows):
    return np.all(np.diff(said.reshape(rows), axis=1) >= 0)


def lines(X, n_points=50):
    """Rows that differ in the first number only, line after line."""
    rows = np.repeat(X[:60], n_points, axis=0)
    rows[:, 0] = np.tile(np.linspace(-4, 4, n_points), 60)
    return rows, (60, n_points)


@pytest.mark.parametrize("changes", [{}, {"class_weight": "balanced"}, {"costs": [[0, 1], [9, 0]]}])
@pytest.mark.parametrize("settings", [{}, {"max_depth": 5}, {"ccp_alpha": 0.002}], ids=str)
def test_probabilities_are_in_order_to_the_last_digit_and_kept_in_a_model_file(
    loans, changes, settings, tmp_path
):
    X, y = loans
    tree = DecisionTreeClassifier(monotonic_cst=[1, 0, 0], **changes, **settings).fit(X, y)
    rows, shape = lines(X)
    said = tree.predict_proba(rows)
    assert in_order(said[:, 1], shape)
    assert in_order(-said[:, 0], shape)
    assert in_order(tree.predict(rows).astype(int), shape)
    grown_tree = tree.grown_tree_
    assert np.any(np.abs(grown_tree.share - grown_tree.row_shares[:, 0, 1]) > 1e-3)
    tree.save(tmp_path / "tree.bough.json")
    again = bough.load(tmp_path / "tree.bough.json")
    assert np.array_equal(again.predict_proba(rows), said)
    assert np.array_equal(again.grown_tree_.share, grown_tree.share)


def test_a_missing_value_that_is_weighed_keeps_the_order(loans):
    X, y = loans
    tree = DecisionTreeClassifier(monotonic_cst=[1, 0, 0], missing="weigh").fit(X, y)
    rows, shape = lines(X)
    rows[:, 1] = np.nan
    said = tree.predict_proba(rows)[:, 1].reshape(shape)
    assert np.all(np.diff(said, axis=1) >= -1e-12)
    assert np.ptp(said) > 0.1


def test_scores_of_a_ranking_are_in_order():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    relevance = rng.integers(0, 4, len(X))
    tree = DecisionTreeRanker(monotonic_cst=[1, 0, 0], max_depth=6)
    tree.fit(X, relevance, group=np.repeat(np.arange(40), 10))
    rows, shape = lines(X)
    assert tree.get_n_leaves() > 5
    assert in_order(tree.predict(rows), shape)


def test_the_training_error_counts_rows_and_not_shares(loans):
    X, y = loans
    tree = DecisionTreeClassifier(monotonic_cst=[1, 0, 0], max_depth=4).fit(X, y)
    leaves = tree.grown_tree_.feature < 0
    errors, rows = node_losses(tree.grown_tree_, "error")[leaves], tree.grown_tree_.n_rows[leaves]
    assert errors @ rows / len(X) == pytest.approx(1 - tree.score(X, y))


def test_a_file_without_shares_says_what_its_rows_say(loans, tmp_path):
    X, y = loans
    tree = DecisionTreeClassifier(monotonic_cst=[1, 0, 0]).fit(X, y)
    document = json.loads(bough.export(tree, "json"))
    del document["tree"]["share"]
    (tmp_path / "old.bough.json").write_text(json.dumps(document))
    old = bough.load(tmp_path / "old.bough.json")
    assert np.array_equal(old.grown_tree_.shares, tree.grown_tree_.row_shares)


@pytest.mark.parametrize(
    ("share", "message"),
    [
        ([0.5, 2.0, 0.5], "node 1: share is 2.0; it must lie between 0 and 1."),
        ([0.5, 0.5], "share has the shape (2,); it must be (3,)."),
    ],
)
def test_a_share_must_be_one(share, message, tmp_path):
    tree = DecisionTreeClassifier(monotonic_cst=[1]).fit([[1], [2]], [0, 1])
    document = json.loads(bough.export(tree, "json"))
    document["tree"]["share"] = share
    (tmp_path / "tree.bough.json").write_text(json.dumps(document))
    with pytest.raises(bough.ModelFormatError) as error:
        bough.load(tmp_path / "tree.bough.json")
    assert str(error.value).endswith(message)


def test_only_two_classes_have_a_share(tmp_path):
    document = json.loads(bough.export(DecisionTreeRegressor().fit([[1], [2]], [0, 1]), "json"))
    document["tree"]["share"] = [0.5, 0.5, 0.5]
    (tmp_path / "tree.bough.json").write_text(json.dumps(document))
    with pytest.raises(bough.ModelFormatError) as error:
        bough.load(tmp_path / "tree.bough.json")
    assert str(error.value).endswith(
        "a tree has a share where its label has two classes, and only there."
    )
