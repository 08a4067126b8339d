"""Guesses what a column of texts means: numbers, dates or just text."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from bough.errors import Argument, DataError
from bough.file_options import ISO, ISO_ZONE, PLAIN, FileReading, Form
from bough.remembered import Remembering, once
from bough.schema import MISSING_INTEGER
from bough.table.column import Column, Integers, Moments, Numbers, Where
from bough.table.dates import as_microseconds
from bough.table.file.cells import MARKS, Cells
from bough.table.file.duckdb_engine import quoted
from bough.table.file.number_and_date_forms import (
    BLANK,
    MOST_STRAYS,
    OF_SIGNS,
    Shape,
    Shapes,
    date_forms,
    fits,
    is_money,
    moment_sql,
    number_sql,
    words,
)
from bough.table.source import STRAY_CELLS, Remark

MOSTLY = 0.5
MOST_SHOWN = 3
MOST_MARKS = 12  # that are advised to be missing
COMMON = 0.2  # of the cells: words as common as that are values, such as 'more' beside 2 and 4
MOST_STRAYS_KEPT = 100
LONG = 19  # digits, beyond which an integer may have more than 64 bits


@dataclass(frozen=True, eq=False)
class TextColumn(Remembering):
    """A column of a file, and what messages call its rows."""

    cells: Cells
    number: int
    name: str
    where: Where

    def place(self, text: str) -> str:
        """Return a text and where it stands first."""
        return f"{text!r} in {self.where(self.cells.first_row(self.number, text))}"

    @property
    def known(self) -> str:
        """The column in SQL, NULL where it is missing."""
        return self.cells.known(self.number)

    @cached_property
    def shapes(self) -> Shapes:
        """Its cells but for their digits."""
        return Shapes([Shape(*each) for each in self.cells.shapes(self.number)])

    def sql(self, form: Form, kind: str = "DOUBLE") -> str:
        """Return what its cells say in a form, in SQL."""
        return moment_sql(self.known, form) if form.dates else number_sql(self.known, form, kind)

    @once
    def n_read(self, form: Form) -> int:
        """Return how many cells say something in a form: a date may have the shape of one only."""
        if not form.dates:
            return self.shapes.n_in(form)
        (count,) = self.cells.row(f"count({self.sql(form)})")
        return int(count)


@dataclass(frozen=True, eq=False)
class Guess:
    """How a column is read, and what there is to say about it."""

    column: Callable[[], Column]
    remarks: tuple[Remark, ...] = ()
    typed: str = ""
    """The column in SQL, where it is not text there."""
    form: Form | None = None
    """How its cells are written; None: as text, or as plain numbers."""
    either: tuple[Form, ...] = ()
    """The forms that it may have, where its cells do not tell."""
    strays: tuple[str, ...] = ()
    """Cells that have digits but are not written in the form, where there are few."""
    marks: tuple[str, ...] = ()
    """Texts that may mean a missing value, in a column of text."""
    shows: str = ""
    """What it shows about the file: the decimal sign, or 'd' or 'm' for what comes first in dates."""


def guess(column: TextColumn, said: FileReading) -> Guess:
    """Return how a column is read, as far as it can tell itself."""
    look = column.cells.looks[column.number]
    if look.n_known == 0:
        return text_guess(column)
    if said.date_format and (found := _as_said(column, said)):
        return found
    is_plain = look.is_number and (look.largest < 2.0**63 or look.n_broken > 0)
    if not is_plain or (look.n_broken and said.decimal == ","):
        return _guess_words(column, said)
    return _codes(column) if look.n_codes else _plain_numbers(column, said)


def _plain_numbers(column: TextColumn, said: FileReading) -> Guess:
    cells, number = column.cells, column.number
    if not cells.looks[number].n_broken:
        return Guess(lambda: cells.integers(number), typed=f"CAST({column.known} AS BIGINT)")
    typed = f"CAST({column.known} AS DOUBLE)"
    plain = Guess(lambda: cells.numbers(number), typed=typed, shows=".")
    if said.thousands == "." or (said.decimal is None and number in cells.unclear_points):
        return replace(plain, either=(PLAIN, Form(",", ".")), shows="")
    return plain


def _as_said(column: TextColumn, said: FileReading) -> Guess | None:
    """Return dates of the format that the user names, if all cells have it."""
    form = Form(dates=said.date_format)
    if column.shapes.share_in(form) < 1 or column.n_read(form) < column.shapes.n:
        return None
    return read_as(column, form)


def guess_json_text(column: TextColumn, said: FileReading) -> Guess:
    """Return how a column of JSON texts is read: numbers in quotes are text, unless written as money."""
    found = _guess_words(column, said)
    is_plain = found.form is None and not found.either
    is_text = is_plain and (found.typed or any(each.code == "B106" for each in found.remarks))
    return text_guess(column) if is_text else found


def _guess_words(column: TextColumn, said: FileReading) -> Guess:
    shapes = column.shapes
    if not shapes.have_digits:
        return _words(column)
    forms = shapes.number_forms(said)
    if forms and shapes.share_in(forms[0]) >= 1 - MOST_STRAYS:
        clear = forms[0] if len(forms) == 1 else _clear_form(column, forms)
        return _unclear(column, forms) if clear is None else _numbers(column, clear)
    dates = [(column.n_read(form), form) for form in date_forms(shapes, said)]
    whole = [form for n, form in dates if n == shapes.n]
    if whole:
        others = other_dates(column, whole)
        return _unclear(column, [whole[0], *others]) if others else read_as(column, whole[0])
    read = [(shapes.n_in(form), form) for form in forms[:1]] + dates
    return _mixture(column, *max(read, key=lambda each: each[0])) if read else _words(column)


def _clear_form(column: TextColumn, forms: Sequence[Form]) -> Form | None:
    """Return the form of numbers that have a sign before three digits, if something else tells."""
    with_thousands = next(form for form in forms if form.thousands)
    if is_money(with_thousands):
        return with_thousands
    starts_with_zero = f"bool_or(regexp_matches({column.known}, '^[^0-9.,]*0[.,]'))"
    if column.cells.row(starts_with_zero)[0]:
        return next(form for form in forms if not form.thousands)
    return None


def other_dates(column: TextColumn, forms: Sequence[Form]) -> list[Form]:
    """Return the forms that read some cell differently from the first."""
    first, *others = forms
    if not others:
        return []
    differs = [f"bool_or({column.sql(first)} <> {column.sql(form)})" for form in others]
    row = column.cells.row(", ".join(differs))
    return [form for form, is_other in zip(others, row, strict=True) if is_other]


def _numbers(column: TextColumn, form: Form) -> Guess:
    if form == PLAIN:
        if any(
            shape.n_zeros and set(shape.text.strip()) == {"9"} for shape in column.shapes.shapes
        ):
            return _codes(column)
        if _n_long(column):
            text = max(column.cells.words(column.number).texts, key=len)
            return text_guess(
                column, f"treated as text: {column.place(text)} has more than 64 bits", "B106"
            )
    return read_as(column, form)


def _n_long(column: TextColumn) -> int:
    """Return how many integers have more than 64 bits, if all numbers are integers."""
    digits = [beside.digits for beside, _ in column.shapes.numbers]
    if column.shapes.has(".e") or max(map(len, digits)) < LONG:
        return 0
    is_long = f"({column.sql(PLAIN)} IS NOT NULL) AND {column.sql(PLAIN, 'BIGINT')} IS NULL"
    (count,) = column.cells.row(f"count_if({is_long})")
    return int(count)


def read_as(column: TextColumn, form: Form, why: str = "") -> Guess:
    """Return a column that is read in a form; at most a few cells are written otherwise."""
    remarks = []
    n_unread = column.shapes.n - column.n_read(form)
    if n_unread:
        are = "cell is not a number and is" if n_unread == 1 else "cells are not numbers and are"
        text = f"{n_unread:,} {are} treated as missing: {_unread_words(column, form)[0]}"
        remarks.append(Remark(STRAY_CELLS, column.name, text, {"types": {column.name: "category"}}))
    if said := _said(column, form):
        fix = {"types": {column.name: "category"}}
        remarks.append(Remark("B111", column.name, said + why, fix))
    shows = ""
    if form.dates:
        shows = form.dates[0].lstrip("%")[:1] if form.dates[0] not in (ISO, ISO_ZONE) else ""
    elif form.thousands in (".", ",") or column.shapes.has(form.decimal):
        shows = form.decimal
    kind = "DOUBLE" if form.dates or _is_broken(column, form) else "BIGINT"
    return Guess(
        lambda: _column(column, form, kind),
        tuple(remarks),
        "" if n_unread else column.sql(form, kind),
        None if form == PLAIN else form,
        strays=_with_digits(column, form) if n_unread else (),
        shows=shows,
    )


def _with_digits(column: TextColumn, form: Form) -> tuple[str, ...]:
    """Return the cells with digits that are not written in a form; none if they are many."""
    read = f"coalesce(CAST({column.sql(form)} AS VARCHAR), {_no_digit(column.known)})"
    texts, count = column.cells.unread(column.number, read, MOST_STRAYS_KEPT)
    return tuple(text for text, _ in texts) if count <= MOST_STRAYS_KEPT else ()


def _no_digit(text: str) -> str:
    return f"CASE WHEN NOT regexp_matches({text}, '[0-9]') THEN '' END"


def _is_broken(column: TextColumn, form: Form) -> bool:
    shapes = column.shapes
    digits = [beside.digits for beside, _ in shapes.numbers]
    has_signs = any(set(each.lower()) & {form.decimal, "e"} for each in digits)
    is_long = form != PLAIN and max(map(len, digits), default=0) >= LONG
    return has_signs or is_long or shapes.n_infinite > 0


def _said(column: TextColumn, form: Form) -> str:
    """Return what a user should know about how a column is read; nothing about plain numbers."""
    if form.dates and form.dates[0] in (ISO, ISO_ZONE):
        return ""
    has_brackets = not form.dates and any("(" in shape.text for _, shape in column.shapes.numbers)
    negative = f"regexp_matches({column.known}, '[(]')"
    if form == PLAIN:
        if not has_brackets:
            return ""
        return f"read as numbers, negative in brackets, as in {example(column, form, negative)}"
    signs = [OF_SIGNS[sign] for sign in (form.thousands, form.decimal) if sign not in ("", ".")]
    showing = f"regexp_matches({column.known}, {quoted(signs[0])})" if signs else "true"
    said = f"read as {words(form)}, as in {example(column, form, showing)}"
    return f"{said}; in brackets, a number is negative" if has_brackets else said


def example(column: TextColumn, form: Form, condition: str) -> str:
    """Return the first text, by its signs, that is written in a form and fulfils a condition."""
    text = column.known
    row = column.cells.row(f"min({text}) FILTER ({fits(text, form)} AND {condition}), min({text})")
    return repr(row[0] or row[1])


def _column(column: TextColumn, form: Form, kind: str) -> Column:
    sql, cells = column.sql(form, kind), column.cells
    if form.dates:
        (moments,) = cells.arrays(f"coalesce(epoch_us({sql}), {MISSING_INTEGER})")
        return Moments(as_microseconds(moments.view("M8[us]"), column.name))
    if kind == "BIGINT":
        values, missing = cells.arrays(f"coalesce({sql}, 0)", f"({sql}) IS NULL")
        return Integers(values, missing if missing.any() else None)
    if form == PLAIN and column.shapes.n_infinite:
        _refuse_infinity(column, f"lower(trim({column.known})) LIKE '%inf%'")
    (values,) = cells.arrays(f"coalesce({sql}, 'nan')")
    if np.isinf(values).any():
        _refuse_infinity(column, f"isinf({sql})")
    return Numbers(values)


def _refuse_infinity(column: TextColumn, condition: str) -> NoReturn:
    (text,) = column.cells.row(f"min({column.known}) FILTER ({condition})")
    raise DataError(
        f"column {column.name!r} has {column.place(text)}, which is not a finite number. "
        "Correct the cell, or make it missing: ", Argument("missing_marks", ("", text)), ".",
    )  # fmt: skip


def text_guess(
    column: TextColumn, remark: str = "", code: str = "B111", fix: Mapping[str, Any] | None = None
) -> Guess:
    """Return the guess that a column is text."""
    remarks = (Remark(code, column.name, remark, fix or {}),) if remark else ()
    return Guess(lambda: column.cells.choices(column.number), remarks)


def _words(column: TextColumn) -> Guess:
    """Return a column of words, and those that may mean a missing value."""
    return replace(text_guess(column), marks=tuple(column.shapes.marks))


def _codes(column: TextColumn) -> Guess:
    is_code = f"regexp_full_match({column.known}, {quoted(f'{BLANK}0[0-9]+{BLANK}')})"
    (code,) = column.cells.row(f"min({column.known}) FILTER ({is_code})")
    remark = f"treated as a code, not a number, because of leading zeros: {column.place(code)}"
    return text_guess(column, remark, "B106", {"types": {column.name: "number"}})


def _unread_words(column: TextColumn, form: Form) -> tuple[str, list[str]]:
    """Return the first cells that are not written in a form in words, and all if they are few."""
    found, count = column.cells.unread(column.number, column.sql(form), MOST_MARKS)
    shown = [f"{text!r} in {column.where(row)}" for text, row in found[:MOST_SHOWN]]
    if count > MOST_SHOWN:
        shown.append(f"{count - MOST_SHOWN:,} more")
    return ", ".join(shown), [text for text, _ in found] if count <= MOST_MARKS else []


def _mixture(column: TextColumn, n_read: int, form: Form) -> Guess:
    """Return the guess that a column is text; where most of it is something else, say so."""
    n_known = column.shapes.n
    if n_read < MOSTLY * n_known:
        return _words(column)
    shown, few = _unread_words(column, form)
    n_unread = n_known - n_read
    are_marks = all(text.strip().lower() in MARKS for text in few)
    is_common = n_unread > max(COMMON * n_known, MOST_MARKS) and not are_marks
    if is_common or any(map(str.isdigit, "".join(few))):  # values, or rather to be corrected
        few = []
    what = "dates" if form.dates else "numbers"
    return text_guess(
        column,
        f"treated as text because of {shown}; {n_read:,} of {n_known:,} cells are {what}",
        STRAY_CELLS,
        {"missing_marks": (*column.cells.missing_marks, *few)} if few else {},
    )


def _unclear(column: TextColumn, forms: Sequence[Form]) -> Guess:
    """Return a column whose cells may be read in several ways; other columns may tell."""
    return Guess(lambda: column.cells.choices(column.number), either=tuple(forms))
