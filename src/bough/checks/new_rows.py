"""Rows given to a finished tree: used before, from elsewhere, with values it never saw."""

from collections.abc import Mapping
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.checks.note_words import column_word, part_of_all
from bough.evidence import Note
from bough.schema import Kind, date
from bough.table import Table
from bough.tree import Tree
from bough.walk import trail
from bough.words import number, plain, row_count, share

FEWEST_ROWS = 50  # in fewer rows, shares say little
FEWEST_EXPECTED = 5  # rows at a leaf, so that chi-squared holds
STANDARD_ERRORS = 4.5  # by which shares must differ more than by chance
SOME = 0.01  # of the rows, from which on it is worth a word that they equal others by chance
DISTANCE = 0.05  # the part of the rows that stop elsewhere
LONGEST_TRAIL = 3


class SeenBefore(NamedTuple):
    """About how many rows a tree has seen before."""

    n_learnt: int
    """That equal a row that the tree learnt from or was chosen by."""
    n_test: int
    """Others that equal a test row; 0 where chance explains it."""
    is_chance: bool = False
    """Whether no more equal a row that it learnt from than chance explains."""


def used_rows(n_rows: int, seen: SeenBefore) -> list[Note]:
    """Return notes on rows that the tree was made from, and on sealed rows opened again.

    Examples
    --------
    >>> [note.code for note in used_rows(1309, SeenBefore(1047, 262))]
    ['B207', 'B206']
    """
    notes = []
    if seen.n_learnt > (SOME * n_rows if seen.is_chance else 0):
        text = _equal(seen.n_learnt, n_rows, "rows that this tree learnt from")
        if seen.is_chance:
            text += ", about as many as chance explains"
        else:
            text += ", more than chance explains: expect worse on new rows"
        notes.append(Note("B207", text, informs=seen.is_chance))
    if seen.n_test:
        text = (
            f"{_equal(seen.n_test, n_rows, 'test rows of this tree')}. "
            "If you pick a model by this score, its original estimate no longer holds"
        )
        notes.append(Note("B206", text))
    return notes


def _equal(n_equal: int, n_rows: int, others: str) -> str:
    are = "is" if n_equal == 1 else "are"
    return f"About {n_equal:,} of {row_count(n_rows)} {are} equal to {others}"


def other_shares(tree: Tree, nodes: NDArray[np.integer[Any]]) -> list[Note]:
    """Return a note if rows reach the leaves in other shares than the training rows did.

    `nodes` has the node where each row stops.

    Examples
    --------
    >>> notes = other_shares(play_tennis_tree, np.full(100, 1))  # outlook = Overcast
    >>> [note.code for note in notes]
    ['B208']
    """
    nodes = nodes[tree.feature[nodes] < 0]  # others stop at a value that was not seen there
    if len(nodes) < FEWEST_ROWS:
        return []
    found = np.bincount(nodes, minlength=len(tree)).astype(np.float64)
    grown = np.where(tree.feature < 0, tree.n_rows, 0).astype(np.float64)
    n_found, n_grown = found.sum(), grown.sum()
    # Nodes that few rows reach are taken together.
    is_rare = (found + grown) * min(n_found, n_grown) < FEWEST_EXPECTED * (n_found + n_grown)
    here, there = (np.append(each[~is_rare], each[is_rare].sum()) for each in (found, grown))
    distance = np.abs(here / n_found - there / n_grown).sum() / 2
    if distance < DISTANCE or _excess(here, there) < STANDARD_ERRORS:
        return []
    node = int(np.abs(found / n_found - grown / n_grown).argmax())
    text = (
        f"These rows differ from the training rows: {share(found[node] / n_found)} instead of "
        f"{share(grown[node] / n_grown)} stop at {_place(tree, node)}. They may come from another "
        "source"
    )
    return [Note("B208", text)]


def unseen_values(n_unseen: Mapping[str, int], n_rows: int) -> list[Note]:
    """Return a note on features in which rows have a value that their node never saw.

    `n_unseen` has how many of the rows stop at such a value, by feature.

    Examples
    --------
    >>> [note.text for note in unseen_values({"embarked": 2}, 418)]
    ['embarked: 2 of 418 rows have a value that their node never saw in training; they get the prediction of that node']
    """
    if not n_unseen:
        return []
    rows = {name: part_of_all(n, n_rows, "row") for name, n in n_unseen.items()}
    if len(rows) == 1:
        ((name, n),) = n_unseen.items()
        have, they_get = ("has", "it gets") if n == 1 else ("have", "they get")
        text = (
            f"{column_word(name)}: {rows[name]} {have} a value that {'its' if n == 1 else 'their'} "
            f"node never saw in training; {they_get} the prediction of that node"
        )
    else:
        each = ", ".join(f"{column_word(name)} ({words})" for name, words in rows.items())
        text = (
            f"{len(rows):,} features have values that a node never saw in training: {each}. These "
            "rows get the prediction of that node"
        )
    return [Note("B303", text, tuple(rows))]


def outside_ranges(table: Table, ranges: Mapping[str, tuple[float, float]]) -> list[Note]:
    """Return a note on features with numbers beyond those of the training rows.

    `ranges` has the least and the greatest number among the training rows, by feature.

    Examples
    --------
    >>> from bough.table import read
    >>> [note.text for note in outside_ranges(read({"age": [3, 95]}), {"age": (1, 80)})]
    ['age: 1 of 2 rows is outside the training range (1 to 80)']
    """
    found = {}
    for position, feature in enumerate(table.features):
        if feature.name not in ranges or not feature.kind.is_compared:
            continue
        low, high = ranges[feature.name]
        values = table.values[position]
        is_outside = ((values < low) | (values > high)) & ~table.missing(position)
        if n_outside := int(np.count_nonzero(is_outside)):
            least, most = (_amount(feature.kind, each) for each in (low, high))
            found[feature.name] = n_outside, f"{least} to {most}"
    return _outside(found, table.n_rows)


def _outside(found: Mapping[str, tuple[int, str]], n_rows: int) -> list[Note]:
    if not found:
        return []
    if len(found) == 1:
        ((name, (n, span)),) = found.items()
        are = "is" if n == 1 else "are"
        rows = part_of_all(n, n_rows, "row")
        text = f"{column_word(name)}: {rows} {are} outside the training range ({span})"
    else:
        each = [
            f"{column_word(name)} ({part_of_all(n, n_rows, 'row')}, range {span})"
            for name, (n, span) in found.items()
        ]
        text = f"{len(found):,} features are outside their training range: {', '.join(each)}"
    return [Note("B304", text, tuple(found))]


def _amount(kind: Kind, value: float) -> str:
    return date(value) if kind is Kind.DATE else number(value, digits=3)


def _excess(here: NDArray[np.float64], there: NDArray[np.float64]) -> float:
    """Return by how many standard errors the chi-squared of two tallies exceeds chance."""
    ratio = sqrt(here.sum() / there.sum())
    both = here + there
    differences = (there * ratio - here / ratio)[both > 0] ** 2 / both[both > 0]
    free = len(differences) - 1
    # Wilson and Hilferty: the cube root is nearly normal.
    root = float(np.cbrt(differences.sum() / free))
    return (root - (1 - 2 / (9 * free))) / sqrt(2 / (9 * free))


def _place(tree: Tree, node: int) -> str:
    steps = trail(tree, node)[1:]
    words = [
        f"{column_word(step.parent.query.feature.name)} {plain(step.answer)}"
        for step in steps
        if step.parent is not None and step.parent.query is not None
    ]
    start = "…, " if len(words) > LONGEST_TRAIL else ""
    return start + ", ".join(words[-LONGEST_TRAIL:]) if words else "the root"
