"""`bough.fit` where guesses do not cost the same."""

import made_tables as made
import numpy as np
import pytest

import bough
from bough.errors import ParameterError
from bough.learn.evaluate import evaluate

TABLE = made.classes()
COSTS = {("yes", "no"): 3}
RESULT = bough.fit(TABLE, "label", costs=COSTS)


def test_the_cost_is_what_is_to_be_small():
    assert RESULT.evidence.loss == "cost"


def test_the_cost_is_that_of_the_guesses_in_the_test_rows():
    fresh = made.classes(2000, seed=7)
    guesses = RESULT.model.predict(fresh)
    labels = np.array(fresh["label"])
    costs = np.where(guesses == labels, 0, np.where(labels == "yes", 3, 1))
    assert evaluate(RESULT.saved, fresh).estimates["cost"].value == pytest.approx(costs.mean())


def test_the_baseline_is_the_cheapest_guess_of_all():
    share_no = RESULT.evidence.baseline["error"].value
    assert RESULT.baseline["cost"].value == pytest.approx(share_no)  # it always guesses yes


def test_the_cost_has_an_interval():
    found = RESULT.test["cost"]
    assert 0 < found.low < found.value < found.high < RESULT.baseline["cost"].value


def test_it_costs_less_than_a_tree_that_does_not_know_the_costs():
    table, fresh = made.classes(20_000, seed=1), made.classes(4000, seed=8)
    labels = np.array(fresh["label"])

    def cost(**options):
        guesses = bough.fit(table, "label", **options).model.predict(fresh)
        return np.where(guesses == labels, 0, np.where(labels == "yes", 30, 1)).mean()

    assert cost(costs={("yes", "no"): 30}) < cost() / 2


def test_trees_are_pruned_by_cost():
    assert {each.pruned_by for each in RESULT.curve} == {"", "impurity", "cost"}


def test_the_training_loss_is_the_cost_of_the_training_rows():
    assert RESULT.evidence.chosen.train == pytest.approx(RESULT.train["cost"].value)


def test_shares_are_those_of_the_rows():
    share_yes = TABLE["label"].count("yes") / len(TABLE["label"])
    assert RESULT.grown_tree_.shares[0, 0, 1] == pytest.approx(share_yes, abs=0.01)


def test_the_result_says_what_rows_cost():
    lines = str(RESULT).splitlines()
    assert any(line.startswith("Expected cost on new rows: 0.") for line in lines)
    assert any(line.startswith("Baseline (always predict 'yes'): 0.") for line in lines)


def test_equal_costs_give_the_tree_of_no_costs():
    table = made.classes(600)
    without = bough.fit(table, "label", loss="error")
    equal = bough.fit(table, "label", loss="error", costs={("no", "yes"): 1})
    assert equal.test["error"] == without.test["error"]
    assert equal.grown_tree_.feature.tolist() == without.grown_tree_.feature.tolist()


def test_another_loss_may_be_asked_for():
    result = bough.fit(made.classes(600), "label", costs=COSTS, loss="log_loss")
    assert result.evidence.loss == "log_loss"
    assert "cost" in result.test


def test_a_list_is_in_the_order_of_the_classes():
    other = bough.fit(TABLE, "label", costs=[[0, 1], [3, 0]])
    assert other.test == RESULT.test


def test_classes_that_no_row_to_learn_from_has_may_be_named():
    table = made.classes(400)
    test = made.classes(100, seed=3)
    test["label"][0] = "maybe"
    result = bough.fit(table, "label", test=test, costs={("maybe", "no"): 3, ("yes", "no"): 8})
    assert result.grown_tree_.schema.labels[0].costs == ((0, 1), (8, 0))


def test_equal_rows_with_other_labels_have_a_cost_that_no_tree_avoids():
    table = {"x": [0] * 50 + [1] * 50, "y": (["a"] * 45 + ["b"] * 5) * 2}
    result = bough.fit(table, "y", costs={("b", "a"): 3})
    # In nine of ten rows the label is a: always guessing a costs 3 in one row of ten.
    assert result.evidence.unavoidable == pytest.approx(0.3, abs=0.03)


def test_the_model_is_an_estimator_with_these_costs():
    assert RESULT.model.costs == [[0, 1], [3, 0]]
    assert RESULT.model.get_params()["probability"] == "laplace"


def test_smoothed_probabilities_stay_with_the_model(tmp_path):
    result = bough.fit(made.classes(400), "label", probability="laplace")
    result.save(tmp_path / "m.bough.json")
    loaded = bough.load(tmp_path / "m.bough.json")
    assert loaded.probability == "laplace"
    assert loaded.predict_proba(made.classes(50)).min() > 0


def complaint(**options):
    with pytest.raises(ParameterError) as error:
        bough.fit(**{"table": TABLE, "target": "label"} | options)
    return str(error.value)


def test_the_cost_needs_costs():
    assert complaint(loss="cost") == (
        "loss='cost' needs costs, as in costs={('ill', 'well'): 20}: predicting 'well' where 'ill' is true costs 20."
    )


@pytest.mark.parametrize("options", [{"costs": COSTS}, {"probability": "laplace"}])
def test_numbers_have_neither_costs_nor_probabilities(options):
    (name,) = options
    assert complaint(table=made.numbers(), target="y", **options) == (
        f"{name}=… is for classes, but 'y' is predicted as a number. Leave it out, or predict classes: "
        "task='classification'."
    )


def test_a_ranking_has_no_costs():
    given = {"table": made.relevances(), "target": "stars", "task": "rank", "group": "search"}
    assert complaint(costs=COSTS, **given) == (
        "costs=… is for classes, but 'stars' is ranked by. Leave it out, or predict classes: "
        "task='classification'."
    )


def test_a_way_to_estimate_probabilities_that_is_not_known_is_refused():
    assert complaint(probability="laplas") == (
        "probability='laplas' is not known. Did you mean 'laplace'? "
        "Known: 'raw', 'laplace', 'prior' and 'honest'."
    )


def test_a_class_that_is_not_there_is_refused():
    assert complaint(costs={("yess", "no"): 3}) == (
        "costs names 'yess', which is not a class. Did you mean 'yes'? The classes are "
        "'no' and 'yes'."
    )
