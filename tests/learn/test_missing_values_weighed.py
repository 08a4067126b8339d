"""The protocol where missing values go to every answer: what is measured is what is delivered."""

import growths
import made_tables as made
import numpy as np
import pytest

import bough
from bough.encode import Labels
from bough.exports.model_file import dumps
from bough.learn import tried_sizes as weighed
from bough.learn.evaluate import evaluate
from bough.learn.labelled_rows import LabelledRows
from bough.learn.measure import followed, losses_of
from bough.learn.nested_trees import Growth, Prunings
from bough.learn.tried_sizes import Trial
from bough.loss_kinds import row_losses
from bough.predict import said_of, weighed_rows
from bough.table import read


def with_missing(table, target, seed=0):
    """A table in which a fifth of all cells is missing, but for the target."""
    rng = np.random.default_rng(seed)
    return {
        name: cells if name == target else [None if rng.random() < 0.2 else each for each in cells]
        for name, cells in table.items()
    }


TABLE = with_missing(made.classes(), "label")
RESULT = bough.fit(TABLE, "label", missing="weigh", refit=False)


def test_all_rows_of_a_fold_may_go_on_in_parts():
    table = {
        "x": [None if number % 10 else float(number % 3) for number in range(40)],
        "z": [float(number % 7) for number in range(40)],
        "y": ["a" if number // 2 % 2 else "b" for number in range(40)],
    }
    evidence = bough.fit(table, "y", missing="weigh", first="x").evidence
    assert evidence.chosen.dev == pytest.approx(evidence.dev["error"].value)


def weighed_growths(n_wanted):
    """Random growths of which some rows go on in parts, each with a loss to measure."""
    found = []
    for growth in growths.random_growths():
        if len(weighed_rows(growth.tree, growth.table)) > 1:
            losses = ("error", "brier") if growth.is_classes else ("squared_error", "pinball")
            found.append((growth, losses[len(found) % 2]))
    return found[:: max(len(found) // n_wanted, 1)]


@pytest.mark.parametrize(
    ("growth", "loss"), weighed_growths(60), ids=lambda each: getattr(each, "seed", each)
)
def test_every_tree_of_a_growth_has_the_loss_of_that_tree(growth, loss):
    rows = LabelledRows(growth.table, growth.labels)
    grown = Growth(growth.tree, Prunings())
    once, twice, both = Trial(grown, rows).sums(grown.sizes, loss, 0.3, "weigh")
    for number, size in enumerate(grown.sizes):
        tree = grown.of(size)
        said, places = said_of(tree, growth.table, missing="weigh")
        losses = row_losses(said, loss, places, rows.answers, quantile=0.3)
        weighted = growth.own_weights * losses
        assert once[number] == pytest.approx(weighted.sum(), rel=1e-9, abs=1e-9)
        assert twice[number] == pytest.approx(
            (growth.own_weights * weighted).sum(), rel=1e-9, abs=1e-9
        )
        assert both[number] == pytest.approx((weighted**2).sum(), rel=1e-9, abs=1e-9)


def test_rows_are_measured_in_portions_of_any_size(monkeypatch):
    growth, loss = weighed_growths(1)[0]
    rows, grown = LabelledRows(growth.table, growth.labels), Growth(growth.tree, Prunings())
    whole = Trial(grown, rows).sums(grown.sizes, loss, 0.3, "weigh")
    monkeypatch.setattr(weighed, "MOST_NUMBERS", 1)
    assert Trial(grown, rows).sums(grown.sizes, loss, 0.3, "weigh") == pytest.approx(whole)


def test_the_chosen_tree_is_measured_as_it_guesses():
    chosen = RESULT.evidence.chosen
    assert RESULT.dev["error"].value == pytest.approx(chosen.dev)
    assert RESULT.train["error"].value == pytest.approx(chosen.train)


def test_the_result_gives_a_model_that_weighs(tmp_path):
    assert RESULT.model.missing == RESULT.saved.missing == "weigh"
    RESULT.save(tmp_path / "model.json")
    assert bough.load(tmp_path / "model.json").missing == "weigh"


def test_a_loaded_model_is_evaluated_as_it_guesses():
    fresh = with_missing(made.classes(1000, seed=5), "label", seed=5)
    found = evaluate(RESULT.saved, fresh)
    guessed = RESULT.model.predict({name: fresh[name] for name in ("size", "color", "junk")})
    right = np.mean(guessed == np.array(fresh["label"]))
    assert found.estimates["accuracy"].value == pytest.approx(right)


def test_the_rule_can_be_another_one_when_evaluated():
    fresh = with_missing(made.classes(1000, seed=5), "label", seed=5)
    weighed, stopped = evaluate(RESULT.saved, fresh), evaluate(RESULT.saved, fresh, missing="stop")
    assert weighed.estimates["error"] != stopped.estimates["error"]
    assert weighed.baseline == stopped.baseline


@pytest.mark.parametrize(("make", "target"), [(made.classes, "label"), (made.numbers, "y")])
def test_neither_the_order_of_rows_nor_threads_matter(make, target):
    table = with_missing(make(1000), target)
    shuffled = made.some_rows(table, np.random.default_rng(1).permutation(1000))
    one = bough.fit(table, target, missing="weigh", n_jobs=1)
    other = bough.fit(shuffled, target, missing="weigh", n_jobs=3)
    assert dumps(one.saved) == dumps(other.saved)


def test_without_missing_values_the_rule_does_not_matter():
    table = made.numbers(1000)
    stop, weigh = (bough.fit(table, "y", missing=rule).evidence for rule in ("stop", "weigh"))
    assert stop.test == weigh.test
    assert stop.chosen.n_leaves == weigh.chosen.n_leaves


def test_labels_far_from_zero_are_measured_as_well():
    table = with_missing(made.numbers(2500), "y")
    table["y"] = [1e12 + each for each in table["y"]]
    result = bough.fit(table, "y", missing="weigh")
    assert result.dev["squared_error"].value == pytest.approx(result.evidence.chosen.dev, rel=1e-3)


@pytest.mark.parametrize("prune", ["reduced_error", "merge"])
def test_prunings_that_go_by_one_leaf_are_refused(prune):
    with pytest.raises(bough.ParameterError) as error:
        bough.fit(TABLE, "label", missing="weigh", prune=prune)
    assert str(error.value) == (
        f"prune={prune!r} and missing='weigh' cannot be combined: a prediction then comes "
        "from several leaves. Use missing='stop', or prune in another way."
    )


def test_what_an_edit_changes_is_not_known():
    assert RESULT.cut(0).edits[-1].change is None


def test_a_rule_that_is_not_known_is_refused():
    with pytest.raises(bough.ParameterError) as error:
        bough.fit(TABLE, "label", missing="weight")
    assert str(error.value) == (
        "missing='weight' is not known. Did you mean 'weigh'? Known: 'stop' and 'weigh'."
    )


def rankings(n_queries=60, seed=0):
    """A table of groups in which the relevance follows from a column that is often missing."""
    rng = np.random.default_rng(seed)
    size = rng.normal(size=8 * n_queries)
    relevance = np.digitize(size + 0.3 * rng.normal(size=len(size)), [0, 1])
    table = {"size": size.tolist(), "junk": rng.normal(size=len(size)).round(1).tolist()}
    gaps = with_missing(table, "relevance", seed)
    return gaps | {
        "relevance": relevance.tolist(),
        "query": np.repeat(np.arange(n_queries), 8).tolist(),
    }


def test_queries_are_measured_as_they_are_ranked():
    result = bough.fit(rankings(), "relevance", task="rank", group="query", missing="weigh")
    assert result.dev["ndcg_loss"].value == pytest.approx(result.evidence.chosen.dev)
    fresh = rankings(seed=5)
    X = {name: fresh[name] for name in ("size", "junk")}
    score = result.model.score(X, fresh["relevance"], group=fresh["query"])
    assert evaluate(result.saved, fresh).estimates["ndcg"].value == pytest.approx(score)


@pytest.mark.parametrize("seed", range(4))
def test_every_tree_of_a_growth_ranks_as_that_tree_does(seed):
    """The columns have few values, so that many rows have the same gaps and must be tied."""
    rng = np.random.default_rng(seed)
    cells = rng.integers(0, 4, (300, 3)).astype(float)
    stars = np.clip(np.round(cells[:, 0] - cells[:, 1] + rng.normal(size=300)), 0, 4)
    cells[rng.random(cells.shape) < 0.3] = np.nan
    group = rng.integers(0, 30, 300)
    tree = bough.DecisionTreeRanker().fit(cells[:150], stars[:150], group=group[:150]).grown_tree_
    labels = Labels(tree.schema.labels, None, stars[np.newaxis], group=group)
    rows, grown = LabelledRows(read(cells), labels), Growth(tree, Prunings())
    once, _, both = Trial(grown, rows).sums(grown.sizes, "ndcg_loss", None, "weigh")
    assert len(weighed_rows(tree, rows.table)) > 100
    for number, size in enumerate(grown.sizes):
        found = losses_of(followed([(grown.of(size), rows)], "weigh"), "ndcg_loss")
        losses = found.weights * found.each
        assert once[number] == pytest.approx(losses.sum(), abs=1e-9)
        assert both[number] == pytest.approx((losses**2).sum(), abs=1e-9)


def test_costs_and_smoothed_probabilities_are_measured_as_they_are_guessed():
    costs = {("yes", "no"): 5}
    result = bough.fit(TABLE, "label", costs=costs, probability="laplace", missing="weigh")
    assert result.dev["cost"].value == pytest.approx(result.evidence.chosen.dev)
    fresh = with_missing(made.classes(1000, seed=5), "label", seed=5)
    guessed = result.model.predict({name: fresh[name] for name in ("size", "color", "junk")})
    truth = np.array(fresh["label"])
    cost = np.mean((guessed != truth) * np.where(truth == "yes", 5.0, 1.0))
    assert evaluate(result.saved, fresh).estimates["cost"].value == pytest.approx(cost)


def test_calibration_is_that_of_the_probabilities_given():
    found = RESULT.evidence.calibration
    stopped = bough.fit(TABLE, "label").evidence.calibration
    assert sum(each.observed.n for each in found.bins) == RESULT.evidence.n_test
    assert found.bins != stopped.bins
