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
SHORT = 0.3  # seconds; of shorter calls, a run makes several, or rounding would hide what others do


@dataclass(frozen=True)
class Run:
    """Timed calls: the seconds of the fastest, and what other processes computed meanwhile."""

    seconds: float
    duration: float  # of all calls of the run
    others: float

    @property
    def is_quiet(self):
        return self.others <= SLACK + SHARE * self.duration


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
        return sum(run.others for run in self.runs) / sum(run.duration for run in self.runs)


def time_call(call, *, repeat=3, budget=20.0, first=None):
    """Call again and again until enough quiet runs are there, or the budget of seconds is spent.

    `first` is a run of the same call that has been made already.
    """
    runs = [] if first is None or first.duration < SHORT else [first]
    end = time.perf_counter() + budget - sum(run.duration for run in runs)
    while not _are_enough(runs, repeat) and (not runs or time.perf_counter() < end):
        if runs and not runs[-1].is_quiet:
            wait_for_quiet(min(PATIENCE, budget / 4))
        runs.append(run_once(call, SHORT))
    quiet = tuple(run for run in runs if run.is_quiet)
    return Timing(quiet or tuple(runs), not quiet, len(runs) - len(quiet))


def run_once(call, least=0.0):
    """Call until at least so many seconds have passed."""
    gc.collect()
    busy, own, start = busy_seconds(), own_seconds(), time.perf_counter()
    seconds, now = [], start
    while not seconds or now - start < least:
        before = now
        call()
        now = time.perf_counter()
        seconds.append(now - before)
    others = (busy_seconds() - busy) - (own_seconds() - own)
    return Run(min(seconds), now - start, max(0.0, others))


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


def _are_enough(runs, repeat):
    return sum(run.is_quiet for run in runs) >= repeat or len(runs) >= TRIES * repeat
