"""The losses: what a guess costs in a row, and how that reads."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import Argument, DataError, ParameterError, refuse_unknown
from bough.predict import Guessing
from bough.ranking import PLACES
from bough.schema import Task
from bough.tree import Tree
from bough.words import hundredths, number

Floats = NDArray[np.float64]

_LARGEST = np.finfo(np.float64).max
_LEAST_NUMBER = np.finfo(np.float64).tiny  # a ratio of 1e-300 to 1e300 is no number above 0
_LEAST_SHARE = np.finfo(np.float64).eps  # as in scikit-learn, so that figures can be compared
_CLASSES, _NUMBERS = Task.CLASSIFICATION, Task.REGRESSION


@dataclass(frozen=True)
class Loss:
    """What guesses cost, by its name, and how it reads."""

    name: str
    word: str
    """What it is called in a sentence."""
    task: Task
    of_classes: Callable[[Guessing], Floats] | None = None
    """The loss of a row of each class at each node; None: labels are numbers."""
    of_numbers: Callable[[Floats, Floats, float | None], Floats] | None = None
    """The loss of guesses where these are the labels."""
    is_usual: bool = False
    """Whether it is measured of every tree of the task."""
    of_shares: bool = False
    """Whether it tells leaves apart which guess alike, by their shares."""
    own_criterion: str = ""
    """The criterion that makes it small, where that is not the usual one."""
    score: str = ""
    """The score that people know better, and that follows from the loss."""
    score_of: Callable[[float], float] = float
    units: str = "rows"
    """What it is measured on."""

    @property
    def is_share(self) -> bool:
        return self.name == "error"

    @property
    def figure_word(self) -> str:
        """What the figure is called that people know: of rankings the score and not the loss."""
        return f"NDCG@{PLACES}" if self.task.ranks else self.word

    def figure(self, value: float) -> float:
        """Return the figure that people know.

        Examples
        --------
        >>> LOSSES["error"].figure(0.25), LOSSES["ndcg_loss"].figure(0.25)
        (0.25, 0.75)
        """
        return 1 - value if self.task.ranks else value

    def figure_text(self, value: float) -> str:
        """Return the figure in words, as in '25.0 %'."""
        return f"{hundredths(value)} %" if self.is_share else number(self.figure(value), 3)

    def change_texts(self, value: float, low: float, high: float) -> list[str]:
        """Return a change, the least and the greatest that it may be, as changes of the figure.

        Examples
        --------
        >>> LOSSES["error"].change_texts(0.02, -0.01, 0.05)
        ['+2.0', '−1.0', '+5.0']
        >>> LOSSES["ndcg_loss"].change_texts(0.02, -0.01, 0.05)
        ['−0.02', '−0.05', '+0.01']
        """
        values = (-value, -high, -low) if self.task.ranks else (value, low, high)
        return [
            signed(hundredths(abs(each)) if self.is_share else number(abs(each), 3), each)
            for each in values
        ]


def signed(words: str, value: float) -> str:
    """Return an amount with the sign of a value."""
    return f"{'−' if value < 0 else '+'}{words}"


def row_losses(
    tree: Guessing,
    loss: str,
    nodes: NDArray[Any],
    labels: NDArray[Any],
    *,
    quantile: float | None = None,
) -> Floats:
    """Return the loss of rows that stop at these nodes.

    Parameters
    ----------
    tree
        The tree that guesses, or mixtures of its nodes.
    loss
        - 'error': 1 for a wrong guess, else 0;
        - 'log_loss': minus the natural logarithm of the probability that the row's class has at
          the node. One below 2^-52, as of a class that the node never saw, counts as 2^-52, so that
          a single such row costs 36;
        - 'brier': the squared distance of the probabilities from 1 for the row's class and 0 for
          the others, summed over the classes; half of it where there are two, as is usual;
        - 'cost': what the costs of the label say of the guess; without costs the same as 'error';
        - 'squared_error', 'absolute_error': of the guess;
        - 'poisson': half the Poisson deviance. A guess below 2^-52, as of 0, counts as 2^-52;
        - 'pinball': the distance from the guess, times `quantile` where the label lies above it and
          times 1 - `quantile` where it lies below.
    nodes
        The node where each row stops.
    labels
        The class of each row, by number, -1 where the tree does not know it (its loss is then the
        greatest that the guess can have); or its number.
    quantile
        For 'pinball': the share of the labels that a guess is to exceed.

    Examples
    --------
    >>> row_losses(play_tennis_tree, "error", np.array([0, 0, 1]), np.array([0, 1, 1])).tolist()
    [1.0, 0.0, 0.0]
    """
    known = LOSSES[loss]
    if known.of_classes is not None:
        return np.asarray(known.of_classes(tree)[nodes, labels])
    if tree.guess is None or known.of_numbers is None:
        raise ValueError(f"{loss!r} needs number labels")
    with np.errstate(over="ignore"):
        losses = known.of_numbers(tree.guess[nodes, 0], labels, quantile)
        return np.minimum(losses, _LARGEST)


def node_losses(tree: Tree, loss: str) -> Floats | None:
    """Return the mean training loss of the rows of each node, had they all stopped there.

    It comes from the tallies alone; None where these do not tell, as for 'absolute_error'.

    Examples
    --------
    >>> node_losses(play_tennis_tree, "error")[:2].round(3).tolist()
    [0.357, 0.0]
    """
    of_classes = LOSSES[loss].of_classes
    if of_classes is not None:
        return np.asarray((tree.row_shares[:, 0] * of_classes(tree)[:, :-1]).sum(axis=1))
    if loss != "squared_error" or tree.guess is None:
        return None
    weight, total, squares = tree.tally[:, 0].T
    guess = tree.guess[:, 0]
    with np.errstate(over="ignore", invalid="ignore"):
        found = squares / weight - guess * (2 * (total / weight) - guess)
    return np.asarray(np.clip(np.nan_to_num(found, nan=_LARGEST), 0.0, _LARGEST))


def known_loss(
    loss: str | None,
    task: Task,
    criteria: Sequence[str] = (),
    quantile: float | None = None,
    *,
    has_costs: bool = False,
) -> str:
    """Return the loss to minimise, or refuse one that is not for this task or lacks something.

    None is the usual one: the cost where guesses have costs, or what the criteria themselves make
    small, where they agree on it.
    """
    known = {name: each for name, each in LOSSES.items() if each.task == task}
    if loss is None and has_costs:
        return "cost"
    if loss is None:
        of_criterion = {each.own_criterion: name for name, each in known.items()}
        own = {of_criterion.get(criterion, task.loss) for criterion in criteria}
        loss = own.pop() if len(own) == 1 else task.loss
    refuse_unknown("loss", loss, known, f" for {task}")
    if loss == "pinball" and quantile is None:
        raise ParameterError(
            Argument("loss", "pinball"), " needs a quantile between 0 and 1: ",
            Argument("quantile", 0.9), " predicts what nine of ten labels do not exceed.",
        )  # fmt: skip
    if loss == "cost" and not has_costs:
        raise ParameterError(
            Argument("loss", "cost"), " needs costs, as in ",
            Argument("costs", {("ill", "well"): 20}), ": predicting 'well' where 'ill' is true "
            "costs 20.",
        )  # fmt: skip
    return loss


# For classes: the loss of a row of each class at each node, (nodes, classes + 1). The last column
# is that of classes which the tree does not know; they have the number -1.


def _errors(tree: Guessing) -> Floats:
    numbers = np.arange(tree.shares.shape[2] + 1)
    return np.asarray(numbers != tree.class_guess[:, :1], np.float64)


def _log_losses(tree: Guessing) -> Floats:
    probabilities = np.pad(tree.probabilities[:, 0], ((0, 0), (0, 1)))
    return np.asarray(-np.log(np.maximum(probabilities, _LEAST_SHARE)))


def _brier(tree: Guessing) -> Floats:
    probabilities = np.pad(tree.probabilities[:, 0], ((0, 0), (0, 1)))
    squares = np.square(probabilities).sum(axis=1, keepdims=True)
    distances = np.maximum(squares - 2 * probabilities + 1, 0.0)
    return np.asarray(distances / 2 if tree.probabilities.shape[2] == 2 else distances)


def _costs(tree: Guessing) -> Floats:
    costs = tree.schema.labels[0].costs
    if not costs:
        return _errors(tree)
    of_guess = np.array(costs)[:, tree.class_guess[:, 0]].T
    return np.hstack([of_guess, of_guess.max(axis=1, keepdims=True)])


# For numbers: the loss of guesses where these are the labels.


def _half_deviances(guesses: Floats, labels: Floats, _: float | None) -> Floats:
    if np.any(labels < 0):
        raise DataError(
            Argument("loss", "poisson"), " is for numbers that are 0 or more, but some labels are "
            "negative. Use ", Argument("loss", "squared_error"), " or 'absolute_error', or leave "
            "these rows out.",
        )  # fmt: skip
    guesses = np.maximum(guesses, _LEAST_SHARE)
    ratios = np.where(labels > 0, labels, guesses) / guesses  # 0 times its logarithm is 0
    return np.maximum(labels * np.log(np.maximum(ratios, _LEAST_NUMBER)) - labels + guesses, 0.0)


def _pinball(guesses: Floats, labels: Floats, quantile: float | None) -> Floats:
    assert quantile is not None  # noqa: S101 - `check_loss` has refused it
    above = labels - guesses
    return np.maximum(quantile * above, (quantile - 1) * above)


def _left(loss: float) -> float:
    return 1 - loss


LOSSES: dict[str, Loss] = {
    each.name: each
    for each in (
        Loss("error", "error", _CLASSES, _errors, score="accuracy", score_of=_left, is_usual=True),
        Loss("log_loss", "log loss", _CLASSES, _log_losses, is_usual=True, of_shares=True),
        Loss("brier", "Brier score", _CLASSES, _brier, is_usual=True, of_shares=True),
        Loss("cost", "cost", _CLASSES, _costs),
        Loss(
            "squared_error", "squared error", _NUMBERS,
            of_numbers=lambda guesses, labels, _: np.square(labels - guesses),
            score="rmse", score_of=sqrt, is_usual=True,
        ),
        Loss(
            "absolute_error", "absolute error", _NUMBERS,
            of_numbers=lambda guesses, labels, _: np.abs(labels - guesses),
            own_criterion="absolute_error", is_usual=True,
        ),
        Loss("poisson", "Poisson loss", _NUMBERS, None, _half_deviances, own_criterion="poisson"),
        Loss("pinball", "pinball loss", _NUMBERS, None, _pinball, own_criterion="quantile"),
        Loss(  # of groups and not of rows: see `bough.ranking`
            "ndcg_loss", "NDCG loss", Task.RANKING,
            score="ndcg", score_of=_left, is_usual=True, units="groups",
        ),
    )
}  # fmt: skip
"""Every loss by its name."""
