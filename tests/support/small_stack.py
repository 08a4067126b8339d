"""What code prints in a Python whose stack is small."""

import os
import subprocess
import sys
from pathlib import Path

import bough

PATHS = (Path(bough.__file__).parents[1], Path(__file__).parent)
_MARK = "said:"


def said_on_a_small_stack(begin, deeds):
    """Return what each deed prints, all of them one after the other in one process, and its errors."""
    steps = [f"print({_MARK + name!r}, flush=True)\n{code}" for name, code in deeds.items()]
    found = subprocess.run(
        [
            "/bin/sh",
            "-c",
            'ulimit -s 256; exec "$0" -c "$1"',
            sys.executable,
            "\n".join([begin, *steps]),
        ],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, PATHS))},
        capture_output=True,
        text=True,
        check=False,
    )
    said = (each.partition("\n") for each in found.stdout.split(_MARK)[1:])
    return {name: text for name, _, text in said}, found.stderr
