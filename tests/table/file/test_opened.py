"""Files, gzip, the standard input; what is not there, and what is no table."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

import bough
from bough.errors import BudgetError, DataError
from bough.table.file import read_file
from bough.table.file.duckdb_engine import SETTINGS

ROWS = b"a,b\n1,2\n3,4\n"
CODE = """
import sys
from bough.table.file import read_file
print(read_file(sys.argv[1]).column(1).values.tolist())
"""


def run(code, *arguments, data=b""):
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input=data,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(Path(bough.__file__).parents[1])},
        check=True,
    ).stdout.decode()


@pytest.mark.parametrize(
    ("name", "text"),
    [("x.csv", ROWS), ("x.tsv", b"a\tb\n1\t2\n3\t4\n"), ("x", ROWS), ("-x.csv", ROWS)],
)
def test_a_file_is_read_whatever_its_name(source, name, text):
    assert source(text, name).column(1).values.tolist() == [2, 4]


@pytest.mark.parametrize("name", ["x.csv.gz", "x.csv"])
def test_gzip_is_unpacked_whatever_the_name(source, name):
    assert source(gzip.compress(ROWS), name).column(1).values.tolist() == [2, 4]


def test_json_lines_are_unpacked(source):
    assert source(gzip.compress(b'{"a":1}\n'), "x.jsonl.gz").names == ("a",)


@pytest.mark.parametrize("data", [ROWS, gzip.compress(ROWS)], ids=["plain", "packed"])
def test_what_is_piped_in_is_read(data):
    assert run(CODE, "-", data=data) == "[2, 4]\n"


def test_nothing_piped_in_is_refused():
    code = "from bough.table.file import read_file\ntry: read_file('-')\nexcept ValueError as error: print(error)"
    assert run(code) == "standard input is empty.\n"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not have such names")
@pytest.mark.parametrize("name", [b"caf\xe9.csv", b'it\'s "x"\n.csv', b"year=2020;x[0].csv"])
def test_odd_names_are_names(tmp_path, name):
    path = tmp_path / os.fsdecode(name)
    path.write_bytes(ROWS)
    assert read_file(str(path)).n_rows == 2


def test_nothing_is_left_behind(source, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "spool"))
    (tmp_path / "spool").mkdir()
    source(ROWS)
    assert list((tmp_path / "spool").iterdir()) == []


def test_duckdb_can_open_no_other_file(source, made):
    found = source(ROWS)
    made("secret", "y.txt")
    with pytest.raises(DataError, match="file system operations are disabled"):
        found.database.ask("SELECT * FROM read_text('y.txt')")


@pytest.mark.parametrize("setting", ["autoinstall_known_extensions", "autoload_known_extensions"])
def test_duckdb_takes_no_extension(source, setting):
    ((value,),) = source(ROWS).database.ask(f"SELECT current_setting('{setting}')").fetchall()
    assert value is False


def test_the_settings_of_duckdb_cannot_be_changed(source):
    with pytest.raises(DataError, match="configuration has been locked"):
        source(ROWS).database.ask("SET threads = 2")


@pytest.mark.parametrize("address", ["http://x.org/a.csv", "s3://x/a.parquet", "file:///a.csv"])
def test_addresses_are_refused(address):
    with pytest.raises(DataError) as raised:
        read_file(address)
    assert str(raised.value) == (
        f"{address!r} is an address, but bough reads only files. Download it first."
    )


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(FileNotFoundError) as raised:
        read_file("none.csv")
    assert str(raised.value) == "cannot read 'none.csv': No such file or directory."


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(IsADirectoryError) as raised:
        read_file(tmp_path)
    assert str(raised.value) == f"cannot read {str(tmp_path)!r}: Is a directory."


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(made):
    name = made(ROWS)
    Path(name).chmod(0)
    with pytest.raises(PermissionError) as raised:
        read_file(name)
    assert str(raised.value) == "cannot read 'x.csv': Permission denied."


def test_a_name_that_no_file_can_have_is_refused():
    with pytest.raises(DataError) as raised:
        read_file("a\0b")
    assert str(raised.value) == "'a\\x00b' is not a valid file name (embedded null byte)."


def test_damaged_gzip_is_refused(message):
    assert message(gzip.compress(ROWS)[:-4], "x.csv.gz") == (
        "'x.csv.gz' is damaged: its gzip does not unpack (Compressed file ended before the "
        "end-of-stream marker was reached)."
    )


def test_a_zip_file_is_refused(message):
    assert message(b"PK\x03\x04" + bytes(30), "x.zip") == (
        "'x.zip' is a zip file. Unpack it, and give the table in it; if it is an Excel file, name it "
        ".xlsx."
    )


def test_a_file_that_does_not_fit_into_memory_is_refused(message, monkeypatch):
    monkeypatch.setitem(SETTINGS, "memory_limit", "8MB")
    rows = "a,b\n" + "".join(f"{row},a text of some length {row}\n" for row in range(200_000))
    says = message(rows, error=BudgetError)
    assert says.startswith("'x.csv' does not fit into memory (Out of Memory Error: ")
