"""What a trail asks of one feature."""

import pytest

from bough.explain.rules_and_conditions import Condition
from bough.query_kinds import Below, EachValue, IsMissing, OneOf
from bough.schema import Feature, Kind

AGE = Feature("age", Kind.NUMBER, 0)
SIZE = Feature("size", Kind.ORDERED, 1, choices=("S", "M", "L", "XL"))
CITY = Feature("city", Kind.CHOICE, 2, choices=("Bonn", "Cork", "Kiel"))
WHEN = Feature("when", Kind.DATE, 3)
DAY = 24 * 60 * 60 * 1_000_000


def after(feature, *answered):
    """Return the condition after some queries and their answers."""
    condition = Condition(feature)
    for query, answer in answered:
        condition = condition.narrowed(query, answer)
    return condition


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (after(AGE, (Below(AGE, 5.0), 0)), "age < 5"),
        (after(AGE, (Below(AGE, 5.0, missing=0), 0)), "age < 5 or missing"),
        (after(AGE, (Below(AGE, 5.0), 1), (Below(AGE, 9.5), 0)), "5 ≤ age < 9.5"),
        (after(AGE, (Below(AGE, 5.0), 1), (Below(AGE, 4.0), 1)), "age ≥ 5"),
        (after(AGE, (IsMissing(AGE), 0)), "age is missing"),
        (after(AGE, (IsMissing(AGE), 1)), "age is known"),
        (after(AGE, (Below(AGE, 5.0, missing=1), 1), (IsMissing(AGE), 1)), "age ≥ 5"),
        (after(SIZE, (Below(SIZE, 0.5), 1)), "size M or after"),
        (after(SIZE, (Below(SIZE, 0.5), 1), (Below(SIZE, 2.5), 0)), "size M to L"),
        (after(SIZE, (Below(SIZE, 0.5), 1), (Below(SIZE, 1.5), 0)), "size = M"),
        (
            after(WHEN, (Below(WHEN, 0.0), 1), (Below(WHEN, 31.0 * DAY), 0)),
            "1970-01-01 ≤ when < 1970-02-01",
        ),
        (after(CITY, (EachValue(CITY, (0, 1, 2)), 1)), "city = Cork"),
        (after(CITY, (EachValue(CITY, (0, 1), missing=2), 2)), "city is missing"),
        (after(CITY, (OneOf(CITY, (0, 2), (1,), missing=0), 0)), "city = Bonn, Kiel or missing"),
        (
            after(CITY, (OneOf(CITY, (0, 2), (1,)), 0), (OneOf(CITY, (0,), (2,)), 1)),
            "city = Kiel",
        ),
    ],
)
def test_a_condition_reads_as_one(condition, words):
    assert str(condition) == words


@pytest.mark.parametrize(
    ("condition", "value", "nearest"),
    [
        (after(AGE, (Below(AGE, 5.0), 1)), 3.0, 5.0),
        (after(AGE, (Below(AGE, 5.0), 1), (Below(AGE, 9.0), 0)), 3.0, 5.0),
        (after(AGE, (Below(AGE, 5.0), 1), (Below(AGE, 9.0), 0)), 30.0, 8.999999999999998),
        (after(AGE, (IsMissing(AGE), 0)), 3.0, None),
        (after(AGE, (IsMissing(AGE), 1)), None, 0),
        (after(SIZE, (Below(SIZE, 1.5), 0)), 3, 1),
        (after(SIZE, (Below(SIZE, 1.5), 1)), 0, 2),
        (after(WHEN, (Below(WHEN, 0.5), 0)), 99, 0),
        (after(CITY, (OneOf(CITY, (1, 2), (0,)), 0)), 0, 1),
        (after(CITY, (IsMissing(CITY), 1)), None, 0),
    ],
)
def test_the_nearest_value_is_the_first_that_meets_the_condition(condition, value, nearest):
    assert condition.nearest(value) == nearest


@pytest.mark.parametrize(
    "condition",
    [
        after(AGE, (Below(AGE, 5.0), 0), (Below(AGE, 7.0), 1)),
        after(AGE, (IsMissing(AGE), 0), (IsMissing(AGE), 1)),
        after(SIZE, (Below(SIZE, 1.2), 1), (Below(SIZE, 1.4), 0)),
        after(CITY, (EachValue(CITY, (0, 1)), 0), (EachValue(CITY, (0, 1)), 1)),
    ],
)
def test_a_condition_that_contradicts_itself_cannot_be_met(condition):
    assert not condition.can_be_met


def test_ends_are_plain_data():
    ordered = after(SIZE, (Below(SIZE, 0.5), 1), (Below(SIZE, 2.5), 0)).as_dict()
    dates = after(WHEN, (Below(WHEN, 31.0 * DAY), 0)).as_dict()
    assert (ordered["from"], ordered["below"], dates["below"]) == ("M", "XL", "1970-02-01")
