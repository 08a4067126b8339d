"""What a comparison found, beside what is wanted of bough."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from peers import OURS, TITLES
from synthetic import MILLION, WORKLOADS

EXACT = {"sklearn": 150, "xgb-exact": 20}  # times as fast, at the table below
EXACT_AT = "million"
LESS_ACCURATE = 0.001  # than scikit-learn's tree: what ties and float32 explain
PREDICTING = 3  # times as fast as the fastest
PREDICTING_AT = ("million", "million-deep")
ONE_ROW = 25  # microseconds
SECONDS = {"random": 0.4, "random-deep": 1.6}  # on the machine that the guides were measured on
MEMORY = 1.5  # times that of the most frugal, for a million rows or more
MEMORY_MB = 100  # for a million rows of twenty columns
SLOPE = 1.05  # of log time against log rows
LEAST_SIZE = 100_000  # rows from which on the slope is measured


@dataclass(frozen=True)
class Finding:
    """A figure, and what is wanted of it."""

    where: str
    what: str
    figure: float
    wanted: float

    limit: ClassVar[str]
    is_reached: ClassVar[bool]


class AtLeast(Finding):
    limit = "at least"

    @property
    def is_reached(self):
        return self.figure >= self.wanted


class AtMost(Finding):
    limit = "at most"

    @property
    def is_reached(self):
        return self.figure <= self.wanted


def findings(records, growth):
    """Yield what the records of a comparison show about all that is wanted."""
    for name, found in by_table(records).items():
        for ours in (record for record in found if record["peer"] in OURS):
            yield from _growing(ours, found)
            yield from _memory(ours, found)
            if name in PREDICTING_AT:
                yield from _predicting(ours, found)
    if is_sloped(growth):
        yield AtMost("more rows", "slope of log time against log rows", slope(growth), SLOPE)


def by_table(records):
    """Return the records of each table, in the order of the tables."""
    found = {name: [each for each in records if each["table"] == name] for name in WORKLOADS}
    return {name: each for name, each in found.items() if each}


def least(records, what):
    """Return the record of the peer with the least of something, or None where there is no peer."""
    peers = [record for record in records if record["peer"] not in OURS]
    return min(peers, key=lambda record: record[what], default=None)


def title(record):
    """Name a table, its depth, and how bough asks about categories where that is a choice."""
    workload = WORKLOADS[record["table"]]
    depth = "any depth" if workload.max_depth is None else f"depth {workload.max_depth}"
    way = ", in groups" if record["peer"] == "bough-group" else ""
    return f"{workload.title}, {depth}{way}"


def is_sloped(growth):
    return sum(record["n_rows"] >= LEAST_SIZE for record in growth) > 1


def slope(growth):
    """Return the slope of log time against log rows, of tables with many rows."""
    large = [record for record in growth if record["n_rows"] >= LEAST_SIZE]
    rows = np.log([record["n_rows"] for record in large])
    return float(np.polyfit(rows, np.log([record["seconds"] for record in large]), 1)[0])


def _growing(ours, found):
    where, table = title(ours), ours["table"]
    goal, fastest = WORKLOADS[table].goal, least(found, "seconds")
    if goal is not None and fastest is not None:
        times = fastest["seconds"] / ours["seconds"]
        yield AtLeast(
            where, f"times as fast as {TITLES[fastest['peer']]}, the fastest", times, goal
        )
    if table in SECONDS:
        yield AtMost(where, "seconds", ours["seconds"], SECONDS[table])
    if table != EXACT_AT:
        return
    for peer in (record for record in found if record["peer"] in EXACT):
        times = peer["seconds"] / ours["seconds"]
        yield AtLeast(where, f"times as fast as {TITLES[peer['peer']]}", times, EXACT[peer["peer"]])
        if peer["peer"] == "sklearn":
            less = peer["test"] - ours["test"]
            yield AtMost(
                where,
                "less accurate on held-out rows than scikit-learn's tree",
                less,
                LESS_ACCURATE,
            )


def _memory(ours, found):
    frugal = least(found, "memory_mb")
    if frugal is not None and ours["n_rows"] >= MILLION:
        times = ours["memory_mb"] / frugal["memory_mb"]
        what = f"times the memory of {TITLES[frugal['peer']]}, the most frugal"
        yield AtMost(title(ours), what, times, MEMORY)
    if (ours["n_rows"], ours["n_columns"]) == (MILLION, 20):
        yield AtMost(title(ours), "MB over the table", ours["memory_mb"], MEMORY_MB)


def _predicting(ours, found):
    fastest = least(found, "predict_seconds")
    if fastest is not None:
        times = fastest["predict_seconds"] / ours["predict_seconds"]
        what = f"times as fast in predicting as {TITLES[fastest['peer']]}, the fastest"
        yield AtLeast(title(ours), what, times, PREDICTING)
    yield AtMost(title(ours), "µs to predict one row", ours["one_row_us"], ONE_ROW)
