"""`--cost` and `--probability`."""

import csv
import json

import made_tables as made
import pytest

import bough


@pytest.fixture
def path(tmp_path):
    """Give a file with a made table."""
    return written(tmp_path, made.classes(600))


def written(folder, table, name="made.csv"):
    with (folder / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))
    return folder / name


def costs_in(path):
    label = json.loads(path.read_text("utf-8"))["schema"]["labels"][0]
    return label["classes"], label["costs"]


def test_costs_are_typed_as_the_true_class_the_guess_and_the_cost(run, path, tmp_path):
    found = run("fit", path, "-t", "label", "--cost", "yes", "no", 8, "--cost", "no", "yes", 2)
    assert found.status == 0
    assert "Expected cost on new rows: " in found.out
    assert costs_in(tmp_path / "label.bough.json") == (["no", "yes"], [[0, 2], [8, 0]])


@pytest.mark.parametrize(("yes", "no"), [("-1", "1"), ("a=b", "a,b"), ("x y", "'\"")])
def test_any_class_can_be_named(run, tmp_path, yes, no):
    table = made.classes(200)
    table["label"] = [yes if label == "yes" else no for label in table["label"]]
    path = written(tmp_path, table)
    assert run("fit", path, "-t", "label", "--cost", yes, no, 8).status == 0
    classes, costs = costs_in(tmp_path / "label.bough.json")
    assert costs[[str(each) for each in classes].index(yes)] == [
        0 if str(each) == yes else 8 for each in classes
    ]


def test_the_tree_guesses_by_costs_from_then_on(run, path, tmp_path):
    run("fit", path, "-t", "label", "--cost", "yes", "no", 1000)
    model = tmp_path / "label.bough.json"
    document = run("evaluate", model, path, "--json").document
    assert document["estimates"]["cost"]["value"] < 1
    run("predict", model, path, "-o", "guessed.csv")
    with (tmp_path / "guessed.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    n_costly = sum(row["label"] == "yes" and row["prediction"] == "no" for row in rows)
    assert document["estimates"]["cost"]["value"] * len(rows) >= 1000 * n_costly


def test_smoothed_probabilities_are_what_predict_writes(run, path, tmp_path):
    run("fit", path, "-t", "label", "--probability", "laplace")
    model = bough.load(tmp_path / "label.bough.json")
    document = run("predict", tmp_path / "label.bough.json", path, "--proba", "--json").document
    found = [[each["share"] for each in guess["shares"]] for guess in document["guesses"]]
    assert found == model.predict_proba(made.classes(600)).tolist()


def test_the_document_has_the_calibration(run, path):
    document = run("fit", path, "-t", "label", "--json").document
    assert (
        sum(each["observed"]["n"] for each in document["calibration"]["bins"])
        == (document["n_test"])
    )


def test_an_incomplete_cost_is_refused(run, path):
    found = run("fit", path, "-t", "label", "--cost", "yes")
    assert (found.status, found.err.splitlines()[0]) == (
        2,
        "error: --cost needs 3 values, as in --cost ill well 20.",
    )


def test_a_cost_that_is_no_number_is_refused(run, path):
    found = run("fit", path, "-t", "label", "--cost", "yes", "no", "much")
    assert (found.status, found.err.splitlines()[0]) == (
        2,
        "error: --cost 'much' must be a number.",
    )


def test_a_cost_that_is_said_twice_is_refused(run, path):
    found = run("fit", path, "-t", "label", *("--cost", "yes", "no", 1) * 2)
    assert (found.status, found.err) == (
        2,
        "error: --cost names the same true class and prediction twice.\n  Give each pair once.\n",
    )


def test_the_cost_needs_costs(run, path):
    found = run("fit", path, "-t", "label", "--loss", "cost")
    assert (found.status, found.err) == (
        2,
        "error: --loss 'cost' needs costs, as in --cost ill well 20: predicting 'well' where 'ill' is "
        "true costs 20.\n",
    )


def test_costs_may_stand_in_a_file_of_options(run, path, tmp_path):
    (tmp_path / "bough.toml").write_text('[fit]\ncost = [["yes", "no", 8]]\n')
    run("fit", path, "-t", "label")
    assert costs_in(tmp_path / "label.bough.json")[1] == [[0, 1], [8, 0]]


@pytest.mark.parametrize("order", ["with without", "without with"])
def test_a_tree_with_costs_and_one_without_are_compared_by_what_both_have(run, path, order):
    run("fit", path, "-t", "label", "--cost", "yes", "no", 5, "-o", "with.json")
    run("fit", path, "-t", "label", "-o", "without.json")
    found = run("compare", *(f"{name}.json" for name in order.split()), path)
    assert found.status == 0
    assert "accuracy" in found.out
    assert "cost" not in found.out
