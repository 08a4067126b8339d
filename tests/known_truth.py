"""Problems whose true loss is known, so that an estimate can be held against it."""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log, sqrt

import numpy as np

from bough.evidence import Estimate
from bough.losses import estimate


@dataclass(frozen=True)
class Outcome:
    """What was estimated, and what is true."""

    found: Estimate
    truth: float


@dataclass(frozen=True)
class Honesty:
    """How good many estimates were."""

    n: int
    covered: float
    """The share of intervals that the truth lay in."""
    truth_above: float
    """The share of intervals that ended below the truth."""
    bias: float
    """How much too large the estimates were on average, in standard errors of that average."""


def honesty(outcomes: list[Outcome]) -> Honesty:
    """Sum up how good some estimates were."""
    excess = np.array([(each.found.value - each.truth) / each.truth for each in outcomes])
    return Honesty(
        n=len(outcomes),
        covered=float(np.mean([o.found.low <= o.truth <= o.found.high for o in outcomes])),
        truth_above=float(np.mean([o.truth > o.found.high for o in outcomes])),
        bias=float(excess.mean() / (excess.std() / sqrt(len(excess)))),
    )


# --- Losses that are drawn rather than measured ----------------------------------------------------


def made_errors(seed: int) -> Outcome:
    random = np.random.default_rng([1, seed])
    truth = random.uniform(0.02, 0.5)
    losses = random.random(_n_rows(random)) < truth
    return Outcome(estimate(losses.astype(float), "error"), truth)


def made_squares(seed: int) -> Outcome:
    random = np.random.default_rng([2, seed])
    draw, variance = RESIDUALS[seed % len(RESIDUALS)]
    residuals = draw(random, _n_rows(random))
    return Outcome(estimate(residuals**2, "squared_error"), variance)


def _n_rows(random: np.random.Generator) -> int:
    return round(exp(random.uniform(log(50), log(1000))))


# Residuals, and their variance.
RESIDUALS: list[tuple[Callable[[np.random.Generator, int], np.ndarray], float]] = [
    (lambda random, n: random.uniform(-1, 1, n), 1 / 3),
    (lambda random, n: random.normal(size=n), 1.0),
    (lambda random, n: random.laplace(size=n), 2.0),
    (lambda random, n: random.standard_t(9, n), 9 / 7),
    (lambda random, n: random.exponential(size=n) - 1, 1.0),
    (lambda random, n: random.normal(size=n) * np.where(random.random(n) < 0.1, 3, 1), 1.8),
    (lambda random, n: random.normal(size=n) * np.exp(random.normal(size=n) / 2), exp(0.5)),
]


PROBLEMS: dict[str, Callable[[int], Outcome]] = {
    "drawn errors": made_errors,
    "drawn squares of residuals": made_squares,
}
