"""Checks of the tree: a first question that chance decided, small leaves, split points that are not exact."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import erfc, frexp, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.checks.known_labels import Floats, KnownLabels, NumberLabels, known_labels
from bough.checks.list_of_checks import NOT_EXACT
from bough.checks.note_words import column_word
from bough.encode import Labels
from bough.evidence import Note
from bough.grow import grown_labels
from bough.grow.grow_branch import core_criterion
from bough.loss_kinds import LOSSES
from bough.tree import Tree

TOSS_UP = 1.0  # no chance: the two cannot be told apart
UNSTABLE = 0.1  # the chance that the runner-up wins on other rows
TINY = 5  # a leaf with fewer rows is tiny
MANY_TINY = 0.25  # the share of tiny leaves that is worth a note
TINIEST = np.finfo(np.float64).tiny  # for answers that no row has

Answers = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class FirstQuestion:
    """A question that may be asked first: its feature, and the answer of each training row."""

    feature: str
    answers: Answers


def first_question(
    asked: FirstQuestion | None,
    runner_up: FirstQuestion | None,
    labels: Labels,
    criterion: str,
    quantile: float | None = None,
) -> list[Note]:
    """Return a note if the runner-up, the best query about another feature, may well be the better first question.

    The two gains are compared row by row: their difference is a mean over the rows, to first order,
    and so has a standard error (the delta method).

    Examples
    --------
    >>> from bough.schema import Label
    >>> labels = Labels((Label("play", ("no", "yes")),), np.array([[0, 1] * 20], np.int32), None)
    >>> even, same = np.arange(40) % 2, np.arange(40) % 2
    >>> notes = first_question(FirstQuestion("a", even), FirstQuestion("b", same), labels, "gini")
    >>> [note.text for note in notes]
    ['The first question is a toss-up: b tells these rows apart just as well as a']
    """
    if asked is None or runner_up is None:
        return []
    chance = chance_of(runner_up.answers, asked.answers, labels, criterion, quantile)
    if chance is None or chance < UNSTABLE:
        return []
    first, second = column_word(asked.feature), column_word(runner_up.feature)
    if chance == TOSS_UP:
        says = f"a toss-up: {second} tells these rows apart just as well as {first}"
    else:
        says = (
            f"unstable: on another sample of this size, {second} would be chosen about 1 time in "
            f"{max(round(1 / chance), 2)}"
        )
    text = f"The first question is {says}"
    return [Note("B301", text, (asked.feature, runner_up.feature))]


def chance_of(
    runner_up: Answers,
    asked: Answers,
    labels: Labels,
    criterion: str,
    quantile: float | None = None,
) -> float | None:
    """Return how likely one question beats another on other rows; None: not known for a criterion.

    `TOSS_UP` is a question that tells these very rows apart just as well. Both are given by the
    answer of each row.
    """
    labels, criterion = grown_labels(labels, criterion), core_criterion(criterion)
    if criterion not in {"gain_ratio", *_OF_CLASSES, *_OF_NUMBERS}:
        return None  # it is not known here what a row has in its gain
    known = known_labels(labels)
    if isinstance(
        known, NumberLabels
    ):  # so that squares are numbers; no chance depends on the scale
        scale = frexp(float(np.max(np.abs(known.each))))[1]
        known = replace(known, each=np.ldexp(known.each, -scale))
    level = 0.5 if quantile is None else quantile
    of_asked, of_runner_up = (
        _scores(answers, known, criterion, level) for answers in (asked, runner_up)
    )
    lead = of_asked - of_runner_up
    weights = _weights(known)
    mean = float(weights @ lead)
    excess = weights * (lead - mean)
    if labels.group is not None:  # only groups are independent
        excess = np.asarray(np.bincount(np.unique(labels.group, return_inverse=True)[1], excess))
    error = sqrt(float(excess @ excess))
    if error == 0:
        return 0.0 if mean > 0 else TOSS_UP
    return erfc(mean / error / sqrt(2)) / 2


def tiny_leaves(tree: Tree) -> list[Note]:
    """Return a note if many leaves are based on a few rows.

    Examples
    --------
    >>> [note.text for note in tiny_leaves(play_tennis_tree)]
    ['5 of 5 leaves are based on fewer than 5 rows; treat them as hints']
    """
    rows = tree.n_rows[tree.feature < 0]
    n_tiny = int(np.count_nonzero(rows < TINY))
    if n_tiny < MANY_TINY * len(rows) or n_tiny == 0:
        return []
    are, hints = ("is", "it as a hint") if n_tiny == 1 else ("are", "them as hints")
    text = (
        f"{n_tiny:,} of {len(rows):,} leaves {are} based on fewer than {TINY} rows; treat {hints}"
    )
    return [Note("B302", text, fix={"choose": "simple"})]


def not_exact(exact: bool) -> list[Note]:  # noqa: FBT001
    """Return a note on a tree that tells numbers apart by intervals."""
    return [] if exact else [Note("B305", NOT_EXACT)]


def _scores(answers: Answers, labels: KnownLabels, criterion: str, level: float = 0.5) -> Floats:
    """Return a number for each row whose mean is minus the remainder, or the gain ratio.

    To first order a row changes the score by what it differs from that mean.
    """
    if criterion != "gain_ratio":
        return -_impurities(answers, labels, criterion, level)
    before, after = (_impurities(each, labels, "entropy", level) for each in (0 * answers, answers))
    weights = _weights(labels)
    information = -np.log2(np.bincount(answers, weights)[answers])
    entropy = weights @ information
    ratio = weights @ (before - after) / entropy
    return np.asarray((before - after - ratio * information) / entropy + ratio)


def _impurities(answers: Answers, labels: KnownLabels, criterion: str, level: float) -> Floats:
    """Return the part that each row has in the remainder; their mean is the remainder."""
    if isinstance(labels, NumberLabels):
        loss, by_mean = _OF_NUMBERS[criterion]
        weights, of_numbers = _weights(labels), LOSSES[loss].of_numbers
        assert of_numbers is not None  # noqa: S101 - a loss of numbers
        guesses = (
            _means(answers, labels.each, weights)
            if by_mean
            else _quantiles(answers, labels.each, weights, level)
        )
        return of_numbers(guesses, labels.each, level)
    n_classes = len(labels.classes)
    cells = answers.astype(np.int64) * n_classes + labels.each
    n_cells = (int(answers.max()) + 1) * n_classes
    tally = np.bincount(cells, _weights(labels), minlength=n_cells).reshape(-1, n_classes)
    shares = tally / np.maximum(tally.sum(axis=1, keepdims=True), TINIEST)
    return np.asarray(_OF_CLASSES[criterion](shares).ravel()[cells])


def _weights(labels: KnownLabels) -> Floats:
    """Return the weights of the rows, which add up to 1."""
    if labels.weights is None:
        return np.full(len(labels.each), 1 / len(labels.each))
    return np.asarray(labels.weights / labels.weights.sum())


def _entropy(shares: Floats) -> Floats:
    return np.asarray(-np.log2(np.where(shares > 0, shares, 1)))


def _gini(shares: Floats) -> Floats:
    return np.asarray(1 - 2 * shares + (shares**2).sum(axis=1, keepdims=True))


def _error(shares: Floats) -> Floats:
    return np.asarray(1 - np.eye(shares.shape[1])[shares.argmax(axis=1)])


def _means(answers: Answers, values: Floats, weights: Floats) -> Floats:
    """Return for each row the mean of those with the same answer."""
    sums = np.bincount(answers, weights * values)
    return np.asarray((sums / np.maximum(np.bincount(answers, weights), TINIEST))[answers])


def _quantiles(answers: Answers, values: Floats, weights: Floats, level: float) -> Floats:
    """Return for each row the quantile of those with the same answer."""
    found = np.zeros(int(answers.max()) + 1)
    for answer in np.unique(answers):
        rows = np.flatnonzero(answers == answer)
        rows = rows[np.argsort(values[rows])]
        summed = np.cumsum(weights[rows])
        found[answer] = values[rows[np.searchsorted(summed, summed[-1] * level)]]
    return np.asarray(found[answers])


_OF_CLASSES: dict[str, Callable[[Floats], Floats]] = {
    "entropy": _entropy,
    "log_loss": _entropy,
    "gini": _gini,
    "error": _error,
}
_OF_NUMBERS = {  # the loss that each makes small, and whether the mean does, or else a quantile
    "squared_error": ("squared_error", True),
    "absolute_error": ("absolute_error", False),
    "poisson": ("poisson", True),
    "quantile": ("pinball", False),
}
