"""Dates, times, and their parts."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bough.errors import DataError
from bough.schema import MISSING_INTEGER, Kind, Part
from bough.table import read

EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
MOMENT = dt.datetime(2024, 2, 29, 13, 14, 15, 16)
BERLIN = dt.timezone(dt.timedelta(hours=1))


def microseconds(moment):
    return (moment.replace(tzinfo=moment.tzinfo or dt.UTC) - EPOCH) // dt.timedelta(microseconds=1)


def features(X):
    table = read(X)
    return {
        feature.name: values.tolist()
        for feature, values in zip(table.features, table.values, strict=True)
    }


def message(X):
    with pytest.raises(DataError) as raised:
        read(X)
    return str(raised.value)


SOURCES = {
    "pandas": lambda cells: pd.DataFrame({"when": pd.Series(cells, dtype="datetime64[us]")}),
    "pandas ns": lambda cells: pd.DataFrame({"when": pd.Series(cells, dtype="datetime64[ns]")}),
    "pandas objects": lambda cells: pd.DataFrame({"when": pd.Series(cells, dtype=object)}),
    "polars": lambda cells: pl.DataFrame({"when": cells}),
    "polars ns": lambda cells: pl.DataFrame({"when": pl.Series(cells, dtype=pl.Datetime("ns"))}),
    "pyarrow": lambda cells: pa.table({"when": cells}),
    "dict": lambda cells: {"when": cells},
    "dict of arrays": lambda cells: {"when": np.array(cells, "M8[us]")},
    "dict of objects": lambda cells: {"when": [cells[0] and np.datetime64(cells[0]), None]},
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_a_time_is_read_as_microseconds_with_its_parts(source):
    assert features(source([MOMENT, None])) == {
        "when": [microseconds(MOMENT), MISSING_INTEGER],
        "when weekday": [3, -1],
        "when month": [1, -1],
        "when hour": [13.0, pytest.approx(np.nan, nan_ok=True)],
    }


@pytest.mark.parametrize(
    "X",
    [
        {"when": [dt.date(2024, 2, 29), None]},
        pl.DataFrame({"when": [dt.date(2024, 2, 29), None]}),
        pa.table({"when": [dt.date(2024, 2, 29), None]}),
        pa.table({"when": pa.array([dt.date(2024, 2, 29), None], pa.date64())}),
        pd.DataFrame({"when": [dt.date(2024, 2, 29), None]}),
        pd.DataFrame({"when": pd.array([dt.date(2024, 2, 29), None], "date32[pyarrow]")}),
    ],
    ids=["dict", "polars", "pyarrow", "pyarrow date64", "pandas objects", "pandas arrow"],
)
def test_dates_without_a_time_of_day_have_no_hour(X):
    assert features(X) == {
        "when": [microseconds(dt.datetime(2024, 2, 29)), MISSING_INTEGER],
        "when weekday": [3, -1],
        "when month": [1, -1],
    }


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame({"when": pd.to_datetime([MOMENT]).tz_localize(BERLIN)}),
        pd.DataFrame({"when": pd.Series([MOMENT.replace(tzinfo=BERLIN)], dtype=object)}),
        pl.DataFrame({"when": [MOMENT]}).select(
            pl.col("when").dt.replace_time_zone("Europe/Berlin")
        ),
        pa.table({"when": pa.array([MOMENT.replace(tzinfo=BERLIN)], pa.timestamp("us", "+01:00"))}),
        {"when": [MOMENT.replace(tzinfo=BERLIN)]},
    ],
    ids=["pandas", "pandas objects", "polars", "pyarrow", "dict"],
)
def test_times_with_a_time_zone_are_read_in_utc(X):
    found = features(X)
    assert found["when"] == [microseconds(MOMENT.replace(tzinfo=BERLIN))]
    assert found["when hour"] == [12.0]


def test_a_column_of_missing_times_is_a_date():
    assert features({"when": np.array(["NaT", "NaT"], "M8[s]")}) == {
        "when": [MISSING_INTEGER, MISSING_INTEGER],
        "when weekday": [-1, -1],
        "when month": [-1, -1],
    }


def test_the_parts_of_a_date_are_ordered_by_the_calendar():
    _, weekday, month, hour = read({"when": [MOMENT]}).features
    assert (weekday.kind, weekday.part, weekday.choices[0]) == (
        Kind.ORDERED,
        Part.WEEKDAY,
        "Monday",
    )
    assert (month.kind, month.part, month.choices[-1]) == (Kind.ORDERED, Part.MONTH, "December")
    assert (hour.kind, hour.part, hour.choices) == (Kind.NUMBER, Part.HOUR, ())
    assert (len(weekday.choices), len(month.choices)) == (7, 12)


def test_parts_agree_with_the_calendar_of_python():
    rng = np.random.default_rng(0)
    moments = [
        dt.datetime(1, 1, 1) + dt.timedelta(seconds=int(seconds))
        for seconds in rng.integers(0, 9999 * 365 * 86400, 300)
    ]
    assert features({"when": moments}) == {
        "when": [microseconds(moment) for moment in moments],
        "when weekday": [moment.weekday() for moment in moments],
        "when month": [moment.month - 1 for moment in moments],
        "when hour": [moment.hour for moment in moments],
    }


def test_a_part_does_not_take_the_name_of_a_column():
    table = read({"when": [dt.date(2024, 2, 29)], "when month": ["a"]})
    assert [feature.name for feature in table.features] == [
        "when",
        "when weekday",
        "when month (derived)",
        "when month",
    ]


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame(
            {
                "when": pd.to_datetime(
                    ["2024-01-01", "2024-01-01 00:00:00.000000001"], format="ISO8601"
                )
            }
        ),
        pd.DataFrame({"when": pd.Series([None, pd.Timestamp(1)], dtype=object)}),
        {"when": np.array([0, 1], "M8[ns]")},
        {"when": [np.datetime64(0, "s"), np.datetime64(1, "ps")]},
    ],
    ids=["pandas", "pandas objects", "array", "numpy objects"],
)
def test_times_finer_than_a_microsecond_are_refused(X):
    assert message(X) == (
        "column 'when' has a time finer than a microsecond in row 1. "
        "Round its times to microseconds."
    )


def test_dates_that_no_calendar_holds_are_refused():
    assert message({"when": np.array(["2020", "12020"], "M8[Y]")}) == (
        "column 'when' has a date outside the years 1 to 9999 in row 1. "
        "Mark it as missing, or give numbers."
    )


def test_a_time_that_leaves_the_calendar_in_utc_is_refused():
    moment = dt.datetime(1, 1, 1, tzinfo=BERLIN)
    words = (
        "column 'when' has a date outside the years 1 to 9999 in row 1. "
        "Mark it as missing, or give numbers."
    )
    assert message({"when": [None, moment]}) == words
    with pytest.raises(DataError) as raised:
        read({"when": [None, moment.isoformat()]}, types={"when": "date"})
    assert str(raised.value) == words


def test_times_with_and_without_a_time_zone_do_not_mix():
    assert message({"when": [None, MOMENT, MOMENT.replace(tzinfo=BERLIN)]}) == (
        "column 'when' mixes times with a time zone (first in row 2) and without one (first in "
        "row 1). Give all of them a time zone, or none."
    )


@pytest.mark.parametrize(
    ("X", "found"),
    [
        (pl.DataFrame({"when": [dt.time(1)]}), "the type Time"),
        (pa.table({"when": [dt.timedelta(1)]}), "the type Duration(time_unit='us')"),
        (pd.DataFrame({"when": [dt.timedelta(1)]}), "the type Duration(time_unit='us')"),
        ({"when": [None, dt.time(1)]}, "a value of type 'time' in row 1"),
        ({"when": [np.timedelta64(1, "s")]}, "a value of type 'timedelta64' in row 0"),
    ],
)
def test_times_of_day_and_durations_are_refused(X, found):
    assert message(X) == (
        f"column 'when' has {found}, but times of day and durations are not supported. "
        "Convert them to numbers, such as seconds."
    )
