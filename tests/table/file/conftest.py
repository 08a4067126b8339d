"""Fixtures: files made in a folder of their own, so that messages show their bare names."""

import pytest

from bough.errors import DataError
from bough.table.file import read_file


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Write a file, and return its name."""
    monkeypatch.chdir(tmp_path)

    def make(content, name="x.csv"):
        data = content.encode() if isinstance(content, str) else content
        (tmp_path / name).write_bytes(data)
        return name

    return make


@pytest.fixture
def source(made):
    """Write a file, and read it."""

    def read(content, name="x.csv", **options):
        return read_file(made(content, name), **options)

    return read


@pytest.fixture
def message(made):
    """Write a file that cannot be read as a whole, and return what is said about it."""

    def said(content, name="x.csv", error=DataError, **options):
        with pytest.raises(error) as raised:
            read_file(made(content, name), **options)
        return str(raised.value)

    return said


@pytest.fixture
def cells(source):
    """Write a file, and return its cells as they stand there, row by row; None is missing."""

    def read(content, name="x.csv", **options):
        found = source(content, name, **options)
        columns = [found.text(number) for number in range(len(found.names))]
        texts = [[*column.values, None] for column in columns]
        return [
            [text[column.codes[row]] for text, column in zip(texts, columns, strict=True)]
            for row in range(found.n_rows)
        ]

    return read
