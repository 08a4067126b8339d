"""What is said where the packages of the command line, of files or of the page are not installed."""

import subprocess
import sys

import pytest

import bough
from bough.cli import main


def without(name, code):
    """Run code in a Python that lacks a package."""
    words = [sys.executable, "-c", f"import sys; sys.modules[{name!r}] = None; {code}"]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("package", ["cyclopts", "rich"])
def test_the_command_line_says_what_to_install(package):
    found = without(package, "from bough.cli import main; sys.exit(main(['--version']))")
    assert found.returncode == 2
    assert "pip install 'bough[cli]'" in found.stderr
    assert "Traceback" not in found.stderr


def test_files_say_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n3,4\n" * 20)
    with pytest.raises(bough.DataError, match=r"pip install 'bough\[cli\]', or pass a data frame"):
        bough.fit(path, "b")


def test_other_modules_that_are_missing_are_bugs(monkeypatch):
    monkeypatch.setitem(sys.modules, "bough.cli.command_line", None)
    with pytest.raises(ModuleNotFoundError):
        main([])
