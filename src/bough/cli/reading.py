"""`Reading`: what a user says about the file of a table."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from bough.table.column import Source


@Parameter(name="*", group=Group("Reading the table", sort_key=4))
@dataclass(frozen=True)
class Reading:
    """How a file is to be read, where that is not to be found out."""

    missing: Annotated[tuple[str, ...], Parameter(show_default=False, metavar="MARK")] = ()
    """A cell that counts as missing, such as NA; an empty one always does. May be repeated."""
    delimiter: Annotated[str | None, Parameter(metavar="SIGN")] = None
    """The sign between cells."""
    quote: Annotated[str, Parameter(metavar="SIGN")] = '"'
    """The sign around cells that hold the sign between cells; '' for none."""
    encoding: Annotated[str, Parameter(metavar="NAME")] = "utf-8"
    """How letters are stored; latin-1 is a common other way."""
    header: Annotated[bool | None, Parameter(negative="--no-header")] = None
    """Whether the first line has the names of the columns."""
    short_rows: Literal["error", "missing"] = "error"
    """What becomes of a row with too few cells: an error, or missing cells."""

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of `read_file`."""
        return {
            "missing_marks": ("", *self.missing),
            "delimiter": self.delimiter,
            "quote": self.quote,
            "encoding": self.encoding,
            "header": "auto" if self.header is None else self.header,
            "short_rows": self.short_rows,
        }

    def open(self, path: str) -> Source:
        """Return the columns of a file; '-' is what is piped in."""
        from bough.table.file import read_file  # loads DuckDB

        return read_file(path, **self.options)


AS_FOUND = Reading()
