"""The results of benchmarks: lines of JSON, with the machine, the versions and the commit."""

import json
import os
import re
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGES = (
    "numpy",
    "scikit-learn",
    "lightgbm",
    "xgboost",
    "xgboost-cpu",
    "ydf",
    "pandas",
    "polars",
    "pyarrow",
)


def append(records, about):
    """Append records to the file of this machine, and return its path."""
    path = HERE / "results" / f"{re.sub(r'[^a-z0-9]+', '-', machine().lower()).strip('-')}.jsonl"
    path.parent.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(about | record) + "\n")
    return path


def surroundings():
    """Return what results depend on besides the benchmark itself."""
    return {
        "time": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "commit": commit(),
        "machine": machine(),
        "versions": versions(),
    }


def machine():
    """Return the processor and how many there are."""
    text = Path("/proc/cpuinfo").read_text("utf-8")
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.M)
    model = found[1].strip() if found else "unknown processor"
    n_cores = len(os.sched_getaffinity(0))
    return f"{model}, {n_cores} core{'s' if n_cores > 1 else ''}"


def versions():
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def commit():
    """Return the commit of the project, with a `+` where files have changed since."""
    name = _git("rev-parse", "--short", "HEAD")
    changed = _git("status", "--porcelain", "--", "src", "core")
    return name + ("+" if changed else "")


def _git(*arguments):
    done = subprocess.run(
        ["git", "-C", str(HERE), *arguments], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()
