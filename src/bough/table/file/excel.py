"""Reads a sheet of an Excel file, whose cells are taken as the text that a CSV file would have."""

import csv
import datetime as dt
import io
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bough.errors import Argument, DataError, did_you_mean, listed, needs_package
from bough.file_options import FileReading
from bough.table.file.columns import TextTable
from bough.table.file.csv import read_csv
from bough.table.file.open_file import BLOCK, Format, OpenFile


def read_excel(
    given: OpenFile, said: FileReading, folder: Path, before: FileReading | None = None
) -> TextTable:
    """Return the table in a sheet of an Excel file."""
    told = said.like(before)
    cells = _cells(given, told.sheet)
    columns = [number for number, column in enumerate(zip(*cells, strict=True)) if _has_any(column)]
    text, starts, rows = io.StringIO(), [1], []
    writer = csv.writer(text, lineterminator="\n")
    decimal = told.decimal or "."
    for row, values in enumerate(cells, start=1):
        words = [_word(values[number], decimal) for number in columns]
        if any(words):
            writer.writerow(words)
            rows.append(row)
            starts.append(starts[-1] + 1 + "".join(words).count("\n"))
    stream = io.BufferedReader(io.BytesIO(text.getvalue().encode()))
    as_csv = replace(said, delimiter=",", quote='"', encoding="utf-8")
    found = read_csv(OpenFile(given.name, stream, Format.CSV, None), as_csv, folder, before)

    def where(row: int) -> str:
        line = int(found.where(row).removeprefix("line "))
        return f"row {rows[int(np.searchsorted(starts, line, side='right')) - 1]}"

    usual = replace(found.said, delimiter=None, quote=None, encoding=None)
    return replace(found, where=where, said=usual)


def _cells(given: OpenFile, sheet: str | None) -> list[list[Any]]:
    """Return the cells of a sheet, all rows from the first."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        needs = needs_package("python-calamine", "'bough[excel]'")
        raise DataError(
            f"{given.name} is an Excel file, which{needs}, or save the table as CSV."
        ) from None
    content = bytearray()
    while block := given.stream.read(BLOCK):
        content += block
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(bytes(content)))
        name = _sheet(book.sheet_names, sheet, given.name)
        cells: list[list[Any]] = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
    except CalamineError as error:
        raise DataError(f"{given.name} cannot be read as an Excel file ({error}).") from error
    if not any(map(_has_any, cells)):
        raise DataError(f"the sheet {name!r} of {given.name} is empty.")
    return cells


def _has_any(cells: Iterable[Any]) -> bool:
    return any(cell != "" for cell in cells)


def _sheet(names: Sequence[str], wanted: str | None, file: str) -> str:
    if wanted is None:
        return names[0]
    if wanted in names:
        return wanted
    if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return names[int(wanted) - 1]
    raise DataError(
        Argument("sheet", wanted), f" is not a sheet of {file}.{did_you_mean(wanted, names)} "
        f"Sheets: {listed(names)}.",
    )  # fmt: skip


def _word(value: object, decimal: str) -> str:
    """Return a cell as text: whole numbers without decimals, dates in the ISO form."""
    if isinstance(value, float):
        number = str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
        return number.replace(".", decimal)
    if isinstance(value, dt.datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    return str(value)
