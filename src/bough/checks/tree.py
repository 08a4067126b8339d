"""Checks of the tree: a first question that chance decided, small leaves, split points that are not exact.

And of its estimate: whether it is sharp, and whether the tree beats guessing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import erfc, frexp, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.checks.list_of_checks import NOT_EXACT
from bough.checks.note_words import column_word
from bough.checks.target_labels import Floats, KnownLabels, NumberLabels, known_labels
from bough.encode import Labels
from bough.evidence import Estimate, Note
from bough.grow import grown_labels
from bough.grow.grow_branch import core_criterion
from bough.loss_kinds import LOSSES
from bough.tree import Tree
from bough.words import counted

TOSS_UP = 1.0  # no chance: the two cannot be told apart
UNSTABLE = 0.1  # the chance that the runner-up wins on other rows
TINY = 5  # a leaf with fewer rows is tiny
MANY_TINY = 0.25  # the share of tiny leaves that is worth a note
TINIEST = np.finfo(np.float64).tiny  # for answers that no row has

Answers = NDArray[np.integer[Any]]
FEWEST_ROWS = 100
TOO_FEW = 30  # rows, or groups, from which nothing is concluded
WIDEST = 0.1  # an interval of an error rate that still says something


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


def few_test_rows(loss: str, test: Estimate, n_groups: int | None = None) -> list[Note]:
    """Return a note if there are too few test rows, or groups of them, for a useful interval.

    `test` is the estimate of the loss from the test rows, `n_groups` in how many groups these come,
    where rows of a group depend on each other.

    Examples
    --------
    >>> [note.text for note in few_test_rows("error", Estimate(0.03, 0.008, 0.1, 69))]
    ['Only 69 test rows: the true error could be as high as 10.0 %']
    """
    is_enough = test.n >= FEWEST_ROWS and (n_groups is None or n_groups >= TOO_FEW)
    if is_enough and not (loss == "error" and test.high - test.low > WIDEST):
        return []
    known = LOSSES[loss]
    n_units = _units(loss, test, n_groups)
    extreme = "low" if known.task.ranks else "high"
    text = (
        f"Only {n_units}: the true {known.figure_word} could be as {extreme} as "
        f"{known.figure_text(test.high)}"
    )
    return [Note("B201", text)]


def no_better(
    loss: str,
    test: Estimate,
    baseline: Estimate,
    against: Estimate,
    n_groups: int | None = None,
) -> list[Note]:
    """Return a note if the tree is not clearly better than always predicting the same.

    `test` and `baseline` are the estimates of the tree and of always predicting the same; `against`
    is by how much the first is greater, compared row by row, or group by group.

    Examples
    --------
    >>> tree, same = Estimate(0.4, 0.31, 0.49, 100), Estimate(0.45, 0.36, 0.55, 100)
    >>> [note.text for note in no_better("error", tree, same, Estimate(-0.05, -0.14, 0.04, 100))]
    ['The tree is not clearly better than always predicting the same: its error is 40.0 %, the baseline 45.0 %, a difference of −5.0 (−14.0 to +4.0)']
    """
    if against.high < 0:
        return []
    known = LOSSES[loss]
    other = "a random order" if known.task.ranks else "always predicting the same"
    figures = (
        f"its {known.figure_word} is {known.figure_text(test.value)}, the baseline "
        f"{known.figure_text(baseline.value)}"
    )
    if (n_groups or against.n) < TOO_FEW and against.value < 0:
        units = _units(loss, against, n_groups)
        text = f"Cannot tell from {units} whether the tree is better than {other}: {figures}"
        return [Note("B205", text)]
    clearly = "" if against.value >= 0 else "clearly "
    change, least, most = known.change_texts(against.value, against.low, against.high)
    text = (
        f"The tree is not {clearly}better than {other}: {figures}, a difference of {change} "
        f"({least} to {most})"
    )
    return [Note("B205", text)]


def _units(loss: str, found: Estimate, n_groups: int | None) -> str:
    """Return how many rows, or groups, that are independent of each other were measured."""
    if n_groups is not None:
        return counted(n_groups, "group") + " of test rows"
    return counted(found.n, f"test {LOSSES[loss].units.removesuffix('s')}")


def no_better_probabilities(
    loss: str, all_test: Mapping[str, Estimate], all_baseline: Mapping[str, Estimate]
) -> list[Note]:
    """Return a note if probabilities are no better than always giving the shares of the classes.

    Nothing where the tree was chosen by probabilities, which `no_better` is about, or is one leaf.

    Examples
    --------
    >>> tree, same = Estimate(1.4, 1.3, 1.5, 100), Estimate(1.3, 1.2, 1.4, 100)
    >>> notes = no_better_probabilities("error", {"log_loss": tree}, {"log_loss": same})
    >>> [note.text for note in notes]
    ['The probabilities are no better than the class shares of all rows: their log loss is 1.4, the baseline 1.3. If they matter, choose the tree by them']
    """
    found, baseline = all_test.get("log_loss"), all_baseline.get("log_loss")
    if found is None or baseline is None or LOSSES[loss].of_shares or found == baseline:
        return []
    if found.value < baseline.value or found.n < TOO_FEW:
        return []
    figures = map(LOSSES["log_loss"].figure_text, (found.value, baseline.value))
    text = (
        "The probabilities are no better than the class shares of all rows: their log loss is "
        "{}, the baseline {}. If they matter, choose the tree by them"
    )
    return [Note("B205", text.format(*figures), fix={"loss": "log_loss"})]
