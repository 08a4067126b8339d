"""A tree that is grown deep, and all that an estimator does with it, on a small stack."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import bough

SOURCE = Path(bough.__file__).parents[1]
DEPTH = 3_000

# What is done with a tree of a query for every row but one, and what comes out.
DEEDS = {
    "grown": ("print(tree.get_depth(), tree.get_n_leaves())", f"{DEPTH} {DEPTH + 1}"),
    "asked": ("print((tree.predict(X) == y).all())", "True"),
    "followed": ("print(tree.decision_path(X[-1:]).sum())", f"{DEPTH + 1}"),
    "cut at every depth": ("print(len(tree.depths_path(X, y)))", f"{DEPTH + 1}"),
    "pruned": (
        "print(len(tree.cost_complexity_pruning_path(X, y).ccp_alphas) > 1, "
        "tree.set_params(ccp_alpha=1.0).fit(X, y).get_depth())",
        "True 0",
    ),
    "pickled": ("print((pickle.loads(pickle.dumps(tree)).predict(X) == y).all())", "True"),
    "saved": (
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    tree.save(folder + '/deep.json')\n"
        "    print(bough.load(folder + '/deep.json').get_depth())",
        f"{DEPTH}",
    ),
    "drawn": ("print(bough.draw(tree).count('→'))", f"{DEPTH + 1}"),
}


@pytest.mark.parametrize(("deed", "n_jobs"), [*((deed, 1) for deed in DEEDS), ("grown", 4)])
def test_a_tree_grown_deep_needs_no_deep_stack(deed, n_jobs):
    code, expected = DEEDS[deed]
    program = f"""
import pickle, tempfile
import numpy as np
import bough
X = np.arange({DEPTH + 1.0})[:, np.newaxis]
y = np.arange(len(X)) % 2
tree = bough.DecisionTreeClassifier(n_jobs={n_jobs}).fit(X, y)
{code}
"""
    found = subprocess.run(
        ["/bin/sh", "-c", 'ulimit -s 256; exec "$0" -c "$1"', sys.executable, program],
        env=os.environ | {"PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.stdout, found.stderr) == (expected + "\n", "")
