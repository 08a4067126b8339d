"""`bough --install-completion`."""

import subprocess
from pathlib import Path

import pytest

from bough.cli import COMMANDS


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_knows_every_command(run, shell):
    found = run("--install-completion", "--shell", shell, "-o", "script")
    assert (found.status, found.out) == (0, "")
    script = Path("script").read_text()
    assert [name for name in COMMANDS if name not in script] == []


def test_the_script_is_valid_bash(run):
    run("--install-completion", "--shell", "bash", "-o", "script")
    subprocess.run(["bash", "-n", "script"], check=True)


def test_it_says_what_it_wrote(run):
    path = Path("script").absolute()
    assert run("--install-completion", "--shell", "bash", "-o", "script").err == (
        f"wrote {path}; completion works in new shells\n"
    )
