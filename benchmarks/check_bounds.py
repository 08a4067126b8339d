"""Grow trees with the build that compares every gain with the bound of the cell it came from.

    make check-bounds, or: python benchmarks/check_bounds.py [--first 0] [--tables 200] [--rows N] [--data DIR]

Seeded tables of a million rows, whose labels, weights and columns are those for which rounding
matters most, by every criterion that fits; then the real tables. Ends with 1 at the first broken
bound, and with 2 if nothing was checked.
"""

import sys
import time
from itertools import islice

import bound_tables
import real_tables

import bough
from bough import _core

DEPTH = 6
MANY_CLASSES_DEPTH = 1  # every cut adds up all classes: minutes a table
REAL_DEPTH = None  # the real tables are small: to the last leaf


def main():
    parser = real_tables.parser(__doc__.split("\n", 1)[0])
    parser.add_argument("--first", type=int, default=0, help="go on from this table")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rows", type=int, default=1_000_000)
    given = parser.parse_args()
    if not hasattr(_core, "checked_bounds"):
        print("This build does not check bounds: run `make check-bounds`.")
        return 2
    for name, trees in all_tables(given):
        start, before = time.process_time(), _core.checked_bounds()[0]
        for settings, call in trees:
            call()
            if is_broken(name, settings):
                return 1
        n_checked = _core.checked_bounds()[0] - before
        print(f"{name:58}{n_checked:>15,} gains {time.process_time() - start:8.1f} s", flush=True)
    n_checked = _core.checked_bounds()[0]
    print(f"{n_checked:,} gains were compared with their bounds; none was above.")
    return 0 if n_checked else 2


def is_broken(name, settings):
    checked, broken = _core.checked_bounds()
    if broken:
        print(f"{name}, {settings}: {broken:,} of {checked:,} gains are above their bounds")
    return broken > 0


def all_tables(given):
    """Yield the name of each table, and the trees to be grown from it."""
    for table in islice(bound_tables.tables(given.rows, given.first), given.tables - given.first):
        yield table.name, list(trees_of(table))
    folder = real_tables.find_folder(given.data)
    if folder is None:
        print(real_tables.why_absent(given.data))
        return
    for about in real_tables.described(folder):
        for part in range(len(about["files"])):
            table = real_tables.read(folder, about["name"], part)
            yield f"{table.name}, {about['files'][part]}", list(real_trees(table))


def trees_of(table):
    depth = MANY_CLASSES_DEPTH if table.has_many_classes else DEPTH
    for criterion in table.criteria:
        settings = {"criterion": criterion, "max_depth": depth}
        yield settings, grower(table.X, table.y, table.weights, settings)


def real_trees(table):
    """Yield trees by every criterion: categories asked about one by one and in groups."""
    is_class = table.task == "classification"
    criteria = bound_tables.CLASS_CRITERIA if is_class else bound_tables.NUMBER_CRITERIA
    for criterion in criteria:
        if criterion == "poisson" and table.labels.min() < 0:
            continue
        for categorical in ("each", "group"):
            settings = {"criterion": criterion, "categorical": categorical, "types": table.types}
            settings["max_depth"] = REAL_DEPTH
            yield settings, grower(table.columns, table.labels, None, settings)


def grower(X, y, weights, settings):
    is_class = settings["criterion"] in bound_tables.CLASS_CRITERIA
    kind = bough.DecisionTreeClassifier if is_class else bough.DecisionTreeRegressor
    return lambda: kind(**settings).fit(X, y, sample_weight=weights)


if __name__ == "__main__":
    sys.exit(main())
