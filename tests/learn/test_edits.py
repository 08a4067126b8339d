"""Results that are edited by hand, and what is known of them then."""

import copy
import pickle

import numpy as np
import pytest
from growths import differences

import bough
from bough import ParameterError
from bough.learn.measure import followed, losses_of
from bough.walk import cut


def made_table(n_rows, seed=0):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 10, (2, n_rows))
    noise = rng.random(n_rows) < 0.15
    return {"a": a, "b": b, "c": rng.integers(0, 4, n_rows), "y": ((a + b > 9) ^ noise).astype(int)}


@pytest.fixture(scope="module")
def small():
    return bough.fit(made_table(400), "y", criterion="gini")


@pytest.fixture(scope="module")
def large():
    """Return a result whose tree has learnt from the training rows alone."""
    return bough.fit(made_table(3000), "y", criterion="gini", refit=False)


def first_branch(result):
    return int(np.flatnonzero(result.saved.tree.feature[1:] >= 0)[0]) + 1


def test_a_result_that_is_edited_stays_as_it_is(small):
    before = bough.export(small, "json")
    small.cut(0)
    small.force(0, "c")
    assert bough.export(small, "json") == before


def test_a_cut_is_measured_on_development_rows(large):
    node = first_branch(large)
    edit = large.cut(node).edits[-1]
    tree = large.saved.tree
    _, tried = large._made.pairs[0]
    rows = large._made.rows.take(tried)
    smaller = cut(tree, np.arange(len(tree)) == node)
    before, after = (losses_of(followed([(each, rows)]), "error").mean for each in (tree, smaller))
    assert edit.before == pytest.approx(before)
    assert edit.after == pytest.approx(after)


def test_a_forced_query_is_measured_on_development_rows(large):
    edited = large.force(0, "c")
    _, tried = large._made.pairs[0]
    rows = large._made.rows.take(tried)
    assert edited.edits[-1].after == pytest.approx(
        losses_of(followed([(edited.saved.tree, rows)]), "error").mean
    )


def test_cutting_the_root_leaves_the_error_of_always_guessing_the_same(small):
    edit = small.cut(0).edits[-1]
    empty = next(each for each in small.curve if each.depth == 0)
    assert edit.after == pytest.approx(empty.dev)


def test_forcing_the_column_that_is_asked_anyway_changes_nothing_elsewhere(small):
    query = small.saved.tree[0].query
    edited = small.force(0, query)
    assert not differences(edited.saved.tree, small.saved.tree)


def test_forcing_the_best_column_changes_no_loss(small):
    name = small.saved.tree[0].query.feature.name
    assert small.force(0, name).edits[-1].change.value == 0


def test_several_nodes_are_cut_one_after_the_other(small):
    with pytest.raises(ParameterError) as error:
        small.cut([1])
    assert str(error.value) == (
        f"node=[1] is not a node of the tree, whose nodes are 0 to {len(small.saved.tree) - 1}."
    )


def test_edits_add_up(small):
    edited = small.cut(0).force(0, "c")
    first, second = edited.edits
    assert second.before == first.after


def test_undoing_a_cut_takes_the_loss_back(small):
    name = small.saved.tree[0].query.feature.name
    first, second = small.cut(0).force(0, name).edits
    assert second.change.value == pytest.approx(-first.change.value)


def test_above_an_edit_the_change_is_not_known(small):
    node = first_branch(small)
    edited = small.cut(node).cut(0)
    assert edited.edits[-1].change is None
    assert str(edited.edits[-1]) == "node 0 is a leaf: effect not known"


def test_a_change_that_is_known_is_told_after_one_that_is_not(small):
    edit = small.cut(first_branch(small)).cut(0).force(0, "a").edits[-1]
    assert edit.before is None
    assert str(edit).startswith("node 0 asks about a: error −")
    assert str(edit).endswith(f", {edit.change.n} rows)")


def test_the_figures_are_said_to_be_those_before_the_edit(small):
    lines = small.cut(0).text().splitlines()
    said = next(line for line in lines if line.startswith("Expected accuracy"))
    assert said.startswith("Expected accuracy on new rows, before it was edited by hand: ")
    assert "Edited by hand since then; on the development rows:" in lines
    assert f"  {small.cut(0).edits[0]}" in lines


def test_the_diagnosis_is_said_to_be_that_before_the_edit(small):
    edited = small.cut(0)
    before, after = small.text().splitlines(), edited.text().splitlines()
    at = after.index("Before it was edited by hand:")
    assert after[at + 1 :] == before[len(before) - len(after[at + 1 :]) :]
    assert after[at - 1].startswith("1 leaf, depth 0 after the edits; before them the ")


def test_notes_about_the_tree_are_not_those_of_the_edited_one():
    table = made_table(80)
    result = bough.fit(table, "y", prune="depth")
    codes = {note.code for note in result.notes}
    assert codes & {"B301", "B302"}
    edited = {note.code for note in result.cut(0).notes}
    assert edited == codes - {"B301", "B302"}


def test_the_model_file_knows_of_the_edit(small, tmp_path):
    edited = small.cut(0)
    edited.save(tmp_path / "edited.bough.json")
    loaded = bough.load(tmp_path / "edited.bough.json")
    assert loaded.evidence_["edits"][0]["what"] == "node 0 is a leaf"
    assert loaded.get_n_leaves() == 1


def test_an_estimator_adds_its_edits_to_those_of_the_result(small):
    model = small.force(0, "c").model.cut(0)
    whats = [edit["what"] for edit in model.evidence_["edits"]]
    assert whats == ["node 0 asks about c", "node 0 is a leaf"]


def test_a_pickle_holds_no_rows(small):
    again = pickle.loads(pickle.dumps(small))
    with pytest.raises(ParameterError) as error:
        again.cut(0)
    assert str(error.value) == (
        "The rows that this result was learnt from are no longer in memory. Fit again, or edit the tree without measuring: result.model.cut(node)."
    )


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_can_be_edited(small, copied):
    assert copied(small).cut(0).edits == small.cut(0).edits


def test_numbers_are_measured_by_the_loss_that_was_to_be_small():
    table = made_table(300)
    table["y"] = table["a"] * 1.5 + table["b"]
    result = bough.fit(table, "y", task="regression", criterion="absolute_error")
    edit = result.cut(0).edits[-1]
    assert edit.loss == "absolute_error"
    assert edit.change.value > 0


def test_rows_of_one_group_are_not_independent():
    table = made_table(400) | {"who": np.arange(400) // 8}
    edit = bough.fit(table, "y", group="who").cut(0).edits[-1]
    assert edit.change.method == "paired, by group"


# --- Other tasks and labels -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def ranked():
    table = made_table(600) | {"search": np.arange(600) // 12}
    return bough.fit(table, "y", task="rank", group="search")


def test_a_ranking_is_measured_by_its_queries(ranked):
    edit = ranked.cut(0).edits[-1]
    empty = next(each for each in ranked.curve if each.depth == 0)
    assert edit.loss == "ndcg_loss"
    assert edit.after == pytest.approx(empty.dev)
    assert edit.change.n < 60
    found = edit.change
    assert str(edit) == (
        f"node 0 is a leaf: NDCG@10 {1 - edit.before:.3g} → {1 - edit.after:.3g} "
        f"(−{found.value:.3g}, 95 % interval −{found.high:.3g} to −{found.low:.3g}, "
        f"{found.n} groups)"
    )


def test_a_ranking_that_asks_what_it_asks_stays_the_same(ranked):
    edited = ranked.force(0, ranked.saved.tree[0].query)
    assert not differences(edited.saved.tree, ranked.saved.tree)


def test_honest_leaves_stay_honest():
    result = bough.fit(made_table(3000), "y", criterion="gini", probability="honest")
    edited = result.force(0, result.saved.tree[0].query)
    assert not differences(edited.saved.tree, result.saved.tree)
    assert edited.force(0, "c").saved.tree.n_rows[0] == result.evidence.n_dev


def test_honest_leaves_stay_honest_wherever_a_query_is_forced():
    result = bough.fit(made_table(600), "y", criterion="gini", probability="honest")
    tree = result.saved.tree
    for node in np.flatnonzero(tree.feature >= 0).tolist():
        edited = result.force(node, tree[node].query).saved.tree
        assert not differences(edited, tree)


def test_costs_are_what_an_edit_is_measured_by():
    result = bough.fit(made_table(3000), "y", costs={(1, 0): 9}, refit=False)
    edited = result.force(0, result.saved.tree[0].query)
    assert not differences(edited.saved.tree, result.saved.tree)
    assert (edited.edits[-1].loss, edited.edits[-1].change.value) == ("cost", 0)


def test_what_the_development_rows_have_pruned_can_only_be_cut():
    result = bough.fit(made_table(3000), "y", prune="reduced_error")
    assert result.cut(0).edits[-1].change is None
    assert result.sentences[-2] == (
        "Cannot tell whether more rows would help: the development rows were used for pruning."
    )
    with pytest.raises(ParameterError) as error:
        result.force(0, "c")
    assert str(error.value) == (
        "prune='reduced_error' has pruned the whole tree by the development rows: no branch can grow again on its own. Fit with another way to prune, or cut the branch."
    )


@pytest.mark.parametrize("prune", ["pessimistic", "depth", "merge"])
def test_a_branch_that_grows_again_is_pruned_as_the_tree_was(prune):
    result = bough.fit(made_table(500, seed=3), "y", prune=prune)
    edited = result.force(0, result.saved.tree[0].query)
    assert not differences(edited.saved.tree, result.saved.tree)
