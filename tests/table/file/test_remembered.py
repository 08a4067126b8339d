"""What a model remembers about its file as a whole: delimiter, encoding, marks, lines to skip."""

import pandas as pd
import pytest

import bough
from bough.errors import DataError
from bough.file_options import FileReading
from bough.table import read_like
from bough.table.file import read_file

ROWS = [(i % 50, "caf\u00e9" if i % 3 else "th\u00e9", "ab"[i % 50 > 20]) for i in range(200)]


def written(rows, sign=",", above="", *, header=True):
    lines = [f"x{sign}drink{sign}y"] if header else []
    return above + "\n".join([*lines, *(sign.join(map(str, row)) for row in rows), ""])


@pytest.fixture
def learnt(tmp_path):
    """Learn from a file, and return what evaluates the model on another."""

    def learn(text, target="y", **options):
        encoding = options.get("encoding", "utf-8")
        (tmp_path / "x.csv").write_text(text, encoding=encoding)
        result = bough.fit(tmp_path / "x.csv", target, **options)
        result.save(tmp_path / "m.json")
        model = bough.load(tmp_path / "m.json")

        def evaluate(new, written_in=encoding, **options):
            (tmp_path / "new.csv").write_text(new, encoding=written_in)
            return bough.evaluate(model, tmp_path / "new.csv", **options).n_rows

        return evaluate

    return learn


def test_an_encoding_is_remembered_and_utf_8_is_not_taken_for_it(learnt):
    evaluate = learnt(written(ROWS), encoding="latin-1")
    assert evaluate(written(ROWS[:9])) == 9
    with pytest.raises(DataError, match=r"is UTF-8, but the tree was grown from a file in latin-1"):
        evaluate(written(ROWS[:9]), "utf-8")
    assert evaluate(written(ROWS[:9]), "utf-8", encoding="utf-8") == 9


def test_a_delimiter_is_remembered_but_a_clear_other_one_is_seen(learnt):
    evaluate = learnt(written(ROWS, ":"), delimiter=":")
    assert evaluate(written(ROWS[:9], ":")) == 9
    assert evaluate(written(ROWS[:9], "\t")) == 9


def test_marks_are_remembered(learnt):
    rows = [("NA", *row[1:]) if i % 9 == 0 else row for i, row in enumerate(ROWS)]
    evaluate = learnt(written(rows), missing_marks="NA")
    assert evaluate(written([("NA", "x", "a")])) == 1
    with pytest.raises(DataError, match="has '-' in line 2, which is not a number"):
        evaluate(written([("-", "x", "a")]))
    assert evaluate(written([("-", "x", "a"), ("NA", "x", "a")]), missing_marks="-") == 2


def test_lines_to_skip_are_remembered(learnt):
    evaluate = learnt(written(ROWS, above="a,b,c\n1,2,3\n"), skip=2)
    assert evaluate(written(ROWS[:9], above="what,,\never,it,is\n")) == 9


def test_no_header_is_remembered(learnt):
    evaluate = learnt(written(ROWS, header=False), header=False, target="column_3")
    assert evaluate(written(ROWS[:9], header=False)) == 9


def test_a_comma_as_the_decimal_sign_is_that_of_all_columns(learnt):
    rows = [(f"{row[0]},5", i % 7, row[2]) for i, row in enumerate(ROWS)]
    evaluate = learnt(written(rows, ";"))
    assert evaluate(written([("3,5", "2,5", "a")], ";")) == 1  # there were whole numbers only
    with pytest.raises(DataError, match=r"'3\.5' in line 2"):
        evaluate(written([("3.5", "2", "a")], ";"))
    assert evaluate(written([("3.5", "2", "a")], ";"), decimal=".") == 1


def test_development_and_test_rows_are_written_as_training_rows_are(tmp_path):
    rows = [(f"{row[0]},5", i % 7, row[2]) for i, row in enumerate(ROWS)]
    (tmp_path / "x.csv").write_text(written(rows, ";"))
    (tmp_path / "test.csv").write_text(written([("3.5", 2, "a")] * 40, ";"))
    with pytest.raises(
        DataError, match=r"'3\.5' in line 2, but the tree was grown from numbers with"
    ):
        bough.fit(tmp_path / "x.csv", "y", test=tmp_path / "test.csv")


def test_json_lines_have_numbers_that_need_no_form(learnt, tmp_path):
    rows = [(f"{row[0]},5", i % 7, row[2]) for i, row in enumerate(ROWS)]
    learnt(written(rows, ";"))
    (tmp_path / "new.jsonl").write_text('{"x": 3.5, "drink": 2, "y": "a"}\n')
    model = bough.load(tmp_path / "m.json")
    assert bough.evaluate(model, tmp_path / "new.jsonl").n_rows == 1


def test_options_of_files_are_not_for_frames():
    frame = {"x": [1, 2] * 30, "y": ["a", "b"] * 30}
    with pytest.raises(
        bough.ParameterError, match="decimal is about files, but the table is of type"
    ):
        bough.check(frame, decimal=",")
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'decimals'"):
        bough.fit(frame, "y", decimals=",")


def test_skip_goes_past_any_line(tmp_path):
    (tmp_path / "x.csv").write_bytes(b'5" disks\r\nmore\r\na,b\r\n1,2\r\n')
    source = read_file(tmp_path / "x.csv", skip=2)
    assert (source.names, source.where(0)) == (("a", "b"), "line 4")
    with pytest.raises(DataError, match="has no line after the skip=9"):
        read_file(tmp_path / "x.csv", skip=9)


@pytest.fixture
def marked():
    """A table of words, some of which mean that there is none."""
    words = [("NA", "low", "high")[i % 3] for i in range(300)]
    return pd.DataFrame(
        {"x": words, "z": [i % 7 for i in range(300)], "y": ["ab"[w == "high"] for w in words]}
    )


def test_marks_are_remembered_of_a_parquet_file(tmp_path, marked):
    file = tmp_path / "x.parquet"
    marked.to_parquet(file)
    model = bough.fit(file, "y", missing_marks="NA")
    plain = bough.fit(file, "y")
    assert model.grown_tree_.schema.features[0].choices == ("high", "low")
    assert plain.grown_tree_.schema.features[0].choices == ("NA", "high", "low")
    source = read_file(file).like(model.grown_tree_.schema.reading)
    assert source.column(0).values == ("high", "low")
    model.save(tmp_path / "m.json")
    again = bough.load(tmp_path / "m.json")
    assert bough.evaluate(again, file).n_rows == 300
    assert bough.evaluate(again, marked).estimates == bough.evaluate(again, file).estimates


def test_marks_are_remembered_of_a_frame(tmp_path, marked):
    model = bough.fit(marked, "y", missing_marks="NA")
    model.save(tmp_path / "m.json")
    again = bough.load(tmp_path / "m.json")
    assert again.grown_tree_.schema.reading == FileReading(missing_marks=("NA",))
    marked.to_csv(tmp_path / "x.csv", index=False)
    for table in (marked, tmp_path / "x.csv"):
        assert read_like(table, again.grown_tree_.schema).missing(0).sum() == 100


def test_a_model_of_a_frame_finds_out_how_a_file_is_written(tmp_path):
    table = {"x": [i % 50 for i in range(200)], "y": ["ab"[i % 50 > 20] for i in range(200)]}
    model = bough.fit(table, "y", missing_marks="NA")
    (tmp_path / "x.csv").write_text('x,y\n"$1,050",b\n$30,b\nNA,b\n')
    assert bough.evaluate(model, tmp_path / "x.csv").n_rows == 3


def test_options_come_too_late_for_a_file_that_is_read(tmp_path):
    (tmp_path / "x.csv").write_text(written(ROWS))
    source = read_file(tmp_path / "x.csv")
    with pytest.raises(bough.ParameterError, match=r"missing_marks comes too late: .* read_file"):
        bough.fit(source, "y", missing_marks="NA")
    with pytest.raises(bough.ParameterError, match="does not go with a teaching table"):
        bough.fit(bough.datasets.load("play_tennis"), missing_marks="weak")


def advised(evaluate, cells, sign=",", **options):
    """Return what is said of a file whose cells contradict those of the model."""
    with pytest.raises(bough.SchemaError) as caught:
        evaluate(written([(f'"{cell}"', 1, "a") for cell in cells], sign), **options)
    return str(caught.value)


ADVICE = {
    "comma": [
        (["5.123", "3.5"], "say how this file is written: decimal='.'."),
        (["3,5", "5.123"], "'5.123' in line 3, but"),
        (["3,5", "5.123"], "say how this file is written: thousands='.'."),
        (["5.123"], "thousands='.' or decimal='.'."),
        (["3.5", "3,25"], "Its cells are written in several ways: write all of them like that."),
    ],
    "date": [
        (["01/14/2023"], "grown from dates such as 2024-12-31."),
        (["01/14/2023"], "is written: date_format='%m/%d/%Y'."),
        (["01/02/2023"], "date_format='%d/%m/%Y' or date_format='%m/%d/%Y'."),
        (["2023-01-14", "01/14/2023"], "Its cells are written in several ways"),
    ],
    "unit": [
        (["5 lb"], "grown from numbers with 'kg'. Write it like that."),
        (["5"], "grown from numbers with 'kg'. Write it like that."),
    ],
    "plain": [
        (["42,000"], "thousands=',' or decimal=','."),
        (["9", "1,000,000", "42,000"], "'1,000,000' in line 3"),
        (["42,000", "1,000,000"], "is written: thousands=','."),
    ],
}
WAYS = {
    "comma": lambda i: f"{i % 50},5",
    "date": lambda i: f"20{10 + i % 50 // 5}-03-{1 + i % 28:02}",
    "unit": lambda i: f"{i % 50} kg",
    "plain": lambda i: i % 50,
}


def in_way(way, sign):
    return written([(f'"{WAYS[way](i)}"', i % 7, row[2]) for i, row in enumerate(ROWS)], sign)


@pytest.mark.parametrize("way", WAYS)
def test_only_options_that_read_every_cell_are_advised(learnt, way):
    sign = ";" if way == "comma" else ","
    evaluate = learnt(in_way(way, sign))
    for cells, said in ADVICE[way]:
        assert said in advised(evaluate, cells, sign)


def test_a_refusal_is_true_of_the_model_whatever_the_options_say(learnt):
    assert advised(learnt(in_way("comma", ";")), ["3,5"], ";", decimal=".") == (
        "column 'x' has '3,5' in line 2, which is not one of the plain numbers such as 1234.5 that you "
        "say it has; the tree was grown from numbers with a decimal comma. So is this column: leave "
        "the option out."
    )
