"""A tree of depth 100,000 and one of a million nodes: each use in a process of its own, on a stack of 256 KiB.

The exported programs are also compiled and run, on the same stack, on rows at the edges of the tree's
questions, and must say what the tree says. What cannot be exported must be refused in a sentence.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TREES = {"depth 100,000": "handmade.chain(100_000)", "1,048,575 nodes": "large_trees.full(19)"}
TEXTS = ("json", "rules", "dot", "mermaid", "python", "c", "javascript", "java")
USES = {
    "save": "model_file.save(model, path)",
    "load": "model_file.load(path)",
    "predict": "stops(tree, edge_rows(tree.schema))",
    "text, folded": "len(bough.draw(tree, max_nodes=100))",
    **{name: f"len(bough.export(tree, {name!r}))" for name in TEXTS},
    **{f"run {name}": f"agreed(tree, {name!r})" for name in TEXTS[-4:]},
    **{
        f"sql, {name}": f"refusal(tree, {name!r})"
        for name in ("duckdb", "postgres", "spark", "sqlite")
    },
}
N_ROWS = 100
PROGRAM = """
import os, resource, sys
sys.path[:0] = {folders!r}
import bough, handmade, large_trees
from bough.exports import model_file
from bough.predict import stops
from damaged_files import edge_rows
from large_trees import agreed, refusal
path = "build/large.bough.json"
tree = {tree}
model = model_file.Model(tree, {{}})
{before}
start = sum(os.times()[:4])  # of this process and those that it starts
found = {use}
seconds = sum(os.times()[:4]) - start
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
size = f", {{found / 1e6:,.1f}} MB of text" if isinstance(found, int) else f", {{found}}" if isinstance(found, str) else ""
print(f"{{seconds:6.1f}} s, {{memory:6,.0f}} MiB{{size}}")
"""


def full(depth):
    """Return a tree in which every trail is as long: x is halved again and again."""
    import handmade
    import numpy as np

    from bough.tree import Tree

    n = 2 ** (depth + 1) - 1
    node = np.arange(n)
    level = np.floor(np.log2(node + 1)).astype(int)
    is_branch = level < depth
    width = 2.0 ** (depth - level)
    rows = width.astype(np.int64)
    tally = np.stack([rows - rows // 2, rows // 2], axis=1)[:, np.newaxis].astype(float)
    return Tree(
        handmade.chain(1).schema,
        feature=np.where(is_branch, 0, -1).astype(np.int32),
        query_kind=np.zeros(n, np.uint8),
        pivot=np.where(is_branch, (node + 1 - 2**level + 0.5) * width, np.nan),
        pivot_int=None,
        codes=np.zeros(0, np.int32),
        answers=np.zeros(0, np.int32),
        codes_start=np.zeros(n + 1, np.int32),
        first_child=np.where(is_branch, 2 * node + 1, -1).astype(np.int32),
        n_children=np.where(is_branch, 2, 0).astype(np.int32),
        missing_child=np.full(n, -1, np.int32),
        tally=tally,
        guess=None,
        n_rows=rows,
        impurity=np.zeros(n),
        gain=np.zeros(n),
    )


def agreed(tree, language):
    """Run an exported program, and tell on how many rows it agrees with the tree."""
    from replays import differences, rows_at_edges

    import bough

    wrong = differences(bough.export(tree, language), language, tree, rows_at_edges(tree, N_ROWS))
    assert not wrong, wrong
    return f"agrees on {N_ROWS} rows"


def refusal(tree, dialect):
    """Return the sentence by which SQL is refused."""
    import bough

    try:
        return len(bough.export(tree, "sql", dialect=dialect))
    except bough.ParameterError as error:
        return str(error)


def main():
    (ROOT / "build").mkdir(exist_ok=True)
    folders = [str(ROOT / "tests" / "support"), str(ROOT / "benchmarks")]
    for name, tree in TREES.items():
        for use, code in USES.items():
            before = "model_file.save(model, path)" if use == "load" else ""
            program = PROGRAM.format(folders=folders, tree=tree, use=code, before=before)
            ran = subprocess.run(
                ["/bin/sh", "-c", 'ulimit -S -s 256; exec "$0" -c "$1"', sys.executable, program],
                capture_output=True, text=True, check=False, cwd=ROOT, env=os.environ,
            )  # fmt: skip
            print(f"{name:16} {use:14} {ran.stdout.strip() or ran.stderr[-500:]}", flush=True)


if __name__ == "__main__":
    main()
