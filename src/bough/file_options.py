"""`FileReading`: how a file is read, as a user says it and as a model remembers it."""

import codecs
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypedDict

from bough.errors import Argument, ParameterError, refuse_unknown

Header = bool | Literal["auto"]
ShortRows = Literal["error", "missing"]

DECIMALS = (".", ",")
THOUSANDS = ("", ",", ".", " ", "'")
ISO, ISO_ZONE = "ISO", "ISO with zone"  # the formats of dates that no code of `strptime` says
DATE_CODES = {  # of `strptime`, and what each stands for
    "%d": "[0-9]{1,2}",
    "%m": "[0-9]{1,2}",
    "%Y": "[0-9]{4}",
    "%y": "[0-9]{2}",
    "%b": "[A-Za-z]{3}",
    "%B": "[A-Za-z]{3,9}",
    "%a": "[A-Za-z]{3}",
    "%A": "[A-Za-z]{6,9}",
    "%H": "[0-9]{1,2}",
    "%I": "[0-9]{1,2}",
    "%M": "[0-9]{2}",
    "%S": "[0-9]{2}",
    "%f": "[0-9]{1,6}",
    "%p": "[AaPp][Mm]",
}
FOUND = ("columns", "strays")  # what no user says
NO_BREAKS = ("\n", "\r", "\0")


@dataclass(frozen=True)
class Form:
    """How the cells of a column write numbers or dates."""

    decimal: str = "."
    """The sign before decimals."""
    thousands: str = ""
    """The sign between thousands; ' ' is any blank, \"'\" any apostrophe; empty: there is none."""
    before: str = ""
    """What stands before each number, such as '$'."""
    after: tuple[str, ...] = ()
    """What stands after each number, such as 'kg'; of several, one."""
    dates: tuple[str, ...] = ()
    """The formats of dates, as `strptime` has them; none: the cells are numbers."""


PLAIN = Form()


class FileOptions(TypedDict, total=False):
    """What a user may say about a file."""

    missing_marks: str | Sequence[str]
    delimiter: str | None
    quote: str | None
    encoding: str | None
    header: Header
    short_rows: ShortRows
    skip: int
    decimal: str | None
    thousands: str | None
    date_format: str | Sequence[str]
    sheet: str | None


@dataclass(frozen=True)
class FileReading:
    """How a file is read; what is not said is found out."""

    missing_marks: tuple[str, ...] = ("",)
    delimiter: str | None = None
    quote: str | None = None
    encoding: str | None = None
    header: Header = "auto"
    short_rows: ShortRows = "error"
    skip: int = 0
    decimal: str | None = None
    thousands: str | None = None
    date_format: tuple[str, ...] = ()
    sheet: str | None = None
    columns: dict[str, Form] = field(default_factory=dict)
    """How columns are written, by name; others are text, or plain numbers."""
    strays: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Cells that have digits but are no numbers, by column, and so are missing among numbers."""

    def __post_init__(self) -> None:
        for name in ("missing_marks", "date_format"):
            check_texts(name, getattr(self, name))
            object.__setattr__(self, name, tuple(getattr(self, name)))
        self._check_signs()
        if self.header not in (True, False, "auto"):
            raise ParameterError(Argument("header", self.header), " must be True, False or 'auto'.")
        if self.short_rows not in ("error", "missing"):
            raise ParameterError(
                Argument("short_rows", self.short_rows), " must be 'error' or 'missing'."
            )
        if type(self.skip) is not int or self.skip < 0:
            raise ParameterError(
                Argument("skip", self.skip), " must be a number of lines, 0 or more."
            )
        _check_encoding("utf-8" if self.encoding is None else self.encoding)
        _check_numbers(self.decimal, self.thousands)
        for each in self.date_format:
            _check_date_format(each)

    def _check_signs(self) -> None:
        for name, sign, least in (("delimiter", self.delimiter, 1), ("quote", self.quote, 0)):
            if sign is not None and not (least <= len(sign) <= 1 and sign.isascii()):
                raise ParameterError(
                    Argument(name, sign), " must be one ASCII character, such as ';'."
                )
            if sign in NO_BREAKS:
                raise ParameterError(Argument(name, sign), " cannot be the end of a line or NUL.")
        if self.delimiter is not None and self.delimiter == self.quote_sign:
            raise ParameterError(
                Argument("delimiter", self.delimiter), " and quote cannot be the same character."
            )

    @property
    def quote_sign(self) -> str:
        """The character around cells; empty for none."""
        return '"' if self.quote is None else self.quote

    @property
    def has_only_marks(self) -> bool:
        """Whether it is of a table whose cells have types, so that nothing says how text is written."""
        return self == FileReading(missing_marks=self.missing_marks)

    def like(self, remembered: "FileReading | None") -> "FileReading":
        """Return how a file is read that is written as one before, except for what is said here."""
        if remembered is None:
            return self
        said = {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if each.name not in FOUND and getattr(self, each.name) != each.default
        }
        said["missing_marks"] = tuple(
            dict.fromkeys((*remembered.missing_marks, *self.missing_marks))
        )
        columns = {name: self.said_of(form) for name, form in remembered.columns.items()}
        return replace(remembered, **said, columns=columns)

    def said_of(self, form: Form) -> Form:
        """Return a form of numbers or dates with what is said here."""
        if form.dates:
            return replace(form, dates=self.date_format) if self.date_format else form
        if self.decimal is None and self.thousands is None:
            return form
        decimal = self.decimal or {".": ",", ",": "."}.get(self.thousands or "", form.decimal)
        thousands = self.thousands
        if thousands is None:
            thousands = "" if form.thousands == decimal else form.thousands
        return replace(form, decimal=decimal, thousands=thousands)


def reading_of(options: Mapping[str, Any], caller: str = "read_file") -> FileReading:
    """Return what a user says about a file, checked.

    Examples
    --------
    >>> reading_of({"missing_marks": "NA", "date_format": "%d/%m/%y"}).date_format
    ('%d/%m/%y',)
    """
    known = [each.name for each in fields(FileReading) if each.name not in FOUND]
    for name in options:
        if name not in known:
            raise TypeError(f"{caller}() got an unexpected keyword argument {name!r}")
    given = {**options}
    for name in ("missing_marks", "date_format"):
        if isinstance(given.get(name), str):
            given[name] = (given[name],)
    return FileReading(**given)


def check_texts(name: str, texts: object) -> None:
    """Refuse what is no list of texts."""
    is_list = isinstance(texts, Iterable) and not isinstance(texts, str)
    if not is_list or not all(isinstance(each, str) for each in texts):  # type: ignore[attr-defined]
        example = {"missing_marks": "('', 'NA')"}.get(name, "('%d/%m/%Y',)")
        raise ParameterError(Argument(name, texts), f" must be a list of texts, such as {example}.")


def _check_numbers(decimal: str | None, thousands: str | None) -> None:
    if decimal is not None:
        refuse_unknown("decimal", decimal, DECIMALS)
    if thousands is not None:
        refuse_unknown("thousands", thousands, THOUSANDS)
    if thousands and thousands == decimal:
        raise ParameterError(
            Argument("thousands", thousands), " and decimal cannot be the same sign."
        )


def _check_date_format(given: str) -> None:
    codes = re.findall("%.?", given)
    has_parts = {*codes} & {"%Y", "%y"} and {*codes} & {"%m", "%b", "%B"}
    if given in (ISO, ISO_ZONE) or (has_parts and all(code in DATE_CODES for code in codes)):
        return
    raise ParameterError(
        Argument("date_format", given),
        " is not a format of dates. Write it with %d, %m and %Y (or %y, %b, %B, %H, %I, %M, %S, %p), "
        "as in '%d/%m/%Y'.",
    )


def _check_encoding(encoding: str) -> None:
    try:
        "".encode(encoding)
        codecs.getincrementaldecoder(encoding)
    except (LookupError, TypeError, ValueError) as error:
        raise ParameterError(
            Argument("encoding", encoding),
            " is not a known encoding. Examples are 'utf-8', 'latin-1', 'cp1252' and 'utf-16'.",
        ) from error
