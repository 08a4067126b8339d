"""A tree from parts has the bytes of the tree from memory, whichever rows are in which part."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from partitioned_tables import bytes_of, frame_of, grown, labels_of, parts_of, weights_of

from bough import DecisionTreeClassifier, DecisionTreeRegressor, _core
from bough.errors import BoughError, DataError, ParameterError
from bough.partitioned import fit, levels
from bough.partitioned.read_parts import RawPart

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from engine_costs import sent_bytes

TREES = [
    DecisionTreeClassifier(max_depth=5),
    DecisionTreeClassifier(criterion="entropy", min_samples_leaf=5, class_weight="balanced"),
    DecisionTreeClassifier(criterion="gain_ratio", max_depth=4),
    DecisionTreeClassifier(criterion="error", max_depth=4, categorical="group"),
    DecisionTreeClassifier(min_weight_fraction_leaf=0.02, min_impurity_decrease=0.002),
    DecisionTreeRegressor(max_depth=5),
    DecisionTreeRegressor(min_impurity_decrease=0.002, pivots="round", forbid=["number"]),
]


@pytest.mark.parametrize("has_weights", [False, True])
@pytest.mark.parametrize("tree", TREES, ids=str)
def test_any_parts_give_the_bytes_of_the_tree_in_memory(tree, has_weights, monkeypatch):
    monkeypatch.setattr(levels, "FEW_ROWS", 20)  # so that cells are cut into finer ones, too
    monkeypatch.setattr(levels, "MOST_REQUESTS", 30)
    X = frame_of()
    y = labels_of(X)[isinstance(tree, DecisionTreeRegressor)]
    weights = weights_of(len(X)) if has_weights else None
    expected = bytes_of(tree.fit(X, y, sample_weight=weights))
    for n_parts, gather_rows in ((1, 10**6), (3, 60), (7, 200), (40, 120)):
        grown(tree, parts_of(X, y, weights, n_parts), gather_rows)
        assert bytes_of(tree) == expected, (n_parts, gather_rows)


def test_labels_and_weights_of_any_size_lie_on_the_grid_of_the_table():
    X = frame_of(200)
    rng = np.random.default_rng(0)
    y = pd.Series(rng.normal(size=200) * 10.0 ** rng.integers(-30, 30, 200), name="y")
    weights = 10.0 ** rng.integers(-20, 20, 200)
    tree = DecisionTreeRegressor(max_depth=4)
    expected = bytes_of(tree.fit(X, y, sample_weight=weights))
    grown(tree, parts_of(X, y, weights, 7), 30)
    assert bytes_of(tree) == expected


def test_several_outputs():
    X = frame_of(200)
    y = pd.DataFrame({"one": labels_of(X)[0], "two": X["count"] > 9}).astype(str)
    tree = DecisionTreeClassifier(max_depth=3)
    expected = bytes_of(tree.fit(X, y))
    grown(tree, parts_of(X, y, None, 3), 50)
    assert bytes_of(tree) == expected


def test_a_small_table_is_gathered_whatever_is_asked_for():
    X = frame_of(200)
    _, y = labels_of(X)
    tree = DecisionTreeRegressor(criterion="absolute_error", max_leaf_nodes=7)
    expected = bytes_of(tree.fit(X, y))
    assert grown(tree, parts_of(X, y, None, 3), 1000) == []
    assert bytes_of(tree) == expected


def test_costs_alter_the_tree_of_a_small_table():
    X = frame_of(900)
    y, _ = labels_of(X)
    tree = DecisionTreeClassifier(max_depth=5, costs=[[0, 1, 1], [5, 0, 1], [1, 2, 0]])
    expected = bytes_of(tree.fit(X, y))
    for n_parts in (1, 7):
        grown(tree, parts_of(X, y, None, n_parts), 1000)
        assert bytes_of(tree) == expected


def test_a_part_may_have_only_classes_of_weight_0():
    X = frame_of()
    y, _ = labels_of(X)
    tree = DecisionTreeClassifier(max_depth=4, class_weight={"no": 0, "maybe": 1, "yes": 2})
    expected = bytes_of(tree.fit(X, y))
    grown(tree, [*parts_of(X[y != "no"], y[y != "no"], None, 2),
                 RawPart(2, X[y == "no"], y[y == "no"], None)], 60)  # fmt: skip
    assert bytes_of(tree) == expected


@pytest.mark.parametrize(
    "tree",
    [
        DecisionTreeRegressor(criterion="absolute_error"),
        DecisionTreeRegressor(max_leaf_nodes=7),
        DecisionTreeRegressor(splitter="random"),
        DecisionTreeRegressor(first=["count"]),
    ],
    ids=str,
)
def test_what_needs_all_rows_in_one_place_is_refused_by_name(tree):
    X = frame_of(200)
    name = next(name for name in ("criterion", "max_leaf_nodes", "splitter", "first")
                if getattr(tree, name) != getattr(DecisionTreeRegressor(), name))  # fmt: skip
    with pytest.raises(
        ParameterError, match=rf"{name}=.* needs all rows in one place.*gather_rows = 200"
    ):
        grown(tree, parts_of(X, labels_of(X)[1], None, 3), 50)


def part(number, X, y):
    return RawPart(number, pd.DataFrame(X), pd.Series(y))


ODD = {
    "partition 1 has the columns 'b'": part(1, {"b": [1, 2]}, ["x", "y"]),
    "partition 1: Found input variables": part(1, {"a": [1, 2]}, ["x"]),
    "partition 1: column 'a' has a value of type 'bytes'": part(1, {"a": [b"1", 2]}, ["x", "y"]),
    "column 'a' is number in partition 0, but text in partition 1": part(
        1, {"a": ["u", "v"]}, ["x", "y"]
    ),
    "partition 1: y has 1 missing label": part(1, {"a": [1, 2]}, ["x", None]),
}


@pytest.mark.parametrize("message", ODD)
def test_an_odd_part_is_named(message):
    first = part(0, {"a": [1.5, 2, 3]}, ["x", "y", "x"])
    with pytest.raises(BoughError, match=message):
        grown(DecisionTreeClassifier(), [first, ODD[message]], 1)


def test_no_rows_at_all_are_refused():
    empty = RawPart(0, pd.DataFrame({"a": []}), pd.Series([], dtype=object))
    with pytest.raises(DataError, match="no partition of X has any rows"):
        grown(DecisionTreeClassifier(), [empty], 1)


def test_a_part_without_values_says_nothing_of_their_kind():
    X = pd.DataFrame({"a": ["u", "v", None, None] * 5, "b": np.arange(20)})
    y = pd.Series(["x", "y", "y", "x"] * 5)
    has_value = X["a"].notna().to_numpy()
    parts = [
        RawPart(0, X[~has_value].assign(a=np.nan), y[~has_value]),
        RawPart(1, X[has_value], y[has_value]),
    ]
    tree = DecisionTreeClassifier()
    expected = bytes_of(tree.fit(X, y.rename(None)))
    grown(tree, parts, 5)
    assert bytes_of(tree) == expected


def reckoned(part, task):
    """Return what a part will send in a pass: the nodes and cells in which it has rows, by NumPy."""
    tree, nodes, requests, *_ = task
    table, here = part.table.dense(), levels.stops(tree, part.table)
    n_cells = 0
    for each in requests:
        kind = table.features[each.feature].kind.core
        keys = _core.value_keys([table.values[each.feature]], kind, table.n_rows)
        keys = keys[(here == nodes[each.node]) & (keys >= each.low) & (keys <= each.high)]
        if each.edges is not None:  # a missing value has a cell of its own, and so has each edge
            sides = [np.searchsorted(each.edges, keys, side) for side in ("left", "right")]
            keys = np.where(keys == 0, -1, sides[0] + sides[1])
        n_cells += len(np.unique(keys))
    return sent_bytes(1, len(set(nodes) & set(here.tolist())), n_cells, 4)


@pytest.mark.parametrize("n_parts", [1, 3, 12])
def test_the_bytes_of_every_pass_are_those_of_the_model(n_parts, monkeypatch):
    monkeypatch.setattr(fit, "CELLS", 4)  # so that many passes look into cells,
    monkeypatch.setattr(levels, "SUB_CELLS", 3)
    monkeypatch.setattr(levels, "FEW_ROWS", 20)  # and some at single values
    expected, count = [], levels.counted
    monkeypatch.setattr(
        levels, "counted", lambda *given: expected.append(reckoned(*given)) or count(*given)
    )
    X = frame_of(2000)
    y = pd.Series(np.where(labels_of(X)[1] > 1, "yes", "no"))
    parts = [part for part in parts_of(X, y, None, n_parts) if len(part.X)]
    passes = grown(DecisionTreeClassifier(max_depth=4), parts, 100)
    assert max(each.level for each in passes) > 1
    assert len(passes) > 2 * len({each.level for each in passes})
    assert [each.sent for each in passes] == np.reshape(expected, (-1, len(parts))).sum(1).tolist()
