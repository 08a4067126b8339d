"""Excel files: the sheet, and what its cells mean."""

import builtins
import datetime as dt

import pytest

from bough.errors import DataError
from bough.table.column import Choices, Moments, Numbers
from bough.table.file import read_file

pytest.importorskip("python_calamine")
openpyxl = pytest.importorskip("openpyxl")


@pytest.fixture
def book(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.title = "Sales"
    for row in (["Report 2024"], [], ["price", "day", "paid", "zip", "fee"]):
        sheet.append(row)
    for i in range(3):
        day = dt.datetime(2024, 1, i + 1)
        sheet.append([i + 0.5, day, i == 1, f"0123{i}", f"${i},000"])
    made.create_sheet("Rates").append(["a", "b"])
    made["Rates"].append([0, "two\nlines"])
    made["Rates"].append([])
    made["Rates"].append([3, "x"])
    made.save("x.xlsx")
    return "x.xlsx"


def test_the_first_sheet_is_read(book):
    source = read_file(book)
    assert source.names == ("price", "day", "paid", "zip", "fee")
    price, day, paid, code, fee = map(source.column, range(5))
    assert isinstance(price, Numbers)
    assert price.values.tolist() == [0.5, 1.5, 2.5]
    assert isinstance(day, Moments)
    assert day.value(1) == "2024-01-02"
    assert isinstance(paid, Choices)
    assert paid.values == ("False", "True")
    assert code.values == ("01230", "01231", "01232")
    assert fee.values.tolist() == [0, 1000, 2000]
    assert [remark.text for remark in source.remarks if not remark.column] == [
        "1 line above the header left out: 'Report 2024,,,,'"
    ]
    assert source.where(0) == "row 4"


@pytest.mark.parametrize("sheet", ["Rates", "2"])
def test_another_sheet_is_named(book, sheet):
    source = read_file(book, sheet=sheet)
    assert source.column(0).values.tolist() == [0, 3]
    assert source.column(1).values == ("two\nlines", "x")
    assert [source.where(row) for row in range(2)] == ["row 2", "row 4"]


def test_a_sheet_that_is_not_there_is_refused(book):
    with pytest.raises(DataError) as raised:
        read_file(book, sheet="Rate")
    assert str(raised.value) == (
        "sheet='Rate' is not a sheet of 'x.xlsx'. Did you mean 'Rates'? Sheets: 'Sales' and 'Rates'."
    )


def test_a_damaged_file_is_refused(message):
    says = message(b"PK\x03\x04" + bytes(30), "x.xlsx")
    assert says.startswith("'x.xlsx' cannot be read as an Excel file (")


def test_without_its_package_the_extra_is_named(book, monkeypatch):
    importing = builtins.__import__

    def without(name, *rest):
        if name == "python_calamine":
            raise ImportError(name)
        return importing(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(DataError, match=r"pip install 'bough\[excel\]'"):
        read_file(book)
