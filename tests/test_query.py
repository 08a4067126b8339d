"""The four kinds of question: their answers, and how they read."""

import handmade
import pytest

from bough.query_kinds import Below, EachValue, IsMissing, OneOf, QueryKind
from bough.schema import Feature, Kind

AGE = Feature("age", Kind.NUMBER, 0)
IDENT = Feature("id", Kind.INTEGER, 0)
WHEN = Feature("when", Kind.DATE, 0)
SIZE = Feature("size", Kind.ORDERED, 0, choices=("S", "M", "L"))
CLASS = handmade.choice("class", "1st", "2nd", "3rd")

ANSWERS = [
    (Below(AGE, 11.0), ("< 11", "≥ 11")),
    (Below(AGE, 0.1 + 0.2), ("< 0.30000000000000004", "≥ 0.30000000000000004")),
    (Below(AGE, 11.5, missing=0), ("< 11.5 or missing", "≥ 11.5")),
    (Below(AGE, 11.5, missing=1), ("< 11.5", "≥ 11.5 or missing")),
    (Below(IDENT, 2**60 + 1), ("< 1152921504606846977", "≥ 1152921504606846977")),
    (Below(WHEN, 0.0), ("before 1970-01-01", "1970-01-01 or later")),
    (Below(SIZE, 0.5), ("before M", "M or after")),
    (Below(SIZE, 1.5, missing=1), ("before L", "L or after or missing")),
    (EachValue(CLASS, (0, 2)), ("= 1st", "= 3rd")),
    (EachValue(CLASS, (0, 2), missing=2), ("= 1st", "= 3rd", "is missing")),
    (OneOf(CLASS, (0, 1), (2,)), ("= 1st, 2nd", "= 3rd")),
    (OneOf(CLASS, (0,), (1, 2), missing=1), ("= 1st", "= 2nd, 3rd or missing")),
    (IsMissing(CLASS), ("is missing", "is known")),
]


@pytest.mark.parametrize(("query", "answers"), ANSWERS)
def test_a_query_knows_how_its_answers_read(query, answers):
    assert query.answers == answers


def test_a_pivot_is_said_with_all_its_digits():
    assert Below(AGE, 0.1 + 0.2).answers == ("< 0.30000000000000004", "≥ 0.30000000000000004")


def test_a_pivot_may_be_said_as_another_number_that_parts_the_rows_alike():
    query = Below(AGE, 0.1 + 0.2, shown=0.3)
    assert query.answers == ("< 0.3", "≥ 0.3")
    assert query == Below(AGE, 0.1 + 0.2)
    assert [query.is_shown_for(value) for value in (None, 0.2, 0.3, 0.4)] == [
        True,
        True,
        False,
        True,
    ]


def test_the_kinds_of_query_stand_in_the_order_of_ties():
    assert [kind.name for kind in sorted(QueryKind)] == [
        "BELOW",
        "EACH_VALUE",
        "ONE_OF",
        "IS_MISSING",
    ]
