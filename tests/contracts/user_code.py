# ruff: noqa: T201
"""What users write, for type checkers in their strict modes: `test_types.py` runs them over it."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import bough
from bough import DecisionTreeClassifier, DecisionTreeRegressor


def shares_of_the_second_class(X: NDArray[np.float64], y: NDArray[np.int64]) -> list[float]:
    tree = DecisionTreeClassifier(
        criterion="entropy",
        splitter="best",
        max_depth=4,
        max_features="sqrt",
        categorical="auto",
        missing="weigh",
        pivots="round",
        random_state=0,
    )
    tree.fit(X, y, sample_weight=np.ones(len(y)))
    second: NDArray[np.float64] = tree.predict_proba(X)[:, 1]
    names = [str(each) for each in tree.classes_]
    print(", ".join(names), tree.classes_[0], tree.n_classes_ + 1, tree.feature_importances_.max())
    return [float(each) for each in second]


def grown_and_read(X: NDArray[np.float64], y: NDArray[np.float64], folder: Path) -> float:
    tree = DecisionTreeRegressor(criterion="absolute_error", min_samples_leaf=5).fit(X, y)
    path = folder / "tree.bough.json"
    tree.save(path)
    again = bough.load(path)
    for rule in tree.rules(digits=4):
        print(rule)
    for explanation in tree.explain(X[:2]):
        print(explanation)
    leaves: NDArray[np.intp] = tree.apply(X)
    depths = tree.tree_.compute_node_depths()
    print(leaves.max(), depths.max(), tree.get_depth(), tree.get_n_leaves(), again.n_features_in_)
    errors = np.abs(tree.predict(X) - y)
    return float(errors.mean())


def careful(path: str) -> str:
    try:
        result = bough.fit(path, "survived", choose="simple")
    except bough.BoughError as error:
        return str(error)
    loss = result.test["error"]
    print(loss.value, loss.low, loss.high)
    result.report("survived.html")
    model = result.model
    text: str = bough.draw(model, "text", max_depth=2)
    picture: str = bough.draw(model, "svg", theme="dark")
    return text + picture + str(bough.export(model, "sql"))


if __name__ == "__main__":
    table = np.arange(40.0).reshape(20, 2)
    print(shares_of_the_second_class(table, np.arange(20) % 2))
    print(grown_and_read(table, table[:, 0], Path()))
    print(careful("titanic.csv"))
