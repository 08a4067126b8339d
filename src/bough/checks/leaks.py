"""Columns that give the label away: loud, and never left out silently."""

from collections.abc import Iterator
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.checks.copies import is_sum, n_in_another_unit, n_renamed, sums
from bough.checks.labels import ClassLabels, KnownLabels, NumberLabels, known_labels
from bough.checks.words import column_word, part_of_all, value_in_note
from bough.encode import Labels
from bough.evidence import Note
from bough.schema import Kind, Part, Value
from bough.table import Table
from bough.table.column import floats
from bough.words import share

FEWEST_ROWS = 30  # in fewer rows, much is equal by chance
MOST_OTHERS = 0.001  # the part of the rows that may speak against a leak
REMOVED = 0.9  # of the baseline's loss, by a leak
FEWEST_ERRORS = 10  # of the baseline, so that removing them means something
CHANCE = 1e-6  # that the labels of some rows are all equal

NUMBERS = (Kind.NUMBER, Kind.INTEGER)


@np.errstate(invalid="ignore", over="ignore")  # infinite numbers are refused later, by the core
def leaks(table: Table, labels: Labels) -> list[Note]:
    """Return a loud note for each column, or pair of columns, that gives the label away.

    Parameters
    ----------
    table, labels
        The training rows, and nothing but them.

    Examples
    --------
    >>> from bough.schema import Label
    >>> from bough.table import read
    >>> table = read({"age": [7, 8] * 20, "verdict": ["guilty", "free"] * 20})
    >>> codes = np.array([[0, 1] * 20], np.int32)
    >>> labels = Labels((Label("freed", ("no", "yes")),), codes, None)
    >>> [note.columns for note in leaks(table, labels)]
    [('age',), ('verdict',)]
    """
    target = known_labels(labels)
    if table.n_rows < FEWEST_ROWS:
        return []
    notes, numbers = [], {}
    for position, (feature, given) in enumerate(zip(table.features, table.values, strict=True)):
        if feature.part is not Part.ITSELF:
            continue
        missing = table.missing(position)
        values = floats(given) if feature.kind is Kind.NUMBER else given
        says = _copy(feature.kind, values, missing, target) or _presence(
            column_word(feature.name), missing, target
        )
        if says is not None:
            notes.append(_note([feature.name], says, target))
        elif feature.kind in NUMBERS:
            is_float = feature.kind is Kind.NUMBER
            numbers[feature.name] = values if is_float else np.where(missing, np.nan, values)
    return notes + list(_sum_notes(numbers, target))


def _is_given_away(labels: KnownLabels, n_alike: int, n_known: int) -> bool:
    """Return whether so many rows that are alike, of those that are known, are a leak."""
    n_against = n_known - n_alike
    return n_against <= MOST_OTHERS * n_known and n_against <= (1 - REMOVED) * labels.n_others


def _note(names: list[str], says: str, labels: KnownLabels) -> Note:
    words = " and ".join(column_word(name) for name in names)
    gives, it_is, it = ("gives", "it is", "it") if len(names) == 1 else ("give", "they are", "them")
    text = (
        f"{words} {gives} {labels.word} away: {says}; "
        f"unless {it_is} known before {labels.word} is, leave {it} out"
    )
    return Note("B101", text, tuple(names), {"types": dict.fromkeys(names, "ignore")}, is_loud=True)


def _copy(
    kind: Kind, values: NDArray[Any], missing: NDArray[np.bool_], labels: KnownLabels
) -> str | None:
    """Say that a column is the target under other names or in another unit, if it is."""
    each: NDArray[Any] = labels.each
    if missing.any():
        values, each = values[~missing], each[~missing]
    n_known = len(values)
    if 2 * n_known < len(missing) or n_known < FEWEST_ROWS:
        return None
    n_alike = n_renamed(values, each)
    if _is_given_away(labels, n_alike, n_known):
        return f"it is the same under other names in {_rows(n_alike, n_known)}"
    if isinstance(labels, NumberLabels) and kind in NUMBERS:
        n_alike = n_in_another_unit(values, each)
        if _is_given_away(labels, n_alike, n_known):
            return f"it is the same, in another unit perhaps, in {_rows(n_alike, n_known)}"
    return None


def _presence(word: str, missing: NDArray[np.bool_], labels: KnownLabels) -> str | None:
    """Say that whether a column is filled in gives the label away, if it does."""
    if missing.all() or not missing.any():
        return None
    if isinstance(labels, ClassLabels):
        return _presence_of_classes(word, missing, labels)
    return _presence_of_numbers(word, missing, labels)


def _presence_of_classes(word: str, missing: NDArray[np.bool_], labels: ClassLabels) -> str | None:
    n_rows, classes = len(missing), labels.classes
    tally_missing = np.bincount(labels.each[missing], minlength=len(classes))
    sides = {"filled in": labels.tally - tally_missing, "missing": tally_missing}
    n_right = sum(int(side.max()) for side in sides.values())
    if labels.n_others >= FEWEST_ERRORS and n_rows - n_right <= (1 - REMOVED) * labels.n_others:
        return f"whether it is filled in tells {_rows(n_right, n_rows)} right"
    for side, tally in sides.items():
        n_side, code = int(tally.sum()), int(tally.argmax())
        if tally[code] == n_side and _is_no_chance(n_side, labels.tally[code] / n_rows):
            return _fixed(word, classes[code], n_side, side, labels)
    return None


def _presence_of_numbers(word: str, missing: NDArray[np.bool_], labels: NumberLabels) -> str | None:
    sides = {"filled in": labels.each[~missing], "missing": labels.each[missing]}
    before = float(labels.each.var()) * len(missing)
    after = sum(float(side.var()) * len(side) for side in sides.values())
    is_telling = before > 0 and min(map(len, sides.values())) >= FEWEST_ERRORS
    if is_telling and after <= (1 - REMOVED) * before:
        return f"whether it is filled in removes {share(1 - after / before)} of the squared error"
    for side, numbers in sides.items():
        label = float(numbers[0])
        if numbers.min() == numbers.max() and _is_no_chance(
            len(numbers), float((labels.each == label).mean())
        ):
            return _fixed(word, label, len(numbers), side, labels)
    return None


def _is_no_chance(n_rows: int, share_of_label: float) -> bool:
    return n_rows >= FEWEST_ROWS and n_rows * log(share_of_label) < log(CHANCE)


def _fixed(word: str, label: Value, n_rows: int, side: str, labels: KnownLabels) -> str:
    return (
        f"{labels.word} is {value_in_note(label)} in {_rows(n_rows, n_rows)} where {word} is {side}"
    )


def _sum_notes(columns: dict[str, NDArray[Any]], labels: KnownLabels) -> Iterator[Note]:
    numbers = labels.numbers
    if numbers is None or len(columns) < 2:
        return
    names, values = list(columns), list(columns.values())
    for first, second, sign in sums(values, numbers):
        a, b = values[first], sign * values[second]
        n_known = int(np.count_nonzero(~np.isnan(a + b)))
        n_alike = int(np.count_nonzero(is_sum(a, b, numbers)))
        are_both_needed = min(np.count_nonzero(a), np.count_nonzero(b)) >= FEWEST_ROWS
        if are_both_needed and _is_given_away(labels, n_alike, n_known):
            words = [column_word(names[first]), column_word(names[second])]
            total = (" + " if sign == 1 else " - ").join(words)
            says = f"{labels.word} = {total} in {_rows(n_alike, n_known)}"
            yield _note([names[first], names[second]], says, labels)


def _rows(n: int, n_all: int) -> str:
    return part_of_all(n, n_all, "training row")
