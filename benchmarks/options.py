"""Time every option beside scikit-learn's tree with the same option.

    python benchmarks/options.py [--large] [--only NAME,NAME] [--rows N] [--again] [--write]

Each measurement has a process of its own; scikit-learn is given up after five minutes of the processor. A tree is
grown to any depth and to depth 8, from 200,000 rows of ten columns, with `--large` from a million of
twenty. Ends with 1 if a figure that is wanted was missed. Records are kept in `benchmarks/results`;
`--again` takes scikit-learn's from there, where only bough has changed. `--write` writes the
section *Options* of `docs/performance.md`, or *Options, larger tables*.
"""

import json
import signal
import subprocess
import sys
from argparse import ArgumentParser

from option_page import Entry, section, title_of
from option_tables import OPTIONS
from performance_page import write_section
from results import HERE, append, surroundings

SIZES = {False: (200_000, 10), True: (1_000_000, 20)}
MOST_SECONDS = 300
GIVEN_UP = (signal.SIGXCPU, signal.SIGKILL)  # how a process ends that had its seconds
KEPT = "options"  # the stage of the records


def main():
    options = read_options()
    n_rows, n_columns = SIZES[options.large]
    size = (options.rows or n_rows, n_columns)
    print(title_of(size), flush=True)
    entries, defaults = [], {}
    kept = kept_records(size) if options.again else {}
    about = surroundings()
    for name in options.only:
        found = measured(OPTIONS[name], size, kept, defaults, options.budget)
        append([record for entry in found for record in entry.records], about)
        entries += found
    if options.write:
        name = "Options, larger tables" if options.large else "Options"
        text = section(entries, size, about, is_large=options.large)
        print(f"Wrote {write_section(name, text)}.")
    return int(any(entry.misses for entry in entries))


def read_options():
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--large", action="store_true", help="1,000,000 rows of 20 columns")
    parser.add_argument("--rows", type=int, help="fewer rows, to try it out")
    parser.add_argument("--only", type=names, default=list(OPTIONS), help=", ".join(OPTIONS))
    parser.add_argument("--budget", type=float, default=10, help="seconds for the runs of one fit")
    parser.add_argument("--again", action="store_true", help="do not time scikit-learn again")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md")
    return parser.parse_args()


def names(text):
    if unknown := [name for name in text.split(",") if name not in OPTIONS]:
        raise ValueError(unknown)
    return text.split(",")


def measured(option, size, kept, defaults, budget):
    """Return the entries of one option: for each task and depth, both libraries."""
    entries = []
    for task in option.tasks:
        for depth in option.depths:
            key = (option.name, task, depth)
            ours = measure(key, "bough", size, budget)
            theirs = kept.get(key) or measure(key, "sklearn", size, budget)
            if option.name == "default":
                defaults[task, depth] = ours
            entry = Entry(option, task, depth, ours, theirs, defaults.get((task, depth)))
            entries.append(entry)
            print(entry.line(), flush=True)
    return entries


def measure(key, library, size, budget):
    """Return the record of one measurement, or None where it failed."""
    option, task, depth = key
    command = [sys.executable, str(HERE / "measure_option.py"), option, task, library]
    command += ["--rows", str(size[0]), "--columns", str(size[1])]
    command += ["--most", str(MOST_SECONDS), "--budget", str(budget)]
    command += [] if depth is None else ["--depth", str(depth)]
    about = {"stage": KEPT, "option": option, "task": task, "library": library, "depth": depth}
    about |= {"rows": size[0], "columns": size[1]}
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if -done.returncode in GIVEN_UP:
        return about | {"is_given_up": True}
    if done.returncode:
        print(f"{option}, {task}: {library} failed: {done.stderr.strip().splitlines()[-1:]}")
        return None
    return about | json.loads(done.stdout.splitlines()[-1])


def kept_records(size):
    """Return the last records of scikit-learn, by option, task and depth."""
    found = {}
    for path in sorted((HERE / "results").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            if record.get("stage") != KEPT or record["library"] != "sklearn":
                continue
            if (record["rows"], record["columns"]) == size:
                found[record["option"], record["task"], record["depth"]] = record
    return found


if __name__ == "__main__":
    sys.exit(main())
