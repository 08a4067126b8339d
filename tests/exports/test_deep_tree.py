import os
import subprocess
import sys
from pathlib import Path

import pytest

import bough.walk

TESTS = Path(__file__).parents[1] / "support"
SOURCE = Path(bough.walk.__file__).parents[1]

# What is done with a tree of depth 100,000, and what comes out.
DEEDS = {
    "written and read back": (
        "print(handmade.same_tree(tree, loads(dumps(Model(tree, {}))).tree))",
        "True",
    ),
    "walked through": ("print(max(step.depth for step in walk(tree)))", "100000"),
    "folded": ("print(fold(tree, lambda leaf: 1, lambda branch, below: sum(below)))", "100001"),
    "followed to its last node": ("print(len(trail(tree, len(tree) - 1)))", "100001"),
    "measured": ("print(depths(tree).max(), parents(tree).max())", "100000 199998"),
    "cut": ("print(len(cut(tree, depths(tree) == 50_000)))", "100001"),
    "drawn": ("print(text(tree, width=100).count('x <'))", "100000"),
    "put in rules": ("print(export(tree, 'rules').count('x < '))", "100000"),
    "exported as a graph": (
        "print(export(tree, 'dot').count(' -> '), export(tree, 'mermaid').count('-->'))",
        "200000 200000",
    ),
    "exported as a program": (
        "print(*(len(export(tree, name)) > 1e6 for name in ('python', 'c', 'javascript')))",
        "True True True",
    ),
    "explained": (
        "from bough.explain import explain\n"
        "found = explain(tree, typed_row({'x': 7e4}, tree.schema))[0]\n"
        "print(len(found.steps), len(str(found).splitlines()))",
        "70001 70004",
    ),
    "asked about": (
        "from bough.interview import Interview\n"
        "interview = Interview(tree)\n"
        "interview.answer(7)\n"
        "print(interview.result.verdict.n_rows)",
        "1",
    ),
    "asked": (
        "from bough.predict import stops\n"
        "from damaged_files import edge_rows\n"
        "print(stops(tree, edge_rows(tree.schema)).tolist())",
        "[0, 1, 1, 1, 23, 81, 200000, 1]",
    ),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_a_tree_of_depth_100_000_needs_no_deep_stack(deed):
    code, expected = DEEDS[deed]
    program = f"""
import handmade
from bough.drawing.text import text
from bough.exports import export
from bough.exports.model_file import Model, dumps, loads
from bough.table import typed_row
from bough.walk import cut, depths, fold, parents, trail, walk
tree = handmade.chain(100_000)
{code}
"""
    found = subprocess.run(
        ["/bin/sh", "-c", 'ulimit -s 256; exec "$0" -c "$1"', sys.executable, program],
        env=os.environ | {"PYTHONPATH": f"{SOURCE}{os.pathsep}{TESTS}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.stdout, found.stderr) == (expected + "\n", "")
