"""Guesses what a column of texts means: numbers, dates or just text."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isinf
from typing import Any

import numpy as np

from bough.errors import Argument, DataError
from bough.schema import MISSING
from bough.table.column import Choices, Column, Where, recoded
from bough.table.dates import moment_from_text
from bough.table.file.duckdb_engine import Cells
from bough.table.lazy_table import STRAY_CELLS, Remark
from bough.table.numbers import INTEGER, NUMBER

INFINITY = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
COMMA_NUMBER = re.compile(r"[+-]?([0-9]+,?[0-9]*|,[0-9]+)([eE][+-]?[0-9]+)?")
THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(,[0-9]{3})+")
LOCAL_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?)?"
)
ZONED_TIME = re.compile(LOCAL_TIME.pattern.removesuffix("?") + r"(Z|[+-][0-9]{2}:?[0-9]{2})")
THREE_NUMBERS = re.compile(
    r"([0-9]{1,2})([./])([0-9]{1,2})\2([0-9]{4})( [0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?"
)


@dataclass(frozen=True)
class Form:
    """One form: what a text says in it, and which column such texts make."""

    what: str
    """What such texts are."""
    plain: Callable[[str], str | None]
    """What a text says, as `types` reads it; None if it says nothing in this form."""
    remark: str = ""
    """What a user should know about how a column of this form is read."""


def plain_number(text: str) -> str | None:
    """Return a number without the blanks around it; infinity too, which is refused later."""
    text = text.strip(" \t")
    return text if NUMBER.fullmatch(text) or INFINITY.fullmatch(text) else None


def comma_number(text: str) -> str | None:
    """Return a number that has a decimal comma with a point instead."""
    text = text.strip(" \t")
    return text.replace(",", ".") if COMMA_NUMBER.fullmatch(text) else None


def may_be_thousands(texts: Sequence[str]) -> bool:
    """Return whether every comma may part thousands, as in 1,234."""
    return all(THOUSANDS.fullmatch(text.strip(" \t")) for text in texts if "," in text)


def local_time(text: str) -> str | None:
    """Return a date or a time without a time zone in the ISO form."""
    return text if LOCAL_TIME.fullmatch(text) and moment_from_text(text) is not None else None


def zoned_time(text: str) -> str | None:
    """Return a time with a time zone in the ISO form."""
    return text if ZONED_TIME.fullmatch(text) and moment_from_text(text) is not None else None


def day_first(text: str) -> str | None:
    """Return the ISO form of 31.12.2024 or 31/12/2024."""
    found = THREE_NUMBERS.fullmatch(text)
    return local_time(_iso(found[4], found[3], found[1], found[5])) if found else None


def month_first(text: str) -> str | None:
    """Return the ISO form of 12/31/2024."""
    found = THREE_NUMBERS.fullmatch(text)
    if not found or found[2] == ".":
        return None
    return local_time(_iso(found[4], found[1], found[3], found[5]))


def _iso(year: str, month: str, day: str, time: str | None) -> str:
    return f"{year}-{month:>02}-{day:>02}{time or ''}"


NUMBERS = Form("numbers", plain_number)
COMMA_NUMBERS = Form("numbers", comma_number, "read as numbers with a decimal comma, as in {text}")
LOCAL_TIMES = Form("dates", local_time)
ZONED_TIMES = Form("dates", zoned_time)
DAY_FIRST = Form("dates", day_first, "read as dates with the day first, as in {text}")
MONTH_FIRST = Form("dates", month_first, "read as dates with the month first, as in {text}")
DATES = (LOCAL_TIMES, ZONED_TIMES, DAY_FIRST, MONTH_FIRST)


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
    decimal: str = "."
    """What parts the digits of its numbers."""


@dataclass(frozen=True, eq=False)
class FormReading:
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
            f"treated as text: the comma in {example} may be a decimal comma or separate thousands. Write "
            "1.234 or 1234",
        )
    dates = [_reading(column, form) for form in DATES]
    return _guess_date(column, dates) or _mixture(column, [numbers, commas, *dates])


def _guess_date(column: TextColumn, readings: Sequence[FormReading]) -> Guess | None:
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
                f"treated as text: {column.place(text)} may have the day or the month first. Write "
                "2024-12-31",
            )
    return _read(column, next(iter(whole.values())))


def _reading(column: TextColumn, form: Form) -> FormReading:
    texts, counts = column.cells.words(column.number)
    plain = [form.plain(text) for text in texts]
    is_read = np.array([text is not None for text in plain])
    return FormReading(form, plain, float(counts[is_read].sum() / counts.sum()))


def _read(column: TextColumn, reading: FormReading) -> Guess:
    remarks = []
    if reading.share < 1:
        remarks.append(_stray_cells(column, reading))
    if reading.form.remark:
        text = next(text for text in reading.texts(column, read=True) if not text.isdigit())
        said = reading.form.remark.format(text=repr(text))
        remarks.append(Remark("B111", column.name, said, {"types": {column.name: "category"}}))
    decimal = "," if reading.form is COMMA_NUMBERS else "."
    return Guess(lambda: _column(column, reading), tuple(remarks), decimal=decimal)


def _column(column: TextColumn, reading: FormReading) -> Column:
    texts = [text for text in reading.plain if text is not None]
    if reading.form is NUMBERS:
        _refuse_infinity(column, reading)
    raw = column.cells.choices(column.number)
    position = iter(range(len(texts)))
    positions = [MISSING if text is None else next(position) for text in reading.plain]
    choices = Choices(tuple(texts), recoded(raw.codes, positions))
    is_number = reading.form.what == "numbers"
    return choices.as_numbers(column.name) if is_number else choices.as_moments(column.name)


def _refuse_infinity(column: TextColumn, reading: FormReading) -> None:
    texts = column.cells.words(column.number).texts
    for text, plain in zip(texts, reading.plain, strict=True):
        if plain is not None and isinf(float(plain)):
            raise DataError(
                f"column {column.name!r} has {column.place(text)}, which is not a finite number. "
                "Correct the cell, or make it missing: ", Argument("missing_marks", ("", text)),
                ".",
            )  # fmt: skip


def _has_long_integers(reading: FormReading) -> bool:
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
    remark = f"treated as a code, not a number, because of leading zeros: {column.place(code)}"
    return _text(column, remark, "B106", {"types": {column.name: "number"}})


def _long_integers(column: TextColumn) -> Guess:
    text = max(column.cells.words(column.number).texts, key=len)
    return _text(column, f"treated as text: {column.place(text)} has more than 64 bits", "B106")


def _stray_cells(column: TextColumn, reading: FormReading) -> Remark:
    is_stray = np.array([text is None for text in reading.plain])
    count = int(column.cells.words(column.number).counts[is_stray].sum())
    are = "cell is not a number and is" if count == 1 else "cells are not numbers and are"
    strays = _shown(column, reading.texts(column, read=False))
    text = f"{count:,} {are} treated as missing: {strays}"
    return Remark(STRAY_CELLS, column.name, text, {"types": {column.name: "category"}})


def _mixture(column: TextColumn, readings: Sequence[FormReading]) -> Guess:
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
        f"treated as text because of {_shown(column, others)}; {round(best.share * n_known):,} of "
        f"{n_known:,} cells are {best.form.what}",
        STRAY_CELLS,
        fix if len(others) <= MOST_SHOWN else {},
    )


def _shown(column: TextColumn, texts: Sequence[str]) -> str:
    shown = [column.place(text) for text in texts[:MOST_SHOWN]]
    if len(texts) > MOST_SHOWN:
        shown.append(f"{len(texts) - MOST_SHOWN:,} more")
    return ", ".join(shown)
