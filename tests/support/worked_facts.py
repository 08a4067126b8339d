"""What textbooks work out by hand, and tables to check it with."""

from dataclasses import dataclass

import numpy as np
import polars as pl

import bough
from bough import datasets


@dataclass(frozen=True)
class Example:
    """The first query of a table by entropy. Numbers are written with the digits that must agree."""

    table: str
    source: str
    impurity: str
    gains: dict[str, str]
    first_query: str


EXAMPLES = [
    Example(
        table="office_rooms",
        source="office rooms text, the gain of each feature",
        impurity="1.0000",
        gains={"status": "0.6556", "floor": "0.0613", "department": "0.0000", "size": "0.0613"},
        first_query="status",
    ),
    Example(
        table="play_tennis",
        source="Mitchell, Machine Learning (1997), section 3.4.2",
        impurity="0.940",
        gains={"outlook": "0.247", "humidity": "0.152", "wind": "0.048", "temperature": "0.029"},
        first_query="outlook",
    ),
    Example(
        table="play_tennis_d15",
        source="Mitchell, Machine Learning (1997), section 3.7.1, the noisy fifteenth day",
        impurity="0.971",
        gains={"outlook": "0.280"},
        first_query="outlook",
    ),
    Example(
        table="six_rows",
        source="play tennis slides, information gain: 0.65 - 0.33",
        impurity="0.650",
        gains={"x1": "0.317", "x2": "0.191"},
        first_query="x1",
    ),
    Example(
        table="heart_disease_6",
        source="splitting-criterion slides, six patients",
        impurity="1.000",
        gains={"cholesterol": "0.459"},
        first_query="cholesterol",
    ),
    Example(
        table="commute",
        source="splitting-criterion slides, transport (the slides round on the way)",
        impurity="1.5052",
        gains={"raining": "0.1484", "leaving": "0.1302", "bringing": "0.5359", "tired": "0.5577"},
        first_query="tired",
    ),
    Example(
        table="eight_rows",
        source="splitting-criterion slides, error rate against mutual information",
        impurity="0.8113",
        gains={"x1": "0.0000", "x2": "0.3113"},
        first_query="x2",
    ),
    Example(
        table="one_bit",
        source="splitting-criterion slides, mutual information of one bit",
        impurity="1.0",
        gains={"x": "1.0"},
        first_query="x",
    ),
    Example(
        table="zero_bits",
        source="splitting-criterion slides, mutual information of no bit",
        impurity="1.0",
        gains={"x": "0.0"},
        first_query="x",
    ),
]

# How many rows the majority guess after a query gets right.
MAJORITY_SCORES = [
    (
        "play_tennis",
        "play tennis slides",
        {"outlook": 10, "temperature": 9, "humidity": 10, "wind": 9},
    ),
    (
        "heart_disease_5",
        "splitting-criterion slides, training errors 2/5, 2/5, 1/5",
        {"family_history": 3, "resting_blood_pressure": 3, "cholesterol": 4},
    ),
    ("eight_rows", "splitting-criterion slides, error rate 2/8 twice", {"x1": 6, "x2": 6}),
    (
        "course_ratings",
        "Daumé, A Course in Machine Learning, chapter 1: the counts of its table",
        {"seminar": 12, "graphics": 15, "systems": 18, "proofs": 14, "late": 13},
    ),
]
SCORES = [
    (table, feature, score)
    for table, _, scores in MAJORITY_SCORES
    for feature, score in scores.items()
]
GAINS = [(e.table, feature, gain) for e in EXAMPLES for feature, gain in e.gains.items()]


def table_of(example):
    return example.table


def grown(table, columns=None, rows=None, **settings):
    """Return a classifier grown from a teaching table, or from some columns and rows of it."""
    X, y = frame(table, columns, rows)
    return bough.DecisionTreeClassifier(**settings).fit(X, y)


def frame(table, columns=None, rows=None):
    teaching = datasets.load(table)
    X = pl.DataFrame(teaching.features)[list(columns or teaching.features)]
    y = np.array(teaching.labels)
    return (X, y) if rows is None else (X[rows], y[rows])


def to_digits(number, like):
    """Write a number with as many decimals as another text has."""
    decimals = len(like.partition(".")[2])
    return f"{number:.{decimals}f}"
