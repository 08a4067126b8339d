"""The temporary folder, which files are read and written through."""

import os
import tempfile
from errno import ENOSPC
from pathlib import Path

import duckdb
import numpy as np
import pytest

from bough.table.column import Numbers
from bough.table.file import read_file
from bough.table.file.duckdb_engine import Database
from bough.table.file.write import write_table

ADVICE = "Free some space there, or set the variable TMPDIR to another folder."


@pytest.fixture
def rooms(tmp_path):
    path = tmp_path / "rooms.csv"
    path.write_text("size,height\n31,2.50\n18,2.40\n")
    return path


def message(action):
    with pytest.raises(OSError, match="cannot") as error:
        action()
    return str(error.value)


def full(*_, **__):
    raise OSError(ENOSPC, os.strerror(ENOSPC))


def test_a_full_temporary_folder_is_not_a_table_that_cannot_be_read(rooms, monkeypatch):
    monkeypatch.setattr("bough.table.file.csv.write_records", full)
    place = tempfile.gettempdir()
    assert message(lambda: read_file(rooms)) == (
        f"cannot write to the temporary folder {place!r}: No space left on device. {ADVICE}"
    )


def test_nor_is_it_where_a_table_is_written(rooms, monkeypatch, tmp_path):
    source = read_file(rooms)
    ask = Database.ask

    def asked(self, query):
        if not query.startswith("COPY"):
            return ask(self, query)
        try:
            raise duckdb.IOException(f'Could not write "x": {os.strerror(ENOSPC)}", "errno":"28"')
        except duckdb.Error as error:
            from bough.errors import DataError

            raise DataError("'rooms.csv' cannot be read.") from error

    monkeypatch.setattr(Database, "ask", asked)
    guesses = {"guess": Numbers(np.array([0.5, 1.0]))}
    place = tempfile.gettempdir()
    assert message(lambda: write_table(source, guesses, tmp_path / "new.csv")) == (
        f"cannot write to the temporary folder {place!r}: No space left on device. {ADVICE}"
    )
    assert not (tmp_path / "new.csv").exists()


def test_a_temporary_folder_that_is_not_there_is_named(rooms, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/absent")
    assert message(lambda: read_file(rooms)) == (
        f"cannot write to the temporary folder '/absent': No such file or directory. {ADVICE}"
    )


def test_a_table_that_is_not_there_is_still_what_cannot_be_read():
    assert message(lambda: read_file(Path("absent.csv"))) == (
        "cannot read 'absent.csv': No such file or directory."
    )
