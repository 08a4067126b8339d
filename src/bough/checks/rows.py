"""The training rows: copies in the test rows, classes out of balance, drift with time, repeated entities."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.checks.columns import says_identifier
from bough.checks.note_words import column_word, value_in_note
from bough.checks.target_labels import ClassLabels, KnownLabels, NumberLabels, known_labels
from bough.encode import Labels
from bough.evidence import Note
from bough.schema import Kind, Part
from bough.table import Table
from bough.table.column import Column
from bough.words import counted, number, share

COPIES = 0.01  # of the test rows, from which on they are worth a note
COMMONEST = 0.9  # the share of one class from which on labels are out of balance
FEWEST_OF_A_CLASS = 10
SIEVE = 22  # bits of a hash that sort out most rows which have no copy

Hashes = NDArray[np.uint64]
TENTHS = 10
DRIFT = 0.02  # the share of the labels' variance that lies between tenths of the time
STANDARD_ERRORS = 5  # by which drift and agreement must exceed chance
FEWEST_ROWS = 100
FEWEST_ENTITIES = 30
MOST_ROWS_EACH = 20  # of an entity, on average: more rows make a category of it
AGREEMENT = 0.3
FAR = 0.5  # an agreement that is called far more than by chance


class RowHashes(NamedTuple):
    """Hashes by which equal rows are told."""

    used: Hashes
    """Of the columns that are used, and the label."""
    whole: Hashes
    """Of all columns of the table."""
    but_one: Callable[[], Iterator[Hashes]]
    """Gives those of the columns that are used, each time without another one."""


def equal_rows(learnt: RowHashes, sealed: RowHashes) -> list[Note]:
    """Return a note if test rows are equal to training rows, label and all.

    They are copies if they are equal in all columns of the table, and more often than rows differ
    in just one: rows of few possible values are often equal, and more often nearly so.

    Examples
    --------
    >>> train = np.arange(80, dtype=np.uint64)
    >>> test = train[75:] + np.uint64(2)
    >>> one, other = (RowHashes(rows, rows, lambda: iter(())) for rows in (train, test))
    >>> [note.text for note in equal_rows(one, other)]
    ['3 of 5 test rows are copies of training rows: the estimate is too good unless new rows are copies, too. Remove the copies from the table']
    """
    n_rows, n_equal = len(sealed.used), _n_among(sealed.used, learnt.used)
    if n_equal <= COPIES * n_rows:
        return []
    n_copies = _n_among(sealed.whole, learnt.whole)
    part = f"of {counted(n_rows, 'test row')}"
    if n_copies > COPIES * n_rows and n_copies > _n_nearly_equal(learnt, sealed):
        are = "is a copy of a training row" if n_copies == 1 else "are copies of training rows"
        text = (
            f"{n_copies:,} {part} {are}: the estimate is too good unless new rows are copies, too. "
            "Remove the copies from the table"
        )
        return [Note("B108", text)]
    are = "is" if n_equal == 1 else "are"
    text = f"{n_equal:,} {part} {are} equal to a training row in every column that is used"
    return [Note("B108", text, informs=True)]


def imbalance(labels: Labels) -> list[Note]:
    """Return notes on a class that most training rows have, and on classes that hardly any has.

    Examples
    --------
    >>> from bough.schema import Label
    >>> codes = np.array([[0] * 96 + [1] * 4], np.int32)
    >>> [note.text for note in imbalance(Labels((Label("ill", ("no", "yes")),), codes, None))]
    ['ill: 96 % of 100 training rows are no, so always predicting it scores well. Consider tuning for log loss']
    """
    known = known_labels(labels)
    if isinstance(known, NumberLabels):
        return []
    counts, classes, word = known.tally, known.classes, known.word
    n_rows, commonest = int(counts.sum()), int(counts.argmax())
    if counts[commonest] >= COMMONEST * n_rows:
        text = (
            f"{word}: {share(counts[commonest] / n_rows)} of {counted(n_rows, 'training row')} are "
            f"{value_in_note(classes[commonest])}, so always predicting it scores well. "
            "Consider tuning for log loss"
        )
        return [Note("B204", text, (known.name,), {"loss": "log_loss"})]
    rare = [code for code, count in enumerate(counts) if count < FEWEST_OF_A_CLASS]
    if not rare or n_rows < FEWEST_OF_A_CLASS * len(counts):
        return []
    words = [f"{value_in_note(classes[code])} ({counts[code]})" for code in rare[:5]]
    if len(rare) > 5:
        words.append(f"{len(rare) - 5:,} more")
    text = f"{word}: too few training rows to learn some classes well: {', '.join(words)}"
    return [Note("B204", text, (known.name,))]


def _n_nearly_equal(learnt: RowHashes, sealed: RowHashes) -> int:
    """Return how many test rows differ from some training row in just one column."""
    first = np.unique(learnt.used, return_index=True)[1]  # of training rows that are equal
    is_equal = _are_among(sealed.used, learnt.used)
    is_near = np.zeros(len(sealed.used), np.bool_)
    for known, hashes in zip(learnt.but_one(), sealed.but_one(), strict=True):
        names, counts = np.unique(known[first], return_counts=True)
        place = np.minimum(np.searchsorted(names, hashes), len(names) - 1)
        n_alike = np.where(names[place] == hashes, counts[place], 0)
        is_near |= n_alike > is_equal
    return int(np.count_nonzero(is_near))


def _n_among(hashes: Hashes, known: Hashes) -> int:
    """Return how many hashes are among the known, without sorting them all."""
    bits = np.uint64(2**SIEVE - 1)
    sieve = np.zeros(2**SIEVE, np.bool_)
    sieve[hashes & bits] = True
    known = known[sieve[known & bits]]
    return int(np.count_nonzero(_are_among(hashes, known)))


def _are_among(hashes: Hashes, known: Hashes) -> NDArray[np.bool_]:
    """Return which hashes are among the known; `np.isin` would hold many times as many bytes."""
    if not len(known):
        return np.zeros(len(hashes), np.bool_)
    in_order = np.sort(known)
    place = np.minimum(np.searchsorted(in_order, hashes), len(in_order) - 1)
    return np.asarray(in_order[place] == hashes)


@dataclass(frozen=True)
class Blocks:
    """The labels of rows that lie in blocks, and how much they vary."""

    n_rows: NDArray[np.intp]
    """How many rows each block has; none is empty."""
    spread: NDArray[np.float64]
    """The variance of the labels in each block; of classes, the Gini impurity."""
    whole: float
    """The same of all rows."""

    @property
    def explained(self) -> float:
        """The share of the variance that lies between the blocks."""
        return self._share_without(float(self.n_rows @ self.spread), self.n_rows)

    @property
    def agreement(self) -> float:
        """How alike two rows of a block are: 0 as any two rows, 1 equal. Blocks of one row say nothing."""
        shared = self.n_rows > 1
        n_rows, spread = self.n_rows[shared], self.spread[shared]
        unbiased = spread * n_rows / (n_rows - 1)
        return self._share_without(float(n_rows @ unbiased), n_rows)

    def _share_without(self, within: float, n_rows: NDArray[np.intp]) -> float:
        return 1 - within / (float(n_rows.sum()) * self.whole) if self.whole > 0 else 0.0


def blocks_of(
    numbers: NDArray[np.integer[Any]], labels: KnownLabels, rows: NDArray[np.intp]
) -> Blocks:
    """Return the blocks that some rows lie in, given by number from 0 on for each of these rows."""
    n_rows = np.bincount(numbers)
    each = labels.each[rows]
    if isinstance(labels, ClassLabels):
        n_classes = len(labels.classes)
        whole = _gini(np.zeros_like(each), each, n_classes)
        return Blocks(n_rows, _gini(numbers, each, n_classes), float(whole[0]))
    values = each - each.mean()  # so that squares lose no digits
    means = np.bincount(numbers, values) / n_rows
    spread = np.maximum(np.bincount(numbers, values**2) / n_rows - means**2, 0)
    return Blocks(n_rows, spread, float(values.var()))


def _gini(
    numbers: NDArray[np.integer[Any]], codes: NDArray[Any], n_classes: int
) -> NDArray[np.float64]:
    n_rows = np.bincount(numbers)
    cells = numbers.astype(np.int64) * n_classes + codes
    if len(n_rows) * n_classes <= 8 * len(codes) + 1000:
        counts = np.bincount(cells)
        found = np.flatnonzero(counts)
        counts = counts[found]
    else:  # so many cells that most are empty
        found, counts = np.unique(cells, return_counts=True)
    same = np.bincount(found // n_classes, counts.astype(np.float64) ** 2)
    return np.asarray(1 - same / n_rows.astype(np.float64) ** 2)


def drift(table: Table, labels: Labels) -> list[Note]:
    """Return a note on the date with which labels of training rows drift most, if they do.

    Whether rows are sorted by the date is not asked: the order of rows must not matter.

    Examples
    --------
    >>> from datetime import date, timedelta
    >>> from bough.schema import Label
    >>> from bough.table import read
    >>> table = read({"day": [date(2024, 1, 1) + timedelta(days=day) for day in range(200)]})
    >>> labels = Labels((Label("sold"),), None, np.arange(200.0)[None])
    >>> [note.fix for note in drift(table, labels)]
    [{'time': 'day'}]
    """
    known, found = known_labels(labels), []
    for position, feature in enumerate(table.features):
        if feature.kind is not Kind.DATE or feature.part is not Part.ITSELF:
            continue
        rows = np.flatnonzero(~table.missing(position))
        if len(rows) < max(FEWEST_ROWS, table.n_rows / 2):
            continue
        tenths = _tenths(table.values[position][rows])
        blocks = blocks_of(tenths, known, rows)
        if blocks.explained >= DRIFT and _excess(blocks, known) >= STANDARD_ERRORS:
            found.append((blocks.explained, feature.name, _course(tenths, known, rows)))
    if not found:
        return []
    _, name, course = max(found)
    text = (
        f"{course} over time (by tenths of {column_word(name)}). "
        "To predict future rows, split by time"
    )
    return [Note("B202", text, (name,), {"time": name})]


def repeated_entities(
    columns: Mapping[str, Column], rows: NDArray[np.intp], labels: Labels
) -> list[Note]:
    """Return a note on the column whose values are entities with labels of their own, if there is one.

    `columns` has also those that are left out as identifiers, with all rows; `labels` are those of
    the training rows, whose numbers are `rows`.

    Examples
    --------
    >>> from bough.schema import Label
    >>> from bough.table import open_source
    >>> source = open_source({"patient": [f"p{row // 4}" for row in range(400)]})
    >>> labels = Labels((Label("ill"),), None, (np.arange(400.0) // 4)[None])
    >>> notes = repeated_entities({"patient": source.column(0)}, np.arange(400), labels)
    >>> [note.fix for note in notes]
    [{'group': 'patient'}]
    """
    known, found = known_labels(labels), []
    for name, column in columns.items():
        for entities, shared in _entities(name, column, rows):
            agreement = blocks_of(entities, known, shared).agreement
            # A pair of rows agrees by chance with a standard error of about 1.
            if agreement >= max(AGREEMENT, STANDARD_ERRORS / sqrt(len(shared) / 2)):
                found.append((agreement, name, len(shared)))
    if not found:
        return []
    agreement, name, n_shared = max(found)
    word = column_word(name)
    text = (
        f"Rows with the same {word} are {'far ' if agreement >= FAR else ''}more alike in {known.word} "
        f"than random pairs ({share(agreement)} less variation; {n_shared:,} of "
        f"{counted(len(rows), 'training row')} share theirs). If new rows will have other "
        f"values of {word}, keep rows of the same {word} together"
    )
    return [Note("B203", text, (name,), {"group": name})]


def _tenths(moments: NDArray[np.int64]) -> NDArray[np.intp]:
    places = np.arange(1, TENTHS) * len(moments) // TENTHS
    edges = np.unique(np.partition(moments, places)[places])
    edges = edges[edges > moments.min()]  # so that no tenth is empty
    return np.searchsorted(edges, moments, side="right")


def _excess(blocks: Blocks, labels: KnownLabels) -> float:
    """Return by how many standard errors blocks explain more than by chance."""
    n_free = len(labels.classes) - 1 if isinstance(labels, ClassLabels) else 1
    # n (K - 1) R² has a chi-squared distribution by chance (Light and Margolin, 1971).
    expected = n_free * (len(blocks.n_rows) - 1)
    return (int(blocks.n_rows.sum()) * n_free * blocks.explained - expected) / sqrt(2 * expected)


def _course(tenths: NDArray[np.intp], labels: KnownLabels, rows: NDArray[np.intp]) -> str:
    """Say between what the mean label, or the share of the class that varies most, moves."""
    n_rows = np.bincount(tenths)
    each = labels.each[rows]
    if isinstance(labels, NumberLabels):
        means = np.bincount(tenths, each) / n_rows
        least, most = (number(float(mean), digits=3) for mean in (means.min(), means.max()))
        return f"The mean of {labels.word} varies between {least} and {most}"
    n_classes = len(labels.classes)
    counts = np.bincount(tenths * n_classes + each, minlength=len(n_rows) * n_classes)
    shares = counts.reshape(len(n_rows), -1) / n_rows[:, None]
    code = int(np.ptp(shares, axis=0).argmax())
    least, most = (share(each) for each in (shares[:, code].min(), shares[:, code].max()))
    value = value_in_note(labels.classes[code])
    return f"The share of {labels.word} = {value} varies between {least} and {most}"


def _entities(
    name: str, column: Column, rows: NDArray[np.intp]
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Give the numbers of the entities that have several rows, and these rows, if they are such."""
    is_whole = column.kind == "number" and column.cells.dtype.kind in "iu"
    is_numbered = is_whole and says_identifier(name)
    if column.kind != "category" and not is_numbered:
        return
    some = column.take(rows)
    codes = some.cells.astype(np.int64)
    if is_numbered:
        codes = np.unique(some.cells, return_inverse=True)[1]
        codes[some.missing_rows()] = -1
    if np.count_nonzero(codes >= 0) > MOST_ROWS_EACH * (codes.max(initial=-1) + 1):
        return
    counts = np.bincount(codes + 1, minlength=1)
    counts[0] = 0  # the missing ones
    n_entities, n_known = np.count_nonzero(counts), counts.sum()
    shared = np.flatnonzero(counts[codes + 1] > 1)
    is_rare = n_entities >= FEWEST_ENTITIES and n_known <= MOST_ROWS_EACH * n_entities
    if is_rare and len(shared) >= FEWEST_ROWS:
        new_number = np.cumsum(counts > 1) - 1
        yield new_number[codes[shared] + 1], shared
