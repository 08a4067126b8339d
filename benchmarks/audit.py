"""Audit every node of trees grown from real tables, without rounding.

    python benchmarks/audit.py [--data DIR] [TABLE …]

For each tree, fully grown, it prints how many nodes were audited, how many queries they could have
asked, how many nodes the tie rule decided, and every node that is not what the specification says.
The auditor is `tests/audit.py`; it ends with 1 if anything is wrong.
"""

import sys
import time
from pathlib import Path

import tables

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from audit import audit_estimator  # the auditor, not this script

from bough import DecisionTreeClassifier, DecisionTreeRegressor

CLASSES = ("gini", "entropy", "error", "gain_ratio")
RUNS = {
    "soybean": (CLASSES, ("each", "group")),
    "nursery": (CLASSES, ("each", "group")),
    "adult": (CLASSES, ("each", "group")),
    "covtype_sample15k": (CLASSES, ("each",)),  # it has numbers only
    "california_housing": (("squared_error",), ("each", "group")),
}
HEAD = (
    "table",
    "criterion",
    "categorical",
    "nodes",
    "queries",
    "ties",
    "doubts",
    "wrong",
    "seconds",
)
ROW = "{:<19} {:<13} {:<11} {:>7,} {:>10,} {:>7,} {:>6,} {:>6,} {:>7.1f}"


def main():
    parser = tables.parser(__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="TABLE", help=f"of {', '.join(RUNS)}")
    chosen = parser.parse_args()
    if (folder := tables.find_folder(chosen.data)) is None:
        sys.exit(tables.why_absent(chosen.data))
    print("{:<19} {:<13} {:<11} {:>7} {:>10} {:>7} {:>6} {:>6} {:>7}".format(*HEAD))
    n_wrong = 0
    for name in chosen.names or RUNS:
        table = tables.read(folder, name)
        criteria, ways = RUNS[name]
        for criterion in criteria:
            for categorical in ways:
                n_wrong += look(table, criterion, categorical)
    print(f"{n_wrong} wrong.")
    return 1 if n_wrong else 0


def look(table, criterion, categorical):
    """Grow a tree, audit it, print what was found, and return how much was wrong."""
    grows = {"classification": DecisionTreeClassifier, "regression": DecisionTreeRegressor}
    estimator = grows[table.task](
        criterion=criterion, categorical=categorical, types=table.types, n_jobs=1
    )
    estimator.fit(table.columns, table.labels)
    start = time.perf_counter()
    found = audit_estimator(estimator, table.columns, table.labels)
    seconds = time.perf_counter() - start
    counts = (found.nodes, found.candidates, found.ties, found.doubts, len(found.violations))
    print(ROW.format(table.name, criterion, categorical, *counts, seconds), flush=True)
    for violation in found.violations[:20]:
        print(f"    {violation}")
    return len(found.violations)


if __name__ == "__main__":
    sys.exit(main())
