"""Terminal sessions on pages: commands after `$ `, what a person types after `> `, the rest printed."""

import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

import bough
from bough.cli import main

PENGUINS = Path(bough.__file__).parent / "tables" / "penguins.csv"
WIDTH = 100
BLOCK = re.compile(r"(?<=^```\n)\$ .*?(?=^```$)", re.M | re.S)
PROMPT = re.compile(r"^> ", re.M)


def as_run(page, *, in_process=False):
    """Return the text of a page with what its commands print, run in a folder with the penguins.

    In this process `bough` starts at once, unless somebody answers it or a shell is needed for more
    than a pipe.
    """
    run = _printed_here_if_it_can if in_process else _printed
    with TemporaryDirectory() as folder:
        Path(folder, PENGUINS.name).write_bytes(PENGUINS.read_bytes())
        command = Path(folder, "bough")
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bough "$@"\n')
        command.chmod(0o755)
        return BLOCK.sub(lambda block: _session(block[0], folder, run), page)


def _session(text, folder, run):
    """Return a session as it runs now; an empty line stands before each further command."""
    parts = re.split(r"^(?=\$ )", text, flags=re.M)[1:]
    return "\n".join(run(part, folder) for part in parts)


_FOR_A_SHELL = re.compile(r"[;<>&$]")


def _printed_here_if_it_can(part, folder):
    command = part.splitlines()[0][2:]
    is_answered = "\n> " in part
    if is_answered or _FOR_A_SHELL.search(command) or not command.startswith("bough "):
        return _printed(part, folder)
    return _printed_here(command, folder)


def _printed_here(command, folder):
    words, _, filters = command.partition(" | ")
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    before = dict(os.environ)
    os.environ.update(COLUMNS=str(WIDTH), NO_COLOR="1")
    stdin, sys.stdin = sys.stdin, io.StringIO()  # nobody answers
    try:
        with chdir(folder), redirect_stdout(out), redirect_stderr(out):
            main(shlex.split(words)[1:])
    finally:
        sys.stdin = stdin
        os.environ.clear()
        os.environ.update(before)
    shown = out.buffer.getvalue()
    if filters:
        shown = subprocess.check_output(filters, shell=True, input=shown)
    return _shown(command, PROMPT.sub("> \n", shown.decode()))


def _shown(command, text):
    kept = "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")
    return "".join(f"{each}\n" for each in (f"$ {command}", kept) if each)


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
    return _shown(command[2:], shown)
