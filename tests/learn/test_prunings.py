"""`bough.fit(prune=…)`: which trees are tried, and what becomes of the chosen one."""

import made_tables as made
import pytest

import bough
from bough.learn.nested_trees import CONFIDENCES
from bough.predict import guesses, stops
from bough.pruning.ways import pessimistic
from bough.result_words import verdict_lines
from bough.table import read_like

ONE_WAY = {"criterion": "gini", "categorical": "each"}


def fitted(table=None, target="label", **wishes):
    return bough.fit(made.classes(noise=0.25) if table is None else table, target, **wishes)


def ways(result):
    return {each.pruned_by or "depth" for each in result.curve}


def how_chosen(result):
    """Return the line that says how the tree was chosen."""
    lines = verdict_lines(result.evidence, result.grown_tree_)
    return next(line for line in lines if "; best of " in line)


@pytest.mark.parametrize(
    ("prune", "expected"),
    [
        (None, {"depth", "impurity", "error"}),
        ("depth", {"depth"}),
        ("cost_complexity", {"impurity", "error"}),
        ("pessimistic", {"pessimistic"}),
        ("reduced_error", {"reduced_error"}),
        ("merge", {"depth", "impurity", "error"}),
        (["pessimistic", "depth"], {"pessimistic", "depth"}),
        (["reduced_error", "merge"], {"reduced_error"}),
    ],
)
def test_only_the_named_ways_are_tried(prune, expected):
    assert ways(fitted(prune=prune, **ONE_WAY)) == expected


@pytest.mark.parametrize("prune", [["depth", ["merge"]], [["depth"]], [None], 3])
def test_what_is_no_name_is_refused(prune):
    with pytest.raises(bough.ParameterError, match=r"prune=.* is not known\."):
        fitted(prune=prune)


def test_naming_the_usual_ways_changes_nothing():
    named = fitted(prune=["depth", "cost_complexity"])
    assert named.evidence == fitted().evidence


def test_numbers_are_pruned_by_what_is_to_be_small():
    result = fitted(made.numbers(), "y", prune="reduced_error", loss="absolute_error")
    assert result.dev["absolute_error"].value == pytest.approx(result.evidence.chosen.dev)


def test_costs_are_what_is_pruned_by():
    result = fitted(prune="reduced_error", costs={("yes", "no"): 5})
    assert result.evidence.loss == "cost"
    assert result.dev["cost"].value == pytest.approx(result.evidence.chosen.dev)


@pytest.mark.parametrize("prune", ["pessimistic", "reduced_error"])
def test_losses_of_the_curve_are_those_of_the_tree_itself(prune):
    result = fitted(prune=prune, refit=False)
    assert result.dev["error"].value == pytest.approx(result.evidence.chosen.dev)
    assert result.train["error"].value == pytest.approx(result.evidence.chosen.train)


def test_each_confidence_is_tried_once_for_each_setting():
    result = fitted(prune="pessimistic")
    assert [each.price for each in result.curve] == (4 + 2) * list(CONFIDENCES)


@pytest.mark.usefixtures("large_from_2000")
def test_a_pessimistic_tree_is_grown_again_and_pruned_at_the_chosen_confidence():
    result = fitted(prune="pessimistic", **ONE_WAY)
    tree, confidence = result.grown_tree_, result.evidence.chosen.price
    assert (result.evidence.refit, tree.n_rows[0]) == (True, 2401)
    assert pessimistic(tree, confidence).n_leaves == tree.n_leaves


def test_a_small_table_chooses_the_confidence_over_folds():
    result = fitted(made.classes(600), prune="pessimistic")
    assert (result.evidence.folds, ways(result)) == (10, {"pessimistic"})


def test_what_is_pruned_by_development_rows_is_not_grown_again():
    result = fitted(prune="reduced_error")
    assert (result.evidence.refit, result.grown_tree_.n_rows[0]) == (False, 2101)


def test_reduced_error_has_the_least_loss_on_development_rows_of_all_prunings():
    reduced, usual = (fitted(prune=prune, **ONE_WAY) for prune in ("reduced_error", None))
    assert reduced.evidence.chosen.dev <= min(each.dev for each in usual.curve)


def test_a_small_table_has_development_rows_if_they_prune():
    evidence = fitted(made.classes(600), prune="reduced_error").evidence
    assert (evidence.folds, evidence.n_train, evidence.n_dev, evidence.n_test) == (0, 420, 60, 120)


def test_merging_changes_no_guess():
    table = made.classes(noise=0.25)
    wishes = {"prune": ["depth"], "refit": False, **ONE_WAY}
    plain = fitted(table, **wishes)
    merging = fitted(table, **wishes | {"prune": ["depth", "merge"]})
    assert merging.grown_tree_.n_leaves < plain.grown_tree_.n_leaves
    rows = read_like(table, plain.grown_tree_.schema)
    before, after = (
        guesses(tree, stops(tree, rows)).tolist()
        for tree in (plain.grown_tree_, merging.grown_tree_)
    )
    assert after == before


def test_the_evidence_says_what_was_tried(tmp_path):
    result = fitted(prune=["pessimistic", "merge"])
    result.save(tmp_path / "label.bough.json")
    loaded = bough.load(tmp_path / "label.bough.json")
    assert tuple(loaded.evidence_["prune"]) == ("pessimistic", "merge")


@pytest.mark.parametrize(
    ("prune", "expected"),
    [
        (
            "depth",
            "22 leaves, depth 4: the gini tree (one branch per category), cut at depth 4; best of all depths 0–28, with smallest leaves of 1, 5 or 20 rows.",
        ),
        (
            "cost_complexity",
            "cost-complexity pruned; best of pruned sizes, with smallest leaves of 1, 5 or 20 rows.",
        ),
        (
            "pessimistic",
            "pessimistically pruned (confidence 0.01); best of pruned trees, with smallest leaves of 1, 5 or 20 rows.",
        ),
        (
            "reduced_error",
            "pruned on the development rows; best of pruned trees, with smallest leaves of 1, 5 or 20 rows.",
        ),
        (
            "merge",
            "leaves with the same prediction merged; best of all depths 0–28 and pruned sizes, with smallest leaves of 1, 5 or 20 rows.",
        ),
    ],
)
def test_the_result_says_how_the_tree_was_pruned(prune, expected):
    assert expected in how_chosen(fitted(prune=prune, refit=False, **ONE_WAY))


def test_a_tree_that_was_never_tried_whole_is_not_said_to_be_the_largest():
    result = fitted(made.classes(noise=0), prune="reduced_error", **ONE_WAY)
    assert result.sentences[0].endswith(": no sign of overfitting.")


RANKED = {
    "query": [row // 5 for row in range(200)],
    "words": [row % 7 for row in range(200)],
    "label": [row % 3 for row in range(200)],
}
REFUSED = {
    "unknown": (
        {"prune": "reduced"},
        "prune='reduced' is not known. Did you mean 'reduced_error'? Known: 'depth', "
        "'cost_complexity', 'pessimistic', 'reduced_error' and 'merge'.",
    ),
    "a number": (
        {"prune": 3},
        "prune=3 is not known. Known: 'depth', 'cost_complexity', 'pessimistic', 'reduced_error' and "
        "'merge'.",
    ),
    "no way": (
        {"prune": []},
        "prune must name at least one way, or be None for the usual ones.",
    ),
    "beside others": (
        {"prune": ["depth", "reduced_error"]},
        "prune='reduced_error' cannot be combined with other ways: it is fitted to the development rows, so it would always win. Use it alone, or leave it out.",
    ),
    "numbers": (
        {"prune": "pessimistic", "target": "size"},
        "prune='pessimistic' counts errors and is only for classes, not for regression. Use 'depth' or 'cost_complexity'.",
    ),
    "queries": (
        {"prune": "reduced_error", "table": RANKED, "task": "rank", "group": "query"},
        "prune='reduced_error' compares the loss row by row, but a ranking is measured by its groups. Use 'depth' or 'cost_complexity'.",
    ),
    "honest leaves": (
        {"prune": "reduced_error", "probability": "honest"},
        "prune='reduced_error' and probability='honest' cannot be combined: leaves chosen by the development rows look too good on them. Use one of them.",
    ),
    "shares": (
        {"prune": "merge", "loss": "log_loss"},
        "prune='merge' gives leaves with the same prediction the same shares, but loss='log_loss' measures shares. Use loss='error', or leave 'merge' out.",
    ),
    "no development rows": (
        {"prune": "reduced_error", "split": (0.8, 0, 0.2)},
        "split=(0.8, 0, 0.2) leaves no development rows, which prune='reduced_error' needs. Give "
        "them a share, or a separate table: dev=…",
    ),
    "development rows without labels": (
        {"prune": "reduced_error", "dev": {**made.classes(9), "label": [None] * 9}},
        "prune='reduced_error' needs development rows, but none of those given has a label and a "
        "weight. Give others: dev=…",
    ),
}


@pytest.mark.parametrize(("wanted", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_a_wrong_wish_is_refused_with_what_to_type(wanted, message):
    with pytest.raises(bough.BoughError) as error:
        bough.fit(**{"table": made.classes(200), "target": "label", **wanted})
    assert str(error.value) == message
