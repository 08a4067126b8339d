"""Damaged model files and tables, as many as there is time for: what loads must work, the rest be refused.

Each process damages good files, and files that were refused in a sentence not heard before, so
that damage finds its way past one check after the other: each check has a sentence of its own, so
new ones stand in for coverage. (`fuzz_tree.cpp`, of the core's checker, is guided by coverage.) The
file being tried lies in memory that outlives the process: one that crashes, or takes half a minute
of processor time, is found in build/fuzz, as are counts. Findings of old are kept in tests/corpus
and tried first.
"""

import argparse
import json
import mmap
import os
import random
import re
import signal
import subprocess
import sys
import time
import traceback
import warnings
from contextlib import closing, suppress
from functools import partial
from math import inf
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

FOLDER = ROOT / "build" / "fuzz"
CORPUS = ROOT / "tests" / "corpus"
ROOM = 2**22  # bytes for the file that is tried
LONGEST = 20_000  # bytes of a file that is damaged further
MOST_STARTS = 500
SECONDS_EACH = 30.0
SECONDS_BETWEEN_COUNTS = 1.0
ANEW = 0.3  # the share of files that are damaged further, after they were refused
WRITTEN = 0.2  # the share of files that are written, read again and drawn, if they load
USED = 0.01  # the share of files that every command is run on, if they load


class Trying:
    """Where the file being tried lies, and what has come of those before."""

    def __init__(self, name):
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.path = FOLDER / f"{name}.trying"
        self.path.write_bytes(bytes(ROOM))
        with self.path.open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), ROOM)
        self.n_files = self.n_good = self.n_found = 0
        self.sentences = set()

    def outcome(self, data, tried):
        """Return what is said of a file; a traceback that it ends with is printed, and the file kept."""
        self.memory[: 8 + len(data)] = len(data).to_bytes(8, "little") + data
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_EACH)  # whose signal ends the process
        try:
            return tried()
        except Exception as error:
            self.n_found += 1
            path = self.path.with_suffix(f".found-{self.n_found}")
            path.write_bytes(data)
            print(f"{path}: {error!r}", flush=True)
            if f"{error!r}" not in self.sentences:
                traceback.print_exc()
            return f"{error!r}"

    def is_new(self, said):
        """Count a file, and return whether this is the first of which such a thing was said."""
        self.n_files += 1
        self.n_good += not said
        sentence = re.sub(r"\d+|'[^']*'", "_", said)
        if sentence in self.sentences:
            return False
        self.sentences.add(sentence)
        return True


def file_in(path):
    """Return the file that a process was trying when it ended."""
    held = path.read_bytes()
    return held[8 : 8 + int.from_bytes(held[:8], "little")]


def fuzz_models(trying, chance):
    from damaged_files import damaged, good_files, outcome

    starts = [*good_files(), *(path.read_bytes() for path in sorted(CORPUS.glob("*.json")))]
    for data in starts:
        trying.is_new(trying.outcome(data, partial(outcome, data, all_uses=True)))
    while True:
        for _ in range(1000):
            data = damaged(chance, starts if chance.random() < ANEW else None)[: ROOM - 8]
            share = chance.random()
            tried = partial(outcome, data, is_written=share < WRITTEN, all_uses=share < USED)
            said = trying.outcome(data, tried)
            if trying.is_new(said) and len(data) < LONGEST:
                if len(starts) == MOST_STARTS:
                    del starts[chance.randrange(len(good_files()), MOST_STARTS)]
                starts.append(data)
        yield


def fuzz_tables(trying, chance):
    from damaged_tables import damaged, outcome

    path = trying.path.with_suffix(".table")
    try:
        while True:
            data = damaged(chance)
            path.write_bytes(data)
            trying.is_new(trying.outcome(data, partial(outcome, path, chance)))
            yield
    finally:
        path.unlink(missing_ok=True)


COUNTED = ("files", "good", "refusals", "processor seconds")
KINDS = {"models": fuzz_models, "tables": fuzz_tables}


def work(kind, seed, seconds, files):
    """Try files in this process until there are enough or time is over; build/fuzz has their counts."""
    warnings.simplefilter("ignore")
    trying = Trying(f"{kind}-{seed}")
    counts = FOLDER / f"{kind}-{seed}.counts"
    due, is_over = time.monotonic(), False
    until = due + seconds
    with closing(KINDS[kind](trying, random.Random(seed))) as turns:
        while not is_over:
            next(turns)
            now = time.monotonic()
            is_over = trying.n_files >= files or now >= until
            if is_over or now >= due:
                found = trying.n_files, trying.n_good, len(trying.sentences), time.process_time()
                counts.write_text(json.dumps(dict(zip(COUNTED, found, strict=True))))
                due = now + SECONDS_BETWEEN_COUNTS
    return min(trying.n_found, 1)


def started(kind, seed):
    """Start a process that tries files of one kind, told as this one is."""
    told = [*sys.argv[1:], "--work", "--kind", kind, "--seed", str(seed)]
    return subprocess.Popen([sys.executable, __file__, *told])


def kept(kind, seed, process):
    """Keep the file that ended a process, and say where."""
    path, trying = FOLDER / f"found-{kind}-{seed}", FOLDER / f"{kind}-{seed}.trying"
    path.write_bytes(file_in(trying))
    trying.with_suffix(".table").unlink(missing_ok=True)
    print(f"{kind}: a process ended with {process.returncode}; the file is {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="by the clock")
    parser.add_argument("--files", type=float, help="how many each process tries, instead")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    kinds = given.kind or list(KINDS)
    seconds, files = (inf, given.files) if given.files else (given.seconds, inf)
    if given.work:
        return work(kinds[-1], given.seed, seconds, files)
    jobs = [(kinds[n % len(kinds)], given.seed + n) for n in range(max(given.jobs, len(kinds)))]
    running = [(kind, seed, started(kind, seed)) for kind, seed in jobs]
    n_found = 0
    for kind, seed, process in running:
        if (status := process.wait()) != 0:
            n_found += 1
        if status < 0:
            kept(kind, seed, process)
    for kind in kinds:
        say(kind, [seed for each, seed in jobs if each == kind])
    return 1 if n_found else 0


def say(kind, seeds):
    found = []
    for seed in seeds:
        with suppress(FileNotFoundError):
            found.append(json.loads((FOLDER / f"{kind}-{seed}.counts").read_text()))
    if not found:
        return
    n_files, n_good, n_sentences, seconds = (sum(each[name] for each in found) for name in COUNTED)
    print(
        f"{kind}: {n_files:,} files, {n_good:,} of them good, {n_sentences:,} different refusals; "
        f"{n_files / max(seconds, 1e-9):,.0f} files for each second of a processor"
    )


if __name__ == "__main__":
    sys.exit(main())
