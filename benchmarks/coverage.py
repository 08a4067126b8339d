"""Measure how often a 95 % interval holds the truth, on problems whose truth is known.

    python benchmarks/coverage.py [--problems 2000]

First losses that are drawn from known distributions, from 50 to 1000 of them. The share of intervals
that hold the truth is to lie between 93 and 97 %; the bias is that of the estimate, in standard
errors of its mean over all problems. Ends with 1 if a share is out of these bounds or a bias beyond 3.
The problems are those of `tests/known_truth.py`.
"""

import sys
import time
from argparse import ArgumentParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from known_truth import PROBLEMS, honesty

LEAST, MOST, FARTHEST = 0.93, 0.97, 3


def main():
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", type=int, default=2000, metavar="N")
    n_problems = parser.parse_args().problems
    print(f"{'':32}{'problems':>10}{'covered':>10}{'truth above':>13}{'bias':>8}{'seconds':>9}")
    is_wrong = False
    for name, problem in PROBLEMS.items():
        start = time.perf_counter()
        found = honesty([problem(seed) for seed in range(n_problems)])
        seconds = time.perf_counter() - start
        is_wrong |= not LEAST <= found.covered <= MOST or abs(found.bias) > FARTHEST
        print(
            f"{name:32}{found.n:10,}{found.covered:10.1%}{found.truth_above:13.1%}{found.bias:8.2f}"
            f"{seconds:9.1f}",
            flush=True,
        )
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
