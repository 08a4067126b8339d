"""`bough fit`: look, split, seal, grow, choose, test."""

import re
from dataclasses import dataclass, fields, replace
from pathlib import Path
from shlex import quote
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter
from rich.text import Text

from bough.cli.arguments import (
    AS_FOUND,
    AS_SEEN,
    Columns,
    Reading,
    Rule,
    pairs,
    plain_column,
)
from bough.cli.messages import UsageError
from bough.cli.outputs import NOTHING_LOST, Outputs
from bough.cli.printing import (
    AS_A_RULE,
    Pages,
    open_page,
    picture,
    plain_notes,
    print_notes,
    progress,
)
from bough.cli.terminal import AS_USUAL, FLAG, Beside, Terminal, at_least
from bough.learn import Result
from bough.learn import fit as learnt
from bough.report.result_words import rows_text, verdict_lines
from bough.split import SHARES
from bough.table.source import Source
from bough.words import plain

LONGEST_NAME = 100  # bytes of the name of a file, before its ending
BESIDE = 16  # lines of a screen for what stands above and below the tree
DIRECTIONS = {"+1": 1, "1": 1, "-1": -1}
INTERNAL = (
    "sketches",
    "ranges",
    "stops",
    "edits",
)  # what a reader need not know, or is not there yet


_COLUMN = Parameter(metavar="COLUMN")
_FILE = Parameter(metavar="FILE")


@Parameter(name="*", group=Group("Learning", sort_key=3))
@dataclass(frozen=True)
class FitOptions:
    """What the tree is to be like, and how it is measured."""

    time: Annotated[str | None, _COLUMN] = None
    """The column of time; the newest rows are the test rows."""
    weight: Annotated[str | None, _COLUMN] = None
    """The column that says how much a row counts."""
    dev: Annotated[str | None, _FILE] = None
    """A table of development rows of your own."""
    test: Annotated[str | None, _FILE] = None
    """A table of test rows of your own."""
    split: Annotated[tuple[float, float, float], Parameter(metavar="SHARES")] = SHARES
    """The shares of training, development and test rows: three numbers."""
    criterion: Annotated[tuple[str, ...] | None, Parameter(metavar="NAME")] = None
    """How questions are chosen, such as gini or entropy; the usual ones are tried. May be repeated."""
    categorical: Annotated[tuple[str, ...] | None, Parameter(metavar="WAY")] = None
    """How categories are asked for: each or group; both are tried. May be repeated."""
    loss: Annotated[str | None, Parameter(metavar="NAME")] = None
    """What is to be small: error, log_loss, brier, cost, squared_error, absolute_error, poisson, pinball or ndcg_loss."""
    quantile: float | None = None
    """For --criterion quantile and --loss pinball: the share of labels that a guess is to exceed."""
    missing: Rule = "stop"
    """Where a missing value goes when rows are guessed: where such values went when the tree was grown
    (if there were none it stops), or to every answer, weighed by their rows."""
    costs: Annotated[
        tuple[tuple[str, str, float], ...],
        Parameter(show_default=False, metavar="TRUE GUESS COST"),
    ] = ()
    """What a guess costs where a class is true, as in 'ill well 20'; others: 1. May be repeated."""
    probability: Literal["raw", "laplace", "honest"] = "raw"
    """Where probabilities come from: shares, smoothed shares, or shares of development rows."""
    monotonic_cst: Annotated[
        tuple[str, ...], Parameter(show_default=False, metavar="COLUMN=+1")
    ] = ()
    """A column along which guesses may not fall, or with -1 not rise, as in age=+1. May be repeated."""
    choose: Literal["best", "simple"] = "best"
    """The tree of least loss, or the smallest one within a standard error of it."""
    first: Annotated[tuple[str, ...], Parameter(show_default=False, metavar="COLUMN")] = ()
    """A column to ask about before any other. May be repeated: in this order."""
    forbid: Annotated[tuple[str, ...], Parameter(show_default=False, metavar="COLUMN")] = ()
    """A column never to ask about. May be repeated."""
    pivots: Literal["round", "midpoint"] = "round"
    """Where a pivot lies between the two values next to it: at the roundest number, or halfway."""
    prune: Annotated[tuple[str, ...] | None, Parameter(metavar="WAY")] = None
    """How trees are made smaller: depth, cost_complexity (both are tried), pessimistic, reduced_error or merge. May be repeated."""
    refit: Annotated[bool, FLAG, Parameter(negative="--no-refit")] = True
    """Grow the chosen tree again from training and development rows, as is usual."""
    seed: int = 0
    """Another seed splits the rows otherwise."""
    n_jobs: int | None = None
    """The number of threads; all cores if none is given. It never changes the tree."""


AS_ADVISED = FitOptions()


def fit(
    data: str,
    /,
    *,
    output: Annotated[Path | None, Parameter(alias="-o", metavar="FILE")] = None,
    depth: Annotated[int | None, at_least(0)] = None,
    full: Annotated[bool, FLAG] = False,
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
    data
        A table: CSV, TSV, Parquet, JSON lines, or gzip of these; '-' is what is piped in.
    output
        The model file to write; TARGET.bough.json if none is named.
    depth
        Draw this many questions below each other and no more.
    full
        Draw the whole tree, however high the screen is.
    """
    source = reading.open(data)
    target = columns.chosen_target(source, "fit", data, terminal)
    path = Path(f"{_file_name(target)}.bough.json") if output is None else output
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
            **_given(learning, source, reading),
        )
    result = replace(result, name=Path(data).name)
    if not terminal.json:  # before it is saved: a full disk must not cost the result
        _print(result, terminal, depth=depth, full=full)
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


def _given(learning: FitOptions, source: Source, reading: Reading) -> dict[str, Any]:
    """Return what was typed as arguments of `bough.fit`."""
    given = {each.name: getattr(learning, each.name) for each in fields(learning)}
    given["costs"] = _costs(learning.costs)
    given["monotonic_cst"] = _directions(learning.monotonic_cst, source)
    for part in ("dev", "test"):
        given[part] = None if given[part] is None else reading.open(given[part])
    return given


def _costs(given: tuple[tuple[str, str, float], ...]) -> dict[tuple[str, str], float] | None:
    """Return what guesses cost, by the true class and the guess."""
    costs = {(true, guess): cost for true, guess, cost in given}
    if len(costs) < len(given):
        raise UsageError("--cost says twice what one guess costs where one class is true.")
    return costs or None


def _directions(words: tuple[str, ...], source: Source) -> dict[str, int] | None:
    """Return which way guesses go along the columns that were named."""
    found = {}
    for name, direction in pairs("--monotonic", words, source.names).items():
        if direction not in DIRECTIONS:
            raise UsageError(
                f"--monotonic {name}={direction!r} is not known. Type {name}=+1 where guesses may "
                f"not fall as it grows, or {name}=-1 where they may not rise."
            )
        found[name] = DIRECTIONS[direction]
    return found or None


def _file_name(target: str) -> str:
    """Return what is left of a target in the name of a file."""
    kept = re.sub(r"[^\w.-]", "", target).lstrip(".-")
    return kept.encode()[:LONGEST_NAME].decode(errors="ignore") or "tree"


def _print(result: Result, terminal: Terminal, *, depth: int | None, full: bool) -> None:
    terminal.say(Text(result.headline()))
    print_notes(terminal, result.notes)
    terminal.remark(Beside(Text("  "), Text(rows_text(result.evidence), "dim")))
    terminal.say("")
    terminal.say(picture(terminal, result.saved.tree, depth=depth, full=full, beside=BESIDE))
    terminal.say("")
    first, *others = verdict_lines(
        result.evidence, result.saved.tree, terminal.digits, terminal.width
    )
    terminal.say(Text(first, "bold"))
    for line in others:
        terminal.say(Text(line))


def _plain(result: Result, path: Path, page: Path | None) -> dict[str, Any]:
    evidence = {
        key: value for key, value in result.evidence.as_dict().items() if key not in INTERNAL
    }
    columns = [plain_column(column) for column in result.columns]
    notes = plain_notes(result.notes)
    return {
        "output": str(path),
        "report": None if page is None else str(page),
        "table": result.name,
        "columns": columns,
        **evidence,
        "notes": notes,
        "sentences": result.sentences,
    }
