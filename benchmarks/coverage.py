"""Measure how often a 95 % interval holds the truth, on problems whose truth is known.

    python benchmarks/coverage.py [--problems 2000] [NAME …]

First losses that are drawn from known distributions, then `bough.fit` on tables drawn from a known
world: of 2000 to 2500 rows with and without growing the chosen tree again, and of 250 to 750 rows,
which are cross-validated. Shown are the share of intervals that hold the truth, the share that end
below it, and the bias of the estimate, in standard errors of its mean over all problems. Ends with 1
if the first is not between 93 and 97 % or the last is beyond 3. The problems are those of
`tests/known_truth.py` and `tests/fitted_truth.py`.
"""

import sys
import time
from argparse import ArgumentParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from fitted_truth import FITS
from known_truth import PROBLEMS, honesty

LEAST, MOST, FARTHEST = 0.93, 0.97, 3


def main():
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", type=int, default=2000, metavar="N")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the start of a problem's name")
    asked = parser.parse_args()
    print(f"{'':32}{'problems':>10}{'covered':>10}{'truth above':>13}{'bias':>8}{'seconds':>9}")
    is_wrong = False
    for name, problem in (PROBLEMS | FITS).items():
        if asked.names and not name.startswith(tuple(asked.names)):
            continue
        start = time.perf_counter()
        found = honesty([problem(seed) for seed in range(asked.problems)])
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
