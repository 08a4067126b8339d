"""Terminal sessions on pages: commands after `$ `, what a person types after `> `, the rest printed."""

import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import bough

PENGUINS = Path(bough.__file__).parent / "tables" / "penguins.csv"
WIDTH = 100
BLOCK = re.compile(r"(?<=^```\n)\$ .*?(?=^```$)", re.M | re.S)
PROMPT = re.compile(r"^> ", re.M)


def as_run(page):
    """Return the text of a page with what its commands print, run in a folder with the penguins."""
    with TemporaryDirectory() as folder:
        Path(folder, PENGUINS.name).write_bytes(PENGUINS.read_bytes())
        command = Path(folder, "bough")
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bough "$@"\n')
        command.chmod(0o755)
        return BLOCK.sub(lambda block: _session(block[0], folder), page)


def _session(text, folder):
    """Return a session as it runs now; an empty line stands before each further command."""
    parts = re.split(r"^(?=\$ )", text, flags=re.M)[1:]
    return "\n".join(_printed(part, folder) for part in parts)


def _printed(part, folder):
    command, *lines = part.splitlines()
    typed = [line[2:] for line in lines if line.startswith("> ")]
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command[2:],
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": str(WIDTH), "NO_COLOR": "1"},
        input="".join(f"{answer}\n" for answer in typed),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    answers = iter(typed)
    shown = PROMPT.sub(lambda _: f"> {next(answers, '')}\n", done.stdout)
    kept = "\n".join(line.rstrip() for line in shown.splitlines()).strip("\n")
    return "".join(f"{text}\n" for text in (command, kept) if text)
