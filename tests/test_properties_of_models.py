"""What is true of every tree that is pruned, saved or pickled, on 400 random tables each.

See `test_properties_of_trees.py`, whose properties are about growing.
"""

import pickle

import numpy as np
from growths import differences, node_rows, violations

import bough
from bough.pruning.ways import by_cost_complexity, cost_complexity_path
from bough.schema import Kind


def test_pruning_harder_gives_a_tree_inside_the_one_before():
    def holds(growth):
        alphas, _ = cost_complexity_path(growth.tree)
        before = set(node_rows(growth))
        for alpha in alphas[1:]:
            tree = by_cost_complexity(growth.tree, float(alpha))
            pruned = growth.but()
            pruned.__dict__["tree"] = tree
            now = set(node_rows(pruned))
            if not now < before:
                return False
            before = now
        return len(before) == 1

    assert violations(holds) == []


def fitted(growth):
    """Return an estimator fitted to a growth, and its table as an estimator takes it."""
    table = {
        feature.name: [None if code < 0 else feature.choices[code] for code in values]
        if feature.kind is Kind.CHOICE
        else values.tolist()
        for feature, values in zip(growth.features, growth.values, strict=True)
    }
    grows = bough.DecisionTreeClassifier if growth.is_classes else bough.DecisionTreeRegressor
    names = ("criterion", "categorical", "max_depth", "min_samples_leaf", "max_leaf_nodes")
    names += () if growth.is_classes else ("quantile",)
    chosen = {name: getattr(growth.settings, name) for name in names}
    return grows(n_jobs=1, **chosen).fit(table, growth.y, growth.weights), table


def test_a_model_saved_and_loaded_predicts_the_same(tmp_path):
    def holds(growth):
        estimator, table = fitted(growth)
        estimator.save(tmp_path / "model.bough.json")
        loaded = bough.load(tmp_path / "model.bough.json")
        return np.array_equal(estimator.predict(table), loaded.predict(table)) and not differences(
            estimator.grown_tree_, loaded.grown_tree_
        )

    assert violations(holds) == []


def test_a_pickled_model_predicts_the_same():
    def holds(growth):
        estimator, table = fitted(growth)
        back = pickle.loads(pickle.dumps(estimator))
        return np.array_equal(estimator.predict(table), back.predict(table)) and not differences(
            estimator.grown_tree_, back.grown_tree_
        )

    assert violations(holds) == []
