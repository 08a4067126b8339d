"""What is true of every tree: each property is tried on 400 random tables, and holds for all.

A property is a function of a growth that tells whether it holds. Tests name the seeds of the tables
where it does not: `growths.random_growth(seed)` makes the table again.
"""

from dataclasses import replace

import numpy as np
import pytest
from growths import (
    N_TABLES,
    differences,
    node_rows,
    random_growth,
    tie_free_growths,
    violations,
)

from bough.predict import guesses, stops
from bough.query_kinds import QueryKind
from bough.schema import Feature, Kind
from bough.walk import cut, depths, parents

SCALES = ("tally", "guess", "impurity", "gain", "pivot", "n_rows")


def without_ties():
    """Return tie-free growths, half of them with classes as labels."""
    halves = [tie_free_growths(is_classes=is_classes) for is_classes in (True, False)]
    return [growth for half in halves for growth in half[: N_TABLES // 2]]


def plain(growth):
    """Drop the rules that count rows or leaves, which do not hold for weights or copies of rows."""
    return growth.set(min_samples_leaf=1, min_samples_split=2, max_leaf_nodes=None)


def is_close(one, other):
    return np.allclose(one, other, rtol=1e-12, atol=1e-12)


# --- Rows ------------------------------------------------------------------------------------------


def test_the_order_of_rows_does_not_matter():
    def holds(growth):
        shuffled = growth.take(growth.rng.permutation(growth.n_rows))
        return not differences(growth.tree, shuffled.tree)

    assert violations(holds) == []


def test_every_row_twice_keeps_the_tree_and_doubles_the_tallies():
    def holds(growth):
        rules = growth.settings
        twice = growth.take(np.repeat(np.arange(growth.n_rows), 2)).set(
            min_samples_leaf=2 * rules.min_samples_leaf,
            min_samples_split=2 * rules.min_samples_split,
        )
        return (
            not differences(growth.tree, twice.tree, apart_from=SCALES[:4] + SCALES[5:])
            and np.array_equal(2 * growth.tree.n_rows, twice.tree.n_rows)
            and np.array_equal(2 * growth.tree.tally, twice.tree.tally)
            and is_close(growth.tree.gain, twice.tree.gain)
            and is_close(growth.tree.impurity, twice.tree.impurity)
        )

    assert violations(holds) == []


def test_a_row_of_weight_0_changes_nothing():
    def holds(growth):
        extra = growth.take(np.append(np.arange(growth.n_rows), 0))
        extra = extra.map_numbers(lambda values: np.append(values[:-1], 1e9))
        weighted = extra.but(weights=np.append(growth.own_weights, 0.0))
        return not differences(growth.tree, weighted.tree)

    assert violations(holds) == []


# --- Weights ---------------------------------------------------------------------------------------


def test_twice_the_weights_keep_every_number_but_the_tallies():
    def holds(growth):
        heavier = growth.but(weights=2 * growth.own_weights)
        return not differences(growth.tree, heavier.tree, apart_from=["tally"]) and np.array_equal(
            weights_of(growth) * 2, weights_of(heavier)
        )

    assert violations(holds) == []


def weights_of(growth):
    tally = growth.tree.tally
    return tally if growth.is_classes else tally[:, :, 0]


def test_a_tenth_of_the_weights_keeps_the_tree():
    def holds(growth):
        lighter = growth.but(weights=0.1 * growth.own_weights)
        return (
            not differences(growth.tree, lighter.tree, apart_from=SCALES[:4])
            and is_close(growth.tree.gain, lighter.tree.gain)
            and is_close(growth.tree.impurity, lighter.tree.impurity)
        )

    assert violations(holds) == []


def test_weights_that_are_all_equal_are_no_weights():
    def holds(growth):
        without = growth.but(weights=None)
        equal = growth.but(weights=np.full(growth.n_rows, 1.0))
        return not differences(without.tree, equal.tree)

    assert violations(holds) == []


def test_weight_3_is_three_rows():
    def holds(growth):
        growth = plain(growth).but(weights=None)
        counts = growth.rng.integers(1, 4, growth.n_rows)
        weighted = growth.but(weights=counts.astype(float))
        repeated = growth.take(np.repeat(np.arange(growth.n_rows), counts))
        return not differences(
            weighted.tree, repeated.tree, apart_from=["n_rows", "impurity", "gain", "guess"]
        ) and is_close(weighted.tree.gain, repeated.tree.gain)

    assert violations(holds) == []


# --- Columns ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_number", [True, False], ids=["number", "choice"])
def test_a_constant_column_changes_nothing(is_number):
    def holds(growth):
        number = len(growth.features)
        if is_number:
            feature, values = Feature("constant", Kind.NUMBER, number), np.full(growth.n_rows, 7.0)
        else:
            feature = Feature("constant", Kind.CHOICE, number, choices=("only",))
            values = np.zeros(growth.n_rows, np.int32)
        longer = growth.but(features=(*growth.features, feature), values=(*growth.values, values))
        first = longer.with_columns([number, *range(number)])
        return (
            not differences(growth.tree, longer.tree)
            and not differences(growth.tree, first.tree, apart_from=["feature"])
            and np.array_equal(
                np.where(growth.tree.feature < 0, -1, growth.tree.feature + 1), first.tree.feature
            )
        )

    assert violations(holds) == []


def test_a_column_that_is_there_twice_is_asked_where_it_comes_first():
    def holds(growth):
        if growth.settings.criterion == "gain_ratio":  # its average gain counts columns
            growth = growth.set(criterion="entropy")
        columns = list(range(len(growth.features)))
        again = growth.with_columns([*columns, int(growth.rng.choice(columns))])
        return not differences(growth.tree, again.tree)

    assert violations(holds) == []


def test_the_order_of_columns_does_not_matter_without_ties():
    def holds(growth):
        moved = growth.with_columns(growth.rng.permutation(len(growth.features)).tolist())
        return set(node_rows(growth)) == set(node_rows(moved))

    assert violations(holds, without_ties()) == []


def test_new_names_of_columns_and_choices_change_nothing():
    def holds(growth):
        renamed = tuple(
            replace(
                feature, name=f"new {feature.name}", choices=tuple(c * 2 for c in feature.choices)
            )
            for feature in growth.features
        )
        return not differences(growth.tree, growth.but(features=renamed).tree)

    assert violations(holds) == []


def test_the_order_of_choices_does_not_matter_without_ties():
    def holds(growth):
        order = growth.rng.permutation(6).astype(np.int32)
        values = tuple(
            np.where(values < 0, -1, order[values]).astype(np.int32)
            if feature.kind is Kind.CHOICE
            else values
            for feature, values in zip(growth.features, growth.values, strict=True)
        )
        return set(node_rows(growth)) == set(node_rows(growth.but(values=values)))

    # A group is also tried with the first value alone, so that there the order may matter.
    growths = [
        growth
        for is_classes in (True, False)
        for growth in tie_free_growths(is_classes=is_classes)
        if growth.settings.categorical == "each"
    ]
    assert violations(holds, growths) == []


# --- Values ----------------------------------------------------------------------------------------


def test_four_times_the_values_are_four_times_the_pivots():
    def holds(growth):
        scaled = growth.map_numbers(lambda values: 4 * values)
        return not differences(
            growth.tree, scaled.tree, apart_from=["pivot", "shown"]
        ) and np.array_equal(4 * growth.tree.pivot, scaled.tree.pivot, equal_nan=True)

    assert violations(holds) == []


@pytest.mark.parametrize(
    "change",
    [lambda values: values**3, np.exp, lambda values: values + 1e6],
    ids=["cube", "exp", "shift"],
)
def test_a_growing_map_of_the_values_moves_pivots_and_keeps_the_tree(change):
    def holds(growth):
        for values in growth.values:
            assert len(np.unique(values)) == len(np.unique(change(values.astype(float))))
        mapped = growth.map_numbers(change)
        return not differences(
            growth.tree, mapped.tree, apart_from=["pivot", "shown"]
        ) and node_rows(growth) == node_rows(mapped)

    assert violations(holds) == []


def test_values_turned_round_mirror_the_tree_without_ties():
    def holds(growth):
        turned = growth.map_numbers(lambda values: -values)
        pivots = [tree.pivot[~np.isnan(tree.pivot)] for tree in (growth.tree, turned.tree)]
        return set(node_rows(growth)) == set(node_rows(turned)) and np.array_equal(
            np.sort(pivots[0]), np.sort(-pivots[1])
        )

    assert violations(holds, without_ties()) == []


# --- Labels ----------------------------------------------------------------------------------------


def random_growths(*, is_classes):
    """Return random growths with labels of one kind."""
    growths = [random_growth(seed) for seed in range(is_classes, 2 * N_TABLES, 2)]
    assert {growth.is_classes for growth in growths} == {is_classes}
    return growths


def test_other_names_of_the_classes_in_the_same_order_change_nothing():
    def holds(growth):
        names = np.array(["ash", "birch", "cedar", "elm"])
        return not differences(growth.tree, growth.but(y=names[growth.y]).tree)

    assert violations(holds, random_growths(is_classes=True)) == []


def test_the_order_of_classes_does_not_matter_without_ties():
    def holds(growth):
        order = growth.rng.permutation(4)
        return set(node_rows(growth)) == set(node_rows(growth.but(y=order[growth.y])))

    assert violations(holds, tie_free_growths(is_classes=True)) == []


def test_twice_the_labels_are_twice_the_guesses():
    def holds(growth):
        doubled = growth.but(y=2 * growth.y)
        tree, other = growth.tree, doubled.tree
        return (
            not differences(tree, other, apart_from=SCALES[:4])
            and np.array_equal(2 * tree.guess, other.guess)
            and np.array_equal(4 * tree.impurity, other.impurity)
            and np.array_equal(4 * tree.gain, other.gain)
        )

    growths = [growth.set(min_impurity_decrease=0.0) for growth in random_growths(is_classes=False)]
    assert violations(holds, growths) == []


def test_labels_plus_1000_keep_the_tree_without_ties():
    def holds(growth):
        return node_rows(growth) == node_rows(growth.but(y=growth.y + 1000))

    assert violations(holds, tie_free_growths(is_classes=False)) == []


# --- Settings --------------------------------------------------------------------------------------


def test_chance_plays_no_part():
    def holds(growth):
        return not differences(growth.tree, growth.set(random_state=growth.seed + 1).tree)

    assert violations(holds) == []


def test_a_tree_cut_at_a_depth_is_the_tree_grown_to_that_depth():
    def holds(growth):
        whole = growth.set(max_depth=None, max_leaf_nodes=None)
        depth = depths(whole.tree)
        return not any(
            differences(cut(whole.tree, depth >= most), whole.set(max_depth=most).tree)
            for most in range(int(depth.max()) + 2)
        )

    assert violations(holds) == []


def test_min_samples_leaf_holds_for_both_answers_of_a_two_way_query():
    def holds(growth):
        growth = growth.set(min_samples_leaf=4, categorical="group")
        return len(growth.tree) == 1 or growth.tree.n_rows.min() >= 4

    assert violations(holds) == []


# --- The tree itself -------------------------------------------------------------------------------


def test_the_tallies_of_children_add_up_to_the_tally_of_their_parent():
    def holds(growth):
        tree = growth.tree
        sums = np.zeros_like(tree.tally)
        np.add.at(sums, parents(tree)[1:], tree.tally[1:])
        is_branch = tree.n_children > 0
        if growth.is_classes:  # counts, and weights that are quarters, have no rounding
            return np.array_equal(sums[is_branch], tree.tally[is_branch])
        return is_close(sums[is_branch], tree.tally[is_branch])

    assert violations(holds) == []


def test_the_rows_that_predict_sends_to_a_leaf_are_those_that_growing_put_there():
    def holds(growth):
        tree = growth.tree
        nodes = stops(tree, growth.table)
        weights = np.bincount(nodes, weights=growth.own_weights, minlength=len(tree))
        is_leaf = tree.n_children == 0
        return (
            is_leaf[nodes].all()
            and np.array_equal(np.bincount(nodes, minlength=len(tree)), tree.n_rows * is_leaf)
            and np.array_equal(weights, tree.weight * is_leaf)
        )

    assert violations(holds) == []


def test_a_full_tree_knows_every_row_without_a_twin_of_another_label():
    def holds(growth):
        growth = plain(growth).set(
            max_depth=None, min_impurity_decrease=0.0, min_weight_fraction_leaf=0.0
        )
        if growth.settings.criterion == "poisson":  # no leaf guesses 0
            growth = growth.but(y=growth.y + 1)
        rows = list(zip(*(np.nan_to_num(each, nan=99.0) for each in growth.values), strict=True))
        labels = {}
        for row, label in zip(rows, growth.y.tolist(), strict=True):
            labels.setdefault(row, set()).add(label)
        guess = guesses(growth.tree, stops(growth.tree, growth.table))[:, 0]
        has_no_twin = np.array([len(labels[row]) == 1 for row in rows])
        return np.array_equal(guess[has_no_twin], growth.y[has_no_twin])

    assert violations(holds) == []


def test_the_tables_have_every_kind_of_query():
    asked = {
        QueryKind(kind)
        for growth in map(random_growth, range(N_TABLES))
        for kind in growth.tree.query_kind[growth.tree.feature >= 0]
    }
    assert asked == set(QueryKind)
