"""What a person types becomes the value that a table would hold."""

import datetime as dt

import handmade
import numpy as np
import pytest

import bough
from bough.errors import ParameterError, SchemaError
from bough.schema import MISSING, MISSING_INTEGER, Feature, Kind, Label, Part, Schema
from bough.table import typed_row
from bough.table.dates import MONTHS, WEEKDAYS

FEATURES = (
    Feature("age", Kind.NUMBER, 0),
    Feature("id", Kind.INTEGER, 1),
    Feature("sex", Kind.CHOICE, 2, choices=("Female", "male")),
    Feature("size", Kind.ORDERED, 3, choices=("S", "M", "L")),
    Feature("grade", Kind.CHOICE, 4, choices=(1, 2, 30)),
    Feature("paid", Kind.CHOICE, 5, choices=(False, True)),
    Feature("when", Kind.DATE, 6),
    Feature("when weekday", Kind.ORDERED, 6, Part.WEEKDAY, WEEKDAYS),
    Feature("when month", Kind.ORDERED, 6, Part.MONTH, MONTHS),
    Feature("when hour", Kind.NUMBER, 6, Part.HOUR),
    Feature("mark", Kind.CHOICE, 7, choices=("", " x", "A", "a")),
)
COLUMNS = ("age", "id", "sex", "size", "grade", "paid", "when", "mark")
SCHEMA = Schema(COLUMNS, FEATURES, (Label("y"),))
MARCH_2 = 19784 * 24 * 60 * 60 * 1_000_000


def typed(**given):
    """Return what one feature holds after something was typed for it."""
    (name,) = given
    row = typed_row(given, SCHEMA)
    return row.values[[feature.name for feature in FEATURES].index(name)].tolist()[0]


@pytest.mark.parametrize(
    ("name", "value", "held"),
    [
        ("age", "31.5", 31.5),
        ("age", " 31 ", 31.0),
        ("age", 7, 7.0),
        ("id", "9007199254740993", 2**53 + 1),
        ("sex", "male", 1),
        ("sex", "female", 0),
        ("sex", " Male ", 1),
        ("size", "M", 1),
        ("grade", "30", 2),
        ("grade", 2, 1),
        ("paid", "true", 1),
        ("paid", False, 0),
        ("when", "2024-03-02", MARCH_2),
        ("when", dt.date(2024, 3, 2), MARCH_2),
        ("when", dt.datetime(2024, 3, 2, 0, 0, 1), MARCH_2 + 10**6),
        ("mark", "", 0),
        ("mark", " x", 1),
        ("mark", "x", None),
        ("mark", "A", 2),
        ("mark", "a", 3),
    ],
)
def test_a_value_is_read_as_its_feature_holds_it(name, value, held):
    if held is None:
        with pytest.raises(ParameterError):
            typed(**{name: value})
    else:
        assert typed(**{name: value}) == held


def test_a_date_gives_its_parts():
    row = typed_row({"when": "2024-03-02 13:45"}, SCHEMA)
    assert [each.tolist() for each in row.values[7:10]] == [[5], [2], [13.0]]


def test_a_part_of_a_date_stands_alone():
    row = typed_row({"when weekday": "Sunday"}, SCHEMA)
    assert [each.tolist() for each in row.values[6:9]] == [[MISSING_INTEGER], [6], [MISSING]]


def test_what_is_not_typed_is_missing():
    values = typed_row({}, SCHEMA).values
    assert np.isnan(values[0][0])
    assert [each[0] for each in values[1:4]] == [MISSING_INTEGER, MISSING, MISSING]


def test_none_is_missing():
    assert typed(sex=None) == MISSING
    assert typed(when=None) == MISSING_INTEGER


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("age", "old", "age='old' is not a number. Type one such as 31 or 2.5."),
        ("age", "nan", "age='nan' is not a number. Type one such as 31 or 2.5."),
        ("age", "1e999", "age='1e999' is not a number. Type one such as 31 or 2.5."),
        ("id", "x", "id='x' is not a whole number of 64 bits. Type one such as 31."),
        ("id", 2**63, f"id={2**63} is not a whole number of 64 bits. Type one such as 31."),
        (
            "when",
            "soon",
            "when='soon' is not a date. Type one such as 2024-02-29 or 2024-02-29 13:45.",
        ),
        (
            "sex",
            "femal",
            "sex='femal' is not a value that the tree knows. Did you mean 'Female'? "
            "Known: 'Female' and 'male'.",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(name, value, message):
    with pytest.raises(ParameterError) as raised:
        typed_row({name: value}, SCHEMA)
    assert str(raised.value) == message


def test_an_unknown_feature_is_named():
    with pytest.raises(SchemaError) as raised:
        typed_row({"outlok": "Rain"}, handmade.play_tennis().schema)
    assert str(raised.value) == (
        "'outlok' is not a feature of the tree. Did you mean 'outlook'? It has "
        "'outlook', 'temperature', 'humidity' and 'wind'."
    )


def test_what_is_typed_is_read_as_the_file_was(tmp_path):
    lines = [
        f'"${i % 50},000",{1 + i % 28}/{1 + i % 12}/2024,{"ab"[i % 50 > 20]}' for i in range(300)
    ]
    (tmp_path / "x.csv").write_text("\n".join(["income,day,y", *lines, ""]))
    schema = bough.fit(tmp_path / "x.csv", "y", missing_marks="NA").grown_tree_.schema
    for income, day in (
        ("$5,000", "3/4/2024"),
        ("5000", "2024-04-03"),
        ("$5000", "03/04/2024 00:00"),
    ):
        table = typed_row({"income": income, "day": day}, schema)
        assert table.values[0].item() == 5000
        assert table.values[1].item() == np.datetime64("2024-04-03", "us").astype(int)
    assert typed_row({"income": "NA"}, schema).missing(0).all()
