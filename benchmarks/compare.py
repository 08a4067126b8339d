"""Compare bough with other libraries: one tree each from the same rows, with the same limits.

    python benchmarks/compare.py [--tables a,b] [--peers x,y] [--threads 2] [--repeat 3]
                                 [--slow] [--quick] [--write]

Every measurement has a process of its own, one after the other. The seconds are those of the fastest
run that no other process disturbed. `--quick` takes one row in ten, to try the script; `--slow` adds
what takes minutes; `--write` writes `docs/performance.md`. Results are appended to
`benchmarks/results/`, but not those of a quick run.
"""

import json
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

from findings import LEAST_SIZE, findings, is_sloped, least, slope
from peers import PEERS, peers_for
from performance_page import write_page
from quiet_timing import wait_for_quiet
from results import append, surroundings
from synthetic import QUICK, WORKLOADS

MEASURE = Path(__file__).with_name("measure.py")
MOST_SECONDS = 1_200
SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
GROWTH = "ten-million"
NEAR_LEAVES = 0.01  # ties and float32 change a few leaves of scikit-learn's tree
NEAR_SCORE = 0.001


def main():
    options = read_options()
    about = surroundings()
    print(f"{about['machine']}, commit {about['commit']}, {options.threads} threads")
    if not wait_for_quiet():
        print("Other processes are busy: disturbed runs are marked with *.")
    records = []
    for name in options.tables:
        found = compare(WORKLOADS[name], options)
        records += found
        print_table(WORKLOADS[name], found, options)
    growth = [] if options.no_growth else measure_growth(options)
    if growth:
        print_growth(growth)
    print_findings(records, growth, options)
    if not options.quick:
        print(f"Appended to {append(records + growth, about)}.")
    if options.write:
        print(f"Wrote {write_page(records, growth, about)}.")


def read_options():
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--tables", type=names_of(WORKLOADS), default=list(WORKLOADS))
    parser.add_argument("--peers", type=names_of(PEERS), default=list(PEERS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3, help="quiet runs wanted")
    parser.add_argument("--budget", type=float, default=20, help="seconds for the runs of one fit")
    parser.add_argument("--slow", action="store_true", help="also what takes minutes")
    parser.add_argument("--quick", action="store_true", help="one row in ten")
    parser.add_argument("--no-growth", action="store_true", help="skip the growth of cost")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md")
    options = parser.parse_args()
    if options.quick and options.write:
        parser.error("--write needs tables of the full size: leave out --quick")
    return options


def names_of(known):
    def read(text):
        names = text.split(",")
        if unknown := [name for name in names if name not in known]:
            raise ValueError(unknown)
        return names

    read.__name__ = f"name, one of {', '.join(known)},"  # what argparse says when it fails
    return read


def compare(workload, options):
    n_rows = workload.n_rows // QUICK if options.quick else workload.n_rows
    records = []
    for peer in peers_for(workload, options.peers, with_slow=options.slow):
        print(f"  {workload.name}: {peer} …", end="\r", file=sys.stderr)
        records.append(measure(workload.name, peer, n_rows, options))
    return [record for record in records if record]


def measure(table, peer, n_rows, options):
    """Return the record of one measurement, or None where it failed."""
    command = [sys.executable, str(MEASURE), table, peer]
    for name in ("threads", "repeat", "budget"):
        command += [f"--{name}", str(getattr(options, name))]
    command += ["--rows", str(n_rows)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=MOST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        print(f"  {table}: {peer} took more than {MOST_SECONDS} s and was stopped")
        return None
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        print(f"  {table}: {peer} failed: {last[0]}")
        return None
    return json.loads(done.stdout.strip().splitlines()[-1])


def print_table(workload, records, options):
    print(f"\n{workload.name}: {workload.title}, {workload.limits}")
    if not records:
        return
    if options.quick:
        print(f"  quick: {records[0]['n_rows']:,} rows only")
    best = least(records, "seconds")
    heads = (
        "peer",
        "seconds",
        "÷ fastest peer",
        "leaves",
        "training",
        "held out",
        "MB",
        "M rows/s",
        "µs",
    )
    lines = [heads, *(line(record, best) for record in records)]
    for each in lines:
        print("  " + f"{each[0]:12}" + "".join(f"{cell:>15}" for cell in each[1:]))
    if differs := difference_from_sklearn(workload, records):
        print("  " + differs)


def line(record, best):
    marked = "*" if record["is_disturbed"] else ""
    per_second = record["n_rows"] / record["predict_seconds"] / 1e6
    trees = f" in {record['trees']}" if record["trees"] > 1 else ""
    return (
        record["peer"],
        f"{record['seconds']:.4f}{marked}",
        "" if best is None else f"{record['seconds'] / best['seconds']:.2f}",
        f"{record['leaves']:,}{trees}",
        f"{record['train']:.5f}",
        f"{record['test']:.5f}",
        f"{record['memory_mb']:.0f}",
        f"{per_second:.1f}" + ("*" if record["predict_disturbed"] else ""),
        "" if record["one_row_us"] is None else f"{record['one_row_us']:.0f}",
    )


def difference_from_sklearn(workload, records):
    """Say how the exact tree of scikit-learn differs by more than ties and float32 explain."""
    by_peer = {record["peer"]: record for record in records}
    if "bough" not in by_peer or "sklearn" not in by_peer:
        return ""
    ours, theirs = by_peer["bough"], by_peer["sklearn"]
    unit = 1 if workload.task == "classification" else theirs["train"]
    is_near = (
        abs(ours["leaves"] - theirs["leaves"]) <= NEAR_LEAVES * theirs["leaves"]
        and abs(ours["train"] - theirs["train"]) <= NEAR_SCORE * unit
    )
    return "the same as scikit-learn's tree up to ties" if is_near else "NOT scikit-learn's tree"


def measure_growth(options):
    """Return what bough needs for more and more rows of ten columns."""
    sizes = [size for size in SIZES if not options.quick or size <= SIZES[-1] // QUICK]
    records = [measure(GROWTH, "bough", size, options) for size in sizes]
    return [record | {"stage": "growth of cost"} for record in records if record]


def print_growth(growth):
    print("\ngrowth of cost: bough, 10 columns of float32, depth 8")
    for record in growth:
        marked = "*" if record["is_disturbed"] else ""
        print(f"  {record['n_rows']:>12,} rows {record['seconds']:>10.4f} s{marked}")
    if is_sloped(growth):
        print(f"  slope of log time against log rows from {LEAST_SIZE:,} on: {slope(growth):.3f}")


def print_findings(records, growth, options):
    """Print what was found beside what is wanted; a quick run is too small to judge."""
    print("\nfound, and wanted" + (" of tables of the full size" if options.quick else ""))
    for each in findings(records, growth):
        mark = "" if options.quick else ": reached" if each.is_reached else ": MISSED"
        says = f"{each.figure:.4g} {each.what}, wanted {each.limit} {each.wanted:g}"
        print(f"  {each.where}: {says}{mark}")


if __name__ == "__main__":
    main()
