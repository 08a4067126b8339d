"""The columns of a file, each read when it is asked for; what else is known settles how."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from bough.errors import Argument, DataError, SchemaError, Words, listed
from bough.file_options import DECIMALS, PLAIN, THOUSANDS, FileReading, Form
from bough.table.column import Where
from bough.table.file.cells import Cells
from bough.table.file.duckdb_engine import Database, quoted
from bough.table.file.guess_types import (
    Guess,
    TextColumn,
    example,
    guess,
    other_dates,
    read_as,
    text_guess,
)
from bough.table.file.number_and_date_forms import MOST_STRAYS, date_forms, words
from bough.table.source import STRAY_CELLS, Remark, Source


def settled(
    columns: Sequence[TextColumn], found: Sequence[Guess], said: FileReading
) -> list[Guess]:
    """Return how the columns of a file are read, where some show how others are written."""
    decimals = {each.shows for each in found} & {".", ","}
    orders = {each.shows for each in found} & {"d", "m"}
    shown = {
        sign: ", as in other columns"
        for each in (decimals, orders)
        if len(each) == 1
        for sign in each
    }
    if not decimals and said.delimiter == ";":
        shown[","] = ", since semicolons separate the cells"
    return [_settled(*both, shown, said) for both in zip(columns, found, strict=True)]


def _settled(column: TextColumn, found: Guess, shown: dict[str, str], said: FileReading) -> Guess:
    if not found.either:
        return found
    first = found.either[0]
    for form in found.either:
        is_said = not form.dates and said.thousands == form.thousands != ""
        sign = form.dates[0][1] if form.dates else form.decimal
        if is_said or sign in shown:
            why = "" if is_said else shown[sign]
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


def as_before(column: TextColumn, said: FileReading, before: FileReading) -> Guess:
    """Return how a column is read that is written as in the table a tree was grown from (`before`).

    What contradicts that is refused where the column is used, and never read in another way, except
    for what the user says.
    """
    if column.cells.looks[column.number].n_known == 0:
        return text_guess(column)
    was = Before(before.columns.get(column.name, PLAIN), said.strays.get(column.name, ()))
    form = said.columns.get(column.name)
    return _plain_or_text(column, said, was) if form is None else _in_form(column, form, was)


@dataclass(frozen=True)
class Before:
    """How a column was written in the table that a tree was grown from."""

    form: Form
    strays: Sequence[str]
    """Cells that were missing among numbers."""


def _plain_or_text(column: TextColumn, said: FileReading, was: Before) -> Guess:
    if said.decimal is not None or said.thousands is not None:
        found = guess(column, said)
        return text_guess(column) if found.form and found.form.dates else found
    look = column.cells.looks[column.number]
    if look.is_number:
        found = guess(column, FileReading())
        return replace(found, either=())
    if column.shapes.share_in(PLAIN) >= 1 - MOST_STRAYS or was.strays:
        return _in_form(column, PLAIN, was)
    found = text_guess(column)
    if not column.shapes.have_digits or not _options(column, was):
        return found
    return replace(found, column=lambda: _refuse(column, PLAIN, was))


def _in_form(column: TextColumn, form: Form, was: Before) -> Guess:
    found = read_as(column, form)
    if column.n_read(form) == column.shapes.n:
        return replace(found, remarks=())
    if _first_other(column, form, was.strays) is None:
        return found
    return replace(found, column=lambda: _refuse(column, form, was))


def _first_other(column: TextColumn, form: Form, strays: Sequence[str]) -> str | None:
    """Return the first cell that contradicts a form; few words among numbers are missing, as then."""
    n_unread = column.shapes.n - column.n_read(form)
    if n_unread == 0:
        return None
    is_other = f"({column.sql(form)}) IS NULL AND {column.known} IS NOT NULL"
    if strays:
        is_other += f" AND {column.known} NOT IN ({', '.join(map(quoted, strays))})"
    if not form.dates and n_unread <= MOST_STRAYS * column.shapes.n:
        is_other += f" AND regexp_matches({column.known}, '[0-9]')"
    (text,) = column.cells.row(f"arg_min({column.known}, rowid) FILTER ({is_other})")
    return None if text is None else str(text)


def _refuse(column: TextColumn, form: Form, was: Before) -> NoReturn:
    text = _first_other(column, form, was.strays) or ""
    grown = f"the tree was grown from {_words_before(was.form)}"
    if form == was.form:
        said = f"but {grown}."
    else:
        said = f"which is not one of the {_words_before(form)} that you say it has; {grown}."
    options = _options(column, was)
    asked = [word for each in options for word in (" or ", *_arguments(each))][1:]
    if asked:
        advice = ["Write it like that, or say how this file is written: ", *asked, "."]
    elif form != was.form and _first_other(column, was.form, was.strays) is None:
        advice = ["So is this column: leave the option out."]
    elif column.n_read(form):
        advice = ["Its cells are written in several ways: write all of them like that."]
    else:
        advice = ["Write it like that."]
    raise SchemaError(f"column {column.name!r} has {column.place(text)}, {said} ", *advice)


def _words_before(form: Form) -> str:
    return "plain numbers such as 1234.5" if form == PLAIN else words(form, beside="with")


def _arguments(options: FileReading) -> list[Words]:
    usual = FileReading()
    named = [
        Argument(name, getattr(options, name))
        for name in ("decimal", "thousands")
        if getattr(options, name) != getattr(usual, name)
    ]
    named += [Argument("date_format", each) for each in options.date_format]
    return [word for each in named for word in (" and ", each)][1:]


def _options(column: TextColumn, was: Before) -> list[FileReading]:
    """Return what a user may say of the file so that every cell of a column is read."""
    if was.form.dates:
        forms = [
            form
            for form in date_forms(column.shapes, FileReading())
            if form.dates != was.form.dates and column.n_read(form) == column.shapes.n
        ]
        differing = [*forms[:1], *other_dates(column, forms)] if forms else []
        return [FileReading(date_format=form.dates) for form in differing]
    decimals = [sign for sign in DECIMALS if column.shapes.has(sign)]
    thousands = [sign for sign in THOUSANDS if sign and column.shapes.has(sign)]
    single = [FileReading(thousands=sign) for sign in thousands]
    single += [FileReading(decimal=sign) for sign in decimals]
    both = [
        FileReading(decimal=sign, thousands=other)
        for sign in decimals
        for other in thousands
        if sign != other
    ]
    return _reading_all(column, was, single) or _reading_all(column, was, both)


def _reading_all(
    column: TextColumn, was: Before, options: Sequence[FileReading]
) -> list[FileReading]:
    """Return those of some options under which all cells are read, each way of reading once."""
    found: dict[Form, FileReading] = {}
    for each in options:
        form = each.said_of(was.form)
        if form != was.form and _first_other(column, form, was.strays) is None:
            found.setdefault(form, each)
    return list(found.values())


@dataclass(frozen=True, eq=False, kw_only=True)
class FileSource(Source):
    """A file, whose rows are the table `cells` of a database, with the columns c0, c1, …"""

    database: Database
    typed: Callable[[int], str]
    """A column in SQL, as what it is read as."""
    delimiter: str = ","
    """What parts the cells of a CSV file."""
    decimal: str = "."
    """What parts the digits of its numbers."""


@dataclass(frozen=True, eq=False)
class TextTable:
    """A file in which every cell is text."""

    cells: Cells
    names: tuple[str, ...]
    where: Where
    said: FileReading
    """What the user says, and what was found out about the file as a whole."""
    guess: Callable[[TextColumn, FileReading], Guess]
    """How a column is read, as far as it can tell itself."""
    remarks: Sequence[Remark] = ()
    as_before: Callable[[TextColumn, FileReading, FileReading], Guess] = as_before
    """How a column is read that was written in some way before."""

    def source(self, before: FileReading | None = None) -> FileSource:
        """Return its columns, written as those of a file before, if there was one."""
        said = self.said.like(before)
        cells = self.cells
        if said.missing_marks != cells.missing_marks:
            cells = cells.with_marks(said.missing_marks)
        columns = [TextColumn(cells, *each, self.where) for each in enumerate(self.names)]
        if before is None or before.has_only_marks:
            guesses = settled(columns, [self.guess(each, said) for each in columns], said)
        else:
            guesses = [self.as_before(each, said, before) for each in columns]
        both = list(zip(self.names, guesses, strict=True))
        forms = {name: each.form for name, each in both if each.form}
        strays = {name: each.strays for name, each in both if each.strays}
        return FileSource(
            names=self.names,
            named=True,
            n_rows=cells.n_rows,
            column=lambda number: guesses[number].column(),
            text=cells.choices,
            where=self.where,
            remarks=(
                *self.remarks,
                *_marks(self.names, guesses, said),
                *(remark for guess in guesses for remark in guess.remarks),
            ),
            database=cells.database,
            typed=lambda number: guesses[number].typed or f"c{number}",
            delimiter=said.delimiter or ",",
            decimal=said.decimal or _decimal(guesses) or ".",
            reading=replace(
                said, columns=forms, strays=strays, decimal=said.decimal or _decimal(guesses)
            ),
            again=self.source,
            before=before,
        )


def _marks(names: Sequence[str], guesses: Sequence[Guess], said: FileReading) -> Iterator[Remark]:
    """Give what texts may mean a missing value, in which columns of text."""
    columns: dict[str, list[str]] = {}
    for name, found in zip(names, guesses, strict=True):
        for mark in found.marks:
            columns.setdefault(mark, []).append(name)
    if columns:
        places = ", ".join(f"{mark!r} in {listed(each)}" for mark, each in columns.items())
        text = f"{places} may mean a missing value"
        yield Remark(STRAY_CELLS, "", text, {"missing_marks": (*said.missing_marks, *columns)})


def _decimal(guesses: Sequence[Guess]) -> str | None:
    """Return the comma, if it is the decimal sign of all numbers that have one."""
    return "," if {each.shows for each in guesses} & {".", ","} == {","} else None


def names_of(
    first: Sequence[str], name: str, hint: Sequence[Words] = ()
) -> tuple[tuple[str, ...], list[Remark]]:
    """Return the names in a header; a column without one gets one, and a remark."""
    repeated = [each for each, count in Counter(first).items() if count > 1 and each]
    if repeated:
        places = [number for number, each in enumerate(first, 1) if each == repeated[0]]
        also = f"; so do {listed(repeated[1:])}" if repeated[1:] else ""
        raise DataError(
            f"column {repeated[0]!r} of {name} appears {len(places)} times (columns {listed(places)})"
            f"{also}. Give every column a name of its own",
            *hint,
            ".",
        )
    names, remarks = [], []
    for number, given in enumerate(first, 1):
        made = given
        if not given:
            made = f"column_{number}"
            while made in first:
                made += "_"
            remarks.append(Remark("B111", made, f"column {number} has no name in the file"))
        names.append(made)
    return tuple(names), remarks


def numbered_names(n_columns: int) -> tuple[str, ...]:
    """Return the names of the columns of a file without a header."""
    return tuple(f"column_{number}" for number in range(1, n_columns + 1))
