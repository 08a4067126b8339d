"""How a file was read, in a model file."""

import json

import pytest

import bough
from bough.errors import ModelFormatError
from bough.exports.model_file import dumps, load, loads
from bough.file_options import Form


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    file = tmp_path_factory.mktemp("model") / "x.csv"
    rows = [f"{i},{i % 7}5;{i % 12 + 1}/{i % 28 + 1}/2024;{'ab'[i % 7 > 3]}" for i in range(80)]
    file.write_text("price;day;y\n" + "\n".join([*rows, "1,5;2/30/2024;"][:80]) + "\n")
    result = bough.fit(file, "y", missing_marks="?", date_format="%m/%d/%Y")
    result.save(file.with_suffix(".bough.json"))
    return load(file.with_suffix(".bough.json"))


def changed(model, **parts):
    document = json.loads(dumps(model))
    document["schema"]["reading"] |= parts
    return json.dumps(document).encode()


def test_it_is_kept(model):
    reading = model.tree.schema.reading
    assert (reading.delimiter, reading.decimal, reading.missing_marks) == (";", ",", ("?",))
    assert reading.columns == {
        "price": Form(decimal=","),
        "day": Form(dates=("%m/%d/%Y",)),
    }
    assert loads(dumps(model)).tree.schema.reading == reading


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"delimiter": ";;"}, "schema.reading: delimiter=';;' must be one ASCII character"),
        ({"delimiter": 3}, "schema.reading.delimiter must be text"),
        ({"encoding": "x"}, "is not a known encoding"),
        ({"skip": -1}, "schema.reading.skip is -1; it must be 0 or more"),
        ({"header": "no"}, "schema.reading.header"),
        ({"short_rows": "no"}, "schema.reading.short_rows"),
        ({"colour": 1}, "colour"),
        ({"columns": {"price": {"decimal": ";"}}}, "has an unknown sign between digits"),
        ({"columns": {"price": {"decimal": ".", "thousands": "."}}}, "has the same sign"),
        ({"columns": {"price": {"dates": ["soon"]}}}, "is not a format of dates"),
        ({"encoding": ""}, "is not a known encoding"),
        ({"date_format": ["%d"]}, "is not a format of dates"),
        ({"columns": {"day": {"dates": ["%H:%M"]}}}, "is not a format of dates"),
        ({"columns": {"price": {"after": [""]}}}, "has '' beside numbers"),
        ({"columns": {"price": {"before": "$1"}}}, "has '$1' beside numbers"),
        ({"columns": ["price"]}, "schema.reading.columns"),
        (
            {"columns": {"x": {}}},
            "schema.reading.columns has 'x', a column that the model does not use.",
        ),
        (
            {"strays": {"x": ["1a"]}},
            "schema.reading.strays has 'x', a column that the model does not use.",
        ),
    ],
)
def test_what_cannot_be_is_refused(model, parts, says):
    with pytest.raises(ModelFormatError) as raised:
        loads(changed(model, **parts))
    assert says in str(raised.value)


def test_a_model_of_a_frame_has_none():
    result = bough.fit({"x": [1, 2, 3] * 20, "y": ["a", "b", "b"] * 20}, "y")
    assert b'"reading"' not in dumps(result.saved)
