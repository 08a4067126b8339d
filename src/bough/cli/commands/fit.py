"""`bough fit`: look, split, seal, grow, choose, test; with `--engine`, from files that Dask or Spark reads."""

import os
import os.path
import socket
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from glob import escape, iglob
from importlib import import_module
from pathlib import Path
from shlex import quote
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from cyclopts import Group, Parameter
from rich.text import Text

from bough.checks.note_words import plain_notes
from bough.cli.arguments import (
    AS_A_RULE,
    AS_FOUND,
    AS_SEEN,
    NOTHING_LOST,
    Columns,
    Outputs,
    Pages,
    Reading,
    Rule,
    TableFile,
    file_name,
    open_page,
    pairs,
    plain_column,
)
from bough.cli.failures import UsageError
from bough.cli.printing import Picture, print_notes, progress
from bough.cli.terminal import AS_USUAL, FLAG, Beside, Terminal, at_least
from bough.errors import BoughError, DistributedError
from bough.file_options import FileReading
from bough.holdout import SHARES
from bough.learn import fit as learnt
from bough.learn.result import Result
from bough.machine_limits import memory_budget
from bough.partitioned.parquet_files import StreamingEngine, stream_of_files
from bough.result_words import rows_text, verdict_lines
from bough.table import open_source
from bough.table.source import Source
from bough.words import plain

BESIDE = 18  # lines of a screen for what stands above and below the tree
DIRECTIONS = {"+1": 1, "1": 1, "-1": -1}
# What a reader need not know, what the page alone shows, or what is not there yet.
INTERNAL = {"sketches", "ranges", "stops", "edits", "columns", "labels", "off", "density", "nodes"}


_COLUMN = Parameter(metavar="COLUMN")
_FILE = Parameter(metavar="FILE")
_SHARES = Parameter(metavar="SHARES", show_default=lambda shares: " ".join(map(str, shares)))
LOCAL = "local"  # instead of an address: this machine
PATIENCE = 10.0  # seconds for a connection


@Parameter(name="*", group=Group("Learning", sort_key=3))
@dataclass(frozen=True)
class FitOptions:
    """What the tree is to be like, and how it is measured."""

    time: Annotated[str | None, _COLUMN] = None
    """A date or number column to split by: the newest rows become the test rows."""
    weight: Annotated[str | None, _COLUMN] = None
    """The column of row weights."""
    dev: Annotated[str | None, _FILE] = None
    """A table of development rows, instead of a share of DATA."""
    test: Annotated[str | None, _FILE] = None
    """A table of test rows, instead of a share of DATA."""
    split: Annotated[tuple[float, float, float], _SHARES] = SHARES
    """Three numbers: the shares of training, development and test rows. Small tables have no development rows: trees are cross-validated on the training rows (0.8 and 0.2)."""
    criterion: Annotated[tuple[str, ...] | None, Parameter(metavar="NAME")] = None
    """How splits are scored, such as gini or entropy; by default the usual ones are tried. May be repeated."""
    categorical: Annotated[tuple[str, ...] | None, Parameter(metavar="WAY")] = None
    """How to split a category: each (one branch per value) or group (two groups of values); by default both are tried. May be repeated."""
    loss: Annotated[str | None, Parameter(metavar="NAME")] = None
    """The loss to minimise: error, log_loss, brier or cost; for numbers squared_error, absolute_error, poisson or pinball; for rankings ndcg_loss."""
    quantile: float | None = None
    """For --criterion quantile and --loss pinball: which quantile to predict, between 0 and 1."""
    missing: Rule = "stop"
    """Missing values in prediction. stop: follow the branch they took in training, else predict at that node; weigh: follow every branch and average."""
    costs: Annotated[
        tuple[tuple[str, str, float], ...],
        Parameter(show_default=False, metavar="TRUE PREDICTED COST"),
    ] = ()
    """The cost of predicting PREDICTED where TRUE is right, as in 'ill well 20'; other mistakes cost 1. May be repeated."""
    probability: Literal["raw", "laplace", "prior", "honest"] | None = None
    """Probabilities are the shares in the leaf (raw), these with one row added for each class (laplace, the default) or two rows mixed as all rows are (prior), or the shares of development rows (honest)."""
    monotonic_cst: Annotated[
        tuple[str, ...], Parameter(show_default=False, metavar="COLUMN=+1")
    ] = ()
    """age=+1: predictions never fall as age grows; age=-1: they never rise. May be repeated."""
    choose: Literal["best", "simple"] = "best"
    """The tree with the lowest loss (best), or the smallest within one standard error of it (simple)."""
    first: Annotated[tuple[str, ...], Parameter(show_default=False, metavar="COLUMN")] = ()
    """A column to ask about first. May be repeated, in this order."""
    forbid: Annotated[tuple[str, ...], Parameter(show_default=False, metavar="COLUMN")] = ()
    """A column never to ask about. May be repeated."""
    pivots: Literal["round", "midpoint"] = "round"
    """Place a split point between two values at a round number, or exactly halfway (midpoint)."""
    exact: Annotated[bool, FLAG, Parameter(negative="--no-exact")] = True
    """Consider every value of a number (the default), or split between 255 intervals only."""
    prune: Annotated[tuple[str, ...] | None, Parameter(metavar="WAY")] = None
    """How to prune: depth, cost_complexity, pessimistic, reduced_error or merge; by default the first two are tried. May be repeated."""
    max_depth: Annotated[int | None, at_least(0)] = None
    """The most questions in a row that the tree may ask."""
    max_leaves: Annotated[int | None, at_least(1)] = None
    """The most leaves that the tree may have."""
    min_rows_per_leaf: Annotated[int, at_least(1)] = 1
    """The fewest training rows that a leaf may have."""
    refit: Annotated[bool, FLAG, Parameter(negative="--no-refit")] = True
    """Grow the chosen tree again from training and development rows. The default."""
    seed: int = 0
    """Seed of the random split."""
    repeats: Annotated[int, at_least(1), Parameter(metavar="N")] = 1
    """Split, learn and measure with N seeds, and say how much the figures vary. The tree is that of the first seed."""
    n_jobs: int | None = None
    """Number of threads; all cores by default. It never changes the tree."""
    max_memory: Annotated[str | None, Parameter(metavar="SIZE")] = None
    """How much memory to use, such as 2GB; three quarters of what is free by default. What does not fit lies in temporary files. It never changes the tree."""


AS_ADVISED = FitOptions()


def fit(
    data: TableFile,
    /,
    *,
    output: Annotated[Path | None, Parameter(alias="-o", metavar="FILE")] = None,
    depth: Annotated[int | None, at_least(0)] = None,
    full: Annotated[bool, FLAG] = False,
    engine: Annotated[str | None, Parameter(metavar="ADDRESS")] = None,
    pages: Pages = AS_A_RULE,
    outputs: Outputs = NOTHING_LOST,
    columns: Columns = AS_SEEN,
    learning: FitOptions = AS_ADVISED,
    reading: Reading = AS_FOUND,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Learn a tree.

    Parameters
    ----------
    output
        The model file to write; TARGET.bough.json if none is named.
    depth
        Draw at most this many levels of questions.
    full
        Draw the whole tree, even if it is longer than the screen.
    engine
        Let Dask or Spark read Parquet files, such as 'data/*.parquet', and stream their rows here: dask://HOST:PORT or spark://HOST:PORT, or dask://local for this machine. Quote a pattern, or the shell puts the names of all files in its place.
    """
    with memory_budget(learning.max_memory):
        opened = _opener(engine, reading, data)
        with progress(terminal):  # of which only the clock is known
            source = opened(data)
        target = columns.chosen_target(source, data, terminal)
        path = Path(f"{file_name(target)}.bough.json") if output is None else output
        page = pages.page_of(path)
        for each in (path, page):
            if each is not None:
                outputs.check(each, [data, learning.dev, learning.test])
        with progress(terminal) as tell:
            result = learnt(
                source,
                target,
                progress=tell,
                **columns.given(source),
                **_given(learning, source, opened),
            )
        result = replace(result, name=Path(data).name)
        try:  # before it is saved: a full disk must not cost the result
            if not terminal.json:
                _print(result, terminal, depth=depth, full=full)
        finally:  # nor must a reader that has read enough, as in `bough fit … | head`
            result.save(path)
            if page is not None:
                result.report(page, digits=terminal.digits)
        if terminal.json:
            terminal.document("fit", _plain(result, path, page))
        else:
            _say_what_is_saved(terminal, path, page)
        if pages.open and page is not None:
            open_page(page, terminal)


def _say_what_is_saved(terminal: Terminal, path: Path, page: Path | None) -> None:
    saved = plain(str(path))
    files = saved if page is None else f"{saved}  {plain(str(page))}"
    terminal.remark(
        Text.assemble(("saved ", "green"), files, ("   next: ", "dim"), f"bough ask {quote(saved)}")
    )


def _opener(engine: str | None, reading: Reading, data: str) -> Callable[..., Source]:
    """Return what opens tables: DuckDB here, or an engine."""
    if engine is None:
        _refuse_several(data)
        return reading.open
    if reading != AS_FOUND:
        raise UsageError("--engine reads Parquet files only. Leave out how a file is written.")
    return opener(engine)


def _refuse_several(data: str) -> None:
    """Refuse a folder or a pattern of Parquet files by saying what reads it."""
    from bough.partitioned.parquet_files import SUFFIXES

    if os.path.isfile(data):  # noqa: PTH113 - of any word, however long
        return
    pattern = f"{escape(data)}/**" if os.path.isdir(data) else data  # noqa: PTH112
    if any(path.endswith(SUFFIXES) for path in iglob(pattern, recursive=True)):  # noqa: PTH207
        raise UsageError(
            f"{data!r} may be many files. Parquet files are read together by an engine, if Dask is "
            "installed: add --engine dask://local."
        )


def _given(learning: FitOptions, source: Source, opened: Callable[..., Source]) -> dict[str, Any]:
    """Return what was typed as arguments of `bough.fit`."""
    given = {each.name: getattr(learning, each.name) for each in fields(learning)}
    given["costs"] = _costs(learning.costs)
    given["monotonic_cst"] = _directions(learning.monotonic_cst, source)
    for part in ("dev", "test"):
        given[part] = given[part] and opened(given[part], source.reading)
    return given


def _costs(given: tuple[tuple[str, str, float], ...]) -> dict[tuple[str, str], float] | None:
    """Return what guesses cost, by the true class and the guess."""
    costs = {(true, guess): cost for true, guess, cost in given}
    if len(costs) < len(given):
        raise UsageError(
            "--cost names the same true class and prediction twice. Give each pair once."
        )
    return costs or None


def _directions(words: tuple[str, ...], source: Source) -> dict[str, int] | None:
    """Return which way guesses go along the columns that were named."""
    found = {}
    for name, direction in pairs("--monotonic", words, source.names).items():
        if direction not in DIRECTIONS:
            raise UsageError(
                f"--monotonic {name}={direction!r} is not known. Type {name}=+1 if predictions "
                f"must not fall as it grows, or {name}=-1 if they must not rise."
            )
        found[name] = DIRECTIONS[direction]
    return found or None


def _print(result: Result, terminal: Terminal, *, depth: int | None, full: bool) -> None:
    terminal.say(Text(result.headline()))
    print_notes(terminal, result.notes)
    terminal.remark(Beside(Text("  "), Text(rows_text(result.evidence), "dim")))
    terminal.say("")
    of_classes = result.class_lines("--json", terminal.digits, terminal.width)
    beside = BESIDE + len(of_classes)
    terminal.say(Picture(terminal, result.saved.tree, depth, full, beside=beside).drawn())
    terminal.say("")
    first, *others = verdict_lines(
        result.evidence, result.saved.tree, terminal.digits, terminal.width, cli=True
    )
    terminal.say(Text(first, "bold"))
    for line in [*others, *of_classes]:
        terminal.say(Text(line))


def _plain(result: Result, path: Path, page: Path | None) -> dict[str, Any]:
    evidence = {
        key: value for key, value in result.evidence.as_dict().items() if key not in INTERNAL
    }
    if evidence["simpler"] is not None:  # the tree itself is in the model file
        evidence["simpler"] = {
            key: evidence["simpler"][key] for key in ("chosen", "n_leaves", "test")
        }
    columns = [plain_column(column) for column in result.columns]
    notes = plain_notes(result.notes)
    return {
        "output": str(path),
        "report": None if page is None else str(page),
        "table": result.name,
        "columns": columns,
        **evidence,
        "spread": {name: asdict(each) for name, each in result.spread.items()},
        "notes": notes,
        "confusion": None if result.confusion is None else asdict(result.confusion),
        "sentences": result.sentences,
    }


def opener(engine: str) -> Callable[..., Source]:
    """Return what opens files by an engine, as in 'dask://10.0.0.5:8786'."""
    where = urlsplit(engine)
    starts = {"dask": _on_dask, "spark": _on_spark}
    try:
        is_known = where.scheme in starts and (where.netloc == LOCAL or where.port is not None)
    except ValueError:  # the port is no number
        is_known = False
    if not is_known:
        raise UsageError(
            f"--engine {engine!r} is not known. Type dask:// or spark:// with an address and a port, "
            "as in dask://10.0.0.5:8786, or dask://local."
        )
    if where.netloc != LOCAL:
        _refuse_silence(engine, str(where.hostname), int(where.port or 0))
    try:
        import_module(f"bough.{where.scheme}")
    except ImportError as error:  # which says what to install
        raise UsageError(str(error)) from error
    started = starts[where.scheme](engine, where.netloc)

    def opened(path: str, *_: object) -> Source:
        try:
            source = open_source(stream_of_files(started, path))
        except BoughError:
            raise
        except (OSError, ValueError) as error:
            raise UsageError(f"{engine} cannot read {path!r} as Parquet: {error}") from error
        return replace(source, reading=FileReading())  # as a Parquet file that is read here

    return opened


def _refuse_silence(engine: str, host: str, port: int) -> None:
    try:
        socket.create_connection((host, port), PATIENCE).close()
    except OSError as error:
        raise DistributedError(
            f"Nothing answers at {engine} ({error}). Start it, or correct the address."
        ) from error


def _on_dask(engine: str, address: str) -> StreamingEngine:
    from bough.dask import DaskEngine

    if address != LOCAL:
        from dask.distributed import Client

        try:
            Client(f"tcp://{address}", timeout=PATIENCE)
        except OSError as error:
            raise DistributedError(f"What answers at {engine} is no Dask scheduler.") from error
    return DaskEngine()


def _on_spark(engine: str, address: str) -> StreamingEngine:
    from pyspark.sql import SparkSession

    from bough import spark as on_spark

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    master = "local[*]" if address == LOCAL else engine
    try:
        with on_spark.told():
            session = (
                SparkSession.builder.master(master).appName("bough")
                .config("spark.ui.showConsoleProgress", "false").getOrCreate()
            )  # fmt: skip
            session.sparkContext.setLogLevel("ERROR")
    except DistributedError as error:
        raise DistributedError(
            f"Spark does not start on {master}. It needs Java here, and a master of the same version "
            f"there. It says: {error}"
        ) from error
    return on_spark.SparkEngine(session.sparkContext)
