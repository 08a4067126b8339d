"""Columns that tell so much that one should ask whether they will be known in time."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.checks.labels import ClassLabels, KnownLabels, NumberLabels, known_labels
from bough.checks.leaks import CHANCE, FEWEST_ERRORS, FEWEST_ROWS, REMOVED, leaks, some_rows
from bough.checks.note_words import column_word, counted, value_in_note
from bough.checks.one_question import (
    COVERED,
    MOST_ROWS,
    class_found,
    explained_by_order,
    removed_by_one_question,
)
from bough.encode import Labels
from bough.evidence import Note
from bough.schema import Feature, Kind, Part, Value, date
from bough.table import Table
from bough.words import share

USUAL = 0.5  # of the rows, by the commonest label, so that excluding it says something
MOST_COLUMNS = 3  # that are named

Values = NDArray[Any]
Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class _Finding:
    """What a column tells."""

    column: str
    says: str
    strength: tuple[float, float]
    """The share of the baseline's loss that one question removes, and of the rows that it decides."""

    @property
    def is_loud(self) -> bool:
        """Whether the column alone makes the estimate."""
        return self.strength[0] >= REMOVED


def leaks_and_too_good(table: Table, labels: Labels) -> list[Note]:
    """Return leaks, and a question about other columns that tell much; of training rows only."""
    found = leaks(table, labels)
    return found + too_good(table, labels, {name for note in found for name in note.columns})


def too_good(table: Table, labels: Labels, but: Collection[str] = ()) -> list[Note]:
    """Return a note that asks whether the columns that tell most will be known when one predicts.

    Parameters
    ----------
    table, labels
        The training rows, and nothing but them.
    but
        Columns of which it has been said that they give the label away.

    Examples
    --------
    >>> from bough.schema import Label
    >>> from bough.table import read
    >>> table = read({"refund": ["none", "paid"] * 40, "age": [7, 8, 9, 7] * 20})
    >>> codes = np.array([[0, 1] * 38 + [0, 0] * 2], np.int32)
    >>> labels = Labels((Label("returned", ("no", "yes")),), codes, None)
    >>> [note.text for note in too_good(table, labels)]
    ["Will you know refund when you predict? One question about refund removes 95 % of the baseline's errors. If not, leave it out"]
    """
    target = known_labels(labels)
    is_small = table.n_rows < FEWEST_ROWS or target.n_others < FEWEST_ERRORS
    if labels.labels[0].ranks or is_small:
        return []
    found = sorted(_findings(table, target, but), key=lambda each: each.strength, reverse=True)
    if not (found := found[:MOST_COLUMNS]):
        return []
    names = tuple(each.column for each in found)
    what = " ".join(each.says for each in found)
    words = " and ".join(", ".join(map(column_word, names)).rsplit(", ", 1))
    it = "it" if len(names) == 1 else "them"
    text = f"Will you know {words} when you predict? {what} If not, leave {it} out"
    is_loud = any(each.is_loud for each in found)
    return [Note("B112", text, names, {"types": dict.fromkeys(names, "ignore")}, is_loud=is_loud)]


def _findings(table: Table, labels: KnownLabels, but: Collection[str]) -> Iterator[_Finding]:
    commonest = _commonest(labels)
    for position, feature in enumerate(table.features):
        if feature.part is not Part.ITSELF or feature.name in but:
            continue
        column = feature, table.values[position], ~table.missing(position)
        word = column_word(feature.name)
        if (removed := removed_by_one_question(*column, labels)) >= REMOVED:
            loss = "errors" if isinstance(labels, ClassLabels) else "squared error"
            says = f"One question about {word} removes {share(removed)} of the baseline's {loss}."
            yield _Finding(feature.name, says, (removed, 1))
        elif isinstance(labels, ClassLabels) and (found := class_found(*column, labels)):
            name = value_in_note(labels.classes[found.code])
            says = (
                f"One question about {word} finds {share(found.recall)} of the rows where {labels.word} "
                f"is {name}, and {share(found.purity)} of those it finds are {name}."
            )
            yield _Finding(feature.name, says, (0, labels.tally[found.code] / len(labels.each)))
        elif isinstance(labels, NumberLabels) and (
            (explained := explained_by_order(*column, labels))[0] >= REMOVED
        ):
            says = f"{word} alone explains {share(explained[0])} of the {explained[1]} of {labels.word}."
            yield _Finding(feature.name, says, (explained[0], 1))
        elif telling := _telling_value(*column, labels.word, commonest):
            yield _Finding(feature.name, telling[1], (0, telling[0] / len(labels.each)))


def _telling_value(
    feature: Feature,
    values: Values,
    known: NDArray[np.bool_],
    target: str,
    commonest: tuple[Value, NDArray[np.bool_]],
) -> tuple[int, str] | None:
    """Return how many rows are told by a value, or by any but it, and what it says.

    Such rows always or never have the commonest label. Always goes before never, which says little
    where most rows have another label anyway.
    """
    label, is_commonest = commonest
    usual = float(is_commonest.mean())
    found = []
    for value in _common_values(values, known):
        is_value = values == value
        for is_other, here in enumerate((known & is_value, known & ~is_value)):
            n_rows, n_commonest = int(here.sum()), int(is_commonest[here].sum())
            if n_rows < max(COVERED * len(known), FEWEST_ROWS):
                continue
            is_fixed = n_commonest == n_rows
            is_telling = is_fixed or (n_commonest == 0 and usual >= USUAL)
            if is_telling and n_rows * log(usual if is_fixed else 1 - usual) < log(CHANCE):
                found.append((is_fixed, n_rows, -is_other, value))
    if not found:
        return None
    is_fixed, n_rows, is_other, value = max(found, key=lambda each: each[:3])
    return n_rows, (
        f"Where {column_word(feature.name)} is {'anything but ' if is_other else ''}{_value_word(feature, value)} "
        f"({counted(n_rows, 'training row')}), {target} is "
        f"{'always' if is_fixed else 'never'} {value_in_note(label)}."
    )


def _commonest(labels: KnownLabels) -> tuple[Value, NDArray[np.bool_]]:
    if isinstance(labels, NumberLabels):
        numbers, counts = np.unique(labels.each, return_counts=True)
        number = float(numbers[counts.argmax()])
        return number, labels.each == number
    code = int(labels.tally.argmax())
    return labels.classes[code], labels.each == code


def _common_values(values: Values, known: NDArray[np.bool_]) -> list[Any]:
    """Return values that may cover enough rows, judged by some rows."""
    rows = some_rows(len(values), MOST_ROWS)
    some = values[rows][known[rows]]
    found, counts = np.unique(some, return_counts=True)
    return list(found[counts >= COVERED / 2 * len(known[rows])])


def _value_word(feature: Feature, value: Any) -> str:  # noqa: ANN401 - a number or a code
    if feature.choices:
        return value_in_note(feature.choices[int(value)])
    return date(int(value)) if feature.kind is Kind.DATE else value_in_note(value.item())
