"""A model on rows that it may or may not have seen."""

import made_tables as made
import numpy as np
import polars as pl
import pytest

import bough
from bough.checks.list_of_checks import is_information
from bough.learn.evaluate import evaluate

TABLE = made.classes()
RESULT = bough.fit(TABLE, "label")


def codes(table):
    return [note.code for note in evaluate(RESULT.saved, table).notes]


def test_new_rows_get_an_honest_estimate_without_a_note():
    found = evaluate(RESULT.saved, made.classes(1000, seed=5))
    assert found.n_rows == 1000
    assert found.estimates["accuracy"].low < 0.9 < found.estimates["accuracy"].high + 0.01
    assert found.baseline["accuracy"].value < 0.7


def test_a_model_may_be_named_by_its_file(tmp_path):
    RESULT.save(path := tmp_path / "m.bough.json")
    rows = made.classes(200, seed=5)
    assert evaluate(str(path), rows) == evaluate(path, rows) == evaluate(RESULT, rows)
    assert bough.compare(path, RESULT, rows).share_other_leaf == 0


def test_counts_of_rows_are_whole_numbers():
    cells = evaluate(RESULT, made.classes(200, seed=5)).confusion.cells
    assert {type(weight) for _, _, weight in cells} == {int}


def test_rows_that_the_tree_was_made_from_are_known_again():
    assert "B207" in codes(TABLE)


def test_sealed_rows_opened_again_are_known():
    assert "B206" in codes(TABLE)


def test_rows_that_were_never_seen_are_not_known():
    assert not {"B206", "B207"} & set(codes(made.classes(1000, seed=5)))


def test_values_that_were_never_seen_are_counted():
    table = made.classes(100, seed=5)
    table["color"] = ["purple"] * 100
    notes = {note.code: note.text for note in evaluate(RESULT.saved, table).notes}
    assert "100" in notes["B303"]


def test_numbers_outside_the_training_rows_are_named():
    table = made.classes(100, seed=5)
    table["size"][0] = 1e6
    assert "B304" in codes(table)


def test_rows_without_a_label_are_left_out():
    table = made.classes(100, seed=5)
    table["label"][3] = None
    assert evaluate(RESULT.saved, table).n_rows == 99
    assert "B109" in codes(table)


def test_a_label_that_the_tree_does_not_know_is_wrong_and_said_to_be():
    table = made.classes(100, seed=5)
    before = evaluate(RESULT.saved, table).estimates["error"].value
    table["label"][:50] = ["maybe"] * 50
    found = evaluate(RESULT.saved, table)
    assert found.estimates["error"].value >= max(before, 0.5)
    assert "label: 50 of 100 rows have a class that the tree does not know" in found.notes[0].text


def test_labels_of_which_the_tree_knows_none_are_refused():
    table = made.classes(100, seed=5)
    table["label"] = ["Y"] * 100
    with pytest.raises(bough.SchemaError) as error:
        evaluate(RESULT.saved, table)
    assert str(error.value) == (
        "No row has a label that the tree knows: it predicts 'no' and 'yes' for 'label'. Write the labels as they were when it was grown."
    )


def test_a_class_is_known_however_a_table_writes_it():
    table = {**made.classes(), "label": [int(row % 3 == 0) for row in range(3000)]}
    model = bough.fit(table, "label").saved
    as_text = {**table, "label": [str(label) for label in table["label"]]}
    assert evaluate(model, as_text).estimates == evaluate(model, table).estimates


def test_a_table_without_the_target_is_refused():
    table = made.classes(100, seed=5)
    table["lable"] = table.pop("label")
    with pytest.raises(bough.SchemaError) as error:
        evaluate(RESULT.saved, table)
    assert str(error.value) == (
        "The table has no column 'label' to compare the predictions with. Did you mean 'lable'? It has 'size', 'color', 'junk' and 'lable'."
    )


def test_labels_that_were_text_are_text_where_a_file_has_only_numbers(tmp_path):
    rows = [(number, "1" if number % 2 else "more") for number in range(200)]
    path = tmp_path / "x.csv"
    path.write_text("n,y\n" + "".join(f"{number % 2},{label}\n" for number, label in rows))
    model = bough.fit(path, "y").saved
    path.write_text("n,y\n1,1\n1,1\n0,1\n")
    assert evaluate(model, path).estimates["accuracy"].value == pytest.approx(2 / 3)


def test_weights_count_where_the_model_was_learnt_with_them():
    table = made.classes()
    table["weight"] = [3.0 if label == "yes" else 1.0 for label in table["label"]]
    model = bough.fit(table, "label", weight="weight").saved
    fresh = made.classes(1000, seed=5)
    weighted = {**fresh, "weight": [float(label == "yes") for label in fresh["label"]]}
    assert evaluate(model, weighted).n_rows == fresh["label"].count("yes")
    assert evaluate(model, fresh).n_rows == 1000


def test_the_loss_that_was_to_be_small_is_measured():
    table = made.numbers()
    model = bough.fit(table, "y", criterion="quantile", quantile=0.9).saved
    found = evaluate(model, made.numbers(500, seed=5))
    assert "pinball" in found.estimates
    assert found.estimates["pinball"].value < found.baseline["pinball"].value


def test_a_quantile_is_known_whatever_the_criterion():
    model = bough.fit(made.numbers(), "y", loss="pinball", quantile=0.9).saved
    assert model.settings["quantile"] is None
    assert "pinball" in evaluate(model, made.numbers(500, seed=5)).estimates


def test_a_model_of_which_nothing_is_known_has_the_loss_of_its_criterion():
    table = {
        name: [abs(each) for each in cells]
        for name, cells in made.numbers().items()
        if name != "kind"
    }
    X = pl.DataFrame({"x": table["x"]})
    model = bough.DecisionTreeRegressor(criterion="poisson", max_depth=2)
    saved = model.fit(X, pl.Series("y", table["y"])).__bough_model__().by_name()
    assert "poisson" in evaluate(saved, table).estimates


def test_halves_of_a_table_with_copies_accuse_nobody():
    table = made.letters(20_000)
    rows = np.random.default_rng(1).permutation(20_000)
    one, other = (made.some_rows(table, each) for each in (rows[:10_000], rows[10_000:]))
    both = set(zip(*one.values(), strict=True)) & set(zip(*other.values(), strict=True))
    assert len(both) > 400
    tree = bough.fit(one, "letter")
    found = [note for note in bough.evaluate(tree, other).notes if note.code in ("B206", "B207")]
    assert all(is_information(note) for note in found)
    said = {note.code: note.text for note in bough.evaluate(tree, one).notes}
    assert said["B207"].startswith("About 8,0")
    assert said["B206"].startswith("About 1,9")
