"""Two models on the same rows."""

import made_tables as made
import polars as pl
import pytest

import bough
from bough.learn.compare import compare

TABLE = made.classes()
GOOD = bough.fit(TABLE, "label").saved
POOR = bough.fit(TABLE, "label", ignore=["color", "junk"]).saved
FRESH = made.classes(1000, seed=5)


def test_the_better_model_is_named():
    assert compare(POOR, GOOD, FRESH).better == "second"
    assert compare(GOOD, POOR, FRESH).better == "first"


def test_a_model_does_not_differ_from_itself():
    found = compare(GOOD, GOOD, FRESH)
    assert found.better is None
    assert (found.difference.value, found.share_other_guess) == (0, 0)
    assert "They predict every row alike, by the same rules." in found.lines()


def test_the_difference_is_that_of_the_losses():
    found = compare(POOR, GOOD, FRESH)
    apart = found.second["error"].value - found.first["error"].value
    assert found.difference.value == pytest.approx(apart)


def test_models_of_different_columns_are_refused():
    other = bough.fit(made.numbers(), "y").saved
    with pytest.raises(bough.ParameterError) as error:
        compare(GOOD, other, FRESH)
    assert str(error.value) == (
        "The first model predicts 'label' and the second 'y'. Compare models that predict the same column, as classes or as numbers."
    )


def test_models_of_different_tasks_are_refused():
    table = made.classes(300)
    table["label"] = [int(label == "yes") for label in table["label"]]
    models = [bough.fit(table, "label", task=task) for task in ("classification", "regression")]
    with pytest.raises(bough.ParameterError) as error:
        compare(*models)
    assert str(error.value) == (
        "The first model predicts 'label' (classification) and the second 'label' (regression). Compare models that predict the same column, as classes or as numbers."
    )


def test_trees_with_other_costs_are_compared_by_their_errors():
    models = [bough.fit(TABLE, "label", costs={("yes", "no"): cost}) for cost in (5, 50)]
    found = compare(*models, FRESH)
    assert found.loss == "error"
    assert "cost" not in {*found.first, *found.second}
    assert compare(models[0], models[0], FRESH).loss == "cost"


def test_rows_that_the_models_have_seen_are_noted_for_each():
    found = compare(GOOD, POOR, TABLE)
    assert [(note.code, note.text.split(": ")[0]) for note in found.notes] == [
        ("B207", "First tree"),
        ("B206", "First tree"),
        ("B207", "Second tree"),
        ("B206", "Second tree"),
    ]


def test_rows_that_made_one_of_the_trees_give_no_verdict():
    found = compare(POOR, GOOD, TABLE)
    assert found.difference.high < 0
    assert (found.better, found.is_on_used_rows) == (None, True)
    assert found.n_used == pytest.approx((2400, 2400), abs=300)
    assert found.as_dict()["n_used"] == found.n_used
    assert compare(POOR, GOOD, FRESH).n_used == (0, 0)


def test_one_tree_that_knows_the_rows_is_enough():
    other = bough.fit(made.classes(seed=9), "label", ignore=["color", "junk"])
    found = compare(other, GOOD, TABLE)
    assert (found.n_used[0], found.better) == (0, None)


def test_new_rows_are_not_noted():
    assert compare(GOOD, POOR, FRESH).notes == ()


def test_a_weight_that_both_models_were_measured_by_counts():
    weighted = {**TABLE, "weight": [1, 3] * (len(TABLE["label"]) // 2)}
    one, two = (bough.fit(weighted, "label", weight="weight", seed=seed).saved for seed in (0, 1))
    n_rows = len(FRESH["label"])
    is_first_half = {**FRESH, "weight": [1] * (n_rows // 2) + [0] * (n_rows - n_rows // 2)}
    assert compare(one, two, is_first_half).n_rows == n_rows // 2
    assert compare(one, GOOD, is_first_half).n_rows == n_rows


def test_rules_and_leaves_that_changed_are_told():
    found = compare(GOOD, POOR, FRESH)
    assert len(found.rules.only_first) == found.n_leaves[0] - len(found.rules.same)
    assert found.share_other_guess <= found.share_other_leaf == 1.0
    assert compare(GOOD, GOOD, FRESH).share_other_leaf == 0


def test_without_a_table_only_rules_are_compared():
    found = compare(GOOD, POOR)
    assert (found.loss, found.n_rows, found.difference, found.better) == (None, 0, None, None)
    assert set(found.as_dict()) == {"n_leaves", "rules", "notes"}


def test_any_kind_of_model_is_compared():
    result = bough.fit(TABLE, "label")
    found = bough.compare(result, result.model, FRESH)
    assert found.difference.value == 0
    assert len(bough.compare(result, result.grown_tree_).rules.same) == found.n_leaves[0]


def test_an_estimator_is_compared_on_a_table_with_its_label():
    features = ("size", "color", "junk")
    X = pl.DataFrame({name: TABLE[name] for name in features})
    y = pl.Series("label", TABLE["label"])
    deep, shallow = (bough.DecisionTreeClassifier(max_depth=depth).fit(X, y) for depth in (3, 1))
    assert bough.compare(shallow, deep, FRESH).better == "second"


def test_what_is_no_model_is_refused():
    with pytest.raises(bough.ParameterError) as error:
        bough.compare(GOOD, ["label.bough.json"])
    assert str(error.value) == "model is a list; it must be a Tree or a fitted estimator."


def counts(seed):
    table = made.numbers(seed=seed)
    table["y"] = [round(abs(each)) for each in table["y"]]
    return table


def test_models_that_were_to_have_a_loss_small_are_compared_by_it():
    one, two = (
        bough.fit(counts(0), "y", task="regression", criterion="poisson", seed=seed).saved
        for seed in (0, 1)
    )
    found = compare(one, two, counts(5))
    assert found.loss == "poisson"
    assert found.difference.value == pytest.approx(
        found.second["poisson"].value - found.first["poisson"].value
    )


def test_models_of_different_losses_are_compared_by_the_usual_one():
    one, two = (
        bough.fit(counts(0), "y", task="regression", criterion=criterion).saved
        for criterion in ("poisson", "squared_error")
    )
    assert compare(one, two, counts(5)).loss == "squared_error"


def test_models_of_different_quantiles_are_compared_by_the_usual_loss():
    one, two = (
        bough.fit(made.numbers(), "y", criterion="quantile", quantile=level).saved
        for level in (0.1, 0.9)
    )
    assert compare(one, two, made.numbers(seed=5)).loss == "squared_error"


def test_missing_values_go_as_each_model_has_it():
    table = {**FRESH, "size": [None] * len(FRESH["size"])}
    stop, weigh = (bough.fit(TABLE, "label", missing=rule).saved for rule in ("stop", "weigh"))
    found = compare(stop, weigh, table)
    assert len(found.rules.same) == found.n_leaves[0]
    assert found.share_other_leaf == 0
    assert found.share_other_guess > 0


def test_models_of_several_labels_are_not_compared_on_rows():
    labels = [["a", "x"], ["b", "y"], ["a", "y"]]
    tree = bough.DecisionTreeClassifier().fit({"size": [1, 2, 3]}, labels)
    with pytest.raises(bough.ParameterError) as error:
        compare(tree, tree, {"size": [1], "y0": ["a"], "y1": ["x"]})
    assert str(error.value) == (
        "The models predict 2 labels. Only models of one label can be compared on a table. Leave the table out, or grow one tree for each label."
    )
    assert compare(tree, tree).rules.only_first == ()


def test_a_pruned_ranking_is_compared_by_the_groups_of_the_other():
    ranked = bough.fit(made.relevances(), "stars", task="rank", group="search")
    found = compare(ranked, bough.prune(ranked, "depth", depth=1), made.relevances(30, seed=3))
    assert found.difference.n == found.first["ndcg"].n > 20


def test_rankings_of_other_queries_are_not_compared():
    table = made.relevances()
    table["day"] = [f"d{each[1:]}" for each in table["search"]]
    one, other = (
        bough.fit(table, "stars", task="rank", group=group, ignore=["search", "day"])
        for group in ("search", "day")
    )
    with pytest.raises(bough.ParameterError) as error:
        compare(one, other, table)
    assert str(error.value) == (
        "The first model ranks the rows of each 'search' and the second those of each 'day'. Compare "
        "models that rank the rows of the same groups."
    )
