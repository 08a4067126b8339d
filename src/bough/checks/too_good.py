"""Columns that tell so much that one should ask whether they will be known in time."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.checks.leaks import CHANCE, FEWEST_ERRORS, FEWEST_ROWS, REMOVED, leaks, some_rows
from bough.checks.note_words import column_word, value_in_note
from bough.checks.target_labels import ClassLabels, KnownLabels, NumberLabels, known_labels
from bough.encode import Labels
from bough.evidence import Note
from bough.schema import Feature, Kind, Part, Value, date
from bough.table import Table
from bough.words import counted, share

COVERED = 0.05  # of the rows, by one value, or by a class that is worth a word
PURE = 0.99  # the share of a class among the rows that a question finds
RECALL = 0.9  # the share of the class's rows that it must find
LARGE = 1e100  # labels
MOST_ROWS = 20_000  # that are looked at before all
SCREENED = 0.05  # by how much less a question may tell among them
FEWEST_OF_A_VALUE = 10  # rows; a value of fewer tells nothing
BLOCKS = 50  # of neighbouring values, by which a column explains a number, at most
ROWS_OF_A_BLOCK = 10  # at least

Values = NDArray[Any]
Truths = NDArray[np.bool_]
USUAL = 0.5  # of the rows, by the commonest label, so that excluding it says something
MOST_COLUMNS = 3  # that are named


def removed_by_one_question(
    feature: Feature, values: Values, known: NDArray[np.bool_], labels: KnownLabels
) -> float:
    """Return which share of the baseline's loss the best question about a column removes."""
    few = some_rows(len(known), MOST_ROWS)
    found = _removed(feature, values[few], known[few], labels.each[few])
    if few.step == 1 or found < REMOVED - SCREENED:
        return found
    return _removed(feature, values, known, labels.each)


def _removed(feature: Feature, values: Values, known: NDArray[np.bool_], labels: Values) -> float:
    """Return the share of the loss; rows whose value is missing, or rare, lose what they did."""
    values, here = values[known], labels[known]
    is_by_value = feature.kind is Kind.CHOICE
    if np.issubdtype(labels.dtype, np.integer):
        tally = np.bincount(labels)
        n_others = len(labels) - int(tally.max())
        if n_others == 0 or not len(here):
            return 0.0
        commonest = int(tally.argmax())
        if is_by_value:
            right = _right_by_value(values, here, len(tally), commonest)
        else:
            right = _right_by_cut(values, here, tally)
        unknown = int(np.count_nonzero(labels[~known] == commonest))
        return 1 - (len(labels) - right - unknown) / n_others
    if (largest := float(np.abs(labels).max())) > LARGE:  # whose squares are no numbers
        here, labels = here / largest, labels / largest
    total = float(np.square(labels - labels.mean()).sum())
    if total == 0 or not np.isfinite(total) or not len(here):
        return 0.0
    off = np.asarray(here - labels.mean(), np.float64)
    saved = _saved_by_value(values, off) if is_by_value else _saved_by_cut(values, off)
    return saved / total


def _right_by_value(values: Values, labels: Values, n_classes: int, commonest: int) -> int:
    tally = np.bincount(values.astype(np.int64) * n_classes + labels)
    tally = np.pad(tally, (0, -len(tally) % n_classes)).reshape(-1, n_classes)
    is_rare = tally.sum(axis=1) < FEWEST_OF_A_VALUE
    return int(np.where(is_rare, tally[:, commonest], tally.max(axis=1)).sum())


def _right_by_cut(values: Values, labels: Values, tally: Values) -> int:
    """Return how many rows the best pivot gets right; only the two commonest classes can be many."""
    first, second = np.argsort(-tally, kind="stable")[:2].tolist()
    order = np.argsort(values, kind="stable")
    ends = np.flatnonzero(np.diff(values[order]) > 0)
    is_first, is_second = (labels[order] == each for each in (first, second))
    before = [np.cumsum(each)[ends] for each in (is_first, is_second)]
    after = [
        int(each.sum()) - some for each, some in zip((is_first, is_second), before, strict=True)
    ]
    right = np.concatenate([before[0] + after[1], before[1] + after[0], [int(is_first.sum())]])
    return int(right.max())


def _saved_by_value(values: Values, off: Values) -> float:
    codes = np.unique(values, return_inverse=True)[1]
    counts, sums = np.bincount(codes), np.bincount(codes, off)
    is_many = counts >= FEWEST_OF_A_VALUE
    return float((np.square(sums[is_many]) / counts[is_many]).sum())


def _saved_by_cut(values: Values, off: Values) -> float:
    order = np.argsort(values, kind="stable")
    ends = np.flatnonzero(np.diff(values[order]) > 0)
    if not len(ends):
        return 0.0
    sums, total = np.cumsum(off[order])[ends], float(off.sum())
    saved = np.square(sums) / (ends + 1) + np.square(total - sums) / (len(off) - ends - 1)
    return float(saved.max())


class Finds(NamedTuple):
    """A class that one question finds nearly pure and nearly whole."""

    code: int
    recall: float
    purity: float


def class_found(
    feature: Feature, values: Values, known: Truths, labels: ClassLabels
) -> Finds | None:
    """Return the class that one question about a column tells from all others, if it does.

    The best question is looked for in some rows, and judged by all. A class of nearly all rows is
    nearly pure anyway: nine in ten of the others must be told from it.
    """
    few = some_rows(len(known), MOST_ROWS)
    some, here = values[few][known[few]], labels.each[few][known[few]]
    order = np.argsort(some, kind="stable")
    some, here = some[order], here[order]
    best = None
    for code in np.flatnonzero(labels.tally >= COVERED * len(known)).tolist():
        usual = labels.tally[code] / len(known)
        for found in _best_sides(feature, values, known, some, here == code):
            n_found, n_right = int(found.sum()), int((labels.each[found] == code).sum())
            if n_found < FEWEST_ROWS or n_found * log(usual) >= log(CHANCE):
                continue
            purity, recall = n_right / n_found, n_right / labels.tally[code]
            is_pure = purity >= PURE and 1 - purity <= (1 - REMOVED) * (1 - usual)
            if is_pure and recall >= max(RECALL, best.recall if best else 0):
                best = Finds(code, recall, purity)
    return best


def _best_sides(
    feature: Feature, values: Values, known: Truths, some: Values, is_class: Truths
) -> Iterator[Truths]:
    """Give the rows that may be a class: those of a value, or of either side of the best pivot; `some` are in order."""
    n_class = int(is_class.sum())
    if feature.kind is Kind.CHOICE:
        codes, counts = np.unique(some[is_class], return_counts=True)
        if len(codes) and counts.max() >= (RECALL - SCREENED) * n_class:
            yield known & (values == codes[counts.argmax()])
        return
    ends = np.flatnonzero(np.diff(some) > 0)
    if not len(ends):
        return
    # Rows of the class before a cut, less those of others: greatest where it tells them apart best.
    lead = np.cumsum(np.where(is_class, 1, -1))
    for is_below, margin in ((True, lead[ends]), (False, lead[-1] - lead[ends])):
        if margin.max() >= (RECALL - SCREENED - (1 - PURE)) * n_class:
            pivot = some[ends[margin.argmax()]]
            yield known & ((values <= pivot) if is_below else (values > pivot))


def explained_by_order(
    feature: Feature, values: Values, known: Truths, labels: NumberLabels
) -> tuple[float, str]:
    """Return which share of the labels' variance, or order, a column explains where it is known.

    It is what lies between blocks of neighbouring values or, where labels rise or fall with the
    column all along but blocks are too coarse, the squared rank correlation.
    """
    few = some_rows(len(known), MOST_ROWS)
    some, each = values[few][known[few]], labels.each[few][known[few]]
    if feature.kind is Kind.CHOICE or len(some) < max(ROWS_OF_A_BLOCK**2, len(values[few]) / 2):
        return 0.0, "variance"
    n_blocks = min(BLOCKS, len(some) // ROWS_OF_A_BLOCK)
    edges = np.unique(np.sort(some)[np.arange(1, n_blocks) * len(some) // n_blocks])
    block = np.searchsorted(edges, some, side="right")
    each = each / max(float(np.abs(each).max()), 1.0)  # of labels of 1e300, too
    off = each - each.mean()
    total = float(np.square(off).sum())
    if total == 0 or some.min() == some.max():
        return 0.0, "variance"
    # What blocks explain of these rows beyond chance.
    n_free = len(some) - len(edges) - 1
    left = (1 - _saved_by_value(block, off) / total) * (len(some) - 1) / n_free
    if 1 - left >= REMOVED:
        return 1 - left, "variance"
    return float(np.corrcoef(_ranks(some), _ranks(each))[0, 1]) ** 2, "order"


def _ranks(values: Values) -> NDArray[np.float64]:
    """Return the rank of each value; equal values have the mean of theirs."""
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2)[codes], np.float64)


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

    Columns of which it has been said that they give the label away are in `but`.

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
