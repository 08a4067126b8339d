"""A file of many columns is read all at once, and as it would be column by column."""

import time

import numpy as np
import pytest

from bough.errors import DataError
from bough.table.file import cells, read_file
from bough.table.file.cells import WideCells

CELLS = (
    *("1", "-2", "3.5", "1e3", "", " 7", "+4", "007", "1_000", "9223372036854775808", "nan"),
    *("a", "É", "z", "𝒳", "B", "NA", "yes", "=1", "0", "1,5", "2024-01-02", "02/01/2024", "true"),
)


def as_text(column):
    return repr((type(column).__name__, column.kind, column.array(), column.missing_rows()))


def read_or_refused(source, number):
    try:
        return as_text(source.column(number))
    except DataError as error:
        return str(error)


def written(path, rng):
    """A table of 130 columns that mix few or many kinds of cells."""
    n_rows, n_columns = 12, 130
    columns = []
    for _ in range(n_columns):
        some = rng.choice(CELLS, rng.integers(1, 4), replace=False)
        columns.append(rng.choice(some, n_rows))
    names = ",".join(f"x{number}" for number in range(n_columns))
    rows = [
        ",".join(f'"{cell}"' if "," in cell else cell for cell in row)
        for row in zip(*columns, strict=True)
    ]
    path.write_text("\n".join([names, *rows]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("marks", [("",), ("", "NA", "z")])
def test_every_column_is_read_as_it_would_be_alone(tmp_path, monkeypatch, seed, marks):
    path = written(tmp_path / "wide.csv", np.random.default_rng(seed))
    wide = read_file(path, missing_marks=marks)
    monkeypatch.setattr(cells, "MOST_CELLS", 0)
    narrow = read_file(path, missing_marks=marks)
    assert type(wide.text.__self__) is WideCells is not type(narrow.text.__self__)
    assert wide.remarks == narrow.remarks
    for number in range(len(wide.names)):
        assert as_text(wide.text(number)) == as_text(narrow.text(number))
        assert read_or_refused(wide, number) == read_or_refused(narrow, number)


def test_five_thousand_columns_take_no_query_each(tmp_path):
    rng = np.random.default_rng(0)
    names = ",".join(f"x{number}" for number in range(5000))
    rows = [",".join(map(str, row)) for row in rng.integers(0, 99, (20, 5000)).tolist()]
    (tmp_path / "wide.csv").write_text("\n".join([names, *rows]) + "\n")
    start = time.process_time()
    source = read_file(tmp_path / "wide.csv")
    for number in range(5000):
        source.column(number)
    assert time.process_time() - start < 15  # one second on an idle machine, 40 by single queries
