"""Estimators that are edited by hand."""

import json
import pickle

import numpy as np
import pytest
from growths import differences

import bough
from bough import DataError, DecisionTreeClassifier, DecisionTreeRegressor, ParameterError

RNG = np.random.default_rng(7)
X = RNG.integers(0, 9, (200, 3)).astype(float)
Y = (X[:, 0] + X[:, 1] + RNG.normal(0, 3, 200) > 8).astype(int)
DEV = X[::2] + 0.25, Y[::2]


@pytest.fixture
def tree():
    return DecisionTreeClassifier(max_depth=4).fit(X, Y)


def test_the_tree_that_is_edited_stays_as_it_is(tree):
    before = pickle.dumps(tree)
    tree.cut(1)
    tree.force(0, 2, X, Y)
    assert pickle.dumps(tree) == before


def test_rows_stop_at_a_node_that_was_cut(tree):
    smaller = tree.cut(1)
    left = X[:, tree.grown_tree_.feature[0]] < tree.grown_tree_.pivot[0]
    assert (smaller.apply(X)[left] == 1).all()
    assert (smaller.apply(X)[~left] != 1).all()


def test_an_edited_tree_is_saved_and_loaded(tree, tmp_path):
    edited = tree.force(2, 2, X, Y).cut(1)
    edited.save(tmp_path / "edited.bough.json")
    loaded = bough.load(tmp_path / "edited.bough.json")
    assert not differences(edited.grown_tree_, loaded.grown_tree_)
    assert loaded.predict(X).tolist() == edited.predict(X).tolist()


def test_what_was_done_can_be_read(tree):
    assert str(tree.cut(1).edit_) == "node 1 is a leaf"
    assert str(tree.cut([1, 2]).edit_) == "nodes 1, 2 are leaves"
    assert str(tree.force(0, 2, X, Y).edit_) == "node 0 asks about x2"


def test_the_file_and_the_pickle_know_of_the_edits(tree, tmp_path):
    edited = tree.force(2, 2, X, Y).cut(1, dev=DEV)
    edited.save(tmp_path / "edited.bough.json")
    for again in (bough.load(tmp_path / "edited.bough.json"), pickle.loads(pickle.dumps(edited))):
        assert again.edits_ == edited.edits_
        assert again.edit_ == edited.edit_
        assert [edit.what for edit in again.edits_] == ["node 2 asks about x2", "node 1 is a leaf"]


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ({"evidence": {"edits": 5}}, "evidence has no 'task'."),
        ({"edits": 5}, "edits must be a list, not a whole number."),
        ({"edits": [{"whar": "x"}]}, "edits[0] has no 'what'."),
    ],
)
def test_edits_that_are_none_are_not_loaded(tree, tmp_path, section, message):
    path = tmp_path / "damaged.bough.json"
    path.write_text(json.dumps(json.loads(bough.export(tree, "json")) | section))
    with pytest.raises(bough.ModelFormatError) as error:
        bough.load(path)
    assert str(error.value) == f"{str(path)!r} is damaged: {message}"


def test_a_tree_that_nobody_edited_has_no_edits(tree):
    assert tree.edits_ == ()
    assert not hasattr(tree, "edit_")
    assert not hasattr(tree.cut(1).fit(X, Y), "edit_")


def test_a_node_that_is_named_twice_is_cut_once(tree):
    assert str(tree.cut([2, 1, 1]).edit_) == "nodes 1, 2 are leaves"


def test_cutting_nothing_is_refused(tree):
    with pytest.raises(ParameterError) as error:
        tree.cut([])
    assert str(error.value) == (
        "the list of nodes to cut is empty. Give the number of at least one branch."
    )


@pytest.mark.parametrize(
    ("dev", "given"),
    [
        ((X,), "has length 1"),
        (5, "is of type 'int'"),
        ({"a": 1, "b": 2, "c": 3}, "is of type 'dict'"),
    ],
)
def test_rows_to_measure_with_are_a_tuple(tree, dev, given):
    with pytest.raises(ParameterError) as error:
        tree.cut(1, dev=dev)
    assert str(error.value) == (
        f"dev {given}. Give rows that the tree was not grown from: dev=(X, y) or dev=(X, y, "
        "sample_weight)."
    )


def test_rows_that_are_guessed_in_parts_are_measured_so():
    gaps = np.where(np.random.default_rng(1).random(X.shape) < 0.3, np.nan, X)
    tree = DecisionTreeClassifier(max_depth=4, missing="weigh").fit(X, Y)
    edit = tree.cut(1, dev=(gaps, Y)).edit_
    before, after = (np.mean(each.predict(gaps) != Y) for each in (tree, tree.cut(1)))
    assert edit.before == pytest.approx(before)
    assert edit.after == pytest.approx(after)
    assert before != np.mean(DecisionTreeClassifier(max_depth=4).fit(X, Y).predict(gaps) != Y)


def test_a_ranking_can_be_cut():
    group = np.arange(200) // 10
    tree = bough.DecisionTreeRanker(max_depth=3).fit(X, Y, group=group)
    cut = tree.cut(0, dev=(X, Y, None, group))
    loss = [1 - each.score(X, Y, group=group) for each in (tree, cut)]
    assert cut.get_n_leaves() == 1
    assert (cut.edit_.loss, cut.edit_.before) == ("ndcg_loss", pytest.approx(loss[0]))
    assert cut.edit_.after == pytest.approx(loss[1])


def test_rows_of_one_s_own_measure_the_change(tree):
    edit = tree.cut(1, dev=DEV).edit_
    before, after = 1 - tree.score(*DEV), 1 - tree.cut(1).score(*DEV)
    assert edit.loss == "error"
    assert edit.before == pytest.approx(before)
    assert edit.after == pytest.approx(after)
    assert edit.change.low <= edit.change.value <= edit.change.high
    assert str(edit).startswith(f"node 1 is a leaf: error {100 * before:.1f} % → ")


def test_weights_of_these_rows_count(tree):
    weights = np.where(DEV[1] == 1, 3.0, 0.5)
    edit = tree.cut(1, dev=(*DEV, weights)).edit_
    assert edit.before == pytest.approx(1 - tree.score(*DEV, weights))


def test_numbers_are_measured_by_their_squared_error():
    tree = DecisionTreeRegressor(max_depth=3).fit(X, X @ [1, 2, 3])
    edit = tree.cut(1, dev=(X, X @ [1, 2, 3])).edit_
    assert edit.loss == "squared_error"
    assert edit.change.value > 0


def test_a_branch_that_grows_again_is_pruned_as_the_tree_was():
    tree = DecisionTreeClassifier(ccp_alpha=0.01).fit(X, Y)
    query = tree.grown_tree_[0].query
    assert not differences(tree.force(0, query, X, Y).grown_tree_, tree.grown_tree_)


def test_a_new_fit_forgets_the_edit(tree):
    assert not hasattr(tree.cut(1).fit(X, Y), "edit_")


OTHER_ROWS = (
    "these are not the rows that the tree was grown from. Give the same 200 rows, with "
    "the same labels and weights."
)


@pytest.mark.parametrize(
    ("rows", "labels"), [(X[:150], Y[:150]), (X, np.roll(Y, 1)), (np.roll(X, 1), Y)]
)
def test_other_rows_are_refused(tree, rows, labels):
    with pytest.raises(DataError) as error:
        tree.force(0, 2, rows, labels)
    assert str(error.value) == OTHER_ROWS


def test_other_classes_are_refused(tree):
    with pytest.raises(DataError) as error:
        tree.force(0, 2, X, Y + 1)
    assert str(error.value) == (
        "the classes of y are not those that the tree was grown from. Give the rows that "
        "it was grown from, with the same labels and weights."
    )


def test_a_budget_of_leaves_cannot_be_shared_out_anew():
    tree = DecisionTreeClassifier(max_leaf_nodes=4).fit(X, Y)
    with pytest.raises(ParameterError) as error:
        tree.force(0, 2, X, Y)
    assert str(error.value) == (
        "a tree with max_leaf_nodes=4 cannot grow one branch again: the limit holds for "
        "the whole tree. Fit without it; max_depth and ccp_alpha also limit a tree."
    )


def test_guesses_in_order_cannot_be_kept_where_a_branch_grows_alone():
    tree = DecisionTreeClassifier(monotonic_cst=[1, 0, 0]).fit(X, Y)
    with pytest.raises(ParameterError) as error:
        tree.force(0, 2, X, Y)
    assert str(error.value) == (
        "a tree with monotonic_cst cannot grow one branch again: the order of predictions holds "
        "for the whole tree. Fit without it."
    )
    assert tree.cut(1).get_n_leaves() < tree.get_n_leaves()


def test_with_costs_the_query_that_is_there_gives_the_same_tree():
    tree = DecisionTreeClassifier(costs={(0, 1): 7}, ccp_alpha=0.002).fit(X, Y)
    for node in np.flatnonzero(tree.grown_tree_.feature >= 0)[:5].tolist():
        forced = tree.force(node, tree.grown_tree_[node].query, X, Y)
        assert not differences(forced.grown_tree_, tree.grown_tree_)
