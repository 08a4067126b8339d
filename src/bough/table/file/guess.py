"""Guesses what a column of texts means: numbers, dates or just text."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isinf
from typing import Any

import numpy as np

from bough.errors import DataError
from bough.table.column import MISSING, STRAY_CELLS, Choices, Column, Remark, Where, recoded
from bough.table.file.cells import Cells
from bough.table.file.forms import (
    COMMA_NUMBERS,
    DATES,
    DAY_FIRST,
    MONTH_FIRST,
    NUMBERS,
    Form,
    may_be_thousands,
)
from bough.table.retype import INTEGER

MOST_STRAYS = 0.01  # of the cells of a column of numbers
MOSTLY = 0.5
MOST_SHOWN = 3
CODE = re.compile(r"0[0-9]+")


@dataclass(frozen=True, eq=False)
class TextColumn:
    """A column of a file, and what messages call its rows."""

    cells: Cells
    number: int
    name: str
    where: Where

    def place(self, text: str) -> str:
        """Return a text and where it stands first."""
        return f"{text!r} in {self.where(self.cells.first_row(self.number, text))}"


@dataclass(frozen=True, eq=False)
class Guess:
    """How a column is read, and what there is to say about it."""

    column: Callable[[], Column]
    remarks: tuple[Remark, ...] = ()
    typed: str = ""
    """The column in SQL, where it is not text there."""


@dataclass(frozen=True, eq=False)
class Reading:
    """The texts of a column in one form: what each says, and how many cells say something."""

    form: Form
    plain: Sequence[str | None]
    share: float

    def texts(self, column: TextColumn, *, read: bool) -> list[str]:
        """Return the texts that say something in this form, or those that do not."""
        texts = column.cells.words(column.number).texts
        both = zip(texts, self.plain, strict=True)
        return [text for text, plain in both if (plain is not None) == read]


def guess(column: TextColumn, *, comma_is_decimal: bool) -> Guess:
    """Return how a column is read.

    Parameters
    ----------
    column
        The column.
    comma_is_decimal
        Whether a comma can only be a decimal one, as where semicolons part the cells.
    """
    cells, number = column.cells, column.number
    look = cells.looks[number]
    if look.n_known == 0:
        return _text(column)
    if not look.is_number or (look.largest >= 2.0**63 and not look.n_broken):
        return _guess_words(column, comma_is_decimal=comma_is_decimal)
    if look.n_codes:
        return _codes(column)
    known = cells.known(number)
    if look.n_broken:
        return Guess(lambda: cells.numbers(number), typed=f"CAST({known} AS DOUBLE)")
    return Guess(lambda: cells.integers(number), typed=f"CAST({known} AS BIGINT)")


def guess_date(column: TextColumn) -> Guess:
    """Return how a column is read that is text or a date, whatever its texts look like."""
    readings = [_reading(column, form) for form in DATES]
    return _guess_date(column, readings) or _mixture(column, readings)


def _guess_words(column: TextColumn, *, comma_is_decimal: bool) -> Guess:
    numbers, commas = _reading(column, NUMBERS), _reading(column, COMMA_NUMBERS)
    if numbers.share >= 1 - MOST_STRAYS:
        if any(CODE.fullmatch(text) for text in numbers.plain if text):
            return _codes(column)
        return _long_integers(column) if _has_long_integers(numbers) else _read(column, numbers)
    if commas.share >= 1 - MOST_STRAYS:
        texts = commas.texts(column, read=True)
        if comma_is_decimal or not may_be_thousands(texts):
            return _read(column, commas)
        example = column.place(next(text for text in texts if "," in text))
        return _text(
            column,
            f"kept as text: {example} may have a decimal comma or thousands. Write 1.234 or 1234",
        )
    dates = [_reading(column, form) for form in DATES]
    return _guess_date(column, dates) or _mixture(column, [numbers, commas, *dates])


def _guess_date(column: TextColumn, readings: Sequence[Reading]) -> Guess | None:
    whole = {reading.form: reading for reading in readings if reading.share == 1}
    if not whole:
        return None
    if DAY_FIRST in whole and MONTH_FIRST in whole:
        days, months = whole[DAY_FIRST].plain, whole[MONTH_FIRST].plain
        unclear = [number for number, text in enumerate(days) if text != months[number]]
        if unclear:
            text = column.cells.words(column.number).texts[unclear[0]]
            return _text(
                column,
                f"kept as text: day and month cannot be told apart in {column.place(text)}. Write "
                "2024-12-31",
            )
    return _read(column, next(iter(whole.values())))


def _reading(column: TextColumn, form: Form) -> Reading:
    texts, counts = column.cells.words(column.number)
    plain = [form.plain(text) for text in texts]
    is_read = np.array([text is not None for text in plain])
    return Reading(form, plain, float(counts[is_read].sum() / counts.sum()))


def _read(column: TextColumn, reading: Reading) -> Guess:
    remarks = []
    if reading.share < 1:
        remarks.append(_stray_cells(column, reading))
    if reading.form.remark:
        text = next(text for text in reading.texts(column, read=True) if not text.isdigit())
        said = reading.form.remark.format(text=repr(text))
        remarks.append(Remark("B111", column.name, said, {"types": {column.name: "category"}}))
    return Guess(lambda: _column(column, reading), tuple(remarks))


def _column(column: TextColumn, reading: Reading) -> Column:
    texts = [text for text in reading.plain if text is not None]
    if reading.form is NUMBERS:
        _refuse_infinity(column, reading)
    raw = column.cells.choices(column.number)
    position = iter(range(len(texts)))
    positions = [MISSING if text is None else next(position) for text in reading.plain]
    return reading.form.column(Choices(tuple(texts), recoded(raw.codes, positions)), column.name)


def _refuse_infinity(column: TextColumn, reading: Reading) -> None:
    texts = column.cells.words(column.number).texts
    for text, plain in zip(texts, reading.plain, strict=True):
        if plain is not None and isinf(float(plain)):
            raise DataError(
                f"column {column.name!r} has {column.place(text)}, which is not a finite number. "
                f"Correct the cell, or make it missing: missing_marks=('', {text!r})."
            )


def _has_long_integers(reading: Reading) -> bool:
    numbers = [text for text in reading.plain if text is not None]
    if not all(INTEGER.fullmatch(text) for text in numbers):
        return False
    return any(len(text) > 20 or abs(int(text)) >= 2**63 for text in numbers)


def _text(
    column: TextColumn, remark: str = "", code: str = "B111", fix: Mapping[str, Any] | None = None
) -> Guess:
    remarks = (Remark(code, column.name, remark, fix or {}),) if remark else ()
    return Guess(lambda: column.cells.choices(column.number), remarks)


def _codes(column: TextColumn) -> Guess:
    texts = column.cells.words(column.number).texts
    code = next(text for text in texts if CODE.fullmatch(text.strip(" \t")))
    remark = f"kept as text because of its zeros in front, as in {column.place(code)}"
    return _text(column, remark, "B106", {"types": {column.name: "number"}})


def _long_integers(column: TextColumn) -> Guess:
    text = max(column.cells.words(column.number).texts, key=len)
    return _text(column, f"kept as text: {column.place(text)} has more than 64 bits", "B106")


def _stray_cells(column: TextColumn, reading: Reading) -> Remark:
    is_stray = np.array([text is None for text in reading.plain])
    count = int(column.cells.words(column.number).counts[is_stray].sum())
    are = "cell is not a number and counts" if count == 1 else "cells are not numbers and count"
    strays = _shown(column, reading.texts(column, read=False))
    text = f"{count:,} {are} as missing: {strays}"
    return Remark(STRAY_CELLS, column.name, text, {"types": {column.name: "category"}})


def _mixture(column: TextColumn, readings: Sequence[Reading]) -> Guess:
    """Return the guess that a column is text; where most of it is something else, say so."""
    best = max(readings, key=lambda reading: reading.share)
    if best.share < MOSTLY:
        return _text(column)
    counts = column.cells.words(column.number).counts
    n_known = int(counts.sum())
    others = best.texts(column, read=False)
    fix = {"missing_marks": (*column.cells.missing_marks, *others)}
    return _text(
        column,
        f"{round(best.share * n_known):,} of {n_known:,} cells are {best.form.what}; kept as text "
        f"because of {_shown(column, others)}",
        STRAY_CELLS,
        fix if len(others) <= MOST_SHOWN else {},
    )


def _shown(column: TextColumn, texts: Sequence[str]) -> str:
    shown = [column.place(text) for text in texts[:MOST_SHOWN]]
    if len(texts) > MOST_SHOWN:
        shown.append(f"{len(texts) - MOST_SHOWN:,} more texts")
    return ", ".join(shown)
