"""What editors and type checkers see of bough."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bough

ROOT = Path(__file__).parents[2]
USER_CODE = Path(__file__).with_name("user_code.py")


def mypy(code, folder):
    """Return what mypy complains of, strictly."""
    (folder / "code.py").write_text(code, "utf-8")
    words = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "code.py"]
    cache = ["--cache-dir", str(ROOT / ".mypy_cache" / "contracts")]
    found = subprocess.run(
        [*words, *cache], cwd=folder, capture_output=True, text=True, check=False
    )
    return found.stdout


def test_the_python_of_the_readme_has_right_types(tmp_path):
    readme = (ROOT / "README.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", readme, re.M | re.S)
    found = mypy("\n".join(blocks), tmp_path)
    assert found.startswith("Success"), found


def test_a_wrong_option_is_an_error_of_types(tmp_path):
    code = (
        'import bough\n\ntree = bough.load("a.bough.json")\nbough.draw(tree, "svg", max_dept=2)\n'
    )
    found = mypy(code, tmp_path)
    assert "max_dept" in found, found


def test_what_users_write_passes_mypy_in_its_strict_mode(tmp_path):
    found = mypy(USER_CODE.read_text("utf-8"), tmp_path)
    assert found.startswith("Success"), found


def test_what_users_write_passes_pyright_in_its_strict_mode(tmp_path):
    pytest.importorskip("pyright")
    (tmp_path / "code.py").write_text(USER_CODE.read_text("utf-8"), "utf-8")
    settings = {
        "typeCheckingMode": "strict",
        "include": ["code.py"],
        "extraPaths": [str(Path(bough.__file__).parents[1])],
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    words = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    found = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout
