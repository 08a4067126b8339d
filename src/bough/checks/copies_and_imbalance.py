"""The training rows and their labels: copies in the test rows, and classes out of balance."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.checks.labels import NumberLabels, known_labels
from bough.checks.note_words import counted, value_in_note
from bough.encode import Labels
from bough.evidence import Note
from bough.words import share

COPIES = 0.01  # of the test rows, from which on they are worth a note
COMMONEST = 0.9  # the share of one class from which on labels are out of balance
FEWEST_OF_A_CLASS = 10
SIEVE = 22  # bits of a hash that sort out most rows which have no copy

Hashes = NDArray[np.uint64]


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
