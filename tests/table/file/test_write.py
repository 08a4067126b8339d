"""The rows of a file, written with columns added."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import bough
from bough.errors import DataError, ParameterError
from bough.schema import MISSING_INTEGER
from bough.table.column import Choices, Integers, Moments, Numbers
from bough.table.file import read_file
from bough.table.file.write import write_table

ROWS = 'size,zip,"a ""b"""\n1.50,01234,\n,?,"x,\ny"\n'
GUESSES = {"guess": Choices(("no", "yes"), np.array([1, 0], np.int32))}


def test_cells_are_written_as_they_stand(source):
    write_table(source(ROWS), GUESSES, "y.csv")
    assert Path("y.csv").read_text() == (
        'size,zip,"a ""b""",guess\n1.50,01234,,yes\n,?,"x,\ny",no\n'
    )


def test_stray_cells_and_marks_stay(source):
    rows = "a,b\n" + "".join(f"{number},1\n" for number in range(300)) + "?,NA\n"
    write_table(source(rows, missing_marks=("", "NA")), {}, "y.csv")
    assert Path("y.csv").read_text() == rows


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        (Numbers(np.array([0.1, np.nan])), ["0.1", ""]),
        (Integers(np.array([2**53 + 1, 0]), np.array([False, True])), ["9007199254740993", ""]),
        (Choices(("no", "yes"), np.array([-1, 1])), ["", "yes"]),
        (Choices((False, True), np.array([0, 1])), ["false", "true"]),
        (Choices((3, 7), np.array([0, 1])), ["3", "7"]),
        (Moments(np.array([0, MISSING_INTEGER])), ["1970-01-01 00:00:00", ""]),
    ],
)
def test_a_column_of_any_kind_can_be_added(source, column, cells):
    write_table(source("a,b\n1,2\n3,4\n"), {"c": column}, "y.csv")
    assert Path("y.csv").read_text() == f"a,b,c\n1,2,{cells[0]}\n3,4,{cells[1]}\n"


def test_a_tsv_file_has_tabs(source):
    write_table(source("a,b\n1,2\n3,4\n"), GUESSES, "y.tsv")
    assert Path("y.tsv").read_text() == "a\tb\tguess\n1\t2\tyes\n3\t4\tno\n"


def test_parquet_has_types(source):
    write_table(source("a,b,c\n1,2.5,01\n3,,02\n"), GUESSES, "y.parquet")
    assert pq.read_table("y.parquet").to_pylist() == [
        {"a": 1, "b": 2.5, "c": "01", "guess": "yes"},
        {"a": 3, "b": None, "c": "02", "guess": "no"},
    ]


def test_json_lines_have_types(source):
    write_table(source('{"a":true,"b":"1"}\n{"b":null}\n', "x.jsonl"), GUESSES, "y.jsonl")
    assert Path("y.jsonl").read_text() == (
        '{"a":true,"b":"1","guess":"yes"}\n{"a":null,"b":null,"guess":"no"}\n'
    )


def test_parquet_is_written_as_csv(source):
    write_table(source("a,b\n1,2\n3,4\n"), GUESSES, "y.parquet")
    write_table(read_file("y.parquet"), {}, "y.csv")
    assert Path("y.csv").read_text() == "a,b,guess\n1,2,yes\n3,4,no\n"


def test_a_file_is_packed(source):
    write_table(source("a,b\n1,2\n3,4\n"), GUESSES, "y.csv.gz")
    assert gzip.decompress(Path("y.csv.gz").read_bytes()) == b"a,b,guess\n1,2,yes\n3,4,no\n"


def test_the_standard_output_is_csv_with_the_delimiter_of_the_file(made):
    code = "import sys\nfrom bough.table.file import read_file\n"
    code += "from bough.table.file.write import write_table\n"
    code += "write_table(read_file(sys.argv[1]), {}, '-')"
    found = subprocess.run(
        [sys.executable, "-c", code, made("a;b\n1;2\n")],
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(Path(bough.__file__).parents[1])},
        check=True,
    )
    assert found.stdout == b"a;b\n1;2\n"


def test_names_that_differ_only_in_case_are_written(source):
    write_table(source("a,A\n1,2\n"), {}, "y.csv")
    assert Path("y.csv").read_text() == "a,A\n1,2\n"


def test_names_that_differ_only_in_case_are_refused_where_they_cannot_be_kept(source):
    with pytest.raises(DataError) as raised:
        write_table(source("a,A\n1,2\n"), {}, "y.parquet")
    assert str(raised.value) == (
        "the columns 'a' and 'A' of 'x.csv' differ only in case. Rename them, or write CSV."
    )


def test_a_column_of_the_file_is_not_overwritten(source):
    with pytest.raises(DataError) as raised:
        write_table(source("a,guess\n1,2\n3,4\n"), GUESSES, "y.csv")
    assert str(raised.value) == (
        "'x.csv' already has a column 'guess', which would be overwritten. Rename it."
    )


def test_other_formats_are_refused(source):
    with pytest.raises(ParameterError) as raised:
        write_table(source("a,b\n1,2\n"), {}, "y.xlsx")
    assert str(raised.value) == (
        "'y.xlsx' does not end with the name of a known format. Use one of '.csv', "
        "'.tsv', '.parquet' and '.jsonl', with or without '.gz'."
    )


def test_what_cannot_be_written_leaves_the_old_file(source, monkeypatch):
    found = source("a,b\n1,2\n")
    Path("y.csv").write_text("old")
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(OSError, match="No space left") as raised:
        write_table(found, {}, "y.csv")
    assert str(raised.value) == "cannot save 'y.csv': No space left. The old file is unchanged."
    assert Path("y.csv").read_text() == "old"


def test_nothing_is_left_behind(source, tmp_path, monkeypatch):
    (tmp_path / "spool").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "spool"))
    write_table(source("a,b\n1,2\n"), {}, "y.csv")
    assert list((tmp_path / "spool").iterdir()) == []


FORMULAS = "a,=b\n=1+1,-5\n@x,+1e3\n-x,plain\n"


def test_cells_that_a_spreadsheet_would_run_are_counted(source):
    assert write_table(source(FORMULAS), {}, "y.csv") == 3
    assert Path("y.csv").read_text() == FORMULAS


def test_cells_that_a_spreadsheet_would_run_are_made_safe_if_wished(source):
    assert write_table(source(FORMULAS), {}, "y.csv", excel_safe=True) == 0
    assert Path("y.csv").read_text() == "a,'=b\n'=1+1,-5\n'@x,+1e3\n'-x,plain\n"


def test_other_formats_run_nothing(source):
    assert write_table(source(FORMULAS), {}, "y.jsonl", excel_safe=True) == 0
    assert '"a":"=1+1"' in Path("y.jsonl").read_text()


def test_names_that_are_made_safe_may_meet_others(source):
    write_table(source("=a,'=a\nx,y\n"), {}, "y.csv", excel_safe=True)
    assert Path("y.csv").read_text() == "'=a,'=a\nx,y\n"
