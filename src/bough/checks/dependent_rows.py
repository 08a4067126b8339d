"""Rows that are not drawn independently: labels that drift with time, and repeated entities."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.checks.columns import says_identifier
from bough.checks.labels import ClassLabels, KnownLabels, NumberLabels, known_labels
from bough.checks.note_words import column_word, counted, value_in_note
from bough.encode import Labels
from bough.evidence import Note
from bough.schema import Kind, Part
from bough.table import Table
from bough.table.column import Column
from bough.words import number, share


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


TENTHS = 10
DRIFT = 0.02  # the share of the labels' variance that lies between tenths of the time
STANDARD_ERRORS = 5  # by which drift and agreement must exceed chance
FEWEST_ROWS = 100
FEWEST_ENTITIES = 30
MOST_ROWS_EACH = 20  # of an entity, on average: more rows make a category of it
AGREEMENT = 0.3
FAR = 0.5  # an agreement that is called far more than by chance


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

    Parameters
    ----------
    columns
        The columns by name, also those that are left out as identifiers, with all rows.
    rows
        The numbers of the training rows.
    labels
        The labels of the training rows.

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
