"""The checks on real tables: known leaks and identifiers are found, and there is no false alarm."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from audit import class_labels, number_labels

from bough import DecisionTreeClassifier
from bough.checks.leaks import leaks
from bough.checks.new_rows import other_shares
from bough.checks.rows import drift, imbalance, repeated_entities
from bough.checks.target_labels import guess_task
from bough.checks.too_good import too_good
from bough.learn.look_at_columns import look_at
from bough.predict import stops
from bough.table import open_source, read, read_like

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
import real_tables

FOLDER = real_tables.find_folder()
pytestmark = pytest.mark.skipif(FOLDER is None, reason=real_tables.why_absent())

LEAKS = {"titanic": {("boat",), ("body",)}, "bike_sharing_hour": {("casual", "registered")}}
TOO_GOOD = {
    "mushroom": {"odor", "gill_color", "ring_type"},  # a smell tells nearly all that are poisonous
    "car": {"persons", "safety"},  # two seats, or low safety: never accepted
    "nursery": {"health"},  # the ranks were made by rules, of which this is the first
    "penguins": {"island"},  # on Torgersen there are Adelies only
    "soybean": {"int_discolor"},  # brown inside: brown stem rot, all of it and nothing else
}
OTHERS = {  # of the checks of columns and of training rows
    "adult": set(),
    "mushroom": {("B102", "veil_type")},
    "car": set(),
    "nursery": {("B204", "class")},
    "titanic": {
        ("B103", "name"),
        ("B103", "ticket"),
        ("B104", "cabin"),
        ("B104", "home_dest"),
        ("B113", "home_dest"),
        ("B203", "ticket"),
    },
    "penguins": set(),
    "wine_quality": {("B204", "quality")},
    "california_housing": set(),
    "bike_sharing_hour": {("B103", "instant"), ("B107", "dteday"), ("B202", "dteday")},
    "soybean": {("B204", "class")},
    "covtype_sample15k": {("B102", "soil_type15")},
    "rank_lightgbm": set(),
}


class Looked:
    """A real table as it is before anybody has said what its columns are."""

    def __init__(self, name):
        import pandas as pd

        about = next(each for each in real_tables.described(FOLDER) if each["name"] == name)
        dates = ["dteday"] if name == "bike_sharing_hour" else None
        frame = pd.read_csv(FOLDER / about["files"][0], parse_dates=dates)
        self.target = about["target"]
        self.labels = frame.pop(self.target)
        source = open_source(frame)
        self.columns = {each: source.column(at) for at, each in enumerate(source.names)}
        seen = {each: look_at(each, self.columns[each]) for each in self.columns}
        self.notes = [note for _, notes in seen.values() for note in notes]
        left_out = {each: "ignore" for each, (is_left_out, _) in seen.items() if is_left_out}
        self.table = read(frame, types=left_out)
        target = open_source(self.labels.to_frame()).column(0)
        self.task, _ = guess_task(self.target, target)

    def some_rows(self, seed, n_rows=None):
        """Return some rows, seven in ten unless said otherwise, and their labels."""
        n_rows = int(0.7 * self.table.n_rows) if n_rows is None else n_rows
        order = np.random.default_rng(seed).permutation(self.table.n_rows)
        rows = np.sort(order[:n_rows])
        if self.task == "regression":
            return rows, number_labels(self.labels.to_numpy()[rows])
        labels = class_labels(self.labels.to_numpy())
        return rows, replace(labels, codes=labels.codes[:, rows])


@pytest.fixture(scope="module", params=list(OTHERS))
def looked(request):
    found = Looked(request.param)
    found.name = request.param
    return found


@pytest.mark.parametrize("seed", range(3))
def test_the_known_leaks_are_found_and_no_other(looked, seed):
    rows, labels = looked.some_rows(seed)
    notes = leaks(looked.table.rows(rows), labels)
    assert {note.columns for note in notes} == LEAKS.get(looked.name, set())


def test_only_columns_that_tell_very_much_are_asked_about(looked):
    rows, labels = looked.some_rows(0)
    found = too_good(
        looked.table.rows(rows),
        labels,
        {name for pair in LEAKS.get(looked.name, ()) for name in pair},
    )
    assert {name for note in found for name in note.columns} == TOO_GOOD.get(looked.name, set())


@pytest.mark.parametrize("seed", range(10))
def test_a_few_rows_raise_no_false_alarm(looked, seed):
    rows, labels = looked.some_rows(seed, n_rows=200)
    notes = leaks(looked.table.rows(rows), labels)
    assert {note.columns for note in notes} <= LEAKS.get(looked.name, set())


def test_the_other_checks_see_what_there_is_to_see(looked):
    rows, labels = looked.some_rows(0)
    notes = looked.notes + imbalance(labels) + drift(looked.table.rows(rows), labels)
    notes += repeated_entities(looked.columns, rows, labels)
    found = {(note.code, name) for note in notes for name in note.columns}
    assert {(code, looked.target if name == "y0" else name) for code, name in found} == OTHERS[
        looked.name
    ]


@pytest.mark.parametrize("max_depth", [3, 8, None])
def test_rows_of_adult_kept_apart_reach_the_leaves_in_the_same_shares(max_depth):
    grown, kept_apart = (real_tables.read(FOLDER, "adult", part) for part in (0, 1))
    estimator = DecisionTreeClassifier(max_depth=max_depth).fit(grown.columns, grown.labels)
    tree = estimator.grown_tree_
    assert other_shares(tree, stops(tree, read_like(kept_apart.columns, tree.schema))) == []


def test_the_women_of_adult_reach_the_leaves_in_other_shares():
    adult = real_tables.read(FOLDER, "adult")
    estimator = DecisionTreeClassifier(max_depth=3).fit(adult.columns, adult.labels)
    tree = estimator.grown_tree_
    women = adult.columns[adult.columns["sex"] == "Female"]
    (note,) = other_shares(tree, stops(tree, read_like(women, tree.schema)))
    assert note.code == "B208"
