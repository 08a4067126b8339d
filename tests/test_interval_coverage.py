"""The 95 % intervals hold the truth that often. `benchmarks/interval_coverage.py` asks many more problems."""

from functools import cache

import numpy as np
import pytest
from figure_truth import FIGURE_PROBLEMS
from fitted_truth import FITS
from known_truth import PROBLEMS, Outcome, honesty

from bough.evidence import Estimate

N_PROBLEMS = 400  # the share varies by 1.1 % around the true one
N_FITS = 60  # by 2.8 %
N_FIGURES = 150  # by 1.8 %


@cache
def drawn(problem):
    return honesty([PROBLEMS[problem](seed) for seed in range(N_PROBLEMS)])


@cache
def fitted(fit):
    return honesty([FITS[fit](seed) for seed in range(N_FITS)])


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_interval_holds_the_truth_in_19_of_20_problems(problem):
    assert drawn(problem).covered == pytest.approx(0.95, abs=0.03)


@pytest.mark.parametrize("problem", FIGURE_PROBLEMS)
def test_the_interval_of_a_figure_holds_the_truth_in_19_of_20_problems(problem):
    found = honesty([FIGURE_PROBLEMS[problem](seed) for seed in range(N_FIGURES)])
    assert found.covered == pytest.approx(0.95, abs=0.05)
    assert abs(found.bias_of_one) < 0.3


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_estimate_is_not_biased(problem):
    assert abs(drawn(problem).bias) < 3


@pytest.mark.parametrize("fit", ["fitted classes", "fitted numbers"])
def test_what_fit_says_of_the_test_rows_holds_on_new_rows(fit):
    assert fitted(fit).covered > 0.95 - 0.085


@pytest.mark.parametrize("fit", ["fitted classes", "fitted numbers"])
def test_what_fit_says_is_not_too_good(fit):
    assert abs(fitted(fit).bias) < 3


def test_intervals_that_are_too_narrow_would_be_seen():
    random = np.random.default_rng(4)
    misses = random.normal(size=N_PROBLEMS)
    found = honesty(
        [Outcome(Estimate(1 + z / 9, 1 + z / 9 - 0.17, 1 + z / 9 + 0.17, 9), 1) for z in misses]
    )
    assert found.covered < 0.92


def test_an_estimate_that_is_too_good_would_be_seen():
    random = np.random.default_rng(4)
    found = honesty([Outcome(Estimate(z, 0, 1, 9), 0.25) for z in random.normal(0.24, 0.04, 400)])
    assert found.bias < -3
