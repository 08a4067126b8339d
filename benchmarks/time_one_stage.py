"""What the benchmarks of single stages share: their options, and how a stage is timed and noted."""

from argparse import ArgumentParser
from typing import NamedTuple

from quiet_timing import time_call
from results import append, surroundings
from synthetic import WORKLOADS


class Rate(NamedTuple):
    """How much a stage passes, and the unit of what it passes in a second."""

    amount: float
    unit: str


def parser(says):
    """Return a parser of arguments with the options that all stages have."""
    made = ArgumentParser(description=says.split("\n", 1)[0])
    made.add_argument("--threads", type=int, default=2)
    made.add_argument("--repeat", type=int, default=5)
    return made


def run_on_tables(says, measured, usual):
    """Measure the tables that the arguments name, or the usual ones."""
    made = parser(says)
    made.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(WORKLOADS))
    options = made.parse_args()
    note([measured(WORKLOADS[name], options) for name in options.tables or usual])


def note(records):
    print(f"Appended to {append(records, surroundings())}.")


def timed(stage, call, options, *, table, n_rows, rate=None):
    """Time a call, print a line about it, and return its record."""
    timing = time_call(call, repeat=options.repeat)
    record = {
        "stage": stage,
        "table": table,
        "n_rows": n_rows,
        "threads": options.threads,
        "median": round(timing.median, 6),
        "seconds": round(timing.seconds, 6),
        "spread": round(timing.spread, 6),
        "is_disturbed": timing.is_disturbed,
    }
    line = f"{stage:28} {table:13} {timing.median:9.5f} s ± {timing.spread:.5f}"
    if rate is not None:
        record |= {"rate": round(rate.amount / timing.median, 2), "unit": rate.unit}
        line += f", {record['rate']:6.1f} {rate.unit}"
    print(line + (" (disturbed)" if timing.is_disturbed else ""))
    return record
