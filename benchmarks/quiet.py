"""Time calls while nothing else runs: runs disturbed by other processes are dropped and repeated.

What others did is the busy time of all processors in `/proc/stat`, stolen time included, minus the
time of this process. Both count in hundredths of a second.
"""

import ctypes
import gc
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

SLACK = 0.03  # seconds of other processes that rounding can explain
SHARE = 0.05  # of one processor: what others may take of a quiet run
PATIENCE = 5.0  # seconds to wait for others to finish
TRIES = 3  # runs tried for each run wanted
SHORT = 0.1  # seconds; shorter runs are repeated for longer
ENOUGH = 1.0  # seconds spent on short runs
MOST_RUNS = 50


@dataclass(frozen=True)
class Run:
    """One timed call: its seconds, and the seconds that other processes computed meanwhile."""

    seconds: float
    others: float

    @property
    def is_quiet(self):
        return self.others <= SLACK + SHARE * self.seconds


@dataclass(frozen=True)
class Timing:
    """The runs of one call that count: the quiet ones, or all where none was quiet."""

    runs: tuple[Run, ...]
    is_disturbed: bool
    n_dropped: int

    @property
    def seconds(self):
        return min(run.seconds for run in self.runs)

    @property
    def median(self):
        return sorted(run.seconds for run in self.runs)[len(self.runs) // 2]

    @property
    def spread(self):
        return max(run.seconds for run in self.runs) - self.seconds

    @property
    def others(self):
        """The share of one processor that others took during the runs that count."""
        return sum(run.others for run in self.runs) / sum(run.seconds for run in self.runs)


def time_call(call, *, repeat=3, budget=20.0, first=()):
    """Call again and again until enough quiet runs are there, or the budget of seconds is spent.

    `first` holds runs of the same call that have been made already.
    """
    runs = list(first)
    while not _are_enough(runs, repeat, budget):
        if runs and not runs[-1].is_quiet:
            wait_for_quiet()
        runs.append(run_once(call))
    quiet = tuple(run for run in runs if run.is_quiet)
    return Timing(quiet or tuple(runs), not quiet, len(runs) - len(quiet))


def run_once(call):
    gc.collect()
    busy, own, start = busy_seconds(), own_seconds(), time.perf_counter()
    call()
    seconds = time.perf_counter() - start
    others = (busy_seconds() - busy) - (own_seconds() - own)
    return Run(seconds, max(0.0, others))


def wait_for_quiet(patience=PATIENCE):
    """Sleep until other processes rest, or patience ends; say whether they rest."""
    end = time.perf_counter() + patience
    while time.perf_counter() < end:
        if run_once(lambda: time.sleep(0.25)).others <= SLACK:
            return True
    return False


def busy_seconds():
    ticks = [
        int(each) for each in Path("/proc/stat").read_text("ascii").split("\n", 1)[0].split()[1:]
    ]
    idle, waiting = ticks[3:5]
    # The last two count guests, which are already in the first two.
    return (sum(ticks[:8]) - idle - waiting) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def peak_memory(call):
    """Call once and return its run and by how many bytes memory in use grew at the most."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # memory freed before must not be used again unseen
    Path("/proc/self/clear_refs").write_text("5", "ascii")  # forget the greatest use so far
    before = _in_use("VmRSS")
    run = run_once(call)
    return run, max(0, _in_use("VmHWM") - before)


def _in_use(which):
    status = Path("/proc/self/status").read_text("ascii", errors="replace")
    return 1024 * int(re.search(rf"{which}:\s+(\d+)", status)[1])


def _are_enough(runs, repeat, budget):
    spent = sum(run.seconds for run in runs)
    quiet = [run.seconds for run in runs if run.is_quiet]
    if runs and min(run.seconds for run in runs) < SHORT:
        return len(runs) >= MOST_RUNS or (len(quiet) >= repeat and spent >= ENOUGH)
    return len(quiet) >= repeat or len(runs) >= TRIES * repeat or (runs and spent >= budget)
