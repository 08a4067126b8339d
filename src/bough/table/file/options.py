"""`Options`: what a user says about a file, checked once."""

import codecs
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bough.errors import Argument, ParameterError
from bough.table.lazy_table import check_marks

Header = bool | Literal["auto"]
ShortRows = Literal["error", "missing"]


SIGNS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}


@dataclass(frozen=True)
class Options:
    """How a file is to be read; only `missing_marks` is about other files than CSV."""

    missing_marks: Sequence[str] = ("",)
    delimiter: str | None = None
    quote: str = '"'
    encoding: str = "utf-8"
    header: Header = "auto"
    short_rows: ShortRows = "error"

    def __post_init__(self) -> None:
        check_marks(self.missing_marks)
        for name, sign, least in (("delimiter", self.delimiter, 1), ("quote", self.quote, 0)):
            if sign is not None and not (least <= len(sign) <= 1 and sign.isascii()):
                raise ParameterError(
                    Argument(name, sign), " must be one ASCII character, such as ';'."
                )
            if sign in ("\n", "\r", "\0"):
                raise ParameterError(Argument(name, sign), " cannot be the end of a line or NUL.")
        if self.delimiter is not None and self.delimiter == self.quote:
            raise ParameterError(
                Argument("delimiter", self.delimiter), " and quote cannot be the same character."
            )
        if self.header not in (True, False, "auto"):
            raise ParameterError(Argument("header", self.header), " must be True, False or 'auto'.")
        if self.short_rows not in ("error", "missing"):
            raise ParameterError(
                Argument("short_rows", self.short_rows), " must be 'error' or 'missing'."
            )
        _check_encoding(self.encoding)


def _check_encoding(encoding: str) -> None:
    try:
        "".encode(encoding)
        codecs.getincrementaldecoder(encoding)
    except (LookupError, TypeError, ValueError) as error:
        raise ParameterError(
            Argument("encoding", encoding),
            " is not a known encoding. Examples are 'utf-8', 'latin-1', 'cp1252' and 'utf-16'.",
        ) from error
