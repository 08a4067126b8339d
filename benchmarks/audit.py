"""Audit every node of trees grown from real and from made tables, without rounding.

    python benchmarks/audit.py [--data DIR] [TABLE …]
    python benchmarks/audit.py --large [TABLE …]

For each tree, fully grown (from made tables: ten deep), it prints how many nodes were audited, how
many queries they could have asked, how many nodes the tie rule decided, and every node that is not
what the specification says. `--large` grows trees from the seeded tables of a million rows instead,
and audits some nodes of every depth. The auditor is `tests/support/audit.py`; it ends with 1 if anything is
wrong.
"""

import sys
import time
from pathlib import Path

import numpy as np
import real_tables
from grow_arguments import parts
from synthetic import WORKLOADS

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from audit import audit, audit_estimator  # the auditor, not this script

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.grow import grow
from bough.walk import depths

CLASSES = ("gini", "entropy", "error", "gain_ratio")
RUNS = {
    "soybean": (CLASSES, ("each", "group")),
    "nursery": (CLASSES, ("each", "group")),
    "adult": (CLASSES, ("each", "group")),
    "covtype_sample15k": (CLASSES, ("each",)),  # it has numbers only
    "california_housing": (("squared_error",), ("each", "group")),
    "made_classes": (CLASSES, ("each", "group")),
    "made_numbers": (("squared_error",), ("each", "group")),
}
LARGE_RUNS = {
    "million": ({}, {"is_weighted": True}),
    "million-deep": ({},),
    "few-values": ({},),
    "regression": ({},),
    "categories": ({}, {"categorical": "group"}),
    "mixed": ({}, {"categorical": "group"}),
    "random": ({},),
}
N_SAMPLED = 40
SEED = 0
MADE_ROWS = 100_000
MADE_DEPTH = 10
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
ROW = "{:<19} {:<13} {:<11} {:>7,} {:>12,} {:>7,} {:>6,} {:>6,} {:>7.1f}"


def main():
    parser = real_tables.parser(__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="TABLE", help=f"of {', '.join(RUNS)}")
    parser.add_argument(
        "--large",
        action="store_true",
        help="trees from a million rows: " + ", ".join(LARGE_RUNS),
    )
    chosen = parser.parse_args()
    print("{:<19} {:<13} {:<11} {:>7} {:>12} {:>7} {:>6} {:>6} {:>7}".format(*HEAD))
    n_wrong = sum(look_at_some(chosen.names) if chosen.large else look_at_all(chosen))
    print(f"{n_wrong} wrong.")
    return 1 if n_wrong else 0


def look_at_all(chosen):
    """Yield how much is wrong with each tree, all nodes looked at."""
    folder = real_tables.find_folder(chosen.data)
    for name in chosen.names or RUNS:
        if name.startswith("made"):
            table = made(name)
        elif folder is None:
            print(f"{name:<19} left out. {real_tables.why_absent(chosen.data)}")
            continue
        else:
            table = real_tables.read(folder, name)
        criteria, ways = RUNS[name]
        for criterion in criteria:
            for categorical in ways:
                yield look(table, criterion, categorical)


def look_at_some(names):
    """Yield how much is wrong with each tree from a million rows, some nodes looked at."""
    for name in names or LARGE_RUNS:
        for chosen in LARGE_RUNS[name]:
            yield look_at_sample(name, chosen)


def look_at_sample(name, chosen):
    growth = parts(WORKLOADS[name], **chosen)
    tree = grow(*growth, n_jobs=2)
    title = f"{name}, weighted" if "is_weighted" in chosen else name
    return report(title, growth[-1], lambda: audit(tree, *growth, nodes=some_nodes(tree)))


def some_nodes(tree):
    """Return nodes of all depths, the root among them, always the same ones."""
    depth = depths(tree)
    order = np.random.default_rng(SEED).permutation(len(tree))
    order = order[np.argsort(depth[order], kind="stable")]
    turn = np.arange(len(tree)) - np.searchsorted(depth[order], depth[order])
    return set(order[np.argsort(turn, kind="stable")[:N_SAMPLED]].tolist())


def made(name):
    """Return a table with more rows and values than the real ones, with missing values."""
    import pandas as pd

    rng = np.random.default_rng(0)
    columns = pd.DataFrame(
        {
            "continuous": rng.normal(size=MADE_ROWS),
            "skewed": np.exp(3 * rng.normal(size=MADE_ROWS)),
            "thousands": rng.integers(0, 5000, MADE_ROWS).astype(float),
            "few": rng.integers(0, 12, MADE_ROWS).astype(float),
            "choice": rng.integers(0, 30, MADE_ROWS).astype(str),
            "noise": rng.random(MADE_ROWS),
        }
    )
    columns.loc[rng.random(MADE_ROWS) < 0.1, ["thousands", "choice"]] = None
    signal = columns["continuous"] + columns["few"] / 4 + rng.normal(size=MADE_ROWS)
    if name == "made_classes":
        labels = np.digitize(signal, [0, 1.5, 3])
        return real_tables.RealTable(name, "classification", columns, labels)
    labels = np.round(signal.to_numpy() * 2**20) / 2**20  # short, so that exact sums are quick
    return real_tables.RealTable(name, "regression", columns, labels)


def look(table, criterion, categorical):
    """Grow a tree, audit all of it, and return how much was wrong."""
    grows = {"classification": DecisionTreeClassifier, "regression": DecisionTreeRegressor}
    estimator = grows[table.task](
        criterion=criterion,
        categorical=categorical,
        types=table.types,
        max_depth=MADE_DEPTH if table.name.startswith("made") else None,
    )
    estimator.fit(table.columns, table.labels)
    return report(
        table.name,
        estimator.settings_,
        lambda: audit_estimator(estimator, table.columns, table.labels),
    )


def report(title, settings, audits):
    """Audit a tree, print what was found, and return how much was wrong."""
    start = time.perf_counter()
    found = audits()
    seconds = time.perf_counter() - start
    counts = (found.nodes, found.candidates, found.ties, found.doubts, len(found.violations))
    how = (settings.criterion, settings.categorical)
    print(ROW.format(title, *how, *counts, seconds), flush=True)
    for violation in found.violations[:20]:
        print(f"    {violation}")
    return len(found.violations)


if __name__ == "__main__":
    sys.exit(main())
