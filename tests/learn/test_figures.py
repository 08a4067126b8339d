"""Figures beside the loss in `fit`, `evaluate` and `compare`: scikit-learn finds them in the rows."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import made_tables as made
import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

import bough
from bough.evidence import Estimate
from bough.exports.model_file import dumps, loads
from bough.figure_words import FIGURES, class_table, estimate_texts, figures_of_classes
from bough.learn.column_evidence import number_groups, number_histogram
from bough.learn.evaluate import evidence_in
from bough.ranking import ndcg

CLASSES = made.classes()
FRESH = made.classes(1000, seed=5)
PENGUINS = bough.datasets.load("penguins")
BIRDS = {**PENGUINS.features, "species": PENGUINS.labels}


@pytest.fixture(scope="module")
def result():
    return bough.fit(CLASSES, "label")


@pytest.fixture(scope="module")
def birds():
    return bough.fit(BIRDS, "species", ignore=["bill_length_mm", "island"])


def answers(result, table, target):
    """Return labels and predictions, as a user of scikit-learn has them."""
    X = pd.DataFrame({name: values for name, values in table.items() if name != target})
    return np.array(table[target]), result.model.predict(X), result.model.predict_proba(X)


def values(found):
    return {name: each.value for name, each in found.items()}


@pytest.mark.parametrize("name", ["recall", "precision", "f1"])
def test_figures_of_two_classes(result, name):
    labels, predicted, _ = answers(result, FRESH, "label")
    found = values(bough.evaluate(result, FRESH).estimates)
    theirs = getattr(metrics, f"{name}_score")
    for each in ("no", "yes"):
        assert found[f"{name}:{each}"] == pytest.approx(theirs(labels, predicted, pos_label=each))


def test_what_probabilities_say_of_two_classes(result):
    labels, _, shares = answers(result, FRESH, "label")
    found = values(bough.evaluate(result, FRESH).estimates)
    assert found["auc"] == pytest.approx(metrics.roc_auc_score(labels, shares[:, 1]))
    assert found["average_precision:yes"] == pytest.approx(
        metrics.average_precision_score(labels, shares[:, 1], pos_label="yes")
    )
    assert 1 < found["lift:yes"] <= 1 / np.mean(labels == "yes") + 1e-9


def test_figures_of_more_classes(birds):
    labels, predicted, shares = answers(birds, BIRDS, "species")
    found = values(bough.evaluate(birds, BIRDS).estimates)
    report = metrics.classification_report(labels, predicted, output_dict=True)
    for name in birds.confusion.classes:
        for ours, theirs in (("recall", "recall"), ("precision", "precision"), ("f1", "f1-score")):
            assert found[f"{ours}:{name}"] == pytest.approx(report[name][theirs])
    expected = metrics.roc_auc_score(labels, shares, multi_class="ovr")
    assert found["auc"] == pytest.approx(expected)


def test_the_confusion_table_is_that_of_scikit_learn(birds):
    labels, predicted, _ = answers(birds, BIRDS, "species")
    found = bough.evaluate(birds, BIRDS).confusion
    assert np.asarray(found).tolist() == metrics.confusion_matrix(labels, predicted).tolist()
    assert str(found).splitlines()[0] == "true \\ predicted  Adelie  Chinstrap  Gentoo"


def test_the_confusion_table_of_a_result_is_about_its_test_rows(result):
    counts = np.asarray(result.confusion)
    assert counts.sum() == result.evidence.n_test
    assert np.trace(counts) / counts.sum() == result.test["accuracy"].value
    recall = counts[1, 1] / counts[1].sum()
    assert result.test["recall:yes"].value == pytest.approx(recall)
    assert result.test["recall:yes"].n == counts[1].sum()


def test_weights_count():
    weights = np.random.default_rng(1).integers(0, 4, len(FRESH["label"])).astype(float)
    model = bough.fit({**CLASSES, "w": [1.0] * len(CLASSES["label"])}, "label", weight="w")
    labels, predicted, shares = answers(model, FRESH, "label")
    found = bough.evaluate(model, {**FRESH, "w": weights})
    assert found.estimates["auc"].value == pytest.approx(
        metrics.roc_auc_score(labels, shares[:, 1], sample_weight=weights)
    )
    expected = metrics.confusion_matrix(labels, predicted, sample_weight=weights)
    assert np.asarray(found.confusion).tolist() == expected.tolist()


def test_figures_of_numbers():
    result = bough.fit(made.numbers(), "y")
    table = made.numbers(500, seed=5)
    X = pd.DataFrame({name: each for name, each in table.items() if name != "y"})
    predicted, labels = result.model.predict(X), np.array(table["y"])
    found = values(bough.evaluate(result, table).estimates)
    assert found["r2"] == pytest.approx(metrics.r2_score(labels, predicted))
    expected = metrics.median_absolute_error(labels, predicted)
    assert found["median_absolute_error"] == pytest.approx(expected)
    assert found["absolute_error"] == pytest.approx(np.abs(labels - predicted).mean())
    assert result.confusion is None
    assert "Half of the predictions are within " in str(result)


def test_figures_of_rankings():
    table = made.relevances(120)
    result = bough.fit(table, "stars", task="rank", group="search")
    fresh = made.relevances(60, seed=9)
    found = bough.evaluate(result, fresh)
    X = pd.DataFrame(
        {name: each for name, each in fresh.items() if name not in ("stars", "search")}
    )
    scores = result.model.predict(X)
    for k in (1, 5):
        expected = ndcg(scores, fresh["stars"], fresh["search"], k=k)
        assert found.estimates[f"ndcg@{k}"].value == pytest.approx(expected)
    assert found.baseline["mrr"].value < found.estimates["mrr"].value <= 1
    assert "NDCG@1 " in str(result)
    assert "MRR " in str(result)


def test_the_figures_are_in_the_model_file(result):
    evidence = evidence_in(loads(dumps(result.saved)))
    assert evidence.test == result.test
    assert evidence.confusion == result.evidence.confusion


def test_a_model_file_without_them_is_read(result):
    plain = result.evidence.as_dict()
    del plain["confusion"]
    plain["test"] = {name: each for name, each in plain["test"].items() if ":" not in name}
    read = loads(dumps(replace(result.saved, evidence=plain)))
    assert evidence_in(read).confusion == ()


@pytest.mark.parametrize("cell", [[0, 2, 1.0], [2, 0, 1.0], [0, 0, -1.0]])
def test_a_confusion_table_of_another_tree_is_refused(result, cell):
    plain = json.loads(dumps(result.saved))
    plain["evidence"]["confusion"] = [cell]
    with pytest.raises(bough.ModelFormatError) as error:
        evidence_in(loads(json.dumps(plain).encode()))
    assert str(error.value) == "'model' is damaged: evidence.confusion[0] is about another tree."


def test_every_figure_is_listed():
    found = {*bough.evaluate(bough.fit(CLASSES, "label"), FRESH).estimates}
    assert found <= {*FIGURES, *figures_of_classes(["no", "yes"])}
    assert {*figures_of_classes(["no", "yes"])} <= found


def test_two_models_differ_by_the_difference_of_their_figures(result):
    other = bough.fit(CLASSES, "label", ignore="color")
    found = bough.compare(result, other, FRESH)
    assert set(found.differences) == set(found.first) == set(found.second)
    for name, each in found.differences.items():
        expected = found.second[name].value - found.first[name].value
        assert each.value == pytest.approx(expected, abs=1e-9), name
        assert each.low <= each.value <= each.high
    assert found.differences["error"] == found.difference


def test_a_model_does_not_differ_from_itself(result):
    found = bough.compare(result, result, FRESH)
    for each in found.differences.values():
        assert each.value == 0
        assert each.low <= 0 <= each.high


def test_two_models_of_numbers_differ_by_the_difference_of_their_figures():
    one, other = (bough.fit(made.numbers(), "y", ignore=each) for each in ((), "kind"))
    found = bough.compare(one, other, made.numbers(500, seed=5))
    assert {"rmse", "r2", "median_absolute_error"} <= set(found.differences)
    for name, each in found.differences.items():
        expected = found.second[name].value - found.first[name].value
        slack = 0.05 * abs(found.first[name].value) if name.startswith("median") else 1e-6
        assert each.value == pytest.approx(expected, abs=slack), name


def test_what_python_returns_prints_as_the_terminal_does(result):
    evaluation = str(bough.evaluate(result, FRESH))
    assert "recall:yes" in evaluation
    assert "true \\ predicted" in evaluation
    comparison = str(bough.compare(result, result, FRESH))
    assert "second minus first: accuracy +0.0 points" in comparison
    scores = str(bough.score(bough.datasets.load("play_tennis"), criterion="entropy"))
    assert "A tree would ask about outlook first." in scores
    checked = str(bough.check({"id": list(range(100)), "age": [30, 40] * 50}))
    assert checked.startswith("100 rows × 2 columns\n\ncolumn  kind    values  missing  used as\n")


def test_of_many_classes_the_worst_are_shown():
    random = np.random.default_rng(0)
    labels = random.integers(0, 12, 3000)
    noise = np.where(random.random(3000) < 0.3, random.integers(0, 12, 3000), labels)
    result = bough.fit({"x": noise.astype(float), "y": [f"c{each:02}" for each in labels]}, "y")
    lines = str(result).splitlines()
    assert lines[-1] == "4 more classes, no worse: result.test"
    shown = [line.split()[0] for line in lines[-9:-1]]
    worst = sorted(
        (each.value, name) for name, each in result.test.items() if name.startswith("f1:")
    )
    assert shown == [name.removeprefix("f1:") for _, name in worst[:8]]


def test_figures_are_plain_data(result):
    evaluation = bough.evaluate(result, FRESH)
    assert json.loads(json.dumps(asdict(evaluation)))["confusion"]["classes"] == ["no", "yes"]


PAGE = (Path(__file__).parents[2] / "docs" / "use" / "fit.md").read_text("utf-8")


@pytest.mark.parametrize("name", FIGURES)
def test_the_docs_say_what_a_figure_is(name):
    assert f"`{name}`" in PAGE or f"`{name}:CLASS`" in PAGE


def test_a_class_without_test_rows_is_said_to_have_none():
    half = Estimate(0.5, 0.4, 0.6, 30)
    estimates = {f"{kind}:{name}": half for kind in ("recall", "precision", "f1") for name in "ab"}
    assert class_table(estimates, ("a", "b", "c"), "--json")[-1] == (
        "1 class has no figures: no test rows, or too few"
    )


def test_a_figure_and_its_interval_have_as_many_decimals():
    assert estimate_texts("rmse", Estimate(5.15, 4.69, 5.9, 100)) == ("5.15", "4.69 – 5.90")
    assert estimate_texts("log_loss", Estimate(0.18, 0.1771, 0.1842, 100)) == (
        "0.180",
        "0.177 – 0.184",
    )
    assert estimate_texts("lift:a", Estimate(1.56, 0.0158, 2.73, 9)) == ("1.56", "0.02 – 2.73")
    assert estimate_texts("error", Estimate(0.12, 0.1, 0.15, 100)) == ("12.0 %", "10.0 – 15.0")


def test_classes_that_are_not_shown_are_said_to_do_no_worse():
    names = [f"c{number}" for number in range(10)]
    found = {}
    for number, name in enumerate(names):
        share = Estimate(number / 10, 0.0, 1.0, 40)
        found |= {f"{figure}:{name}": share for figure in ("recall", "precision", "f1")}
    *lines, last = class_table(found, names, "--json")
    assert [line.split()[0] for line in lines[1:]] == names[:8]
    assert last == "2 more classes, no worse: --json"


def test_groups_of_days_begin_at_whole_days():
    days = np.arange(1000) * 86_400e6 + 1.3e15 // 86_400e6 * 86_400e6
    for found in (number_groups(days), number_histogram(days)):
        assert len(found.edges) >= 4
        assert not any(edge % 86_400e6 for edge in found.edges)
    hours = days + 3_600e6
    assert any(edge % 86_400e6 for edge in number_groups(hours).edges)
