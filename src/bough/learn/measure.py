"""How well a tree does on some rows: losses, figures beside them, baseline, calibration.

And `Confusion`: which classes were predicted as which.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bough.evidence import Estimate
from bough.figure_words import LONGEST, figure_of
from bough.learn.labelled_rows import LabelledRows
from bough.loss_kinds import LOSSES, row_losses
from bough.losses.figures import class_figures, number_figures
from bough.losses.intervals import difference, estimate, score
from bough.predict import Guessing, guesses, said_of
from bough.ranking import PLACES, Groups, no_relevant_row
from bough.schema import Task, Value
from bough.text_layout import shortened, table_lines, table_rows
from bough.tree import Tree
from bough.words import amount, guess_word, plain

ROUNDING = 1e-12  # of a number: no difference
Stopped: TypeAlias = tuple[Guessing, NDArray[np.integer], LabelledRows]
_LARGEST = np.finfo(np.float64).max


@dataclass(frozen=True)
class Confusion:
    """Which classes were predicted as which.

    `numpy.asarray` gives a square of true classes (rows) by predicted ones (columns), as
    `sklearn.metrics.confusion_matrix` does; `print` shows it.
    """

    classes: tuple[Value, ...]
    cells: tuple[tuple[int, int, float], ...]
    """A true and a predicted class, by number, and the weight of these rows; others have none."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: ANN401, FBT001
        found = np.zeros((len(self.classes), len(self.classes)))
        for true, predicted, weight in self.cells:
            found[true, predicted] = weight
        if dtype is None and np.all(found == np.round(found)):
            dtype = np.int64
        return found.astype(dtype)

    def lines(self, digits: int = 3, width: int | None = None) -> list[str]:
        """Return a line for each true class, of classes that occur; several where it is too long."""
        names = [shortened(plain(guess_word(each)), LONGEST, "…") for each in self.classes]
        there = sorted({code for true, said, _ in self.cells for code in (true, said)})
        weights = {(true, said): weight for true, said, weight in self.cells}
        lines = [["true \\ predicted", *(names[code] for code in there)]]
        for true in there:
            cells = [weights.get((true, said), 0.0) for said in there]
            lines.append([names[true], *(_count(each, digits) for each in cells)])
        aligned = "<" + ">" * len(there)
        if table_rows(lines, aligned, width)[0]:
            return table_lines(lines, aligned, width)
        told = [["", *(f"predicted {name}" for name in lines[0][1:])]]  # as each row tells it
        told += [[f"true {name}", *cells] for name, *cells in lines[1:]]
        return table_lines(told, aligned, width)

    def __str__(self) -> str:
        return "\n".join(self.lines())


def _count(weight: float, digits: int) -> str:
    return amount(weight, digits) if weight % 1 else f"{int(weight):,}"


class Losses(NamedTuple):
    """What guesses cost in each row, or in each group of a ranking."""

    each: NDArray[np.float64]
    weights: NDArray[np.float64] | None
    groups: NDArray[Any] | None
    """Which rows depend on each other; None where all are independent."""

    @property
    def mean(self) -> float:
        with np.errstate(over="ignore"):  # of squares of labels of 1e300
            return min(float(np.average(self.each, weights=self.weights)), _LARGEST)


def losses_of(stopped: Sequence[Stopped], loss: str, quantile: float | None = None) -> Losses:
    """Return the losses of some trees, each on rows of its own, one after the other."""
    found = [_losses(*each, loss, quantile) for each in stopped]
    weights, groups = (_together([each[place] for each in found]) for place in (1, 2))
    return Losses(np.concatenate([each.each for each in found]), weights, groups)


def followed(trees: Sequence[tuple[Tree, LabelledRows]], missing: str = "stop") -> list[Stopped]:
    """Return some trees with rows, and what guesses for these."""
    return [(*said_of(tree, rows.table, missing=missing), rows) for tree, rows in trees]


def groups_of(rows: LabelledRows) -> Groups:
    """Return the groups of a ranking."""
    return Groups(rows.answers, rows.group, rows.weights)


def all_measured(stopped: Stopped, loss: str, quantile: float | None) -> dict[str, Estimate]:
    """Return every loss and score of a tree, and the figures beside them."""
    found = measured([stopped], loss, quantile)
    return found | {name: each.estimate for name, each in further_figures(stopped).items()}


def baseline(stopped: Stopped, loss: str, quantile: float | None) -> dict[str, Estimate]:
    """Return the same for the root alone, which always guesses the same.

    What that does for classes needs no measuring beside losses: recall is all or nothing.
    """
    at_root = _at_root(stopped)
    if stopped[0].schema.has_classes:
        return measured([at_root], loss, quantile)
    return all_measured(at_root, loss, quantile)


def against_baseline(stopped: Stopped, loss: str, quantile: float | None = None) -> Estimate:
    """Return by how much a loss is greater than that of the root alone, row by row or group by group."""
    found = losses_of([stopped], loss, quantile)
    same = losses_of([_at_root(stopped)], loss, quantile)
    return difference(found.each, same.each, loss, weights=found.weights, groups=found.groups)


class FurtherFigure(NamedTuple):
    """A figure beside the loss, and numbers of rows, or groups, of which it is the mean."""

    estimate: Estimate
    each: Losses


def further_figures(stopped: Stopped) -> dict[str, FurtherFigure]:
    """Return the figures beside the loss by their names, as 'auc' and 'recall:yes'.

    What cannot be measured on these rows, as the recall of a class without rows, is left out.
    """
    said, places, rows = stopped
    given = {"weights": rows.weights, "groups": rows.group}
    match said.schema.task:
        case Task.CLASSIFICATION:
            names = class_names(said)
            measured = class_figures(
                said.probabilities[:, 0], said.class_guess[places, 0], rows.answers, places, **given
            )
            found = {
                name if code is None else f"{name}:{names[code]}": each
                for (name, code), each in measured.items()
            }
        case Task.REGRESSION:
            found = number_figures(guesses(said, places)[:, 0], rows.answers, **given)
        case Task.RANKING:
            return _ranking_figures(stopped)
    return {
        name: FurtherFigure(each.estimate, Losses(each.each, rows.weights, rows.group))
        for name, each in found.items()
    }


def differences(
    one: tuple[Stopped, dict[str, Estimate]],
    two: tuple[Stopped, dict[str, Estimate]],
    quantile: float | None,
) -> dict[str, Estimate]:
    """Return by how much figures of the second are greater than those of the first, on the same rows."""
    first, second = (_numbers_of_rows(*each, quantile) for each in (one, two))
    found = {}
    for name in [name for name in first if name in second]:
        (each, n), (other, n_other) = first[name], second[name]
        gaps = other.each - each.each
        gaps[np.abs(gaps) < ROUNDING * np.abs(each.each)] = 0.0
        is_bounded = figure_of(name).is_bounded
        most = len(gaps) / max(min(n, n_other), 1) if is_bounded else 0.0
        change = difference(
            gaps, np.zeros(len(gaps)), name, weights=each.weights, groups=each.groups, most=most
        )
        if is_bounded:
            change = replace(change, low=max(change.low, -1.0), high=min(change.high, 1.0))
        found[name] = change
    return found


def _numbers_of_rows(
    stopped: Stopped, estimates: dict[str, Estimate], quantile: float | None
) -> dict[str, tuple[Losses, int]]:
    """Return for each figure numbers of rows, or groups, of which it is the mean, and its rows."""
    found = {}
    for name in [name for name in estimates if name in LOSSES]:
        losses, known, n = losses_of([stopped], name, quantile), LOSSES[name], estimates[name].n
        found[name] = losses, n
        if known.score == "rmse":
            root = max(estimates["rmse"].value, np.finfo(np.float64).tiny)
            moved = root + (losses.each - estimates[name].value) / (2 * root)
            found["rmse"] = losses._replace(each=moved), n
        elif known.score:
            found[known.score] = losses._replace(each=1 - losses.each), n
    further = further_figures(stopped)
    return found | {name: (each.each, each.estimate.n) for name, each in further.items()}


def _ranking_figures(stopped: Stopped) -> dict[str, FurtherFigure]:
    said, places, rows = stopped
    scores, found = guesses(said, places)[:, 0], {}
    for name, k in (("ndcg@1", 1), ("ndcg@5", 5), ("mrr", None)):
        groups = Groups(rows.answers, rows.group, rows.weights, k or PLACES)
        each = groups.reciprocal_ranks(scores) if k is None else groups.ndcg(scores)
        loss = estimate(1 - each, "ndcg_loss", weights=groups.weights)
        score_of = LOSSES["ndcg_loss"].score_of
        found[name] = FurtherFigure(score(loss, score_of), Losses(each, groups.weights, None))
    return found


def class_names(said: Guessing) -> list[str]:
    """Return the classes as the names of their figures have them."""
    return [guess_word(each) for each in said.schema.labels[0].classes]


def confusion_of(stopped: Stopped) -> tuple[tuple[int, int, float], ...]:
    """Return the weight of the rows of each class that are predicted as each class, if any.

    Rows of classes that the tree does not know are in no cell.
    """
    said, places, rows = stopped
    n_classes = len(said.schema.labels[0].classes)
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    cells = rows.answers * n_classes + said.class_guess[places, 0]
    order = np.lexsort((weights, cells))  # so that no sum depends on the order of rows
    order = order[rows.answers[order] >= 0]
    numbers, start = np.unique(cells[order], return_index=True)
    sums = np.add.reduceat(weights[order], start) if len(order) else weights[:0]
    return tuple(
        (number // n_classes, number % n_classes, int(weight) if rows.weights is None else weight)
        for number, weight in zip(numbers.tolist(), sums.tolist(), strict=True)
        if weight > 0
    )


def _at_root(stopped: Stopped) -> Stopped:
    said, places, rows = stopped
    return said, np.zeros_like(places), rows


def measured(
    stopped: Sequence[Stopped], wanted: str, quantile: float | None
) -> dict[str, Estimate]:
    """Return every loss and score of some trees, each on rows of its own, taken together.

    These are the usual ones of the task, the cost where guesses have costs, and the loss that is
    wanted.
    """
    found, task = {}, stopped[0][0].schema.task
    has_costs = any(tree.schema.labels[0].costs for tree, _, _ in stopped)
    usual = [name for name, each in LOSSES.items() if each.task == task and each.is_usual]
    for loss in dict.fromkeys([*usual, *(["cost"] if has_costs else []), wanted]):
        losses = losses_of(stopped, loss, quantile)
        if task.ranks and not np.any(losses.weights):
            raise no_relevant_row()
        found[loss] = estimate(losses.each, loss, weights=losses.weights, groups=losses.groups)
        if LOSSES[loss].score:
            found[LOSSES[loss].score] = score(found[loss], LOSSES[loss].score_of)
    return found


def _losses(
    tree: Guessing,
    nodes: NDArray[np.integer],
    rows: LabelledRows,
    loss: str,
    quantile: float | None,
) -> Losses:
    if LOSSES[loss].task.ranks:
        groups = groups_of(rows)
        return Losses(1 - groups.ndcg(guesses(tree, nodes)[:, 0]), groups.weights, None)
    losses = row_losses(tree, loss, nodes, rows.answers, quantile=quantile)
    return Losses(losses, rows.weights, rows.group)


def _together(arrays: Sequence[NDArray[Any] | None]) -> NDArray[Any] | None:
    given = [array for array in arrays if array is not None]
    return np.concatenate(given) if given else None
