"""Grow one tree in many ways and compare the bytes of its model file.

    python benchmarks/sameness.py [--rows 100000] [--data DIR] [TABLE …]

Every seeded and every real table is grown with 1, 2, 3 and 8 threads in every regime of
`tests/support/regimes.py`, and once more from its rows in another order. The plain search, the oracle of the
others, would take minutes on a million rows: it joins in on at most `--rows` rows, and a larger table is
drawn once more with as many. Ends with 1 if anything differs.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path

import numpy as np
import real_tables
from grow_arguments import default_criterion, labels_of, parts
from synthetic import SEED, WORKLOADS
from tuning import taken

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from regimes import FAST, PLAIN

from bough.exports.model_file import Model, dumps
from bough.grow import grow
from bough.settings import Settings, criteria
from bough.table import read

THREADS = (1, 2, 3, 8)
WEIGHTED = ("million", "mixed", "regression")
JUDGED = "mixed"  # the table that every criterion for classes grows a tree from
ROW = "{:<20} {:<22} {:>10,} {:>8,} {:>5}  {}"


@dataclass(frozen=True)
class Case:
    """A table that trees are grown from, and what `grow` takes for so many rows of it."""

    name: str
    says: str
    n_rows: int
    parts: Callable[[int], tuple]


def main():
    parser = real_tables.parser(__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="TABLE")
    parser.add_argument(
        "--rows", type=int, default=100_000, help="the most rows for the plain search"
    )
    options = parser.parse_args()
    folder = real_tables.find_folder(options.data)
    if folder is None:
        print(f"Without the real tables. {real_tables.why_absent(options.data)}")
    cases = [*seeded(), *real(folder)]
    if unknown := set(options.names) - {case.name for case in cases}:
        parser.error(f"no such table: {', '.join(sorted(unknown))}")
    if options.names:
        cases = [case for case in cases if case.name in options.names]
    print(f"Tables of more than {options.rows:,} rows: the plain search has as many, no more.")
    print(ROW.replace(",", "").format("table", "grown with", "rows", "nodes", "ways", ""))
    n_different = sum(not same for case in cases for same in compared(case, options.rows))
    print(f"{n_different} different.")
    return 1 if n_different else 0


def seeded():
    for name, workload in WORKLOADS.items():
        for categorical in ways(workload.has_categories):
            chosen = {"categorical": categorical}
            yield Case(name, categorical, workload.n_rows, partial(seeded_parts, workload, chosen))
    others = [(name, "weights", {"is_weighted": True}) for name in WEIGHTED]
    others += [(JUDGED, each, {"criterion": each}) for each in criteria("classification")]
    for name, says, chosen in others:
        workload = WORKLOADS[name]
        yield Case(name, says, workload.n_rows, partial(seeded_parts, workload, chosen))


def seeded_parts(workload, chosen, n_rows):
    return parts(workload.resized(n_rows), **chosen)


def real(folder):
    if folder is None:
        return
    for about in real_tables.described(folder):
        table = real_tables.read(folder, about["name"])
        for categorical in ways(table.types):
            make = partial(real_parts, table, categorical)
            yield Case(table.name, categorical, len(table.labels), make)


def real_parts(table, categorical, n_rows):
    rows = table.take(np.arange(n_rows))
    settings = Settings(criterion=default_criterion(rows.task), categorical=categorical)
    return read(rows.columns, types=rows.types), labels_of(rows.task, rows.labels), settings


def ways(has_categories):
    return ("each", "group") if has_categories else ("each",)


def compared(case, n_plain):
    """Yield whether all ways to grow a tree are one: of all rows, and of those for the plain search."""
    if case.n_rows > n_plain:
        yield report(case, case.n_rows, has_plain=False)
    yield report(case, min(case.n_rows, n_plain), has_plain=True)


def report(case, n_rows, *, has_plain):
    """Grow a tree in all ways, print a line, and tell whether it is the same tree."""
    found, n_nodes, n_ways = {}, 0, 0
    for way, growth, options in growths(case.parts(n_rows), has_plain=has_plain):
        tree = grow(*growth, **options)
        n_nodes, n_ways = len(tree), n_ways + 1
        found.setdefault(sha256(dumps(Model(tree, {}))).digest(), []).append(way)
    is_same = len(found) == 1
    verdict = "same" if is_same else f"DIFFERENT: {' | '.join(map(', '.join, found.values()))}"
    says = case.says if has_plain else f"{case.says}, no plain search"
    print(ROW.format(case.name, says, n_rows, n_nodes, n_ways, verdict), flush=True)
    return is_same


def growths(growth, *, has_plain):
    """Yield each way to grow a tree: its name, and what `grow` takes for it."""
    for regime, forced in FAST.items():
        for n_jobs in THREADS:
            yield f"{regime} × {n_jobs}", growth, {"n_jobs": n_jobs, "regime": forced}
    yield "another order", shuffled(growth), {"n_jobs": 2}
    if has_plain:
        yield "plain", growth, {"n_jobs": 2, "regime": PLAIN}


def shuffled(growth):
    """Return the same rows in another order."""
    table, labels, settings = growth
    order = np.random.default_rng(SEED).permutation(table.n_rows)
    codes, values, weights = (
        None if each is None else each[..., order]
        for each in (labels.codes, labels.values, labels.weights)
    )
    return (
        taken(table, order),
        replace(labels, codes=codes, values=values, weights=weights),
        settings,
    )


if __name__ == "__main__":
    sys.exit(main())
