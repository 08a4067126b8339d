"""Problems whose true loss is known, so that an estimate can be held against it."""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log, sqrt

import numpy as np

from bough.evidence import Estimate
from bough.losses.intervals import difference, estimate


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
    bias_of_one: float
    """The same in standard deviations of a single estimate."""


def honesty(outcomes: list[Outcome]) -> Honesty:
    """Sum up how good some estimates were."""
    excess = np.array([(each.found.value - each.truth) / each.truth for each in outcomes])
    return Honesty(
        n=len(outcomes),
        covered=float(np.mean([o.found.low <= o.truth <= o.found.high for o in outcomes])),
        truth_above=float(np.mean([o.truth > o.found.high for o in outcomes])),
        bias=float(excess.mean() / excess.std()) * sqrt(len(excess)),
        bias_of_one=float(excess.mean() / excess.std()),
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


def made_errors_in_groups(seed: int) -> Outcome:
    """Draw errors of groups, each with a share of its own."""
    random = np.random.default_rng([3, seed])
    truth, alike = random.uniform(0.05, 0.5), random.uniform(1, 20)
    groups = _groups(random)
    shares = random.beta(alike * truth, alike * (1 - truth), groups[-1] + 1)
    losses = random.random(len(groups)) < shares[groups]
    return Outcome(estimate(losses.astype(float), "error", groups=groups), truth)


def made_squares_in_groups(seed: int) -> Outcome:
    """Draw residuals of which half is the same for all rows of a group."""
    random = np.random.default_rng([4, seed])
    groups = _groups(random)
    residuals = random.normal(size=groups[-1] + 1)[groups] + random.normal(size=len(groups))
    return Outcome(estimate(residuals**2, "squared_error", groups=groups), 2.0)


def made_differences(seed: int) -> Outcome:
    """Draw residuals of one model, and of another that adds noise to them."""
    random = np.random.default_rng([5, seed])
    residuals = random.normal(size=_n_rows(random))
    others = residuals + random.normal(size=len(residuals)) / 2
    return Outcome(difference(others**2, residuals**2, "squared_error"), 0.25)


def _groups(random: np.random.Generator) -> np.ndarray:
    n_groups = round(exp(random.uniform(log(20), log(200))))
    return np.repeat(np.arange(n_groups), 1 + random.poisson(random.uniform(0, 8), n_groups))


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
    "drawn errors in groups": made_errors_in_groups,
    "drawn squares in groups": made_squares_in_groups,
    "differences of drawn squares": made_differences,
}
