"""`exact=False`: the tree that grows exactly from a table of intervals, with pivots among the values."""

import numpy as np
import pandas as pd
import pytest
from audit import number_labels
from partitioned_tables import bytes_of, frame_of, grown, labels_of, parts_of, weights_of
from scipy.sparse import csc_array

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.errors import ParameterError
from bough.exports import model_file
from bough.grow import binning, grow
from bough.grow.binning import coded
from bough.settings import Settings
from bough.table import read

N_ROWS = 1500


def odd_frame():
    """Return numbers of every size, integers beyond 2^53, dates, missing values and few values."""
    rng = np.random.default_rng(1)
    frame = frame_of(N_ROWS)
    sizes = rng.normal(size=N_ROWS) * 10.0 ** rng.integers(-300, 300, N_ROWS)
    sizes[:200:2], sizes[1:200:2] = 0.0, -0.0
    sizes[-1], sizes[-2] = np.finfo(float).max, -np.finfo(float).max
    sizes[-3], sizes[-4] = 5e-324, -5e-324
    return frame.assign(
        sizes=sizes,
        wide=rng.integers(-(2**62), 2**62, N_ROWS),
        near=2**53 + rng.integers(-400, 400, N_ROWS),
        spike=np.where(rng.random(N_ROWS) < 0.5, 1.5, rng.normal(size=N_ROWS)),
        late=frame["day"].where(rng.random(N_ROWS) < 0.8),
    )


def interval_frame(frame, weights=None):
    """Return the table in which numbers are the numbers of their intervals, by the code to be tested."""
    table = read(frame)
    found = coded(table, binning.intervals_of(table, weights))
    keeps = {feature.name: values for feature, values in zip(found.features, found.values, strict=True)
             if feature.kind == "ordered" and feature.part == "itself"}  # fmt: skip
    assert keeps.keys() == {"number", "far", "day", "sizes", "wide", "near", "spike", "late"}
    assert all(len(np.unique(codes[codes >= 0])) <= 255 for codes in keeps.values())
    return table, {name: np.where(codes < 0, np.nan, codes) for name, codes in keeps.items()}


TREES = [
    DecisionTreeClassifier(max_depth=7),
    DecisionTreeClassifier(criterion="entropy", min_samples_leaf=3, pivots="round"),
    DecisionTreeClassifier(max_leaf_nodes=20, max_features=4, random_state=1),
    DecisionTreeClassifier(max_depth=4, first=["sizes", "spike"]),
    DecisionTreeRegressor(max_depth=7, ccp_alpha=1e-4),
    DecisionTreeRegressor(criterion="absolute_error", max_depth=4),
    DecisionTreeRegressor(max_depth=6, monotonic_cst={"number": 1, "spike": -1}),
]


@pytest.mark.parametrize("has_weights", [False, True])
@pytest.mark.parametrize("tree", TREES, ids=str)
def test_the_tree_is_the_exact_one_of_the_intervals(tree, has_weights):
    frame = odd_frame()
    y = labels_of(frame)[isinstance(tree, DecisionTreeRegressor)]
    weights = weights_of(N_ROWS) if has_weights else None
    tree.set_params(exact=False).fit(frame, y, sample_weight=weights)
    table, codes = interval_frame(frame, weights)
    names = [feature.name for feature in table.features]
    as_codes = {
        name: codes.get(name, np.where(table.missing(number), np.nan, table.values[number]))
        for number, name in enumerate(names)
        if name not in ("letter", "word")
    }
    as_codes |= {"letter": frame["letter"], "word": frame["word"]}
    exact = type(tree)(**tree.get_params() | {"exact": True})
    exact.fit(pd.DataFrame(as_codes)[names], y, sample_weight=weights)
    found, wanted = tree.grown_tree_, exact.grown_tree_
    for array in (
        "first_child",
        "n_children",
        "missing_child",
        "n_rows",
        "impurity",
        "gain",
        "tally",
    ):
        np.testing.assert_array_equal(getattr(found, array), getattr(wanted, array))
    np.testing.assert_array_equal(found.feature, wanted.feature)
    # Rows go by the pivots where they go by intervals.
    rows = slice(None) if weights is None else weights > 0
    here, there = tree.apply(frame), exact.apply(pd.DataFrame(as_codes)[names])
    np.testing.assert_array_equal(here[rows], there[rows])


def test_values_are_told_apart_where_there_are_few():
    frame = odd_frame().head(250)
    y, _ = labels_of(frame)
    exact, other = (DecisionTreeClassifier(exact=each).fit(frame, y) for each in (True, False))
    assert not other.settings_.exact
    models = [model_file.dumps(each.__bough_model__()) for each in (exact, other)]
    assert models[0].replace(b'"exact": true', b'"exact": false') == models[1]


def test_neither_order_nor_copies_nor_parts_change_the_tree():
    frame = odd_frame().drop(columns="late")
    y, _ = labels_of(frame)
    tree = DecisionTreeClassifier(exact=False, max_depth=6)
    expected = bytes_of(tree.fit(frame, y))
    order = np.random.default_rng(0).permutation(N_ROWS)
    assert bytes_of(tree.fit(frame.iloc[order], y.iloc[order])) == expected
    thrice, weights = np.repeat(np.arange(N_ROWS), 3), np.full(N_ROWS, 3.0)
    nodes = [tree.fit(frame.iloc[thrice], y.iloc[thrice]).grown_tree_,
             tree.fit(frame, y, sample_weight=weights).grown_tree_]  # fmt: skip
    np.testing.assert_array_equal(nodes[0].pivot, nodes[1].pivot)
    for n_parts, gather_rows in ((3, 100), (40, 10**6)):
        grown(tree, parts_of(frame, y, None, n_parts), gather_rows)
        assert bytes_of(tree) == expected


def test_few_rows_of_many_tell_where_intervals_begin(monkeypatch):
    monkeypatch.setattr(binning, "SAMPLED", 600)
    frame = odd_frame().drop(columns="late")
    y, _ = labels_of(frame)
    weights = weights_of(N_ROWS)
    tree = DecisionTreeClassifier(exact=False, max_depth=6, pivots="round")
    expected = bytes_of(tree.fit(frame, y, sample_weight=weights))
    passes = grown(tree, parts_of(frame, y, weights, 7), 100)
    assert bytes_of(tree) == expected
    assert [each.level for each in passes] == list(range(len(passes)))  # one for each level


def test_a_value_of_many_rows_has_an_interval_of_its_own():
    table = read(odd_frame())
    number = next(i for i, each in enumerate(table.features) if each.name == "spike")
    ends = binning.intervals_of(table, None)[number]
    assert (ends[:, 0] == ends[:, 1]).any()
    codes = coded(table, {number: ends}).values[number]
    spike = codes[table.values[number] == 1.5][0]
    assert set(table.values[number][codes == spike]) == {1.5}
    counts = np.bincount(np.delete(codes, np.flatnonzero(codes == spike)))
    assert counts.max() <= 2 * N_ROWS / 255 + 1


@pytest.mark.parametrize("least", [-3.0, 1.0])
def test_a_sparse_table_is_as_the_same_one_with_all_its_zeros(least):
    rng = np.random.default_rng(2)
    dense = np.where(rng.random((2000, 4)) < 0.5, rng.uniform(least, 3, (2000, 4)), 0)
    y = dense[:, 0] * 2 + dense[:, 1] + rng.normal(size=2000) / 9
    trees = [
        DecisionTreeRegressor(exact=False, max_depth=7).fit(X, y) for X in (dense, csc_array(dense))
    ]
    assert bytes_of(trees[0]) == bytes_of(trees[1])


def test_a_missing_value_of_a_sparse_table_has_no_interval():
    rng = np.random.default_rng(3)
    dense = np.where(rng.random((2000, 2)) < 0.5, rng.normal(size=(2000, 2)), 0)
    dense[rng.random(2000) < 0.1, 0] = np.nan
    labels = number_labels(np.nan_to_num(dense[:, 0], nan=4) + dense[:, 1])
    settings = Settings(criterion="squared_error", max_depth=4, exact=False)
    trees = [grow(read(X), labels, settings) for X in (dense, csc_array(dense))]
    np.testing.assert_array_equal(trees[0].pivot, trees[1].pivot)


def test_several_outputs():
    frame = odd_frame()
    y = np.stack((labels_of(frame)[1], frame["count"]), axis=1)
    tree = DecisionTreeRegressor(exact=False, max_depth=4).fit(frame, y)
    assert tree.score(frame, y) > 0.5


def test_a_drawn_pivot_is_any():
    frame = odd_frame()
    y, _ = labels_of(frame)
    trees = [DecisionTreeClassifier(exact=exact, splitter="random", random_state=0).fit(frame, y)
             for exact in (True, False)]  # fmt: skip
    np.testing.assert_array_equal(trees[0].grown_tree_.pivot, trees[1].grown_tree_.pivot)


@pytest.mark.parametrize("exact", [None, 1, "no"])
def test_it_is_true_or_false(exact):
    with pytest.raises(ParameterError, match=r"exact=.* must be True or False"):
        DecisionTreeClassifier(exact=exact).fit([[1], [2]], [0, 1])
    tree = DecisionTreeClassifier(exact=np.False_).fit([[1], [2]], [0, 1])
    assert tree.settings_.exact is False


def test_an_infinite_number_is_refused():
    X = np.arange(3000.0).reshape(-1, 1)
    X[7] = np.inf
    with pytest.raises(ValueError, match="infin"):
        DecisionTreeClassifier(exact=False).fit(X, X[:, 0] > 9)
