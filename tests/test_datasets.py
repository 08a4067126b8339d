"""The teaching tables: they load as plain data, and hold what the texts say."""

import copy
import pickle
import subprocess
import sys
from importlib.resources import files

import pytest

import bough
from bough import datasets
from bough.errors import ParameterError

SHAPES = {
    "and": (4, 3),
    "commute": (16, 5),
    "course_ratings": (20, 6),
    "eight_rows": (8, 3),
    "heart_disease_5": (5, 4),
    "heart_disease_6": (6, 4),
    "office_rooms": (8, 6),
    "one_bit": (4, 2),
    "or": (4, 3),
    "penguins": (344, 8),
    "play_tennis": (14, 6),
    "play_tennis_d15": (15, 6),
    "seven_numbers": (7, 2),
    "six_rows": (6, 3),
    "xor": (4, 3),
    "zero_bits": (4, 2),
}


def test_the_names_are_sorted_and_complete():
    assert datasets.names() == sorted(SHAPES)


def test_every_file_has_a_name():
    found = {path.name for path in (files("bough") / "tables").iterdir()}
    assert found == {f"{name}.csv" for name in datasets.names()}


@pytest.mark.parametrize("name", SHAPES)
def test_a_table_has_its_rows_and_columns(name):
    columns = datasets.load(name).columns
    assert ({len(cells) for cells in columns.values()}, len(columns)) == (
        {SHAPES[name][0]},
        SHAPES[name][1],
    )


@pytest.mark.parametrize("name", SHAPES)
def test_features_are_all_columns_but_the_target_and_the_names_of_rows(name):
    table = datasets.load(name)
    assert sorted([*table.features, table.target, *table.ignore]) == sorted(table.columns)


@pytest.mark.parametrize("name", SHAPES)
def test_a_table_says_where_it_comes_from(name):
    assert len(datasets.load(name).source) > 10


def test_labels_are_the_target_column():
    table = datasets.load("play_tennis")
    assert table.labels == table.columns["play_tennis"]


def test_cells_are_whole_numbers_where_all_cells_of_the_column_are():
    assert datasets.load("xor").columns["a"] == [0, 0, 1, 1]


def test_cells_are_numbers_where_one_cell_of_the_column_is_no_whole_number():
    cells = datasets.load("seven_numbers").columns["number"]
    assert [(type(cell), cell) for cell in cells[:2]] == [(float, -2), (float, 4)]


def test_cells_are_words_where_they_are_no_numbers():
    assert datasets.load("heart_disease_5").labels == ["No", "No", "Yes", "Yes", "Yes"]


def test_an_empty_cell_is_none():
    missing = {name: cells.count(None) for name, cells in datasets.load("penguins").columns.items()}
    assert {name: n for name, n in missing.items() if n} == {
        "bill_length_mm": 2,
        "bill_depth_mm": 2,
        "flipper_length_mm": 2,
        "body_mass_g": 2,
        "sex": 11,
    }


def test_penguins_are_of_three_species():
    labels = datasets.load("penguins").labels
    assert {name: labels.count(name) for name in sorted(set(labels))} == {
        "Adelie": 152,
        "Chinstrap": 68,
        "Gentoo": 124,
    }


def test_a_table_can_be_changed_without_changing_the_next_one():
    datasets.load("xor").columns["a"].clear()
    assert datasets.load("xor").columns["a"] == [0, 0, 1, 1]


def test_a_table_and_its_features_make_data_frames():
    pandas = pytest.importorskip("pandas")
    penguins = datasets.load("penguins")
    frame = pandas.DataFrame(penguins.features)
    assert frame["bill_length_mm"].isna().sum() == 2
    whole = pandas.DataFrame(penguins)
    assert whole.columns.tolist() == list(penguins)
    assert whole["species"].tolist() == penguins.labels


def test_a_table_is_copied_whole():
    tennis = datasets.load("play_tennis")
    for copied in (copy.deepcopy(tennis), pickle.loads(pickle.dumps(tennis))):
        assert (copied.columns, copied.target) == (tennis.columns, "play_tennis")


def test_the_wrong_day_is_all_that_is_added_to_play_tennis():
    days, more = (
        list(zip(*datasets.load(n).columns.values(), strict=True))
        for n in ("play_tennis", "play_tennis_d15")
    )
    assert more == [*days, ("D15", "Sunny", "Hot", "Normal", "Strong", "No")]


def test_no_two_courses_have_the_same_answers():
    rows = list(zip(*datasets.load("course_ratings").features.values(), strict=True))
    assert len(set(rows)) == 20


def test_an_unknown_name_is_refused_with_the_nearest_one():
    with pytest.raises(ParameterError) as caught:
        datasets.load("play_tenis")
    assert str(caught.value) == (
        "There is no teaching table 'play_tenis'. Did you mean 'play_tennis'? Known tables: 'and', "
        "'commute', 'course_ratings', 'eight_rows', 'heart_disease_5', 'heart_disease_6', "
        "'office_rooms', 'one_bit', 'or', 'penguins', 'play_tennis', 'play_tennis_d15', "
        "'seven_numbers', 'six_rows', 'xor', 'zero_bits'."
    )


@pytest.mark.parametrize("name", [3, None, ["a list"]], ids=repr)
def test_what_is_no_name_is_refused(name):
    with pytest.raises(ParameterError) as caught:
        datasets.load(name)
    assert str(caught.value).startswith(f"There is no teaching table {name!r}. Known tables: 'and'")


def test_a_name_like_no_other_is_refused_without_a_hint():
    with pytest.raises(
        ParameterError, match=r"^There is no teaching table 'zzzz'\. Known tables: 'and', "
    ):
        datasets.load("zzzz")


def test_loading_needs_no_other_package():
    program = (
        "import sys; from bough import datasets; datasets.load('penguins'); "
        "print({'numpy', 'pandas', 'polars', 'sklearn'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"


def test_whatever_takes_a_table_takes_a_teaching_table():
    table = bough.datasets.load("penguins")
    result = bough.fit(table)
    assert result.evidence.target == "species"
    assert result.headline().startswith("penguins · 344 rows × 8 columns")
    assert bough.fit(table, "island").evidence.target == "island"
    assert bough.evaluate(result, table).n_rows == 344
    assert bough.compare(result, result, table) is not None
    assert len(result.model.predict(table)) == 344
    tree = bough.DecisionTreeClassifier(max_depth=2).fit(table, table.labels)
    assert list(tree.feature_names_in_) == list(table.features)
    assert tree.score(table, table.labels) > 0.9
    assert len(tree.explain(table)) == 344


def test_columns_that_only_name_the_rows_are_left_out():
    tennis = bough.datasets.load("play_tennis")
    assert [each.feature for each in bough.score(tennis).features] == list(tennis.features)
    roles = {each.name: each.role for each in bough.check(tennis).columns}
    assert list(roles) == [*tennis.features, "play_tennis"]
    assert roles["play_tennis"] == "target"
    assert "day" not in bough.fit(tennis).grown_tree_.schema.columns


def test_other_tables_do_not_know_their_target():
    for action in (bough.fit, bough.score):
        with pytest.raises(ParameterError) as error:
            action({"x": [1, 2], "y": [1, 2]})
        assert str(error.value) == "target=None: name the column to predict."


def test_a_table_is_written_as_a_file(tmp_path):
    datasets.write("commute", tmp_path / "c.csv")
    assert (tmp_path / "c.csv").read_bytes() == (
        files("bough") / "tables" / "commute.csv"
    ).read_bytes()
    with pytest.raises(ParameterError, match="no teaching table 'comute'"):
        datasets.write("comute", tmp_path / "d.csv")
