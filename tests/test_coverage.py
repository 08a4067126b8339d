"""The 95 % intervals hold the truth that often. `benchmarks/coverage.py` asks many more problems."""

import numpy as np
import pytest
from known_truth import PROBLEMS, Outcome, honesty

from bough.evidence import Estimate

# With 400 problems the share varies by 1.1 % around the true one.
N_PROBLEMS = 400


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_interval_holds_the_truth_in_19_of_20_problems(problem):
    found = honesty([PROBLEMS[problem](seed) for seed in range(N_PROBLEMS)])
    assert found.covered == pytest.approx(0.95, abs=0.03)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_estimate_is_not_biased(problem):
    found = honesty([PROBLEMS[problem](seed) for seed in range(N_PROBLEMS)])
    assert abs(found.bias) < 3


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
