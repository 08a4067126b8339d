"""`Reading`: what a user says about the file of a table."""

from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Group, Parameter

from bough.table.file.source import FileSource


@Parameter(name="*", group=Group("Reading the table", sort_key=2))
@dataclass(frozen=True)
class Reading:
    """How a file is to be read, where that is not to be found out."""

    missing: Annotated[tuple[str, ...], Parameter(alias="--missing-marks", show_default=False)] = ()
    """A cell that counts as missing, such as NA; an empty one always does. May be repeated."""
    delimiter: str | None = None
    """The sign between cells."""
    quote: str = '"'
    """The sign around cells that hold the one between cells; '' for none."""
    encoding: str = "utf-8"
    """How letters are stored; latin-1 is a common other way."""
    header: Annotated[bool | None, Parameter(negative="--no-header")] = None
    """Whether the first line has the names of the columns."""
    short_rows: Literal["error", "missing"] = "error"
    """What becomes of a row with too few cells: an error, or missing cells."""

    def open(self, path: str) -> FileSource:
        """Return the columns of a file; '-' is what is piped in."""
        from bough.table.file import read_file

        return read_file(
            path,
            missing_marks=("", *self.missing),
            delimiter=self.delimiter,
            quote=self.quote,
            encoding=self.encoding,
            header="auto" if self.header is None else self.header,
            short_rows=self.short_rows,
        )


AS_FOUND = Reading()
