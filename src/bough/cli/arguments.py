"""What users type, as arguments of the commands: tables, models, columns, pairs; files to write."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from errno import EACCES, EISDIR, ENOENT
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from cyclopts import Group, Parameter
from rich.text import Text

from bough import datasets
from bough.checks.list_of_checks import CHECKS
from bough.cli import PIPE
from bough.cli.command_line import typed_with
from bough.cli.failures import UsageError
from bough.cli.terminal import FLAG, Terminal, at_least
from bough.errors import ParameterError, did_you_mean, listed
from bough.evidence import ColumnLook, Note
from bough.exports.model_file import Model, load
from bough.file_options import FileOptions, FileReading
from bough.files import raise_clearly
from bough.schema import Value
from bough.table import open_source
from bough.table.source import KINDS, Source, Types
from bough.words import plain

MOST_FILES = 10_000  # of a folder that are looked at for a name that may be meant
Rule = Literal["stop", "weigh"]  # where a missing value goes
AsTuned = Annotated[
    Rule | None,
    Parameter(
        help="Missing values, if not as the model was tuned: stop follows the branch they took in "
        "training, else predicts there; weigh follows every branch and averages."
    ),
]
ModelFile = Annotated[Path, Parameter(help="A model file, as 'bough fit' writes it.")]
TableFile = Annotated[
    str,
    Parameter(
        help="A table: CSV, TSV, Excel, Parquet, JSON lines, or gzip of these; '-' reads a pipe."
    ),
]
TAB, TAB_WORDS = "\t", ("\\t", "tab")  # which few shells let one type
TARGET = ("--target", "-t")
MOST_NAMES = 12  # that a message lists
_CODE = re.compile(r"B\d+")  # what a check may be meant by
_START = 4096  # bytes that tell what a file is
_OURS = re.compile(
    rb'\A\s*\{\s*"bough"\s*:|<meta name="generator" content="bough |\A<svg [^>]*class="bough'
)
LONGEST_NAME = 100  # bytes of the name of a file, before its ending


def pairs(option: str, words: Iterable[str], names: Iterable[str] = ()) -> dict[str, str]:
    """Return what was said about each name, typed as NAME=VALUE after an option.

    `names` are known ones that may hold a '=' themselves.
    """
    found = {}
    for word in words:
        name = max((each for each in names if word.startswith(f"{each}=")), key=len, default=None)
        if name is None:
            name = word.partition("=")[0]
        if "=" not in word:
            raise UsageError(f"{option} {word!r} has no value. Type {option} NAME=VALUE.")
        if name in found:
            raise UsageError(f"{option} has {name!r} twice. Type {option} once for each.")
        found[name] = word[len(name) + 1 :]
    return found


def read_model(path: Path) -> Model:
    """Return the model in a file; if there is no such file, say which one may be meant."""
    with _named_nearly(path, lambda name: name.endswith(".json")):
        return load(path)


@contextmanager
def _named_nearly(path: Path, may_be: Callable[[str], bool]) -> Iterator[None]:
    """Say of a file that is not there which one in its folder may be meant."""
    try:
        yield
    except FileNotFoundError as error:
        with suppress(OSError):  # there is no such folder, or it cannot be read
            names = islice(path.absolute().parent.iterdir(), MOST_FILES)
            beside = [each.name for each in names if may_be(each.name)]
            error.args = (f"{error}{did_you_mean(path.name, beside)}",)
        raise


@Parameter(name="*", group=Group("What the columns are", sort_key=1))
@dataclass(frozen=True)
class Columns:
    """What the columns of a table are, where that is not to be found out."""

    target: Annotated[str | None, Parameter(alias="-t", metavar="COLUMN")] = None
    """The column to predict."""
    task: Literal["auto", "classification", "regression", "ranking", "rank"] = "auto"
    """Predict classes (classification) or numbers (regression), or rank the rows of each group."""
    types: Annotated[tuple[str, ...], Parameter(show_default=False, metavar="COLUMN=KIND")] = ()
    """The kind of a column: category, number, date, ignore, or its values in order, as in size=S,M,L. May be repeated."""
    ignore: Annotated[tuple[str, ...], Parameter(show_default=False, metavar="NAME")] = ()
    """A column to leave out, or the code of a check to skip. May be repeated."""
    group: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    """A column, such as a customer, whose rows must stay together in the split; for rankings, such as a search."""

    def given(self, source: Source) -> dict[str, Any]:
        """Return what was typed as arguments of `bough.fit`, but for the target."""
        return {
            "task": self.task,
            "types": self._kinds(source),
            "ignore": self._ignored(source),
            "group": self.group,
        }

    def _kinds(self, source: Source) -> Types | None:
        """Return the kinds of columns by name."""
        found = pairs("--type", self.types, source.names)
        for name in found:
            source.number_of(name, "types")
        return {
            name: kind if kind in KINDS else _order(name, kind) for name, kind in found.items()
        } or None

    def _ignored(self, source: Source) -> tuple[str, ...]:
        """Return the columns and the checks to be left out."""
        for word in self.ignore:
            if _CODE.fullmatch(word) and word not in {*CHECKS, *source.names}:
                raise UsageError(
                    f"--ignore {word!r} is not the code of a check.{did_you_mean(word, CHECKS)} "
                    f"Known: {listed(CHECKS, most=len(CHECKS))}."
                )
        return self.ignore

    def chosen_target(self, source: Source, data: str, terminal: Terminal) -> str:
        """Return the target; if none is named, a person at a terminal may choose one."""
        if self.target is None and source.teaching is not None:
            return source.teaching.target
        if self.target is None:
            if data != PIPE and sys.stdin.isatty() and sys.stderr.isatty() and not terminal.json:
                return _choose(source, terminal)
            raise _no_target(source)
        try:
            source.number_of(self.target, "target")
        except ParameterError as error:
            for near in get_close_matches(self.target, source.names, n=1):
                error.add_note(typed_with("-t", near, instead=TARGET))
            raise
        return self.target


AS_SEEN = Columns()


def plain_column(column: ColumnLook) -> dict[str, Any]:
    """Return what was seen of a column as plain data; its notes stand beside all others."""
    return {key: value for key, value in asdict(column).items() if key != "notes"}


def _choose(source: Source, terminal: Terminal) -> str:
    terminal.err.print(Text("Which column do you want to predict?", "bold"))
    room = len(str(len(source.names)))
    for place, name in enumerate(source.names, start=1):
        terminal.err.print(Text(f"  {place:>{room}}  {plain(name)}"))
    while True:
        typed = terminal.err.input("> ").strip()
        if typed in source.names:
            return typed
        if typed.isdecimal() and 1 <= int(typed) <= len(source.names):
            return source.names[int(typed) - 1]
        terminal.err.print(
            Text(f"  Type a number from 1 to {len(source.names)}, or a name.", "dim")
        )


def _no_target(source: Source) -> UsageError:
    error = UsageError(
        "Which column do you want to predict? Name it with -t. "
        f"Columns: {listed(source.names, most=MOST_NAMES)}."
    )
    error.add_note(typed_with("-t", source.names[-1]))
    return error


def _order(name: str, words: str) -> list[Value]:
    """Return the values of a column in their order, numbers if all are."""
    values = words.split(",")
    if len(values) < 2:
        raise UsageError(
            f"--type {name}={words!r} is not known.{did_you_mean(words, KINDS)} "
            f"Known: {', '.join(KINDS)}, or values in order: S,M,L."
        )
    try:
        return [int(value) for value in values]
    except ValueError:
        return list(values)


def is_teaching(path: str) -> bool:
    """Return whether a teaching table is meant; a file of its name comes first."""
    return path in datasets.names() and not Path(path).exists()


@Parameter(name="*", group=Group("Reading the table", sort_key=4))
@dataclass(frozen=True)
class Reading:
    """How a file is to be read, where that is not to be found out."""

    missing_marks: Annotated[tuple[str, ...], Parameter(show_default=False, metavar="MARK")] = ()
    """A cell that counts as missing, such as NA; an empty one always does. May be repeated."""
    delimiter: Annotated[str | None, Parameter(metavar="SIGN")] = None
    """The character between cells, or tab; detected if not given."""
    quote: Annotated[str | None, Parameter(metavar="SIGN")] = None
    """The character around cells that contain the delimiter, \" if not given; '' for none."""
    encoding: Annotated[str | None, Parameter(metavar="NAME")] = None
    """The encoding of the file, such as latin-1; UTF-8 if not given."""
    header: Annotated[bool | None, Parameter(negative="--no-header")] = None
    """Whether the first line has the column names; detected if not given."""
    short_rows: Literal["error", "missing"] = "error"
    """A row with too few cells: report an error, or fill it up with missing values."""
    skip: Annotated[int, at_least(0), Parameter(show_default=False, metavar="LINES")] = 0
    """How many lines to skip at the top of the file, such as a title; detected if not given."""
    decimal: Literal[".", ","] | None = None
    """The decimal sign; detected if not given."""
    thousands: Annotated[str | None, Parameter(metavar="SIGN")] = None
    """The sign between thousands: one of , . ' or a blank; '' for none. Detected if not given."""
    date_format: Annotated[tuple[str, ...], Parameter(show_default=False, metavar="FORMAT")] = ()
    """How dates are written, such as %d/%m/%Y; detected if not given. May be repeated."""
    sheet: Annotated[str | None, Parameter(metavar="NAME")] = None
    """The sheet of an Excel file, by name or number; the first if not given."""

    @property
    def options(self) -> FileOptions:
        """The arguments of `read_file`."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        given["missing_marks"] = ("", *self.missing_marks)
        given["delimiter"] = TAB if self.delimiter in TAB_WORDS else self.delimiter
        given["header"] = "auto" if self.header is None else self.header
        return cast(FileOptions, given)

    def open(self, path: str, like: FileReading | None = None) -> Source:
        """Return the columns of a file, read as that of a model was, or of a teaching table.

        '-' is what is piped in.
        """
        if is_teaching(path):
            return open_source(datasets.load(path))
        from bough.table.file import read_file  # loads DuckDB

        with _named_nearly(Path(path), lambda name: not name.endswith((".bough.json", ".html"))):
            return read_file(path, like=like, **self.options)


AS_FOUND = Reading()


@Parameter(name="*")
@dataclass(frozen=True)
class Checks:
    """Which checks are made of the rows that a finished tree is given."""

    ignore: Annotated[
        tuple[str, ...],
        Parameter(choices=CHECKS, show_choices=False, show_default=False, metavar="CODE"),
    ] = ()
    """The code of a check to skip. May be repeated."""

    def made(self, notes: Iterable[Note]) -> tuple[Note, ...]:
        """Return the notes of checks that are not ignored."""
        return tuple(note for note in notes if note.code not in self.ignore)


ALL_CHECKS = Checks()


def is_ours(path: Path) -> bool:
    """Return whether a file is a model, a page or a picture that bough has written."""
    with path.open("rb") as file:
        return _OURS.search(file.read(_START)) is not None


@Parameter(name="*")
@dataclass(frozen=True)
class Outputs:
    """Whether files that are there may be overwritten."""

    force: Annotated[bool, FLAG] = False
    """Overwrite a file that bough did not write, or that this command reads."""

    def check(
        self,
        path: Path,
        inputs: Iterable[str | Path | None],
        may_replace: Callable[[Path], bool] = is_ours,
    ) -> None:
        """Refuse a file that cannot be written, or that would be lost and nobody has said so.

        That is one of `inputs` (None and '-' are no files), or one that bough did not write before.
        """
        _check_place(path)
        if self.force or not path.is_file() or not path.stat().st_size:
            return
        read = (Path(each) for each in inputs if each is not None and str(each) != PIPE)
        if any(each.exists() and each.samefile(path) for each in read):
            raise UsageError(
                f"{str(path)!r} is a file that this command reads. Name another file with -o, or "
                "add --force to overwrite it."
            )
        if not may_replace(path):
            raise UsageError(
                f"{str(path)!r} already exists and does not look like a file of bough. Name another "
                "file with -o, or add --force to overwrite it."
            )


NOTHING_LOST = Outputs()


def _check_place(path: Path) -> None:
    folder = path.absolute().parent
    if path.is_dir():
        errno = EISDIR
    elif not folder.is_dir():
        errno = ENOENT
    elif not path.exists() and not os.access(folder, os.W_OK):
        errno = EACCES
    else:
        return
    raise_clearly(OSError(errno, os.strerror(errno)), f"cannot save {str(path)!r}")


def file_name(target: str) -> str:
    """Return what is left of a target in the name of a file."""
    kept = re.sub(r"[^\w.-]", "", target).lstrip(".-")
    return kept.encode()[:LONGEST_NAME].decode(errors="ignore") or "tree"


@Parameter(name="*")
@dataclass(frozen=True)
class Pages:
    """Whether a page about the tree is written, and opened."""

    report: Annotated[bool, FLAG, Parameter(negative="--no-report")] = True
    """Write a page about the tree next to the model file: TARGET.html. The default."""
    open: Annotated[bool, FLAG] = False
    """Open the page in a browser."""

    def page_of(self, model: Path) -> Path | None:
        """Return the file of the page beside a model file; None: it is not wanted."""
        return page_beside(model) if self.report or self.open else None


AS_A_RULE = Pages()


def page_beside(model: Path) -> Path | None:
    """Return the file of the page that belongs to a model file; none beside a pipe or a device.

    Examples
    --------
    >>> print(page_beside(Path("trees/species.bough.json")))
    trees/species.html
    """
    if model.exists() and not model.is_file():
        return None
    return model.with_name(f"{model.name.removesuffix('.json').removesuffix('.bough')}.html")


def open_page(page: Path, terminal: Terminal) -> None:
    """Open a page in the browser, or say that there is none."""
    import webbrowser  # takes as long as the rest of a command that shows something

    if not webbrowser.open(page.absolute().as_uri()):
        terminal.remark(f"No browser can be opened from here. Open {page} yourself.")
