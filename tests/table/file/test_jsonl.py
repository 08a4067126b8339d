"""JSON lines: an object on each line, whose keys are columns."""

import numpy as np
import pytest

from bough.errors import DataError, DataTypeError
from bough.table.column import Integers, Moments, Numbers
from bough.table.source import Remark


@pytest.fixture
def lines(source):
    """Read JSON lines."""

    def read(*texts, **options):
        return source("\n".join(texts) + "\n", "x.jsonl", **options)

    return read


def test_keys_are_columns_in_the_order_in_which_they_come_up(lines):
    assert lines('{"b":1,"a":2}', '{"c":3,"a":4}').names == ("b", "a", "c")


def test_values_keep_their_types(lines):
    found = lines(
        '{"n":1,"x":1.5,"b":true,"t":"01"}', '{"n":null,"x":2,"b":false,"t":""}', '{"b":null}'
    )
    number, real, boolean, text = (found.column(number) for number in range(4))
    assert isinstance(number, Integers)
    assert number.missing.tolist() == [False, True, True]
    assert isinstance(real, Numbers)
    assert real.values[:2].tolist() == [1.5, 2.0]
    assert (boolean.values, boolean.codes.tolist()) == ((False, True), [1, 0, -1])
    assert (text.values, text.codes.tolist()) == (("", "01"), [1, 0, -1])


def test_numbers_in_quotes_are_text(lines):
    assert lines('{"a":"1"}', '{"a":"2"}').column(0).values == ("1", "2")


def test_dates_in_quotes_are_dates(lines):
    found = lines('{"a":"2024-02-29"}').column(0)
    assert isinstance(found, Moments)
    assert found.values.astype("M8[us]") == np.datetime64("2024-02-29")


def test_integers_keep_every_digit(lines):
    found = lines('{"a":9007199254740993}').column(0)
    assert found.values.tolist() == [9007199254740993]


def test_marks_that_are_named_are_missing(lines):
    found = lines('{"a":"NA"}', '{"a":"x"}', missing_marks=("", "NA")).column(0)
    assert found.codes.tolist() == [-1, 0]


def test_keys_may_be_anything(lines):
    found = lines('{"a/b~c":1,"A":2,"a":3,"x\\"y":4,"é\\n":5}')
    assert found.names == ("a/b~c", "A", "a", 'x"y', "é\n")
    assert [found.column(number).values.tolist() for number in range(5)] == [
        [1],
        [2],
        [3],
        [4],
        [5],
    ]


def test_an_empty_key_gets_a_name_and_a_remark(lines):
    found = lines('{"a":1,"":2}')
    assert found.names == ("a", "column_2")
    assert found.remarks == (Remark("B111", "column_2", "column 2 has no name in the file"),)


def test_lines_are_those_of_an_editor(lines):
    assert lines('{"a":1}', "", '{"a":2}').where(1) == "line 3"


def test_a_file_that_begins_with_an_object_is_json_lines(source):
    assert source('{"a":1}\n', "x.txt").names == ("a",)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"a":', "'{\"a\":'"),
        ("[1]", "'[1]'"),
        ("3", "'3'"),
        ("x" * 50, repr("x" * 40 + "…")),
    ],
)
def test_a_line_that_is_no_object_is_refused(message, text, shown):
    assert message(f'{{"a":1}}\n{text}\n', "x.jsonl") == (
        f"line 2 of 'x.jsonl' is not a JSON object: {shown}. JSON lines have one object {{…}} "
        "per line."
    )


def test_a_list_of_objects_is_refused(message):
    assert message('[{"a":1}]', "x.json") == (
        "'x.json' is not JSON lines, which have one object {…} per line. Convert a list "
        "with: jq -c '.[]'"
    )


def test_a_key_that_comes_twice_is_refused(message):
    assert message('{"a":1}\n{"a":1,"a":2}\n', "x.jsonl") == (
        "line 2 of 'x.jsonl' has the key 'a' twice. Give every key once."
    )


def test_a_control_sign_is_refused(message):
    assert message('{"a":"\x1f"}\n', "x.jsonl") == (
        "line 1 of 'x.jsonl' is not JSON: it has a control character."
    )


@pytest.mark.parametrize(
    ("text", "says"), [("\n", "is empty."), ("{}\n", "has no columns: its objects are empty.")]
)
def test_nothing_is_refused(message, text, says):
    assert message(text, "x.jsonl") == f"'x.jsonl' {says}"


def test_a_column_that_mixes_types_is_refused(lines):
    found = lines('{"a":1}', '{"a":"x"}')
    with pytest.raises(DataError) as raised:
        found.column(0)
    assert str(raised.value) == (
        "column 'a' mixes numbers and text: numbers in line 1, text in line 2. "
        "Make all of them numbers or all text."
    )


@pytest.mark.parametrize("value", ["[1]", '{"b":1}'])
def test_a_column_of_lists_or_objects_is_refused(lines, value):
    found = lines('{"a":null}', f'{{"a":{value}}}')
    with pytest.raises(DataTypeError) as raised:
        found.column(0)
    assert str(raised.value) == (
        "column 'a' has a list or an object in line 2. Each cell of the argument must be a string, "
        "a number, a boolean, a date or missing."
    )
