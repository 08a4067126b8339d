"""The honest protocol, step by step."""

from dataclasses import replace
from importlib import import_module

import made_tables as made
import numpy as np
import pytest

import bough
from bough.exports.model_file import dumps
from bough.learn import tuning
from bough.learn.labelled_rows import Sealed
from bough.learn.look_at_columns import look
from bough.learn.request import Request
from bough.learn.row_plan import Problem, make_plan, target_of
from bough.table import open_source

protocol = import_module("bough.learn")


def bytes_of(result):
    return dumps(result.saved)


def without_test(result):
    """What must not depend on the test rows' labels."""
    evidence = result.evidence
    return (
        result.grown_tree_.tally.tolist(),
        result.curve,
        evidence.chosen,
        evidence.train,
        evidence.dev,
        evidence.learning,
        evidence.unavoidable,
        evidence.ranges,
        evidence.sketches["train"],
        evidence.sketches["dev"],
    )


@pytest.mark.parametrize(("make", "target"), [(made.classes, "label"), (made.numbers, "y")])
def test_the_order_of_the_rows_does_not_matter(make, target):
    table = make()
    order = np.random.default_rng(1).permutation(len(table[target]))
    shuffled = made.some_rows(table, order)
    assert bytes_of(bough.fit(table, target)) == bytes_of(bough.fit(shuffled, target))


def test_notes_that_name_rows_are_not_in_the_model():
    table = made.classes()
    table["label"][7] = None
    result = bough.fit(table, "label")
    assert "B109" in [note.code for note in result.notes]
    assert "B109" not in [note["code"] for note in result.saved.evidence["notes"]]


def test_the_number_of_threads_does_not_matter():
    table = made.classes()
    one, two = (bough.fit(table, "label", n_jobs=n_jobs) for n_jobs in (1, 2))
    assert bytes_of(one) == bytes_of(two)


def test_rows_are_shared_out_as_wanted():
    evidence = bough.fit(made.classes(), "label", refit=False).evidence
    found = (evidence.n_train, evidence.n_dev, evidence.n_test)
    assert found == pytest.approx((2100, 300, 600), abs=2)  # two classes, each to a row


@pytest.mark.parametrize(("make", "target"), [(made.classes, "label"), (made.numbers, "y")])
@pytest.mark.parametrize("keeps_dev", [False, True])  # in folds, and with development rows
def test_labels_of_test_rows_change_nothing_but_the_final_estimate(make, target, keeps_dev):
    source, request = open_source(make(500)), Request(target=target, refit=not keeps_dev)
    seen = look([source], request)
    results = []
    for order in (slice(None), slice(None, None, -1)):
        plan = make_plan(seen, request, target_of(seen, request))
        rows = plan.sealed.open()
        turned = rows.take(np.arange(len(rows))[order]).labels
        plan = replace(plan, sealed=Sealed(replace(rows, labels=turned)))
        problem = Problem("table", source, seen, request, plan)
        results.append(protocol.learn(problem))
    assert without_test(results[0]) == without_test(results[1])
    assert results[0].test != results[1].test


def test_labels_of_an_own_test_table_change_nothing_but_the_final_estimate():
    table, test = made.classes(), made.classes(500, seed=7)
    result = bough.fit(table, "label", test=test)
    other = bough.fit(table, "label", test={**test, "label": test["label"][::-1]})
    assert without_test(other) == without_test(result)
    assert other.test != result.test


def test_the_seal_opens_once():
    sealed = Sealed(None)
    sealed.open()
    with pytest.raises(RuntimeError, match="have been used before"):
        sealed.open()


@pytest.fixture
def growths(monkeypatch):
    """The number of rows of each growth, but for questions that nearly were asked instead."""
    monkeypatch.setattr("bough.learn.node_histograms.rivals_of", lambda *_: ())
    found = []
    whole = tuning.Setting.grown

    def counted(self, rows, *args):
        found.append(len(rows))
        return whole(self, rows, *args)

    monkeypatch.setattr(tuning.Setting, "grown", counted)
    return found


@pytest.mark.usefixtures("large_from_2000")
def test_one_growth_serves_every_size_of_a_setting(growths):
    bough.fit(made.classes(), "label")
    # Two criteria, two ways to ask about categories; two larger leaves for the best of these.
    tuned = 4 * [2100] + 2 * [2100]
    refit, runner_up, learning = [2400], [2400], [525, 1050]
    assert sorted(growths) == sorted(tuned + refit + runner_up + learning)


def test_small_tables_are_grown_once_for_each_fold_and_setting(growths):
    bough.fit(made.classes(1000), "label", criterion="gini", categorical="each")
    folds, whole, runner_up = 3 * 10 * [720], 3 * [800], [800]  # three smallest leaves
    learning = [*10 * [180], 200, *10 * [360], 400]  # of each number of rows the best size
    assert sorted(growths) == sorted(folds + whole + runner_up + learning)


@pytest.mark.usefixtures("large_from_2000")
def test_a_single_criterion_without_categories_is_a_growth_for_each_smallest_leaf(growths):
    table = made.numbers()
    del table["kind"]
    bough.fit(table, "y")
    assert len(growths) == 3 + 1 + 2  # the leaves, the refit, the learning curve: no other column


def test_the_best_tree_has_the_least_loss_on_development_rows():
    result = bough.fit(made.classes(), "label")
    assert result.evidence.chosen.dev == min(each.dev for each in result.curve)


def test_the_simple_tree_is_the_smallest_within_a_standard_error():
    table = made.classes(noise=0.35)
    best = bough.fit(table, "label", refit=False).evidence.chosen
    simple = bough.fit(table, "label", refit=False, choose="simple").evidence.chosen
    assert simple.n_leaves < best.n_leaves
    assert simple.dev <= best.dev + best.dev_error


def test_losses_of_the_curve_are_those_of_the_trees_themselves():
    table = made.classes()
    result = bough.fit(table, "label", refit=False)
    chosen = result.evidence.chosen
    assert result.dev["error"].value == pytest.approx(chosen.dev)
    assert result.train["error"].value == pytest.approx(chosen.train)


def test_without_a_refit_the_tree_is_grown_from_training_rows_alone():
    result = bough.fit(made.classes(), "label", refit=False)
    assert result.grown_tree_.n_rows[0] == 2100


def test_a_value_of_test_rows_alone_is_not_in_the_model():
    table, test = made.classes(), made.classes(500, seed=7)
    test["color"][0] = "purple"
    result = bough.fit(table, "label", test=test)
    choices = {each.name: each.choices for each in result.grown_tree_.schema.features}
    assert choices["color"] == ("blue", "green", "red")


def test_without_development_rows_a_large_table_is_cross_validated_too():
    evidence = bough.fit(made.classes(), "label", split=(0.8, 0.0, 0.2)).evidence
    assert (evidence.folds, evidence.n_train, evidence.n_dev) == (10, 2400, 0)


def test_a_class_of_test_rows_alone_is_not_in_the_model():
    test = made.classes(500, seed=7)
    test["label"][0] = "maybe"
    result = bough.fit(made.classes(), "label", test=test)
    assert result.grown_tree_.schema.labels[0].classes == ("no", "yes")
    assert result.evidence.n_test == 500


def test_rare_classes_are_tested_too():
    rng = np.random.default_rng(0)
    y = ["a"] * 1200 + [f"c{row}" for row in range(800)]
    result = bough.fit({"x": rng.normal(size=2000), "y": y}, "y", criterion="gini")
    assert result.test["accuracy"].value == pytest.approx(0.6, abs=0.05)


def test_rows_of_weight_0_take_no_part():
    table = made.classes(400)
    table["weight"] = [0, 1] * 200
    odd = made.some_rows(made.classes(400), range(1, 400, 2))
    counted = bough.fit(table, "label", weight="weight")
    assert counted.evidence.n_train + counted.evidence.n_test == 200
    assert set(counted.grown_tree_.n_rows) <= set(range(len(odd["label"]) + 1))


def test_words_and_booleans_of_one_truth_are_split_alike():
    table = made.classes()
    flags = [value > 0 for value in table["junk"]]
    as_words = bough.fit({**table, "flag": list(map(str, flags))}, "label")
    as_booleans = bough.fit({**table, "flag": flags}, "label")
    assert as_words.test == as_booleans.test


def test_the_time_may_be_ignored_as_a_feature():
    table = made.numbers()
    table["day"] = list(range(3000))
    result = bough.fit(table, "y", time="day", ignore="day")
    assert result.grown_tree_.schema.columns == ("x", "kind")


def test_few_rows_are_cross_validated_however_many_are_tested():
    result = bough.fit(made.classes(300), "label", test=made.classes(2400, seed=3))
    assert (result.evidence.folds, result.evidence.n_train) == (10, 300)


def test_the_result_says_how_rows_were_split():
    table = made.classes()
    table["who"] = [f"w{row // 10}" for row in range(3000)]
    table["weight"] = [1.0, 2.0] * 1500
    text = str(bough.fit(table, "label", group="who", weight="weight"))
    assert "kept aside (whole groups of who, seed 0, weighted by weight)" in text


def test_heavier_rows_count_for_more():
    table = made.classes()
    table["weight"] = [3.0 if label == "yes" else 1.0 for label in table["label"]]
    tree = bough.fit(table, "label", weight="weight").grown_tree_
    plain = bough.fit(made.classes(), "label").grown_tree_
    assert tree.shares[0, 0, 1] > plain.shares[0, 0, 1] + 0.2


def test_the_model_finds_columns_by_name_in_any_order():
    table = made.classes()
    model = bough.fit(table, "label").model
    turned = dict(reversed(table.items()))
    assert np.array_equal(model.predict(table), model.predict(turned))


def test_a_saved_result_keeps_its_evidence(tmp_path):
    result = bough.fit(made.classes(), "label")
    result.save(tmp_path / "label.bough.json")
    loaded = bough.load(tmp_path / "label.bough.json")
    loaded.save(tmp_path / "again.bough.json")
    again = bough.load(tmp_path / "again.bough.json")
    assert again.evidence_ == loaded.evidence_
    assert again.evidence_["test"]["error"]["value"] == result.test["error"].value


def test_a_result_prints_the_tree_and_the_estimate():
    text = str(bough.fit(made.classes(), "label"))
    assert "all rows" in text
    assert "Expected accuracy on new rows:" in text
    assert "600 test rows" in text


def test_equal_rows_with_different_labels_cannot_be_told_apart():
    table = {"x": [1, 1, 1, 2] * 200, "y": ["a", "b", "b", "a"] * 200}
    assert bough.fit(table, "y").evidence.unavoidable == pytest.approx(0.25, abs=0.01)


REFUSED = {
    "target": (
        {"target": "lable"},
        "target='lable' is not a column of the table. Did you mean 'label'? "
        "Columns: 'size', 'color', 'junk' and 'label'.",
    ),
    "task": (
        {"task": "classify"},
        "task='classify' is not known. Did you mean 'classification'? "
        "Known: 'auto', 'classification', 'regression' and 'ranking'.",
    ),
    "choose": (
        {"choose": "bset"},
        "choose='bset' is not known. Did you mean 'best'? Known: 'best' and 'simple'.",
    ),
    "criterion": (
        {"criterion": "squared_error"},
        "criterion='squared_error' is not known for classification. "
        "Known: 'error', 'gini', 'entropy', 'log_loss' and 'gain_ratio'.",
    ),
    "loss": (
        {"loss": "squared_error"},
        "loss='squared_error' is not known for classification. "
        "Known: 'error', 'log_loss', 'brier' and 'cost'.",
    ),
    "ignore": (
        {"ignore": ["sise"]},
        "ignore has 'sise', which is neither a column nor the code of a check. "
        "Did you mean 'size'? Columns: 'size', 'color', 'junk' and 'label'.",
    ),
    "shares": (
        {"split": (0.5, 0.6, 0.7)},
        (
            "split=(0.5, 0.6, 0.7) must be three shares that add up to 1, for training, "
            "development and test rows, as in split=(0.7, 0.1, 0.2)."
        ),
    ),
    "no test rows": (
        {"split": (0.9, 0.1, 0.0)},
        "split=(0.9, 0.1, 0.0) leaves no test rows. Give them a share, or a separate table: test=…",
    ),
    "the target as an array": (
        {"target": ["yes", "no"]},
        "target is of type 'list', but must be the name of a column of the table. Give the table "
        "with that column in it: bough.fit(table, target='…').",
    ),
    "two roles": (
        {"weight": "label"},
        "target and weight are both 'label'. Name a different column for each.",
    ),
    "an ignored target": (
        {"ignore": "label"},
        "target='label' is also ignored. Ignore another column.",
    ),
    "refit": ({"refit": "no"}, "refit='no' must be True or False."),
    "too many classes": (
        {"target": "size", "task": "classification"},
        "200 of 200 rows have a class of 'size' that occurs only once, so there is nothing to learn. Name another column, or predict numbers: task='regression'.",
    ),
    "seed": ({"seed": -1}, "seed=-1 must be a whole number, 0 or more."),
    "group and time": (
        {"group": "color", "time": "junk"},
        "group and time cannot be combined: both decide which rows stay together. Use one of them.",
    ),
    "words in time": (
        {"time": "color"},
        "time='color' is text, which has no order in time. Name a column of dates or numbers, or name its kind: types={'color': 'date'}.",
    ),
    "words in weight": (
        {"weight": "color"},
        "weight='color' is not a column of numbers. Name one that is.",
    ),
    "numbers wanted": (
        {"task": "regression"},
        "The target 'label' has no numbers, but task='regression' predicts numbers. Use task='classification', or name a column of numbers.",
    ),
}


@pytest.mark.parametrize(("wanted", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_a_wrong_wish_is_refused_with_what_to_type(wanted, message):
    with pytest.raises(bough.BoughError) as error:
        bough.fit(made.classes(200), **{"target": "label", **wanted})
    assert str(error.value) == message


def test_ignoring_a_column_moves_no_row():
    table = made.classes()
    first = bough.fit(table, "label").evidence.sketches
    again = bough.fit(table, "label", ignore=["junk"])
    other = bough.fit({**table, "junk": [0.0] * 3000}, "label")
    sealed = made.some_rows(table, range(3000))
    del sealed["junk"]
    assert again.evidence.n_test == 600
    assert again.evidence.train != other.evidence.train  # another column moves rows
    assert len(first["test"]) == 256


def test_labels_of_an_own_test_table_do_not_decide_the_task():
    table, test = made.classes(), made.classes(500, seed=7)
    table["label"] = [row % 3 for row in range(3000)]
    test["label"] = list(range(500))
    assert bough.fit(table, "label", test=test).task == "classification"


def test_marks_of_missing_values_count_in_frames_too():
    table = made.classes()
    table["color"][:100] = ["NA"] * 100
    result = bough.fit(table, "label", missing_marks=("", "NA"))
    choices = {each.name: each.choices for each in result.grown_tree_.schema.features}
    assert choices["color"] == ("blue", "green", "red")
