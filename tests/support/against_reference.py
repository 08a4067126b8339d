"""Grows a tree with the core and with `bough.reference`, and compares all that they say."""

import math
import os

import pytest
from random_tables import SIZES, random_table

import bough
import bough.reference as ref
from bough.query_kinds import Below, EachValue, IsMissing, OneOf

CLOSE = 1e-12
N_JOBS = int(os.environ.get("BOUGH_TEST_JOBS", "1"))  # more under the thread sanitizer


def check_random_table(seed):
    """Grow a random table both ways, and compare all there is to compare."""
    table = random_table(seed)
    try:
        root, estimator = table.reference_tree(), grown(table)
        compare_trees(estimator, root)
        parts = [table.columns, table.probes, rows_at_pivots(root, table)]
        columns = {name: [v for part in parts for v in part[name]] for name in table.columns}
        compare_predictions(estimator, root, table, columns)
    except Exception as error:
        error.add_note(f"This was random_table({seed}), grown with {table.settings}.")
        raise


def grown(table):
    kind = bough.DecisionTreeRegressor if table.is_regression else bough.DecisionTreeClassifier
    estimator = kind(types=table.types, n_jobs=N_JOBS, **table.settings)
    return estimator.fit(table.frame(), table.labels, sample_weight=table.weights)


def compare_trees(estimator, root):
    tree = estimator.grown_tree_
    expected = ref.breadth_first(root)
    assert len(tree) == len(expected)
    number = {id(node): position for position, node in enumerate(expected)}
    for node, reference in zip(tree, expected, strict=True):
        assert query_in_words(node.query) == reference_query_in_words(reference.query)
        assert list(node.children) == [number[id(child)] for child in reference.children]
        assert node.n_rows == len(reference.rows)
        assert node.impurity == close_to(reference.impurity, reference.impurity)
        assert node.gain == close_to(reference.gain, reference.impurity)
        compare_tallies(estimator, node, reference)


def close_to(exact, scale):
    return pytest.approx(float(exact), rel=0, abs=CLOSE * float(scale))


def compare_tallies(estimator, node, reference):
    tally = node.tally[0].tolist()
    if not hasattr(estimator, "classes_"):
        assert tally == [close_to(moment, size) for moment, size in moments(reference.tally)]
        assert node.guess == guess_close_to(reference)
        return
    weights = [reference.tally.get(label, 0) for label in estimator.classes_.tolist()]
    assert tally == [close_to(weight, weight) for weight in weights]
    assert node.guess == reference.guess


def moments(tally):
    """The weight, the sum and the sum of squares of number labels, and the size of their terms."""
    for power in range(3):
        terms = [weight * ref.Fraction(label) ** power for label, weight in tally.items()]
        yield sum(terms), sum(map(abs, terms))


def guess_close_to(reference):
    if len(reference.tally) == 1:
        return float(reference.guess)  # equal labels are guessed exactly
    weight, (_, size), _ = moments(reference.tally)
    return close_to(reference.guess, size / weight[0])


def query_in_words(query):
    """A query of the core as plain data; a pivot as its text, which differs if one bit does."""
    match query:
        case None:
            return None
        case Below(feature, pivot, missing):
            return ("Below", feature.name, repr(pivot), (), missing)
        case EachValue(feature, codes, missing):
            groups = tuple((feature.choices[code],) for code in codes)
            return ("EachValue", feature.name, None, groups, missing)
        case OneOf(feature, codes, others, missing):
            groups = tuple(
                tuple(feature.choices[code] for code in side) for side in (codes, others)
            )
            return ("OneOf", feature.name, None, groups, missing)
        case IsMissing(feature):
            return ("IsMissing", feature.name, None, (), 0)


def reference_query_in_words(query):
    if query is None:
        return None
    pivot = None if query.pivot is None else repr(query.pivot)
    return (query.kind, query.column, pivot, query.groups, query.missing)


def compare_predictions(estimator, root, table, columns):
    number = {id(node): position for position, node in enumerate(ref.breadth_first(root))}
    stopped = [ref.stop(root, row) for row in table.rows(columns)]
    frame = table.frame(columns)
    assert estimator.apply(frame).tolist() == [number[id(node)] for node in stopped]
    guesses = estimator.predict(frame).tolist()
    assert guesses == [estimator.grown_tree_[number[id(node)]].guess for node in stopped]


def rows_at_pivots(root, table):
    """Rows at each pivot and just below it; their other values are those of the first row."""
    columns = {name: values[:1] for name, values in table.columns.items()}
    for node in ref.breadth_first(root):
        query = node.query
        if query is None or query.pivot is None:
            continue
        for value in values_at(query.pivot, table.kinds[query.column]):
            for name, values in columns.items():
                values.append(value if name == query.column else values[0])
    return columns


def values_at(pivot, kind):
    match kind:
        case "ordered":
            return [SIZES[math.ceil(pivot)], SIZES[math.ceil(pivot) - 1]]
        case "integer":
            return [math.ceil(pivot), math.ceil(pivot) - 1]
    return [pivot, math.nextafter(pivot, -math.inf)]
