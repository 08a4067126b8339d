"""The stub of the compiled module is the one that it would generate now."""

import subprocess
import sys
from pathlib import Path

STUB = Path(__file__).resolve().parents[2] / "src" / "bough" / "_core.pyi"


def test_the_committed_stub_is_fresh(tmp_path):
    fresh = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "bough._core", "-o", fresh]
    subprocess.run(command, check=True)
    assert fresh.read_text("utf-8") == STUB.read_text("utf-8"), "run `make stub`"
