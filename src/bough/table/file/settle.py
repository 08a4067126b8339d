"""Settles how columns are read by what else is known: the other columns, or a model's own file."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from bough.errors import Argument, DataError, SchemaError, Words
from bough.reading import ISO, ISO_ZONE, PLAIN, FileReading, Form
from bough.table.file.duckdb_engine import quoted
from bough.table.file.forms import words
from bough.table.file.guess import Guess, TextColumn, example, guess, read_as, text_guess
from bough.table.file.shapes import MOST_STRAYS, date_forms
from bough.table.lazy_table import Remark


def settled(
    columns: Sequence[TextColumn], found: Sequence[Guess], said: FileReading
) -> list[Guess]:
    """Return how the columns of a file are read, where some show how others are written."""
    decimals = {each.shows for each in found} & {".", ","}
    orders = {each.shows for each in found} & {"d", "m"}
    if not decimals and said.delimiter == ";":
        decimals = {","}  # which is why semicolons part the cells
    shown = {signs.pop() for signs in (decimals, orders) if len(signs) == 1}
    return [_settled(*both, shown, said) for both in zip(columns, found, strict=True)]


def _settled(column: TextColumn, found: Guess, shown: set[str], said: FileReading) -> Guess:
    if not found.either:
        return found
    first = found.either[0]
    for form in found.either:
        is_said = not form.dates and said.thousands == form.thousands != ""
        if is_said or (form.dates[0][1] if form.dates else form.decimal) in shown:
            why = "" if is_said else ", as in other columns"
            return replace(found, either=()) if form == PLAIN else read_as(column, form, why)
    if not first.dates and first.decimal == "." and not first.thousands:
        base = found if first == PLAIN else read_as(column, first)
        shows_point = f"contains({column.known}, '.')"
        text = (
            f"read as {words(first)} with a decimal point, as in "
            f"{example(column, first, shows_point)}, which may separate thousands"
        )
        remark = Remark("B111", column.name, text, {"thousands": "."})
        return replace(base, remarks=(remark,), either=())
    text, _ = _question(column, found.either)
    remark = Remark("B111", column.name, text)
    return replace(found, column=lambda: _ask(column, found.either), remarks=(remark,))


def _question(column: TextColumn, forms: Sequence[Form]) -> tuple[str, list[Words]]:
    """Return what is not clear about a column, and what to type."""
    known = column.known
    if forms[0].dates:
        first, second = (column.sql(form) for form in forms[:2])
        (text,) = column.cells.row(f"min({known}) FILTER ({first} <> {second})")
        fixes = [Argument("date_format", form.dates[0]) for form in forms]
        what = "may have the day or the month first"
    else:
        (text,) = column.cells.row(f"min({known}) FILTER (contains({known}, ','))")
        fixes = [Argument("decimal", ","), Argument("thousands", ",")]
        what = "may have a decimal comma, or a comma between thousands"
    return f"{column.place(text)} {what}", [fixes[0], " or ", fixes[1]]


def _ask(column: TextColumn, forms: Sequence[Form]) -> NoReturn:
    text, asked = _question(column, forms)
    raise DataError(
        f"column {column.name!r}: {text}. Nothing else in the file tells, so say which: ",
        *asked, "; or take it as text: ", Argument("types", {column.name: "category"}), ".",
    )  # fmt: skip


def as_before(column: TextColumn, said: FileReading) -> Guess:
    """Return how a column is read that is written as in the table a tree was grown from.

    What contradicts that is refused where the column is used, and never read in another way.

    Parameters
    ----------
    said
        How the file was written then, except for what the user says.
    """
    look = column.cells.looks[column.number]
    if look.n_known == 0:
        return text_guess(column)
    form = said.columns.get(column.name)
    strays = said.strays.get(column.name, ())
    return _plain_or_text(column, said, strays) if form is None else _in_form(column, form, strays)


def _plain_or_text(column: TextColumn, said: FileReading, strays: Sequence[str]) -> Guess:
    if said.decimal is not None or said.thousands is not None:
        found = guess(column, said)
        return text_guess(column) if found.form and found.form.dates else found
    look = column.cells.looks[column.number]
    if look.is_number:
        found = guess(column, FileReading())
        return replace(found, either=())
    if column.shapes.share_in(PLAIN) < 1 - MOST_STRAYS and not strays:
        return text_guess(column)
    return _in_form(column, PLAIN, strays)


def _in_form(column: TextColumn, form: Form, strays: Sequence[str]) -> Guess:
    found = read_as(column, form)
    n_unread = column.shapes.n - column.n_read(form)
    if n_unread == 0:
        return replace(found, remarks=())
    is_few = not form.dates and n_unread <= MOST_STRAYS * column.shapes.n
    is_new = f"({column.sql(form)}) IS NULL"
    if strays:
        is_new += f" AND {column.known} NOT IN ({', '.join(map(quoted, strays))})"
    is_number = f"{is_new} AND regexp_matches({column.known}, '[0-9]')"
    text, other = column.cells.row(
        f"min({column.known}) FILTER ({is_number}), min({column.known}) FILTER ({is_new})"
    )
    if text is None and (is_few or other is None):  # words among numbers, missing as they were then
        return found
    return replace(found, column=lambda: _refuse(column, form, text or other))


def _refuse(column: TextColumn, form: Form, text: str) -> NoReturn:
    before = "plain numbers such as 1234.5" if form == PLAIN else words(form)
    raise SchemaError(
        f"column {column.name!r} has {column.place(text)}, but the tree was grown from {before}. "
        "Write it like that, or say how this file is written: ", _other(column, form), ".",
    )  # fmt: skip


def _other(column: TextColumn, form: Form) -> Argument:
    """Return what a user may want to say of a file that is written in another way."""
    if form.dates:
        forms = date_forms(column.shapes, FileReading())
        other = [
            each.dates[0] for each in forms if each.dates[0] not in (*form.dates, ISO, ISO_ZONE)
        ]
        return Argument("date_format", other[0] if other else ...)
    if form.decimal == ",":
        return Argument("thousands" if not form.thousands else "decimal", ".")
    return Argument("thousands" if not form.thousands else "decimal", ",")
