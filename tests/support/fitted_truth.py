"""Tables drawn from a known world: what a tree fitted to them will do on new rows is known."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from known_truth import RESIDUALS, Outcome

import bough
from bough.loss_kinds import row_losses
from bough.predict import guesses, stops
from bough.table import read_like

N_FRESH = 20_000
Sizes = tuple[int, int]
SMALL: Sizes = (250, 750)  # tables that are cross-validated
LARGE: Sizes = (2000, 2500)  # tables that have development rows


@dataclass(frozen=True)
class World:
    """Rows, and what is true of them: the share of class 'yes', or the mean label."""

    columns: dict[str, np.ndarray]
    signal: np.ndarray


def drawn(n_rows: int, coefficients: np.ndarray, random: np.random.Generator) -> World:
    """Draw rows of two numbers, a colour and a column that says nothing."""
    width, height, idle = random.random((3, n_rows))
    colour = random.integers(0, 4, n_rows)
    signal = coefficients[0] * (width > 0.4) * (colour > 1) + coefficients[1] * width * height
    columns = {
        "width": width,
        "height": height,
        "idle": idle,
        "colour": np.array(["red", "green", "blue", "white"])[colour],
    }
    return World(columns, signal - coefficients[2])


def fitted_classes(seed: int, *, n_rows: Sizes, refit: bool = True) -> Outcome:
    """Fit labels that are 'yes' with a known chance."""
    random = np.random.default_rng([6, seed])
    coefficients = random.uniform((1, 1, 0), (5, 4, 3))
    world = drawn(int(random.integers(*n_rows)), coefficients, random)
    is_yes = random.random(len(world.signal)) < _share(world.signal)
    table = world.columns | {"label": np.where(is_yes, "yes", "no")}
    result = bough.fit(table, "label", refit=refit, seed=seed, n_jobs=1)
    tree = result.saved.tree
    fresh = drawn(N_FRESH, coefficients, random)
    guessed = guesses(tree, stops(tree, read_like(fresh.columns, tree.schema)))[:, 0]
    is_guessed = np.array(tree.schema.labels[0].classes)[guessed] == "yes"
    share = _share(fresh.signal)
    truth = np.where(is_guessed, 1 - share, share).mean()
    return Outcome(result.test["error"], float(truth))


def fitted_numbers(seed: int, *, n_rows: Sizes, refit: bool = True) -> Outcome:
    """Fit labels whose mean and variance are known."""
    random = np.random.default_rng([7, seed])
    coefficients = random.uniform((1, 1, 0), (5, 4, 3))
    draw, variance = RESIDUALS[seed % len(RESIDUALS)]
    world = drawn(int(random.integers(*n_rows)), coefficients, random)
    labels = world.signal + draw(random, len(world.signal))
    result = bough.fit(world.columns | {"label": labels}, "label", refit=refit, seed=seed, n_jobs=1)
    tree = result.saved.tree
    fresh = drawn(N_FRESH, coefficients, random)
    nodes = stops(tree, read_like(fresh.columns, tree.schema))
    off = row_losses(tree, "squared_error", nodes, fresh.signal)
    return Outcome(result.test["squared_error"], float(off.mean()) + variance)


def _share(signal: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-2 * signal))


FITS: dict[str, Callable[[int], Outcome]] = {
    "fitted classes": partial(fitted_classes, n_rows=LARGE),
    "fitted numbers": partial(fitted_numbers, n_rows=LARGE),
    "fitted classes, not refitted": partial(fitted_classes, n_rows=LARGE, refit=False),
    "fitted numbers, not refitted": partial(fitted_numbers, n_rows=LARGE, refit=False),
    "fitted classes, small tables": partial(fitted_classes, n_rows=SMALL),
    "fitted numbers, small tables": partial(fitted_numbers, n_rows=SMALL),
}
