"""Random trees, and tables to read them with: the rows they were grown from, and rows with
more missing values and unseen ones."""

from dataclasses import replace
from functools import cache

import numpy as np
from random_tables import random_table

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.predict import all_guesses, stops
from bough.schema import MISSING, MISSING_INTEGER, UNSEEN, Kind
from bough.table import read_like

SEEDS = range(150)


@cache
def probed(seed):
    """Return a tree, the table that it was grown from, and a table of probes."""
    given = random_table(seed)
    kind = DecisionTreeRegressor if given.is_regression else DecisionTreeClassifier
    model = kind(types=given.types, **given.settings)
    model.fit(given.frame(), given.labels, sample_weight=given.weights)
    tree = model.grown_tree_
    table, probes = (read_like(given.frame(each), tree.schema) for each in (None, given.probes))
    if given.weights is not None:  # rows of weight 0 took no part
        table = table.rows(np.flatnonzero(given.weights))
    return tree, table, probes


def changed(table, row, changes):
    """Return the table of one row, after some features have got another value."""
    values = [each[[row]].copy() for each in table.values]
    for feature, value in changes.items():
        if table.features[feature].kind is Kind.NUMBER:
            values[feature] = values[feature].astype(float)  # it may have been an integer
        values[feature][0] = missing(table.features[feature]) if value is None else value
    return replace(table, values=tuple(values), n_rows=1)


def missing(feature):
    if feature.kind is Kind.NUMBER:
        return np.nan
    return MISSING_INTEGER if feature.kind.is_integer else MISSING


def guess(tree, table):
    """Return the number of the guessed class, or the guessed number, of a table of one row."""
    return all_guesses(tree)[stops(tree, table)[0], 0]


def is_met(condition, value):
    """Tell whether a value of a table meets a condition."""
    feature = condition.feature
    if value == missing(feature) or value != value:
        return condition.may_be_missing
    if not condition.may_be_known:
        return False
    if feature.choices and value == UNSEEN:
        return condition.low is condition.high is condition.codes is None
    return (
        (condition.low is None or value >= condition.low)
        and (condition.high is None or value < condition.high)
        and (condition.codes is None or value in condition.codes)
    )
