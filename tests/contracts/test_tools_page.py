"""The page about other tools: each example runs, where the tool is installed."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "use" / "tools.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
TOOLS = {
    "dtreeviz", "lightgbm", "matplotlib", "mlflow", "shap", "skl2onnx", "skops", "treelite", "xgboost",
}  # fmt: skip


def test_the_page_shows_every_tool():
    imported = set(re.findall(r"^(?:import|from) (\w+)", "".join(BLOCKS), re.MULTILINE))
    assert imported >= TOOLS


@pytest.mark.filterwarnings("ignore")
def test_each_example_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    names, absent = {}, set()
    for number, block in enumerate(BLOCKS):
        try:
            exec(compile(block, f"tools.md, example {number}", "exec"), names)
        except ImportError as error:
            absent.add(error.name.partition(".")[0])
        except NameError:
            if not absent:  # else it may need what an example before it imports
                raise
    assert absent <= TOOLS
    if absent:
        pytest.skip(f"the other examples ran; not installed: {', '.join(sorted(absent))}")
