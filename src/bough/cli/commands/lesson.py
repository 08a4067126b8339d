"""`bough lesson`: experiments about trees, for a class."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.text import Text

from bough.cli.arguments import AS_FOUND, NOTHING_LOST, Columns, Outputs, Reading
from bough.cli.terminal import AS_USUAL, FLAG, Terminal
from bough.files import write_file
from bough.teach.growth_as_text import in_ascii
from bough.teach.lessons import LESSONS, takes_a_table
from bough.teach.lessons import lesson as run_lesson


def lesson(
    name: str | None = None,
    data: str | None = None,
    /,
    *,
    target: Annotated[str | None, Parameter(alias="-t", metavar="COLUMN")] = None,
    row: Annotated[int | None, Parameter(metavar="N")] = None,
    answer: Annotated[bool, FLAG] = False,
    svg: Annotated[Path | None, Parameter(metavar="FILE")] = None,
    list: Annotated[bool, FLAG] = False,  # noqa: A002 - the name of the option
    reading: Reading = AS_FOUND,
    outputs: Outputs = NOTHING_LOST,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Run an experiment.

    Parameters
    ----------
    name
        The lesson; without one, all are listed.
    data
        A table of your own, or the name of a teaching table, for lessons that take one.
    target
        The column to predict in this table.
    row
        The row that the lesson 'dialogue' is about, counted from 1.
    answer
        Show the answer to the question, too.
    svg
        Write the picture to this file.
    list
        List the lessons.
    """
    if list or name is None:
        _list(terminal)
        return
    if svg is not None:
        outputs.check(svg, [data])
    source = None if data is None else reading.open(data)
    if source is not None and name in LESSONS and takes_a_table(name):
        target = Columns(target=target).chosen_target(source, data or "", terminal)
    found = run_lesson(name, source, target, row=row)
    if svg is not None:
        write_file(svg, found.picture.svg().encode())
        terminal.remark(f"wrote {svg}")
    if terminal.json:
        terminal.document("lesson", found.as_dict())
        return
    for place, line in enumerate(found.lines(terminal.width, answer=answer)):
        words = in_ascii(line) if terminal.is_ascii else line
        terminal.say(Text(words, "bold" if place == 0 else ""))


def _list(terminal: Terminal) -> None:
    said = {
        name: (each.__doc__ or "").splitlines()[0].rstrip(".") for name, each in LESSONS.items()
    }
    if terminal.json:
        plain = [{"name": name, "title": title} for name, title in said.items()]
        terminal.document("lesson", {"lessons": plain})
        return
    rows = [
        (name, "any with classes" if takes_a_table(name) else "its own", title)
        for name, title in said.items()
    ]
    terminal.say_table([("name", "table", "lesson"), *rows], "<<<")
