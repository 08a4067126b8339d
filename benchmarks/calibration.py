"""Measure how true probabilities are: shares as they are, smoothed, and of development rows.

    python benchmarks/calibration.py [--data DIR] [--seeds 5] [TABLE …]

Every tree is of the size that `bough.fit` chooses, first by the error and then by the log loss. Shown
are means over several splits of the figures on the test rows.
"""

import sys
from statistics import fmean

import real_tables

import bough

TABLES = ("adult", "covtype_sample15k")
LOSSES = ("error", "log_loss")
WAYS = ("raw", "laplace", "prior", "honest")
HEADINGS = ("log loss", "Brier", "points off", "wrong", "leaves")


def figures(table, loss, way, seed):
    """Return what one tree does on its test rows."""
    rows = table.columns.assign(label=table.labels)
    result = bough.fit(
        rows,
        "label",
        types=table.types,
        loss=loss,
        probability=way,
        seed=seed,
        task="classification",
    )
    test = (result.test[name].value for name in ("log_loss", "brier"))
    off, wrong = 100 * result.calibration.error, result.test["error"].value
    return (*test, off, wrong, result.grown_tree_.n_leaves)


def main():
    parser = real_tables.parser(__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5, metavar="N", help="how many splits")
    parser.add_argument("names", nargs="*", metavar="TABLE")
    asked = parser.parse_args()
    folder = real_tables.find_folder(asked.data)
    if folder is None:
        return real_tables.why_absent(asked.data)
    print(f"{'table':20}{'chosen by':12}{'way':10}" + "".join(f"{each:>12}" for each in HEADINGS))
    for name in asked.names or TABLES:
        table = real_tables.read(folder, name)
        for loss in LOSSES:
            for way in WAYS:
                of_seeds = [figures(table, loss, way, seed) for seed in range(asked.seeds)]
                means = "".join(f"{fmean(each):12.4g}" for each in zip(*of_seeds, strict=True))
                print(f"{name:20}{loss:12}{way:10}{means}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
