"""`bough.prune`: any model, by every way of pruning."""

import handmade
import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import bough
from bough.errors import ParameterError
from bough.pruning import OPTIONS
from bough.pruning.ways import at_depth, by_cost_complexity, merged, pessimistic
from bough.tree import Tree

PENGUINS = bough.datasets.load("penguins")
WAYS = {
    "depth": {"depth": 2},
    "cost_complexity": {"ccp_alpha": 0.01},
    "reduced_error": {"X": PENGUINS.features, "y": PENGUINS.labels},
    "pessimistic": {"confidence": 0.1},
    "merge": {"keep_probabilities": False},
}
OF_TREES = {
    "depth": lambda tree: at_depth(tree, 2),
    "cost_complexity": lambda tree: by_cost_complexity(tree, 0.01),
    "pessimistic": lambda tree: pessimistic(tree, 0.1),
    "merge": lambda tree: merged(tree, keep_probabilities=False),
}


def penguin_tree(**parameters):
    return bough.DecisionTreeClassifier(**parameters).fit(PENGUINS.features, PENGUINS.labels)


@pytest.mark.parametrize("how", OF_TREES)
def test_an_estimator_gets_the_tree_that_the_function_gives(how):
    estimator = penguin_tree(max_depth=4)
    pruned = bough.prune(estimator, how, **WAYS[how])
    expected = OF_TREES[how](estimator.grown_tree_)
    assert np.array_equal(pruned.grown_tree_.n_rows, expected.n_rows)


@pytest.mark.parametrize("how", WAYS)
def test_an_estimator_gives_an_estimator_of_its_parameters(how):
    estimator = penguin_tree(max_depth=4, criterion="entropy")
    pruned = bough.prune(estimator, how, **WAYS[how])
    assert type(pruned) is bough.DecisionTreeClassifier
    assert pruned.get_params() == estimator.get_params()


@pytest.mark.parametrize("how", WAYS)
def test_the_model_itself_stays_as_it_is(how):
    estimator = penguin_tree()
    bough.prune(estimator, how, **WAYS[how])
    assert estimator.get_n_leaves() == 17


@pytest.mark.parametrize("how", OF_TREES)
def test_a_tree_gives_a_tree(how):
    assert isinstance(bough.prune(penguin_tree().grown_tree_, how, **WAYS[how]), Tree)


def test_an_estimator_is_pruned_by_rows_of_its_own_kind():
    some = {name: column[::2] for name, column in PENGUINS.features.items()}
    others = {name: column[1::2] for name, column in PENGUINS.features.items()}
    estimator = bough.DecisionTreeClassifier().fit(some, PENGUINS.labels[::2])
    pruned = bough.prune(estimator, "reduced_error", X=others, y=PENGUINS.labels[1::2])
    assert (estimator.get_n_leaves(), pruned.get_n_leaves()) == (6, 3)


def test_a_regressor_is_pruned_by_squared_errors():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    y = (X[:, 0] > 0) + rng.normal(size=400)
    estimator = bough.DecisionTreeRegressor().fit(X[:300], y[:300])
    pruned = bough.prune(estimator, "reduced_error", X=X[300:], y=y[300:])
    errors = [np.mean((each.predict(X[300:]) - y[300:]) ** 2) for each in (estimator, pruned)]
    assert errors[1] < errors[0] / 1.5


def test_a_row_of_weight_0_does_not_count():
    X, y = [[1], [2], [3], [4]], ["a", "a", "b", "b"]
    estimator = bough.DecisionTreeClassifier().fit(X, y)
    rows = {"X": [[1], [4], [4]], "y": ["a", "b", "a"]}
    heavy, light = (
        bough.prune(estimator, "reduced_error", **rows, sample_weight=[1, 1, weight])
        for weight in (1, 0)
    )
    assert (heavy.get_n_leaves(), light.get_n_leaves()) == (1, 2)


def test_a_result_gives_an_estimator_without_what_was_measured():
    table = {**PENGUINS.features, "species": PENGUINS.labels}
    result = bough.fit(table, target="species", criterion="gini", categorical="each")
    pruned = bough.prune(result, "depth", depth=1)
    assert (pruned.get_n_leaves(), pruned.evidence_) == (2, None)


def test_a_pruned_estimator_is_saved_and_loaded(tmp_path):
    pruned = bough.prune(penguin_tree(), "pessimistic")
    pruned.save(tmp_path / "pruned.bough.json")
    assert bough.load(tmp_path / "pruned.bough.json").get_n_leaves() == pruned.get_n_leaves()


def test_every_way_can_be_told_what_the_function_takes():
    assert list(OPTIONS) == list(WAYS)


MESSAGES = {
    "unknown way": (
        ("depht", {}),
        "how='depht' is not known. Did you mean 'depth'? Known: 'depth', 'cost_complexity', "
        "'reduced_error', 'pessimistic' and 'merge'.",
    ),
    "another way's option": (
        ("depth", {"confidence": 0.1}),
        "confidence does not work with how='depth', which takes 'depth'.",
    ),
    "no depth": (
        ("depth", {}),
        "how='depth' needs depth: bough.prune(model, 'depth', depth=…).",
    ),
    "no labels": (
        ("reduced_error", {"X": [[1]]}),
        "how='reduced_error' needs y: bough.prune(model, 'reduced_error', X=…, y=…).",
    ),
    "depth below 0": (("depth", {"depth": -1}), "depth=-1 must be a whole number, 0 or more."),
    "half a depth": (("depth", {"depth": 1.5}), "depth=1.5 must be a whole number, 0 or more."),
    "alpha below 0": (
        ("cost_complexity", {"ccp_alpha": -1}),
        "ccp_alpha=-1 must be a number, 0 or more.",
    ),
    "no yes or no": (
        ("merge", {"keep_probabilities": "no"}),
        "keep_probabilities='no' must be True or False.",
    ),
    "rows for a tree": (
        ("reduced_error", {"X": [[1]], "y": [1]}),
        (
            "how='reduced_error' needs a classifier, a regressor or the result of bough.fit, "
            "not a Tree."
        ),
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_what_cannot_be_done_is_refused_in_words(name):
    (how, options), text = MESSAGES[name]
    with pytest.raises(ParameterError) as error:
        bough.prune(handmade.play_tennis(), how, **options)
    assert str(error.value) == text


@pytest.mark.parametrize(
    ("how", "options"),
    [("reduced_error", {"X": [[1.0]], "y": ["a"]}), ("merge", {"keep_probabilities": False})],
)
def test_what_goes_by_one_leaf_is_refused_where_guesses_come_from_several(how, options):
    tree = bough.DecisionTreeClassifier(missing="weigh").fit([[1.0], [2.0]], ["a", "b"])
    with pytest.raises(ParameterError) as error:
        bough.prune(tree, how, **options)
    assert str(error.value) == (
        f"how={how!r} and missing='weigh' cannot be combined: a prediction then comes from "
        "several leaves. Use missing='stop', or prune in another way."
    )


def test_an_estimator_without_a_tree_is_refused():
    with pytest.raises(NotFittedError) as error:
        bough.prune(bough.DecisionTreeClassifier(), "merge")
    assert str(error.value) == "This DecisionTreeClassifier has no tree yet. Call 'fit' first."


def ranked():
    X, relevance = [[0], [1], [2], [3]], [0, 1, 2, 2]
    return bough.DecisionTreeRanker().fit(X, relevance), {"X": X, "y": relevance}


def test_a_ranker_is_cut_at_a_depth():
    ranker, _ = ranked()
    assert bough.prune(ranker, "depth", depth=1).get_n_leaves() == 2


def test_a_ranker_is_not_measured_by_rows():
    ranker, rows = ranked()
    with pytest.raises(ParameterError) as error:
        bough.prune(ranker, "reduced_error", **rows)
    assert str(error.value) == (
        "how='reduced_error' needs a classifier, a regressor or the result of bough.fit, "
        "not a DecisionTreeRanker."
    )
