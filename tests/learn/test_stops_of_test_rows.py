"""Where test rows stop, as the model remembers it."""

import made_tables as made
import numpy as np

import bough
from bough.learn.measure import followed
from bough.learn.sums_of_test_rows import stops_of
from bough.learn.target import read_labelled
from bough.walk import parents

TABLE = made.classes()
RESULT = bough.fit(TABLE, "label")
TREE = RESULT.grown_tree_


def stops(table, tree=TREE, **options):
    return stops_of(tree, *followed([(tree, read_labelled(tree, table, **options)[0])]))


def test_every_test_row_stops_somewhere():
    assert sum(stop.n for stop in RESULT.evidence.stops) == RESULT.evidence.n_test


def test_right_guesses_are_those_of_the_estimate():
    table = {name: list(values) * 5 for name, values in TABLE.items()}  # so that leaves tell all
    right = sum(stop.tally[TREE.class_guess[stop.node, 0]] for stop in stops(table))
    found = bough.evaluate(TREE, table)
    assert right / found.n_rows == found.estimates["accuracy"].value


def test_labels_of_fewer_than_five_rows_are_not_told_and_do_not_follow_from_the_sum_of_all():
    for n in range(1, 40):
        found = stops({name: values[:n] for name, values in TABLE.items()})
        assert sum(stop.told for stop in found) == sum(stop.n for stop in found) == n
        assert all(stop.told >= min(n, 5) for stop in found if stop.tally)
        assert all(stop.told == 0 for stop in found if not stop.tally)


def test_labels_are_told_at_the_next_node_above_that_has_enough():
    found = {stop.node: stop for stop in stops({name: each[:60] for name, each in TABLE.items()})}
    above = parents(TREE).tolist()
    for stop in found.values():
        node = stop.node
        if stop.n and not stop.told:
            while not (node in found and found[node].told):
                node = above[node]
            assert found[node].told > stop.n


def test_the_order_of_rows_does_not_matter():
    rng = np.random.default_rng(3)
    numbers = {
        "x": rng.normal(size=500),
        "weight": rng.random(500),
        "y": rng.normal(size=500) * 1e3,
    }
    tree = bough.fit(numbers, "y", weight="weight").grown_tree_
    order = rng.permutation(500)
    mixed = {name: values[order] for name, values in numbers.items()}
    assert stops(numbers, tree, weight="weight") == stops(mixed, tree, weight="weight")


def test_a_row_counts_by_its_weight():
    weighted = {**TABLE, "weight": [0.5] * len(TABLE["label"])}
    halves, wholes = stops(weighted, weight="weight"), stops(TABLE)
    assert [stop.n for stop in halves] == [stop.n for stop in wholes]
    assert [np.multiply(stop.tally, 2).tolist() for stop in halves] == [[*s.tally] for s in wholes]


def test_a_class_that_the_tree_does_not_know_is_a_row_without_a_label():
    table = made.classes(100, seed=5)
    table["label"][:10] = ["maybe"] * 10
    found = stops(table)
    assert sum(stop.n for stop in found) == 100
    assert sum(sum(stop.tally) for stop in found) == 90


def test_numbers_are_summed_up_with_their_squares():
    tree = bough.fit(made.numbers(), "y").grown_tree_
    rows = {"x": [-1.0, 1.0, 1.0] * 5, "kind": ["a", "b", "b"] * 5, "y": [1.0, 4.0, 6.0] * 5}
    found = stops(rows, tree)
    assert np.sum([stop.tally for stop in found], axis=0).tolist() == [15.0, 55.0, 265.0]


def test_the_largest_labels_are_no_infinity():
    table = {"x": [0.0, 1.0] * 40, "y": [1e308, -1e308] * 40}
    tree = bough.fit(table, "y").grown_tree_
    assert all(np.isfinite(stop.tally).all() for stop in stops(table, tree))
