"""Rows whose missing values go to every answer, each child getting a part of the row."""

import pickle
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from handmade import branch, choice, leaf, make_tree
from random_tables import random_table

import bough
from bough import (
    DecisionTreeClassifier,
    DecisionTreeRanker,
    DecisionTreeRegressor,
    ModelFormatError,
    ParameterError,
)
from bough.predict import parts_of, said_of, stops, weighed_rows
from bough.query_kinds import Below, EachValue, IsMissing, OneOf
from bough.reference_impurity import weight_of
from bough.schema import Feature, Kind, Label, Schema
from bough.table import read_like, typed_row

SEEDS = range(300)
PLACE = choice("place", "hill", "mill", "dock", column=1)
SIZE = Feature("size", Kind.NUMBER, 0)
SCHEMA = Schema(("size", "place"), (SIZE, PLACE), (Label("price"),))


def stops_in_parts(node, row, part=Fraction(1)):
    """The rule as the reference would state it: nodes where parts of a row stop, and how much."""
    if node.query is None:
        return [(node, part)]
    value = row[node.query.column]
    if value is None and node.query.kind != "IsMissing":
        weights = [Fraction(weight_of(child.tally)) for child in node.children]
        return [
            each
            for child, weight in zip(node.children, weights, strict=True)
            for each in stops_in_parts(child, row, part * weight / sum(weights))
        ]
    answer = node.query.answer(value)
    if answer is None:
        return [(node, part)]
    return stops_in_parts(node.children[answer], row, part)


def fitted(table, **settings):
    kind = DecisionTreeRegressor if table.is_regression else DecisionTreeClassifier
    model = kind(**table.settings, types=table.types, **settings)
    return model.fit(table.frame(), table.labels, table.weights)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_core_weighs_as_the_rule_says(seed):
    table = random_table(seed)
    model, root = fitted(table, missing="weigh"), table.reference_tree()
    probes = table.frame(table.probes)
    parts = [stops_in_parts(root, row) for row in table.rows(table.probes)]
    if table.is_regression:
        expected = [
            float(sum(part * Fraction(node.guess) for node, part in each)) for each in parts
        ]
        assert model.predict(probes).tolist() == pytest.approx(expected, rel=1e-12, abs=1e-12)
        return
    expected = [
        [
            float(
                sum(
                    part * Fraction(node.tally.get(name, 0)) / Fraction(weight_of(node.tally))
                    for node, part in each
                )
            )
            for name in model.classes_.tolist()
        ]
        for each in parts
    ]
    assert model.predict_proba(probes) == pytest.approx(np.array(expected), rel=1e-12, abs=1e-12)
    most = [max(shares) for shares in expected]
    first = [
        next(code for code, share in enumerate(shares) if share >= largest - 1e-12)
        for shares, largest in zip(expected, most, strict=True)
    ]
    assert model.predict(probes).tolist() == model.classes_[first].tolist()


@pytest.mark.parametrize("seed", range(60))
def test_rows_that_miss_nothing_are_guessed_as_ever(seed):
    table = random_table(seed)
    known = {
        name: [
            next((v for v in values if v is not None), None) if each is None else each
            for each in values
        ]
        for name, values in table.probes.items()
    }
    if any(None in values for values in known.values()):
        pytest.skip("a column has no values")
    frame, model = table.frame(known), fitted(table)
    before = model.predict(frame).tolist()
    assert model.set_params(missing="weigh").predict(frame).tolist() == before


def table_with_missing(n_rows, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4))
    y = (X[:, 0] > 0) * 2 + (X[:, 1] > X[:, 2]) + rng.integers(0, 2, n_rows)
    X[rng.random(X.shape) < 0.2] = np.nan
    return X, y


@pytest.mark.parametrize("n_jobs", [2, 5])
def test_any_number_of_threads_gives_the_same_bytes(n_jobs):
    X, y = table_with_missing(6000)
    model = DecisionTreeClassifier(max_depth=8, missing="weigh", n_jobs=1).fit(X, y)
    alone = model.predict_proba(X).tobytes()
    assert model.set_params(n_jobs=n_jobs).predict_proba(X).tobytes() == alone


def test_the_parts_of_a_row_meet_each_node_once_and_add_up_to_it():
    X, y = table_with_missing(2000)
    tree = DecisionTreeClassifier().fit(X, y).grown_tree_
    table = read_like(X[:50], tree.schema)
    rows = weighed_rows(tree, table)
    parts = parts_of(tree, table, rows)
    assert len(rows) > 20
    for start, end in zip(parts.starts[:-1], parts.starts[1:], strict=True):
        nodes = parts.nodes[start:end]
        assert len(np.unique(nodes)) == len(nodes)
        assert parts.shares[start:end][parts.stops[start:end]].sum() == pytest.approx(1)


def of_one_row(root, **row):
    """The guess for a row, and the parts of it by node where they stop."""
    tree = make_tree(SCHEMA, root)
    table = typed_row(row, SCHEMA)
    said, (place,) = said_of(tree, table, missing="weigh")
    met = parts_of(tree, table, np.array([0]))
    return float(said.guess[place, 0]), dict(
        zip(met.nodes[met.stops].tolist(), met.shares[met.stops].tolist(), strict=True)
    )


def test_a_part_is_as_large_as_the_share_of_the_childs_rows():
    root = branch(Below(SIZE, 3.5), leaf(1.0), leaf(5.0, 5.0, 5.0))
    assert of_one_row(root) == (4.0, {1: 0.25, 2: 0.75})


def test_a_missing_value_goes_every_way_also_where_some_went_one_way():
    root = branch(Below(SIZE, 3.5, missing=0), leaf(1.0), leaf(5.0))
    assert of_one_row(root) == (3.0, {1: 0.5, 2: 0.5})


def test_each_value_has_an_answer_of_missing_ones_too():
    root = branch(EachValue(PLACE, (0, 1), missing=2), leaf(1.0), leaf(2.0), leaf(6.0, 6.0))
    assert of_one_row(root) == (3.75, {1: 0.25, 2: 0.25, 3: 0.5})


def test_groups_of_values_are_both_followed():
    root = branch(OneOf(PLACE, (0,), (1,)), leaf(1.0), leaf(2.0))
    assert of_one_row(root) == (1.5, {1: 0.5, 2: 0.5})


def test_a_question_for_missing_values_has_one_answer():
    root = branch(IsMissing(SIZE), leaf(1.0), leaf(5.0, 5.0))
    assert of_one_row(root) == (1.0, {1: 1.0})


def test_parts_part_again_at_another_missing_value():
    below = branch(EachValue(PLACE, (0, 1)), leaf(2.0), leaf(4.0))
    root = branch(Below(SIZE, 3.5), leaf(8.0, 8.0), below)
    assert of_one_row(root) == (5.5, {1: 0.5, 3: 0.25, 4: 0.25})


def test_a_part_goes_on_by_the_values_that_are_known():
    below = branch(EachValue(PLACE, (0, 1)), leaf(2.0), leaf(4.0))
    root = branch(Below(SIZE, 3.5), leaf(8.0, 8.0), below)
    assert of_one_row(root, place="mill") == (6.0, {1: 0.5, 4: 0.5})


def test_an_unseen_value_still_stops():
    below = branch(EachValue(PLACE, (0, 1)), leaf(2.0), leaf(3.0))
    root = branch(Below(SIZE, 3.5), leaf(8.0, 8.0), below)
    assert of_one_row(root, place="dock") == (5.25, {1: 0.5, 2: 0.5})


def test_a_row_stops_nowhere_else_for_apply_and_decision_path():
    X, y = table_with_missing(500)
    model = DecisionTreeClassifier(max_depth=4).fit(X, y)
    nodes, trails = model.apply(X), model.decision_path(X)
    model.set_params(missing="weigh")
    assert (model.apply(X) == nodes).all()
    assert (model.decision_path(X) != trails).nnz == 0


def test_equal_shares_are_the_first_class():
    model = DecisionTreeClassifier(missing="weigh").fit([[1.0], [2.0]], ["z", "a"])
    assert model.predict([[np.nan]]).tolist() == ["a"]


def test_each_of_several_labels_has_means_of_its_own():
    X, y = [[1.0], [2.0], [2.0]], [["a", 1], ["b", 0], ["b", 0]]
    model = DecisionTreeClassifier(missing="weigh").fit(X, np.array(y, dtype=object))
    assert model.predict([[np.nan]]).tolist() == [["b", 0]]
    assert [shares.tolist() for shares in model.predict_proba([[np.nan]])] == [
        [[pytest.approx(1 / 3), pytest.approx(2 / 3)]],
        [[pytest.approx(2 / 3), pytest.approx(1 / 3)]],
    ]
    numbers = DecisionTreeRegressor(missing="weigh").fit(X, [[1.0, 9.0], [4.0, 0.0], [4.0, 0.0]])
    assert numbers.predict([[np.nan]]).tolist() == [[pytest.approx(3), pytest.approx(3)]]


def test_means_of_the_largest_numbers_are_finite():
    most = np.finfo(float).max
    model = DecisionTreeRegressor(missing="weigh").fit([[1.0], [2.0], [3.0]], [most, most, -most])
    assert np.isfinite(model.predict([[np.nan]])).all()


def test_weights_beyond_half_of_the_largest_number_are_shares_too():
    most = np.finfo(float).max
    model = DecisionTreeClassifier(missing="weigh")
    model.fit([[1.0], [2.0]], ["a", "b"], sample_weight=[most / 2, most / 2])
    assert model.grown_tree_.flow.tolist() == [1.0, 0.5, 0.5]


def test_a_deep_tree_is_followed_without_recursion():
    depth = 5_000
    X = np.arange(depth + 1.0)[:, np.newaxis]
    y = np.arange(depth + 1) % 2
    model = DecisionTreeClassifier(missing="weigh").fit(X, y)
    assert model.get_depth() == depth
    assert model.predict_proba([[np.nan]]) == pytest.approx(
        np.array([[y.size - y.sum(), y.sum()]]) / y.size
    )


def test_the_loss_at_each_depth_is_that_of_the_tree_cut_there():
    X, y = table_with_missing(400)
    model = DecisionTreeClassifier(max_depth=5, missing="weigh").fit(X, y)
    cut = [DecisionTreeClassifier(max_depth=d, missing="weigh").fit(X, y) for d in range(6)]
    assert model.depths_path(X, y) == pytest.approx([1 - tree.score(X, y) for tree in cut])


def test_the_rule_can_be_changed_after_growing():
    model = DecisionTreeRegressor().fit([[1.0], [2.0], [2.0]], [0.0, 3.0, 3.0])
    assert model.predict([[np.nan]]).tolist() == [2.0]
    assert model.fit([[1.0], [2.0], [np.nan]], [0.0, 4.0, 4.0]).predict([[np.nan]]).tolist() == [
        4.0
    ]
    weighed = model.set_params(missing="weigh").predict([[np.nan]]).tolist()
    assert weighed == [pytest.approx(8 / 3)]


def test_a_saved_model_keeps_its_rule(tmp_path):
    model = DecisionTreeRegressor(missing="weigh").fit([[1.0], [2.0], [2.0]], [0.0, 3.0, 3.0])
    model.save(tmp_path / "model.json")
    loaded = bough.load(tmp_path / "model.json")
    assert loaded.missing == "weigh"
    assert pickle.loads(pickle.dumps(loaded)).missing == "weigh"


@pytest.mark.parametrize(
    "call", [lambda model: model.fit([[1.0]], [1]), lambda model: model.predict([[1.0]])]
)
def test_a_rule_that_is_not_known_is_refused(call):
    model = DecisionTreeClassifier().fit([[1.0]], [1]).set_params(missing="weight")
    with pytest.raises(ParameterError) as error:
        call(model)
    assert str(error.value) == (
        "missing='weight' is not known. Did you mean 'weigh'? Known: 'stop' and 'weigh'."
    )


def test_a_model_file_with_another_rule_is_refused(tmp_path):
    path = tmp_path / "model.json"
    DecisionTreeClassifier(missing="weigh").fit([[1.0]], ["a"]).save(path)
    path.write_text(path.read_text().replace('"weigh"', '"guess"'))
    with pytest.raises(ModelFormatError) as error:
        bough.load(path)
    assert str(error.value) == (
        f"{str(path)!r} is damaged: estimator.parameters.missing is 'guess'; "
        "it must be one of 'stop' and 'weigh'."
    )


def test_a_table_of_any_kinds_is_weighed():
    X = pl.DataFrame({"n": [1, 2, 3, 4], "c": ["a", "a", "b", "b"]})
    model = DecisionTreeClassifier(missing="weigh").fit(X, ["p", "q", "r", "r"])
    probe = pl.DataFrame({"n": [None, 1], "c": ["a", None]}, schema=X.schema)
    assert stops(model.grown_tree_, read_like(probe, model.grown_tree_.schema)).tolist()[0] == 0
    assert model.predict_proba(probe).sum(axis=1).tolist() == pytest.approx([1, 1])


def test_smoothed_probabilities_are_means_of_smoothed_ones():
    X, y = [[1.0], [2.0], [2.0]], ["a", "b", "b"]
    model = DecisionTreeClassifier(missing="weigh", probability="laplace").fit(X, y)
    leaves = np.array([[2 / 3, 1 / 3], [1 / 4, 3 / 4]])
    expected = leaves[0] / 3 + leaves[1] * 2 / 3
    assert model.predict_proba([[np.nan]])[0].tolist() == pytest.approx(expected.tolist())


def test_costs_decide_by_the_mean_of_the_shares():
    X, y = [[1.0], [2.0], [2.0]], ["a", "b", "b"]
    model = DecisionTreeClassifier(missing="weigh", costs={("a", "b"): 3}).fit(X, y)
    assert model.predict_proba([[np.nan]])[0].tolist() == pytest.approx([1 / 3, 2 / 3])
    assert model.predict([[np.nan]]).tolist() == ["a"]
    (explanation,) = model.explain([[np.nan]])
    assert (explanation.guess, explanation.value) == ("a", pytest.approx(1 / 3))


def test_rows_are_ranked_by_mean_scores():
    X, relevance = [[1.0], [2.0], [3.0], [4.0]], [0, 1, 2, 2]
    model = DecisionTreeRanker(missing="weigh").fit(X, relevance)
    scores = model.predict([[1.0], [np.nan], [4.0]])
    assert scores[0] < scores[1] < scores[2]
    cut = [DecisionTreeRanker(max_depth=d, missing="weigh").fit(X, relevance) for d in range(3)]
    probe, asked = [[1.0], [np.nan], [4.0]], [0, 2, 1]
    assert model.depths_path(probe, asked) == pytest.approx(
        [1 - t.score(probe, asked) for t in cut]
    )
