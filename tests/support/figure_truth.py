"""Leaves of a made-up tree whose figures on new rows are known, and samples of rows that stop there."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from math import exp, log

import numpy as np
from known_truth import RESIDUALS, Outcome

from bough.losses.figures import TOP, Measured, class_figures, number_figures
from bough.losses.intervals import estimate

FEWEST = 5  # rows of either class: who has fewer looks at no recall


@dataclass(frozen=True)
class Leaves:
    """The share of the rows that each leaf has, what is true there, and what it says."""

    shares: np.ndarray
    truth: np.ndarray
    """The share of class 1, or the mean label."""
    said: np.ndarray
    """The probability of class 1, or the prediction."""


# --- Classes -----------------------------------------------------------------------------------------


def leaves_of_classes(random: np.random.Generator) -> Leaves:
    """Draw leaves that know more or less about a class of 5 to 50 % of the rows."""
    n_leaves = int(random.integers(2, 30))
    usual = random.uniform(0.05, 0.5)
    knowledge = random.uniform(0.3, 3.5) * random.normal(size=n_leaves)
    truth = 1 / (1 + np.exp(-log(usual / (1 - usual)) - knowledge))
    said = np.clip(truth * (1 + random.normal(size=n_leaves) / 10), 1e-9, 1 - 1e-9)
    said[np.argmax(said)] = max(said.max(), 0.6)  # the class is predicted somewhere
    return Leaves(random.dirichlet(np.full(n_leaves, 2.0)), truth, said)


def true_figure(name: str, leaves: Leaves) -> float:
    """Return a figure of class 1 over all rows that there could be."""
    order = np.argsort(-leaves.said)
    rows, is_said = leaves.shares[order], (leaves.said > 0.5)[order]
    right = rows * leaves.truth[order]
    others = rows - right
    found, positive = float(right[is_said].sum()), float(right.sum())
    match name:
        case "recall":
            return found / positive
        case "precision":
            return found / float(rows[is_said].sum())
        case "f1":
            return 2 * found / (positive + float(rows[is_said].sum()))
        case "auc":
            below = others.sum() - np.cumsum(others) + others / 2
            return float(right @ below) / positive / float(others.sum())
        case "average_precision":
            return float(right @ (np.cumsum(right) / np.cumsum(rows))) / positive
    before = np.cumsum(rows) - rows
    inside = np.clip((TOP - before) / rows, 0, 1)
    return float(inside @ right) / TOP / positive


def made_class_figure(seed: int, *, name: str, further: str = "") -> Outcome:
    random = np.random.default_rng([20, seed])
    leaves = leaves_of_classes(random)
    while True:
        rows, given = _rows(random, leaves, further)
        labels = (random.random(len(rows)) < leaves.truth[rows]).astype(int)
        if further == "groups":
            labels = _alike(labels, given["groups"], given.pop("is_alike"))
        if min(labels.sum(), (1 - labels).sum()) < FEWEST:
            continue
        said = np.stack([1 - leaves.said, leaves.said], axis=1)
        found = class_figures(said, said.argmax(axis=1)[rows], labels, rows, **given)
        key = (name, None) if name == "auc" else (name, 1)
        if key in found and found[key].estimate.n >= FEWEST:
            return Outcome(found[key].estimate, true_figure(name, leaves))


# --- Numbers -----------------------------------------------------------------------------------------


def made_number_figure(seed: int, *, name: str, further: str = "") -> Outcome:
    random = np.random.default_rng([21, seed])
    draw, variance = RESIDUALS[seed % len(RESIDUALS)]
    n_leaves = int(random.integers(2, 30))
    truth = random.normal(size=n_leaves) * random.uniform(0.2, 3)
    said = truth + random.normal(size=n_leaves) / 3
    leaves = Leaves(random.dirichlet(np.full(n_leaves, 2.0)), truth, said)
    rows, given = _rows(random, leaves, further)
    residuals = draw(random, len(rows))
    if further == "groups":
        residuals = _alike(residuals, given["groups"], given.pop("is_alike"))
    labels = truth[rows] + residuals
    if name == "absolute_error":
        found = estimate(np.abs(labels - said[rows]), name, **given)
    else:
        measured: dict[str, Measured] = number_figures(said[rows], labels, **given)
        found = measured[name].estimate
    return Outcome(found, _true_number_figure(name, leaves, seed % len(RESIDUALS), variance))


def _true_number_figure(name: str, leaves: Leaves, kind: int, variance: float) -> float:
    off = leaves.truth - leaves.said
    if name == "r2":
        spread = np.average(
            (leaves.truth - leaves.truth @ leaves.shares) ** 2, weights=leaves.shares
        )
        return float(1 - (leaves.shares @ off**2 + variance) / (spread + variance))
    drawn = _residuals(kind)
    if name == "absolute_error":
        return float(leaves.shares @ [np.abs(drawn + each).mean() for each in off])
    low, high = 0.0, 50.0
    for _ in range(40):
        middle = (low + high) / 2
        within = np.searchsorted(drawn, middle - off) - np.searchsorted(drawn, -middle - off)
        low, high = (middle, high) if leaves.shares @ within < len(drawn) / 2 else (low, middle)
    return low


@cache
def _residuals(kind: int) -> np.ndarray:
    return np.sort(RESIDUALS[kind][0](np.random.default_rng(1), 200_000))


# --- Rows --------------------------------------------------------------------------------------------


def _rows(random: np.random.Generator, leaves: Leaves, further: str) -> tuple[np.ndarray, dict]:
    """Draw the leaf of each row; and weights, or groups of which some rows are alike."""
    n_rows = round(exp(random.uniform(log(60), log(2000))))
    rows = random.choice(len(leaves.shares), n_rows, p=leaves.shares)
    if further == "weights":
        return rows, {"weights": random.gamma(2, size=n_rows)}
    if further == "groups":
        groups = np.repeat(np.arange(n_rows), 1 + random.poisson(random.uniform(0, 6), n_rows))
        groups = groups[:n_rows]
        is_alike = random.random(n_rows) < random.uniform(0.2, 0.8)
        return _alike(rows, groups, is_alike), {"groups": groups, "is_alike": is_alike}
    return rows, {}


def _alike(values: np.ndarray, groups: np.ndarray, is_alike: np.ndarray) -> np.ndarray:
    """Give some rows of each group what its first row has."""
    first = np.unique(groups, return_index=True)[1][groups]
    return np.where(is_alike, values[first], values)


CLASS_FIGURES = ("recall", "precision", "f1", "auc", "average_precision", "lift")
NUMBER_FIGURES = ("r2", "median_absolute_error", "absolute_error")

FIGURE_PROBLEMS: dict[str, Callable[[int], Outcome]] = {
    f"{name}{f', {further}' if further else ''}": partial(made, name=name, further=further)
    for made, names in ((made_class_figure, CLASS_FIGURES), (made_number_figure, NUMBER_FIGURES))
    for name in names
    for further in ("", "weights", "groups")
}
