"""The training rows and their labels: copies in the test rows, and classes out of balance."""

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


def equal_rows(learnt: Hashes, sealed: Hashes) -> list[Note]:
    """Return a note if test rows are equal to training rows, label and all.

    Parameters
    ----------
    learnt, sealed
        The hashes of the training and of the test rows.

    Examples
    --------
    >>> train = np.arange(80, dtype=np.uint64)
    >>> [note.text for note in equal_rows(train, train[75:] + np.uint64(2))]
    ['3 of 5 test rows are copies of training rows: the estimate is too good unless new rows are copies, too. Remove the copies from the table']
    """
    n_copies = int(np.count_nonzero(_is_among(sealed, learnt)))
    if n_copies <= COPIES * len(sealed):
        return []
    text = (
        f"{n_copies:,} of {counted(len(sealed), 'test row')} are copies of training rows: the "
        "estimate is too good unless new rows are copies, too. Remove the copies from the table"
    )
    return [Note("B108", text)]


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


def _is_among(hashes: Hashes, known: Hashes) -> NDArray[np.bool_]:
    """Return which hashes are among the known, without sorting them all."""
    bits = np.uint64(2**SIEVE - 1)
    sieve = np.zeros(2**SIEVE, np.bool_)
    sieve[hashes & bits] = True
    known = known[sieve[known & bits]]
    return np.isin(hashes, known)
