"""What editors and type checkers see of bough."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


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
