"""Columns that give the label away: loud, and never left out silently."""

from collections.abc import Iterator, Sequence
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.checks.note_words import column_word, part_of_all, value_in_note
from bough.checks.target_labels import ClassLabels, KnownLabels, NumberLabels, known_labels
from bough.encode import Labels
from bough.evidence import Note
from bough.schema import Kind, Part, Value
from bough.table import Table
from bough.table.numbers import floats
from bough.words import share

SCREEN = 512  # rows that are looked at before all
FIRST_SCREEN = 4  # and those before them, where pairs of columns are many
LOST_IN_SCREEN = 0.05  # a share that a disguise may miss by chance among few rows
SAME = 1e-3  # numbers are the same if they differ by less, in standard deviations of the label
ROUNDING = 1e-6  # of a sum, relative to its parts

Values = NDArray[Any]
Floats = NDArray[np.float64]
FEWEST_ROWS = 30  # in fewer rows, much is equal by chance
MOST_OTHERS = 0.001  # the part of the rows that may speak against a leak
REMOVED = 0.9  # of the baseline's loss, by a leak
FEWEST_ERRORS = 10  # of the baseline, so that removing them means something
CHANCE = 1e-6  # that the labels of some rows are all equal


def some_rows(n_rows: int, n_wanted: int = SCREEN) -> slice:
    """Return rows spread over the table, about as many as wanted."""
    return slice(None, None, max(n_rows // n_wanted, 1))


def n_renamed(values: Values, labels: Values) -> int:
    """Return in how many rows two columns are the same up to names.

    Each value is paired with at most one label. 0 where most pairs occur but once: there, any
    two columns look alike.
    """
    rows = some_rows(len(values))
    some = _n_paired(values[rows], labels[rows])
    if some < (1 - LOST_IN_SCREEN) * len(values[rows]):
        return 0
    return _n_paired(values, labels)


def n_in_another_unit(values: Floats, labels: Floats) -> int:
    """Return in how many rows the label is a · value + b, for the a ≠ 0 and b that fit most rows."""
    rows = some_rows(len(values))
    if _n_on_line(values[rows], labels[rows]) < (1 - LOST_IN_SCREEN) * len(values[rows]):
        return 0
    return _n_on_line(values, labels)


def sums(columns: Sequence[Values], labels: Floats) -> Iterator[tuple[int, int, int]]:
    """Give the pairs of columns whose sum or difference the label may be: first, second, sign.

    Only few rows are looked at, and none whose label is the commonest: zeros are sums of zeros.
    nan is missing, and speaks neither for nor against.
    """
    rows = _telling_rows(labels)
    some = np.array([column[rows] for column in columns], np.float64)
    few = slice(None, None, max(len(rows) // FIRST_SCREEN, 1))
    numbers = np.arange(len(columns))
    for sign in (1, -1):
        for first in range(len(columns)):
            is_pair = numbers > first if sign == 1 else numbers != first
            n_off = _is_off(some[first, few], sign * some[:, few], labels[rows[few]]).sum(axis=1)
            near = np.flatnonzero(is_pair & (n_off <= 1))
            fits = _fit(some[first], sign * some[near], labels[rows])
            yield from ((first, int(second), sign) for second in near[fits])


def is_sum(first: Floats, second: Floats, labels: Floats) -> NDArray[np.bool_]:
    """Return in which rows the label is the sum of two known numbers."""
    return ~(np.isnan(first + second) | _is_off(first, second, labels))


def _fit(first: Floats, seconds: Floats, labels: Floats) -> NDArray[np.bool_]:
    """Return which sums are nearly all labels, of the rows where both are known, as most are."""
    n_known = (~np.isnan(first + seconds)).sum(axis=1)
    n_off = _is_off(first, seconds, labels).sum(axis=1)
    return np.asarray((2 * n_known > len(labels)) & (n_off <= LOST_IN_SCREEN * n_known))


def _n_paired(values: Values, labels: Values) -> int:
    codes = np.unique(values, return_inverse=True)[1]
    label_names, label_codes = np.unique(labels, return_inverse=True)
    pairs, counts = np.unique(codes * len(label_names) + label_codes, return_counts=True)
    if 2 * len(pairs) > len(values):
        return 0
    order = np.argsort(-counts, kind="stable")
    of_value, of_label = np.divmod(pairs[order], len(label_names))
    is_first = np.zeros((2, len(pairs)), np.bool_)
    is_first[0, np.unique(of_value, return_index=True)[1]] = True
    is_first[1, np.unique(of_label, return_index=True)[1]] = True
    return int(counts[order][is_first.all(axis=0)].sum())


def _n_on_line(values: Floats, labels: Floats) -> int:
    line = _line(values, labels)
    if line is None:
        return 0
    slope, height = line
    off = np.abs(labels - slope * values - height)
    return int(np.count_nonzero(off <= SAME * labels.std()))


def _line(values: Floats, labels: Floats) -> tuple[float, float] | None:
    """Return slope and height of the line that most rows lie on, if they lie on one."""
    order = np.argsort(values, kind="stable")
    half = len(order) // 2
    run = values[order[half : 2 * half]] - values[order[:half]]
    rise = labels[order[half : 2 * half]] - labels[order[:half]]
    if 2 * np.count_nonzero(run > 0) < half:
        return None
    slope = float(np.median(rise[run > 0] / run[run > 0]))
    return (slope, float(np.median(labels - slope * values))) if slope != 0 else None


def _telling_rows(labels: Floats) -> NDArray[np.intp]:
    some = np.arange(len(labels))[some_rows(len(labels), 4 * SCREEN)]
    names, codes = np.unique(labels[some], return_inverse=True)
    is_commonest = codes == np.bincount(codes).argmax()
    telling = some[~is_commonest] if len(names) > 1 else some
    return telling[some_rows(len(telling))]


def _is_off(first: Floats, second: Floats, labels: Floats) -> NDArray[np.bool_]:
    size = np.abs(first) + np.abs(second) + np.abs(labels)
    is_off: NDArray[np.bool_] = np.abs(first + second - labels) > ROUNDING * size
    return is_off  # never where one is nan


@np.errstate(invalid="ignore", over="ignore")  # infinite numbers are refused later, by the core
def leaks(table: Table, labels: Labels) -> list[Note]:
    """Return a loud note for each column, or pair of columns, that gives the label of training rows away.

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
        elif feature.kind.word == "number":
            is_float = feature.kind is Kind.NUMBER
            numbers[feature.name] = values if is_float else np.where(missing, np.nan, values)
    return notes + list(_sum_notes(numbers, target))


def _is_given_away(labels: KnownLabels, n_alike: int, n_known: int) -> bool:
    """Return whether so many rows that are alike, of those that are known, are a leak."""
    n_against = n_known - n_alike
    return n_against <= MOST_OTHERS * n_known and n_against <= (1 - REMOVED) * labels.n_others


def _note(names: list[str], says: str, labels: KnownLabels) -> Note:
    words = " and ".join(column_word(name) for name in names)
    gives, it = ("gives", "it") if len(names) == 1 else ("give", "them")
    text = (
        f"{words} {gives} {labels.word} away: {says}. "
        f"Leave {it} out unless you know {it} before {labels.word}"
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
        return f"it has the same values under other names in {_rows(n_alike, n_known)}"
    if isinstance(labels, NumberLabels) and kind.word == "number":
        n_alike = n_in_another_unit(values, each)
        if _is_given_away(labels, n_alike, n_known):
            return f"it is the same number, perhaps in another unit, in {_rows(n_alike, n_known)}"
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
        return f"whether it is filled in predicts {_rows(n_right, n_rows)} correctly"
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
