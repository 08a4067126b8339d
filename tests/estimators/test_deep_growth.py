"""A tree that is grown deep, and all that an estimator does with it, on a small stack."""

from functools import cache

import pytest
from small_stack import said_on_a_small_stack

DEPTH = 3_000

# What is done with a tree of a query for every row but one, and what comes out.
DEEDS = {
    "grown": ("print(tree.get_depth(), tree.get_n_leaves())", f"{DEPTH} {DEPTH + 1}"),
    "asked": ("print((tree.predict(X) == y).all())", "True"),
    "followed": ("print(tree.decision_path(X[-1:]).sum())", f"{DEPTH + 1}"),
    "cut at every depth": ("print(len(tree.depths_path(X, y)))", f"{DEPTH + 1}"),
    "pruned": (
        "print(len(tree.cost_complexity_pruning_path(X, y).ccp_alphas) > 1, "
        "bough.DecisionTreeClassifier(ccp_alpha=1.0).fit(X, y).get_depth())",
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


@cache
def said(n_jobs):
    begin = f"""
import pickle, tempfile
import numpy as np
import bough
X = np.arange({DEPTH + 1.0})[:, np.newaxis]
y = np.arange(len(X)) % 2
tree = bough.DecisionTreeClassifier(n_jobs={n_jobs}).fit(X, y)
"""
    return said_on_a_small_stack(begin, {deed: code for deed, (code, _) in DEEDS.items()})


@pytest.mark.parametrize("n_jobs", [1, 4])
@pytest.mark.parametrize("deed", DEEDS)
def test_a_tree_grown_deep_needs_no_deep_stack(deed, n_jobs):
    found, errors = said(n_jobs)
    assert errors == ""
    assert found[deed] == DEEDS[deed][1] + "\n"
