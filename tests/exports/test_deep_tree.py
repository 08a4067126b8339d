"""What is done with a tree of great depth, on a small stack."""

from functools import cache

import pytest
from small_stack import said_on_a_small_stack

# Each call on the stack takes some 50 bytes or more, so 256 KB are far too few for as many as this.
# `make large-trees` does the same with a depth of 100,000.
DEPTH = 20_000

# What is done with a tree of this depth, and what comes out.
DEEDS = {
    "written and read back": (
        "print(handmade.same_tree(tree, loads(dumps(Model(tree, {}))).tree))",
        "True",
    ),
    "walked through": ("print(max(step.depth for step in walk(tree)))", f"{DEPTH}"),
    "folded": (
        "print(fold(tree, lambda leaf: 1, lambda branch, below: sum(below)))",
        f"{DEPTH + 1}",
    ),
    "followed to its last node": ("print(len(trail(tree, len(tree) - 1)))", f"{DEPTH + 1}"),
    "measured": ("print(depths(tree).max(), parents(tree).max())", f"{DEPTH} {2 * DEPTH - 2}"),
    "cut": ("print(len(cut(tree, depths(tree) == 10_000)))", "20001"),
    "drawn": ("print(text(tree, width=100).count('x <'))", f"{DEPTH}"),
    "put in rules": ("print(export(tree, 'rules').count('x < '))", f"{DEPTH}"),
    "exported as a graph": (
        "print(export(tree, 'dot').count(' -> '), export(tree, 'mermaid').count('-->'))",
        f"{2 * DEPTH} {2 * DEPTH}",
    ),
    "exported as a program": (
        f"print(*(len(export(tree, name)) > 10 * {DEPTH} for name in ('python', 'c', 'javascript')))",
        "True True True",
    ),
    "explained": (
        "from bough.explain.row import explain\n"
        "found = explain(tree, typed_row({'x': 7e3}, tree.schema))[0]\n"
        "print(len(found.steps), len(str(found).splitlines()))",
        "7001 7004",
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
        f"[0, 1, 1, 1, 23, 81, {2 * DEPTH}, 1]",
    ),
}


BEGIN = f"""
import handmade
from bough.drawing.text import text
from bough.exports import export
from bough.exports.model_file import Model, dumps, loads
from bough.table import typed_row
from bough.walk import cut, depths, fold, parents, trail, walk
tree = handmade.chain({DEPTH})
"""


@cache
def said():
    return said_on_a_small_stack(BEGIN, {deed: code for deed, (code, _) in DEEDS.items()})


@pytest.mark.parametrize("deed", DEEDS)
def test_a_deep_tree_needs_no_deep_stack(deed):
    found, errors = said()
    assert errors == ""
    assert found[deed] == DEEDS[deed][1] + "\n"
