"""Whether probabilities come true."""

from dataclasses import replace

import made_tables as made
import numpy as np
import pytest
from handmade import branch, leaf, make_tree

import bough
from bough.checks.tree import no_better_probabilities
from bough.encode import Labels
from bough.evidence import Estimate
from bough.learn.labelled_rows import LabelledRows
from bough.learn.measure import followed
from bough.learn.sums_of_test_rows import calibration_of as of_stopped
from bough.losses.intervals import estimate
from bough.query_kinds import Below
from bough.schema import Feature, Kind, Label, Schema
from bough.table import read

X = Feature("x", Kind.NUMBER, 0)
TWO = Schema(("x",), (X,), (Label("y", ("no", "yes"), "<U3"),))
THREE = Schema(("x",), (X,), (Label("y", ("a", "b", "c"), "<U1"),))
# x < 0.5 is given 1/4 for yes, other rows 2/3.
BINARY = make_tree(TWO, branch(Below(X, 0.5), leaf(0, 0, 0, 1), leaf(1, 1, 0)))
MANY = make_tree(THREE, branch(Below(X, 0.5), leaf(0, 0, 0, 1), leaf(1, 2, 2)))


def rows(tree, x, y, weights=None, group=None, times=5):
    """Return rows, each of them so often: of fewer than five nothing is told."""
    weights = None if weights is None else np.repeat(weights, times)
    answers = np.repeat(np.array([y], np.int32), times, axis=1)
    labels = Labels(tree.schema.labels, answers, None, weights, group)
    return LabelledRows(read({"x": np.repeat(x, times)}), labels)


def calibration_of(tree, labelled):
    return of_stopped(*followed([(tree, labelled)]))


def test_of_two_classes_the_second_is_compared():
    found = calibration_of(BINARY, rows(BINARY, [0.0, 0.0, 1.0, 1.0], [0, 1, 1, 1]))
    assert found.of_class == 1
    assert [(each.predicted, each.observed.value) for each in found.bins] == [
        (0.25, 0.5),
        (pytest.approx(2 / 3), 1.0),
    ]


def test_the_error_is_the_mean_difference_over_the_rows():
    found = calibration_of(BINARY, rows(BINARY, [0.0, 0.0, 0.0, 1.0], [0, 1, 0, 1]))
    assert found.error == pytest.approx(3 / 4 * (1 / 3 - 1 / 4) + 1 / 4 * (1 - 2 / 3))


def test_of_more_classes_the_guessed_one_is_compared():
    found = calibration_of(MANY, rows(MANY, [0.0, 0.0, 1.0], [0, 2, 1]))
    assert found.of_class is None
    assert [(each.predicted, each.observed.value) for each in found.bins] == [
        (pytest.approx(2 / 3), 0.0),
        (0.75, 0.5),
    ]


def test_a_class_that_the_tree_does_not_know_never_comes_true():
    found = calibration_of(MANY, rows(MANY, [0.0, 0.0], [0, -1]))
    assert found.bins[0].observed.value == 0.5


def test_intervals_are_those_of_errors():
    found = calibration_of(BINARY, rows(BINARY, [0.0] * 10, [0] * 7 + [1] * 3, times=1))
    assert found.bins[0].observed == estimate(np.repeat([0.0, 1.0], [7, 3]), "error")


def test_rows_count_by_their_weights():
    weighted = rows(BINARY, [0.0, 0.0, 1.0], [0, 1, 1], np.array([3.0, 1.0, 4.0]))
    repeated = rows(BINARY, [0.0] * 4 + [1.0] * 4, [0, 0, 0, 1, 1, 1, 1, 1])
    one, other = (calibration_of(BINARY, each) for each in (weighted, repeated))
    assert [each.observed.value for each in one.bins] == [0.25, 1]
    assert one.error == pytest.approx(other.error, rel=1e-12)


def test_groups_of_rows_widen_the_interval():
    x, y = [0.0] * 40, [0, 1] * 20
    alone = calibration_of(BINARY, rows(BINARY, x, y, times=1))
    group = np.repeat(np.arange(4), 10).astype(np.uint64)
    of_groups = rows(BINARY, x, sorted(y), group=group, times=1)
    together = calibration_of(BINARY, of_groups)
    assert together.bins[0].observed.low < alone.bins[0].observed.low


def test_smoothed_probabilities_are_compared_where_the_label_has_them():
    label = replace(TWO.labels[0], probability="laplace")
    tree = replace(BINARY, schema=replace(TWO, labels=(label,)))
    found = calibration_of(tree, rows(tree, [0.0, 1.0], [0, 1]))
    assert [each.predicted for each in found.bins] == [pytest.approx(2 / 6), pytest.approx(3 / 5)]


def test_there_are_at_most_ten_bins_of_about_the_same_weight():
    chances = np.random.default_rng(0).permutation(np.repeat(np.arange(1, 41), 10))
    tree = make_tree(TWO, _fan(40))
    labelled = rows(tree, chances.astype(float).tolist(), [1] * len(chances), times=1)
    found = calibration_of(tree, labelled)
    assert [each.observed.n for each in found.bins] == [40] * 10
    assert all(
        one.most < other.least for one, other in zip(found.bins, found.bins[1:], strict=False)
    )


def _fan(n, first=1):
    """Return leaves in which the share of the second class rises with x."""
    here = leaf(*[0] * (n + 1 - first), *[1] * first)
    return here if first == n else branch(Below(X, first + 0.5), here, _fan(n, first + 1))


def test_rows_of_one_probability_are_one_bin():
    found = calibration_of(
        BINARY, rows(BINARY, [0.0] * 95 + [1.0] * 5, [0] * 95 + [1] * 5, times=1)
    )
    assert [each.observed.n for each in found.bins] == [95, 5]


def test_of_fewer_than_five_rows_nothing_is_told():
    found = calibration_of(
        BINARY, rows(BINARY, [0.0] * 96 + [1.0] * 4, [0] * 96 + [1] * 4, times=1)
    )
    assert [each.observed.n for each in found.bins] == [100]


def test_numbers_have_no_calibration():
    assert bough.fit(made.numbers(), "y").calibration is None


def test_a_result_says_how_far_probabilities_are_off():
    result = bough.fit(made.classes(), "label")
    bins = result.calibration.bins
    assert sum(each.observed.n for each in bins) == result.evidence.n_test
    assert result.sentences[-1] == (
        "Probabilities hold on the test rows: off by "
        f"{100 * result.calibration.error:.1f} points on average."
    )


def test_the_terminal_does_not_say_it():
    assert "Probabilities" not in str(bough.fit(made.classes(), "label"))


def test_smoothed_probabilities_of_many_classes_in_small_leaves_beat_the_class_shares():
    by_way = {
        way: bough.fit(made.letters(), "letter", probability=way)
        for way in ("raw", "laplace", "prior", None)
    }
    found = {way: result.test["log_loss"].value for way, result in by_way.items()}
    baseline = by_way[None].baseline["log_loss"].value
    assert found["prior"] < found["laplace"] == found[None] < baseline < found["raw"]
    assert by_way[None].test["error"] == by_way["raw"].test["error"]
    assert [note.fix for note in by_way["raw"].notes if note.code == "B205"] == [
        {"loss": "log_loss"}
    ]
    assert [note for note in by_way[None].notes if note.code == "B205"] == []


def test_probabilities_that_are_no_better_than_the_class_shares_are_named():
    worse, same = Estimate(1.41, 1.3, 1.5, 500), Estimate(1.27, 1.2, 1.4, 500)
    (note,) = no_better_probabilities("error", {"log_loss": worse}, {"log_loss": same})
    assert (note.code, note.fix) == ("B205", {"loss": "log_loss"})
    assert note.text == (
        "The probabilities are no better than the class shares of all rows: their log loss is 1.41, "
        "the baseline 1.27. If they matter, choose the tree by them"
    )


def test_nothing_is_said_of_probabilities_that_are_better_or_hardly_measured_or_not_there():
    good, same, few = (
        Estimate(*each) for each in [(1.2, 1, 2, 99), (1.3, 1, 2, 99), (9, 1, 9, 29)]
    )
    assert no_better_probabilities("error", {"log_loss": good}, {"log_loss": same}) == []
    assert no_better_probabilities("error", {"log_loss": few}, {"log_loss": same}) == []
    assert no_better_probabilities("error", {"log_loss": same}, {"log_loss": same}) == []
    assert no_better_probabilities("log_loss", {"log_loss": same}, {"log_loss": good}) == []
    assert no_better_probabilities("squared_error", {}, {}) == []


def test_predictions_that_go_one_way_keep_the_shares_unless_asked_otherwise():
    table = made.classes(400)
    result = bough.fit(table, "label", monotonic_cst={"size": 1})
    assert result.model.probability == "raw"
    assert bough.fit(table, "label", monotonic_cst={"size": 0}).model.probability == "laplace"
