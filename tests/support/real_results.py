"""What `bough.fit` learns from the real tables, each of them once."""

import sys
from functools import cache
from pathlib import Path

import bough

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
import real_tables

FOLDER = real_tables.find_folder()
ABOUT = {} if FOLDER is None else {each["name"]: each for each in real_tables.described(FOLDER)}
NAMES = list(ABOUT)
why_absent = real_tables.why_absent


@cache
def result_of(name):
    """Learn from a table as a user would with one command."""
    about = ABOUT[name]
    files = [FOLDER / each for each in about["files"]]
    task = about["task"].split()[0]
    return bough.fit(
        files[0],
        about["target"],
        task=task if task in ("regression", "ranking") else "auto",
        group=about["group"],
        ignore=about["ignore"],
        test=files[1] if len(files) > 1 else None,
    )
