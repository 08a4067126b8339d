"""Time trees of tables in which a column comes twice beside those of the table without the copy.

    python benchmarks/time_copied_columns.py [--rows 100000]

Processor time with one thread, the least of several in turns. Ends with 1 if a copy costs more than
three times the time.
"""

import sys
import time
from argparse import ArgumentParser
from pathlib import Path

from bough import DecisionTreeClassifier, DecisionTreeRegressor

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from copied_columns import COPIES, SETTINGS, with_copy

MOST = 3.0
REPEAT = 3


def main():
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rows", type=int, default=100_000)
    n_rows = parser.parse_args().rows
    is_slow = False
    for kind in COPIES:
        tables, labels, weights = with_copy(kind, n_rows)
        for criterion in SETTINGS:
            for name, given in (("", None), (", weighted", weights)):
                alone, twice = seconds(tables, labels, criterion, given)
                is_slow = is_slow or twice > MOST * alone
                mark = "  MISSED" if twice > MOST * alone else ""
                what = f"{kind}, {criterion}{name}"
                print(
                    f"{what:36}{alone:8.3f} s, with the copy {twice:8.3f} s: {twice / alone:5.2f}{mark}"
                )
    return int(is_slow)


def seconds(tables, labels, criterion, weights):
    """Return the least processor time of each table, measured in turns."""
    is_number = criterion == "squared error"
    grows = DecisionTreeRegressor if is_number else DecisionTreeClassifier
    y = labels["numbers" if is_number else "classes"]
    taken = [[], []]
    for _ in range(REPEAT):
        for X, mine in zip(tables, taken, strict=True):
            start = time.process_time()
            grows(n_jobs=1, **SETTINGS[criterion]).fit(X, y, sample_weight=weights)
            mine.append(time.process_time() - start)
    return [min(mine) for mine in taken]


if __name__ == "__main__":
    sys.exit(main())
