"""`typed_value.js`: what is typed in the page means what it means in the terminal."""

import pytest
from page_scripts import needs_node, run_scripts

from bough.errors import ParameterError
from bough.schema import Feature, Kind, Part
from bough.table.dates import MONTHS, WEEKDAYS
from bough.table.match_columns import typed

pytestmark = needs_node

NUMBERS = [
    "31", " 2.5 ", "-0", "+7", ".5", "5.", "1e3", "1E-3", "0.1", "9007199254740993", "1.7976931348623157e308",
    "5e-324", "", "abc", "1e400", "0x10", "1,5", "inf", "nan", "--1", "1 2",
]  # fmt: skip
INTEGERS = [
    "31", " -7 ", "+7", "9007199254740993", "-9223372036854775807", "9223372036854775807", "9223372036854775808",
    "2.5", "", "x", "1e3",
]  # fmt: skip
DATES = [
    "2024-02-29", "2024-02-29 13:45", "2024-02-29T13:45:10", "1969-12-31 23:59:59.999999", "0001-01-01",
    "9999-12-31", "2024-02-29 13", "2024-02-29T13:45:10.5", "2024-02-29T13:45:10,123", "2024-02-29T13:45Z",
    "2024-02-29T13:45:00+02:00", "2024-02-29T13:45:00-0530", "2024-02-29T23:45:00-05", "2023-02-29", "2024-13-01",
    "2024-02-30", "24-02-29", "2024-02-29 24:00", "2024-02-29 12:60", "2024-02-29T13:45:10.1234567", "", "today",
    "2024-02-29T13:45:10.1234560", "1700-03-01 05:06:07.000001",
]  # fmt: skip
FEATURES = [
    Feature("when", Kind.DATE, 0),
    Feature("when weekday", Kind.ORDERED, 0, Part.WEEKDAY, WEEKDAYS),
    Feature("when month", Kind.ORDERED, 0, Part.MONTH, MONTHS),
    Feature("when hour", Kind.NUMBER, 0, Part.HOUR),
]


def in_the_page(kind, texts):
    program = "return data.texts.map((text) => typedValue(data.kind, text) ?? null);"
    return run_scripts(["typed_value.js"], program, {"kind": kind, "texts": texts})


def in_the_terminal(feature, text):
    try:
        return typed([feature], 0, text)[0].item()
    except ParameterError:
        return None


@pytest.mark.parametrize(
    ("kind", "texts"),
    [(Kind.NUMBER, NUMBERS), (Kind.INTEGER, INTEGERS), (Kind.DATE, DATES)],
    ids=["numbers", "integers", "dates"],
)
def test_a_text_is_read_as_in_the_terminal(kind, texts):
    expected = [in_the_terminal(Feature("x", kind, 0), text) for text in texts]
    found = in_the_page(kind.value, texts)
    found = [int(each["integer"]) if isinstance(each, dict) else each for each in found]
    assert dict(zip(texts, found, strict=True)) == dict(zip(texts, expected, strict=True))


@pytest.mark.parametrize("text", [date for date in DATES if in_the_terminal(FEATURES[0], date)])
def test_weekday_month_and_hour_follow_from_a_date(text):
    features = [{"kind": f.kind.value, "part": f.part.value, "column": f.column} for f in FEATURES]
    program = "return [...valuesOf(data.features, 0, typedValue('date', data.text)).values()].map(Number);"
    found = run_scripts(["typed_value.js"], program, {"features": features, "text": text})
    values = typed(FEATURES, 0, text)
    assert found == [float(values[number].item()) for number in range(4)]


def test_the_parts_of_a_missing_date_are_missing():
    features = [{"kind": f.kind.value, "part": f.part.value, "column": f.column} for f in FEATURES]
    program = "return [...valuesOf(data, 0, null).values()];"
    assert run_scripts(["typed_value.js"], program, features) == [None] * 4
