"""The commands about one row.

`bough explain`: why it gets its guess, and what would change it; `bough ask`: the questions of a tree,
one by one.
"""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
from cyclopts import Parameter
from rich.text import Text

from bough.cli.arguments import AS_FOUND, AsTuned, ModelFile, Reading, pairs, read_model
from bough.cli.command_line import typed_with
from bough.cli.failures import UsageError
from bough.cli.terminal import AS_USUAL, Beside, Terminal
from bough.errors import BoughError, ParameterError
from bough.explain.row import explain as explained
from bough.interview import Interview, Outcome, Question
from bough.predict import read_asked
from bough.schema import Kind, Value, date
from bough.table import Table, typed_row
from bough.table.column import row_word
from bough.text_layout import filled
from bough.tree import Tree
from bough.words import number, plain, value_word

INDENT = " " * 5
MOST_CHOICES = 30  # that are listed; the others can be typed
MOST_PIVOTS = 4
KEYS = {"u": "don't know", "m": "missing", "b": "back", "?": "why"}


class RowPlace(NamedTuple):
    """Where a row is: which one it is, counted from 1, and on which line of a text file."""

    row: int
    where: str | None

    def __str__(self) -> str:
        return f"row {self.row:,}" + (f" ({self.where})" if self.where else "")


def explain(
    model: ModelFile,
    data: str | None = None,
    /,
    *,
    row: Annotated[list[int] | None, Parameter(metavar="N")] = None,
    set_: Annotated[list[str] | None, Parameter(name="--set", metavar="NAME=VALUE")] = None,
    missing: AsTuned = None,
    reading: Reading = AS_FOUND,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Explain a prediction.

    Parameters
    ----------
    data
        A table; '-' reads a pipe.
    row
        The row of the table to explain, counted from 1. May be repeated.
    set_
        A value of a row that you type, as NAME=VALUE; others are missing. May be repeated.
    """
    found = read_model(model).by_name()
    tree = found.tree
    if set_ and (data is not None or row):
        raise UsageError(
            "--set describes a row that you type, --row one of a table. Use one of them."
        )
    if set_:
        names = [feature.name for feature in tree.schema.features]
        places: Sequence[RowPlace | None] = [None]
        table = _typed(tree, pairs("--set", set_, names))
    elif data is not None and row:
        places, table = _taken(tree, data, row, reading)
    else:
        raise _nothing_to_explain(tree, data)
    explanations = explained(tree, table, digits=terminal.digits, missing=missing or found.missing)
    if terminal.json:
        rows = [
            {"row": place and place.row, "where": place and place.where, **each.as_dict()}
            for place, each in zip(places, explanations, strict=True)
        ]
        terminal.document("explain", {"rows": rows})
        return
    for place, each in zip(places, explanations, strict=True):
        terminal.say_lines(f"{place} → {each}" if place else str(each))


def _typed(tree: Tree, values: dict[str, str]) -> Table:
    """Return the row that was typed."""
    try:
        return typed_row(values, tree.schema)
    except BoughError as error:
        error.args = (f"--set {error}",)
        raise


def _taken(
    tree: Tree, data: str, numbers: Sequence[int], reading: Reading
) -> tuple[Sequence[RowPlace | None], Table]:
    source = reading.open(data, tree.schema.reading)
    for row in numbers:
        if not 1 <= row <= source.n_rows:
            raise UsageError(f"There is no row {row:,}: {data!r} has rows 1 to {source.n_rows:,}.")
    rows = np.array(numbers) - 1
    has_lines = source.where is not row_word  # and is no Parquet file
    places = [RowPlace(row, source.where(row - 1) if has_lines else None) for row in numbers]
    return places, read_asked(tree, source).rows(rows)


def _nothing_to_explain(tree: Tree, data: str | None) -> UsageError:
    error = UsageError(
        "Which row? Name one of a table with --row N, or type one with --set NAME=VALUE."
    )
    if data is not None:
        error.add_note(typed_with("--row", "1"))
    elif (query := tree[0].query) is not None and not query.feature.is_about_dates:
        value = query.feature.choices[0] if query.feature.choices else round(tree.pivot[0])
        error.add_note(typed_with("--set", f"{query.feature.name}={value}"))
    return error


def ask(model: ModelFile, /, *, terminal: Terminal = AS_USUAL) -> None:
    """Ask what the tree wants to know."""
    found = read_model(model)
    interview = Interview(found.tree, digits=terminal.digits, missing=found.missing)
    while (question := interview.question) is not None:
        _print(question, terminal)
        _take(interview, question, terminal)
    if terminal.json:
        terminal.document("ask", _plain(interview.result))
    else:
        terminal.say_lines(str(interview.result))


def _take(interview: Interview, question: Question, terminal: Terminal) -> None:
    """Take one answer; a question that is not answered is asked again."""
    typed = terminal.err.input("> ").strip()
    if not typed:
        _say(terminal, _may_be_typed(question))
        return
    try:
        match _keys(question).get(typed):
            case "?":
                _say(terminal, interview.why())
                return
            case "b":
                interview.back()
                return
            case "u":
                interview.dont_know()
            case "m":
                interview.answer(None)
            case _:
                interview.answer(_chosen(question, typed))
    except ParameterError as error:
        _say(terminal, plain(str(error)))
        return
    verdict = interview.result.verdict
    if not interview.is_over:
        is_average = verdict.n_branches > 1
        so_far = (
            f"so far {verdict.in_full}" if is_average else f"{verdict.basis} like this: {verdict}"
        )
        _say(terminal, so_far)


def _keys(question: Question) -> dict[str, str]:
    """Return what can be typed for each key: the key twice where a value reads like it."""
    values = {str(choice).strip().casefold() for choice in question.choices}
    keys = [key for key in KEYS if key != "m" or question.may_be_missing]
    return {key * 2 if key in values else key: key for key in keys}


def _may_be_typed(question: Question) -> str:
    value = "a date" if question.kind is Kind.DATE else "a number"
    if question.choices:
        value = "a value, or its number" if _is_numbered(question) else "a value"
    return f"Type {value}, or what is in brackets, such as {next(iter(_keys(question)))}."


def _say(terminal: Terminal, words: str) -> None:
    terminal.err.print(Beside(Text(INDENT), Text(words, "dim")))


def _chosen(question: Question, typed: str) -> Value:
    """Return the value that a typed number stands for, or what was typed."""
    place = int(typed) - 1 if typed.isdecimal() else -1
    if _is_numbered(question) and 0 <= place < min(len(question.choices), MOST_CHOICES):
        return question.choices[place]
    return typed


def _is_numbered(question: Question) -> bool:
    """Return whether values are listed by number; not if a value could be taken for one."""
    return not any(str(choice).strip().isdecimal() for choice in question.choices)


def _print(question: Question, terminal: Terminal) -> None:
    """Print a question, and below it what can be typed."""
    place = f"{question.number}/{question.most}".ljust(len(INDENT))
    terminal.err.print(
        Text.assemble((place, "dim"), (f"What is {plain(question.feature)}?", "bold"))
    )
    keys = [
        f"[{typed}] {KEYS[key]}"
        for typed, key in _keys(question).items()
        if key != "b" or question.number > 1
    ]
    answers = [*_answers(question), *keys]
    for line in filled(answers, terminal.err.width - len(INDENT)):
        terminal.err.print(Text(INDENT + line))


def _answers(question: Question) -> list[str]:
    if question.choices:
        names = [plain(value_word(each)) for each in question.choices[:MOST_CHOICES]]
        n_more = len(question.choices) - len(names)
        if _is_numbered(question):
            names = [f"[{place}] {name}" for place, name in enumerate(names, start=1)]
        return [*names, f"or one of {n_more:,} more, by name"] if n_more else names
    is_date = question.kind is Kind.DATE
    pivots = [date(each) if is_date else number(each) for each in question.pivots]
    if len(pivots) > MOST_PIVOTS:
        pivots = [*pivots[:MOST_PIVOTS], "…"]
    return [f"{'a date' if is_date else 'a number'}, compared with {', '.join(pivots)}"]


def _plain(outcome: Outcome) -> dict[str, Any]:
    return {
        **outcome.verdict.as_dict(),
        "shares": [{"class": name, "share": share} for name, share in outcome.shares.items()],
        "said": list(outcome.said),
        "flip": None if outcome.flip is None else outcome.flip.as_dict(),
    }
