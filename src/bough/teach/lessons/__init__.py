"""Experiments that a class can run. Each lesson is a function of `LESSONS`."""

from collections.abc import Callable
from inspect import signature

from bough.errors import ParameterError, did_you_mean
from bough.table import TableLike
from bough.teach.lessons.lesson_parts import Lesson
from bough.teach.lessons.overfitting import coincidence, depth, expected, noise
from bough.teach.lessons.predictions import dialogue, extremes, features, guessing, losses
from bough.teach.lessons.questions import (
    bias,
    circle,
    criteria,
    histograms,
    number,
    order,
    parity,
    trees,
)
from bough.teach.lessons.rows_kept_aside import peek, prune, refit, rows, shift

__all__ = ["LESSONS", "Lesson", "lesson", "takes_a_table"]

LESSONS: dict[str, Callable[..., Lesson]] = {
    each.__name__: each
    for each in (
        *(number, histograms, criteria, order, trees),
        *(guessing, losses, features, extremes),
        *(parity, bias, circle),
        *(depth, noise, coincidence, expected),
        *(peek, rows, refit, prune, shift),
        dialogue,
    )
}


def lesson(
    name: str,
    table: TableLike | None = None,
    target: str | None = None,
    *,
    row: int | None = None,
) -> Lesson:
    """Run an experiment and return what it shows.

    Parameters
    ----------
    name
        One of `LESSONS`.
    table, target
        A table of your own, for the lessons that take one; the others have theirs.
    row
        The row that the lesson 'dialogue' is about, counted from 1.

    Returns
    -------
    Lesson
        A sentence, a table, a picture, a question for the class, and the figures as data.

    Examples
    --------
    >>> shown = lesson("guessing")
    >>> shown.data["wrong"]
    {'toss a coin': 0.5, 'guess in proportion': 0.32000000000000006, 'always the most common': 0.2}
    """
    if name not in LESSONS:
        raise ParameterError(
            f"There is no lesson {name!r}.{did_you_mean(str(name), LESSONS)} Known: "
            f"{', '.join(LESSONS)}."
        )
    if row is not None and "row" not in signature(LESSONS[name]).parameters:
        raise ParameterError(f"The lesson {name!r} is not about one row: leave out row={row}.")
    one = {} if row is None else {"row": row}
    if table is None:
        return LESSONS[name](**one)
    if not takes_a_table(name):
        able = ", ".join(each for each in LESSONS if takes_a_table(each))
        raise ParameterError(
            f"The lesson {name!r} has its own table. Lessons that take another one: {able}."
        )
    return LESSONS[name](table, target, **one)


def takes_a_table(name: str) -> bool:
    """Return whether a lesson can be run on another table."""
    return "table" in signature(LESSONS[name]).parameters
