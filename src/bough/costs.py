"""What guesses cost: the costs that a user names, and rows that weigh as much as they can cost."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import frexp, inf
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bough.encode import Labels
from bough.errors import Argument, ParameterError, did_you_mean, listed
from bough.schema import Value
from bough.words import number

Costs = Mapping[Any, Any] | ArrayLike | None
Matrix = tuple[tuple[float, ...], ...]

LARGEST = 1e100  # cost; sums of larger ones over rows may be no numbers any more
_IDLE = 2.0**-20  # the weight of rows that no guess can be wrong for, beside those of the dearest


def read_costs(costs: Costs, classes: Sequence[Value]) -> Matrix:
    """Return what guessing class j costs where class i is true, at [i][j]; nothing for None.

    Given is a list of costs for each class, in their order; or a dict of what is to be other than
    usual (0 for a right guess, 1 for a wrong one), as in `{("ill", "well"): 20}` or `{"ill":
    {"well": 20}}`: the true class comes first. A dict may name classes as text: "1" is 1, and
    "true" is True.

    Examples
    --------
    >>> read_costs({("ill", "well"): 20}, ["ill", "well"])
    ((0.0, 20.0), (1.0, 0.0))
    """
    if costs is None:
        return ()
    if isinstance(costs, Mapping):
        matrix = (1.0 - np.eye(len(classes))).tolist()
        for (row, place), cost in _by_pair(costs, classes).items():
            matrix[row][place] = cost
    else:
        matrix = _listed(costs, classes)
    found = tuple(tuple(map(float, row)) for row in matrix)
    for true, of_guesses in zip(classes, found, strict=True):
        for guess, cost in zip(classes, of_guesses, strict=True):
            if not 0 <= cost <= LARGEST:
                raise _not_a_cost(true, guess, cost)
    if not _regrets(found).any():
        raise ParameterError(
            "costs are the same for every prediction, so none is better than another. "
            "Give wrong predictions a higher cost than right ones."
        )
    return found


def altered_priors(labels: Labels) -> Labels:
    """Return labels whose rows weigh as much more as wrong guesses cost where they are true.

    A class weighs what all wrong guesses cost together (Breiman et al., 1984, section 4.4), beyond
    what even the best guess does. For two classes, the commonest class is then that of least cost.
    They stay as they are where there are no costs, or the same for all classes. Rows of a class
    whose guesses all cost the same keep some weight, so that the tree knows their values.
    """
    prior = _priors(labels)
    if labels.codes is None or np.all(prior == prior[0]):
        return labels
    codes = labels.codes[0]
    weights = np.where(prior > 0, prior, _IDLE)[codes]
    if labels.weights is not None:
        weights = weights * labels.weights
    return replace(labels, weights=weights) if prior[codes].any() else labels


def usual_share(share: NDArray[np.float64], labels: Labels) -> NDArray[np.float64]:
    """Return what the share of the second class is without altered priors; it keeps the order.

    Examples
    --------
    >>> from bough.schema import Label
    >>> label = Label("state", "object", ("ill", "well"), costs=((0.0, 20.0), (1.0, 0.0)))
    >>> labels = Labels((label,), np.array([[0, 1]]), None)
    >>> usual_share(np.array([0.0, 0.5, 1.0]), labels).round(3).tolist()
    [0.0, 0.952, 1.0]
    """
    prior = _priors(labels)
    first, second = np.where(prior > 0, prior, _IDLE).tolist()
    with np.errstate(divide="ignore"):  # where there is nothing of the second class
        # Each step keeps the order, also where it rounds.
        return np.asarray(1 / (1 + ((1 - share) / first) / (share / second)))


def _priors(labels: Labels) -> NDArray[np.float64]:
    """Return how much a row of each class weighs, at most 1; the same for all without costs."""
    costs = labels.labels[0].costs
    if not costs:
        return np.ones(max(len(labels.labels[0].classes), 1))
    prior = _regrets(costs).sum(axis=1)
    # This is exact, and no product is too large.
    return np.asarray(np.ldexp(prior, -frexp(float(prior.max()))[1]))


def _regrets(costs: Matrix) -> NDArray[np.float64]:
    """Return what each guess costs more than the cheapest one where a class is true."""
    matrix = np.array(costs)
    return np.asarray(matrix - matrix.min(axis=1, keepdims=True))


def _listed(costs: ArrayLike, classes: Sequence[Value]) -> list[list[float]]:
    if hasattr(costs, "columns"):
        raise ParameterError(
            "costs is a data frame, whose order is ambiguous. Pass lists in class order "
            f"({listed(classes)}), or a dict: {{('ill', 'well'): 20}}."
        )
    try:
        matrix = np.asarray(costs, np.float64)
    except (TypeError, ValueError):
        matrix = np.empty(0)
    n_classes = len(classes)
    if matrix.shape != (n_classes, n_classes):
        raise ParameterError(
            f"costs must be {n_classes} lists of {n_classes} numbers: one list for each true class, "
            f"one number for each prediction. The classes are {listed(classes)}."
        )
    rows: list[list[float]] = matrix.tolist()
    return rows


def _by_pair(costs: Mapping[Any, Any], classes: Sequence[Value]) -> dict[tuple[int, int], float]:
    numbers = {_text(name): place for place, name in enumerate(classes)}
    found: dict[tuple[int, int], float] = {}
    for true, guess, cost in _triples(costs):
        pair = _class_number(true, numbers), _class_number(guess, numbers)
        if pair in found:
            raise ParameterError(
                Argument("costs"),
                f" gives two costs for predicting {guess!r} when {true!r} is true. Give one.",
            )
        if not isinstance(cost, Real):
            raise _not_a_cost(true, guess, cost)
        found[pair] = float(cost)
    return found


def _not_a_cost(true: object, guess: object, cost: object) -> ParameterError:
    is_large = isinstance(cost, float) and LARGEST < cost < inf
    wanted = (
        f"A cost is at most {LARGEST:g}: divide all costs by the same number."
        if is_large
        else "A cost must be a finite number, 0 or more."
    )
    return ParameterError(
        Argument("costs"), f" has {cost!r} for predicting {guess!r} when {true!r} is true. {wanted}"
    )


def _triples(costs: Mapping[Any, Any]) -> Iterator[tuple[Any, Any, Any]]:
    """Give the true class, the guess and what it costs, from either form of a dict."""
    for key, value in costs.items():
        match key, value:
            case _, Mapping():
                yield from ((key, guess, cost) for guess, cost in value.items())
            case (true, guess), _:
                yield true, guess, value
            case _:
                raise ParameterError(
                    Argument("costs"), f" has the key {key!r}. Name the true and the predicted class: "
                    "{('ill', 'well'): 20} or {'ill': {'well': 20}}.",
                )  # fmt: skip


def _class_number(name: Any, numbers: Mapping[str, int]) -> int:  # noqa: ANN401 - a class, or not
    name = name.item() if isinstance(name, np.generic) else name
    text = _text(name)
    if text not in numbers:
        raise ParameterError(
            Argument("costs"), f" names {name!r}, which is not a class.{did_you_mean(text, numbers)} "
            f"The classes are {listed(numbers)}.",
        )  # fmt: skip
    return numbers[text]


def _text(name: object) -> str:
    """Return the name of a class as a user would type it."""
    if isinstance(name, bool):
        return str(name).lower()
    return number(name) if isinstance(name, float) else str(name)
