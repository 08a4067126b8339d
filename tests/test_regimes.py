"""However the core searches, it finds the same tree: the plain search is the oracle."""

import time
from dataclasses import replace

import numpy as np
import pytest
from against_plain import N_TABLES, assert_same, check_random_growth
from option_growths import table_of
from regimes import FAST, PLAIN

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.encode import Labels
from bough.errors import DataError
from bough.grow import grow
from bough.schema import Feature, Kind, Label
from bough.settings import Settings
from bough.table import Table


@pytest.mark.parametrize("part", range(8))
def test_every_regime_grows_the_tree_of_the_plain_search(part):
    for seed in range(part, N_TABLES, 8):
        check_random_growth(seed)


@pytest.mark.parametrize(
    ("labels", "criterion", "weighted"),
    [
        ("classes", "gini", False),
        ("classes", "gini", True),
        ("classes", "error", False),
        ("classes", "gain_ratio", True),
        ("noise", "gini", False),
        ("noise", "error", True),
        ("numbers", "squared_error", False),
        ("numbers", "squared_error", True),
    ],
)
def test_a_table_large_enough_for_all_threads_grows_the_tree_of_the_plain_search(
    labels, criterion, weighted
):
    rng = np.random.default_rng(0)
    columns = [rng.normal(size=40_000) for _ in range(4)]
    columns[1][rng.random(40_000) < 0.1] = np.nan
    columns[2] = np.round(columns[2], 2)
    signal = columns[0] + np.nan_to_num(columns[1]) * columns[2] + rng.normal(size=40_000)
    weights = rng.integers(1, 4, size=40_000).astype(float) if weighted else None
    if labels == "numbers":
        y = Labels((Label("y"),), None, signal[None], weights)
    else:
        classes = signal > 0 if labels == "classes" else rng.random(40_000) < 0.5
        y = Labels((Label("y", (0, 1), "int64"),), classes.astype(np.int32)[None], None, weights)
    settings = Settings(criterion=criterion, max_depth=7, min_samples_leaf=2)
    oracle = grow(table_of(columns), y, settings, n_jobs=2, regime=PLAIN)
    for n_jobs in (1, 2, 3, 8):
        tree = grow(table_of(columns), y, settings, n_jobs=n_jobs)
        assert_same(tree, oracle, f"{n_jobs} threads")


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("spread", ["even", "uneven"])
def test_ties_between_labels_that_no_grid_holds_are_those_of_the_plain_search(spread, weighted):
    rng = np.random.default_rng(11)
    values = np.round(rng.normal(size=20_000), 2)
    numbers = values + rng.normal(size=20_000)
    numbers = np.exp(8 * numbers) if spread == "uneven" else numbers
    weights = rng.random(20_000) if weighted else None
    y = Labels((Label("y"),), None, numbers[None], weights)
    table = table_of([values, -values, rng.normal(size=20_000)])  # the first two tell the same
    settings = Settings(criterion="squared_error", max_depth=6)
    oracle = grow(table, y, settings, n_jobs=2, regime=PLAIN)
    assert_same(grow(table, y, settings, regime=FAST["histograms only"]), oracle, spread)


def test_a_float32_column_grows_the_tree_of_the_same_values_in_float64():
    rng = np.random.default_rng(3)
    narrow = [rng.normal(size=20_000).astype(np.float32) for _ in range(3)]
    y = Labels((Label("y"),), None, (narrow[0] * narrow[1]).astype(float)[None], None)
    settings = Settings(criterion="squared_error", max_depth=7)
    wide = [values.astype(float) for values in narrow]
    oracle = grow(table_of(wide), y, settings)
    features = table_of(wide).features
    table = Table(("x0", "x1", "x2"), True, features, tuple(narrow), 20_000)  # noqa: FBT003
    assert_same(grow(table, y, settings, n_jobs=2), oracle, "float32")


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("regime", [PLAIN, *FAST.values()], ids=["plain", *FAST])
def test_every_regime_refuses_infinity_even_in_a_row_without_weight(regime, dtype):
    rng = np.random.default_rng(8)
    table = table_of([rng.normal(size=700), rng.integers(0, 3, size=700).astype(float)])
    table = replace(table, values=tuple(values.astype(dtype) for values in table.values))
    table.values[0][::2] = np.nan
    table.values[1][517] = -np.inf
    weights = np.ones(700)
    weights[517] = 0
    y = Labels((Label("y"),), None, rng.normal(size=700)[None], weights)
    with pytest.raises(DataError) as raised:
        grow(table, y, Settings(criterion="squared_error"), n_jobs=2, regime=regime)
    assert str(raised.value) == (
        "Input X contains infinity: column 'x1' has -inf in row 517. "
        "Replace it by a finite number, or by nan if it is missing."
    )


def test_numbers_beyond_the_floats_are_not_infinite():
    values = np.linspace(-1e300, 1e300, 700)
    y = Labels((Label("y"),), None, (np.arange(700.0) > 350)[None] * 1.0, None)
    tree = grow(
        table_of([values]), y, Settings(criterion="squared_error"), regime=FAST["histograms only"]
    )
    assert tree.pivot[0] == (values[350] + values[351]) / 2


@pytest.mark.parametrize("splitter", ["best", "random"])
def test_integers_that_share_a_double_are_told_apart_in_a_large_table(splitter):
    values = 2**60 + np.random.default_rng(0).integers(0, 100, 20_000)
    y = Labels(
        (Label("y", (0, 1), "int64"),), (values >= 2**60 + 50).astype(np.int32)[None], None, None
    )
    settings = Settings(criterion="gini", splitter=splitter, random_state=0)
    tree = grow(table_of([values]), y, settings)
    assert_same(tree, grow(table_of([values]), y, settings, regime=PLAIN), splitter)
    assert np.all(tree.impurity[tree.feature < 0] == 0)


def test_groups_by_poisson_with_weights_of_many_orders_are_those_of_the_plain_search():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        codes = [rng.integers(0, 8, 40).astype(np.int32) for _ in range(2)]
        y = np.exp(4 * rng.normal(size=40))[None]
        labels = Labels((Label("y"),), None, y, np.exp(10 * rng.normal(size=40)))
        settings = Settings(criterion="poisson", categorical="group", max_depth=6)
        tree = grow(table_of(codes), labels, settings)
        assert_same(tree, grow(table_of(codes), labels, settings, regime=PLAIN), seed)


def test_many_columns_that_cut_few_rows_alike_give_the_tree_of_the_plain_search():
    rng = np.random.default_rng(0)
    columns = [rng.normal(size=60) for _ in range(300)]
    labels = Labels((Label("y"),), None, rng.normal(size=60)[None], None)
    settings = Settings(criterion="squared_error")
    tree = grow(table_of(columns), labels, settings)
    assert_same(tree, grow(table_of(columns), labels, settings, regime=PLAIN), "wide")


@pytest.mark.parametrize("categorical", ["each", "group"])
@pytest.mark.parametrize("orders", [0, 15])
def test_few_rows_of_choices_grow_the_tree_of_the_plain_search(categorical, orders):
    for seed in range(30):
        rng = np.random.default_rng(seed)
        n_rows = int(rng.integers(3, 60))
        columns = [rng.integers(-1, n, n_rows).astype(np.int32) for n in (3, 8, 40)]
        columns.append(
            np.where(rng.random(n_rows) < 0.3, np.nan, np.round(rng.normal(size=n_rows)))
        )
        weights = 10.0 ** rng.uniform(-orders, 0, n_rows) if orders else None
        y = Labels((Label("y"),), None, np.round(3 * rng.normal(size=n_rows))[None], weights)
        settings = Settings(criterion="squared_error", categorical=categorical)
        tree = grow(table_of(columns), y, settings)
        assert_same(tree, grow(table_of(columns), y, settings, regime=PLAIN), seed)


@pytest.mark.parametrize("n_classes", [3, 15, 16, 300])
@pytest.mark.parametrize("digits", [0, 1, 3])
def test_few_rows_of_many_classes_grow_the_tree_of_the_plain_search(n_classes, digits):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n_rows = int(rng.integers(3, 400))
        columns = [np.round(rng.normal(size=n_rows), digits) for _ in range(4)]
        classes = np.abs(columns[0]) * n_classes / 3 + rng.normal(size=n_rows)
        classes = classes.astype(np.int32) % n_classes
        label = Label("y", tuple(range(n_classes)), "int64")
        y = Labels((label,), classes[None], None, None)
        oracle = grow(table_of(columns), y, Settings(criterion="gini"), regime=PLAIN)
        tree = grow(table_of(columns), y, Settings(criterion="gini"))
        assert_same(tree, oracle, seed)
        np.testing.assert_array_equal(tree.class_guess, tree.guessed(tree.tally))


@pytest.mark.parametrize("regime", [PLAIN, *FAST.values()], ids=["plain", *FAST])
@pytest.mark.parametrize("kind", [Kind.CHOICE, Kind.ORDERED])
@pytest.mark.parametrize("n_choices", [100, 300])
def test_codes_of_any_width_grow_the_same_tree(regime, kind, n_choices):
    rng = np.random.default_rng(9)
    codes = rng.integers(-1, n_choices, size=4000)
    classes = (codes % 3 == 0) ^ (rng.random(4000) < 0.1)
    y = Labels((Label("y", (0, 1), "int64"),), classes.astype(np.int32)[None], None, None)
    feature = Feature("x0", kind, 0, choices=tuple(map(str, range(n_choices))))
    widths = [np.int32, np.int16] + [np.int8] * (n_choices <= 128)
    wide, *narrow = (
        grow(
            Table(("x0",), True, (feature,), (codes.astype(width),), 4000),  # noqa: FBT003
            y,
            Settings(criterion="gini", categorical="group"),
            regime=regime,
        )
        for width in widths
    )
    for tree in narrow:
        assert_same(tree, wide, regime)


def neighbours(start, count, *, dtype=np.float64):
    """Return as many numbers that have none of their type between them, as float64."""
    values = [dtype(start)]
    while len(values) < count:
        values.append(np.nextafter(values[-1], dtype(np.inf)))
    return np.array(values, dtype=float)


@pytest.mark.parametrize(
    "values",
    [
        np.append(neighbours(-1e-30, 13, dtype=np.float32), 3e38),
        np.append(neighbours(-1e-30, 600, dtype=np.float32), [-3e38, 3e38]),
        np.append(neighbours(1.0, 900), [-1e300, 1e300, 0.0]),
        neighbours(-3 * 5e-324, 400),
        np.concatenate([-np.logspace(-300, 300, 700), np.logspace(-300, 300, 700)]),
        np.array([-1.7e308, -1e-310, -0.0, 0.0, 1e-310, 1.7e308]),
    ],
    ids=["near and far", "nearer and farther", "one float", "tiny", "all sizes", "extremes"],
)
@pytest.mark.parametrize("regime", FAST)
def test_values_however_far_apart_grow_the_tree_of_the_plain_search(values, regime):
    rng = np.random.default_rng(5)
    columns = [rng.choice(values, 20_000), rng.permutation(np.resize(values, 20_000))]
    classes = (columns[0] > np.median(values)) ^ (rng.random(20_000) < 0.3)
    y = Labels((Label("y", (0, 1), "int64"),), classes.astype(np.int32)[None], None, None)
    settings = Settings(criterion="gini", max_depth=6, min_samples_leaf=3)
    oracle = grow(table_of(columns), y, settings, regime=PLAIN)
    assert_same(grow(table_of(columns), y, settings, n_jobs=2, regime=FAST[regime]), oracle, regime)


@pytest.mark.parametrize("seed", [71, 264, 290, 352, 674, 704])  # the best is better by a hair
def test_gains_that_hardly_differ_are_told_apart_in_the_longest_lists(seed):
    rng = np.random.default_rng(seed)
    leaf = int(rng.integers(7_600, 8_160))
    n_rows = 2 * leaf + 63 + int(rng.integers(1, 6))
    labels = np.resize([0, 1], n_rows).astype(np.int32)
    labels[rng.integers(0, leaf, rng.integers(0, 4))] = 1
    late = rng.integers(n_rows - leaf, n_rows, rng.integers(0, 6))
    labels[late] = rng.integers(0, 2, len(late))
    y = Labels((Label("y", (0, 1), "int64"),), labels[None], None, None)
    table = table_of([np.arange(n_rows, dtype=float)])
    settings = Settings(criterion="gini", max_depth=1, min_samples_leaf=leaf)
    oracle = grow(table, y, settings, regime=PLAIN)
    assert_same(grow(table, y, settings), oracle, f"seed {seed}")


def test_a_regime_cannot_ask_for_lists_that_are_too_long():
    rng = np.random.default_rng(7)
    table = table_of([rng.normal(size=40_000)])
    classes = (rng.random(40_000) < 0.5).astype(np.int32)
    y = Labels((Label("y", (0, 1), "int64"),), classes[None], None, None)
    settings = Settings(criterion="gini", max_depth=3)
    longest = {"list_rows": 50_000, "list_rows_at_root": 50_000}
    assert_same(grow(table, y, settings, regime=longest), grow(table, y, settings), "long lists")


def test_values_of_equal_mean_are_ordered_by_number_not_by_rounding():
    codes = np.array([0, 0, 1, 1, 1, 2], np.int32)
    feature = Feature("c", Kind.CHOICE, 0, choices=("a", "b", "c"))
    settings = Settings(criterion="squared_error", categorical="group", min_samples_leaf=3)
    for number in np.random.default_rng(0).random(50):
        numbers = number * np.array([-2.0, -2.0, 1.0, 1.0, 1.0, 1.0])
        for weights in (None, np.full(6, 3.0)):
            growth = (
                Table(("c",), True, (feature,), (codes,), 6),  # noqa: FBT003
                Labels((Label("y"),), None, numbers[None], weights),
                settings,
            )
            assert_same(grow(*growth), grow(*growth, regime=PLAIN), f"{number}, {weights}")


def test_choices_are_ordered_as_exactly_as_weights_allow():
    choice = np.array([0, 0] + [1] * 3 + [2] * 21, np.int32)
    number = np.array([0.0] * 21 + [1.0] * 5)
    numbers = np.array([1, -1] + [-0.2] * 3 + [-0.1] * 16 + [0.0] + [0.55] * 4)
    weights = np.array([3, 4.8] + [2000.0] * 19 + [2.0**55] + [2.0] * 4)  # no grid holds them all
    features = (Feature("c", Kind.CHOICE, 0, choices=("a", "b", "c")), Feature("x", Kind.NUMBER, 1))
    table = Table(("c", "x"), True, features, (choice, number), 26)  # noqa: FBT003
    y = Labels((Label("y"),), None, numbers[None], weights)
    settings = Settings(criterion="squared_error", categorical="group", min_samples_leaf=5)
    oracle = grow(table, y, settings, regime=PLAIN)
    for name, regime in FAST.items():
        assert_same(grow(table, y, settings, regime=regime), oracle, name)


def test_weights_of_many_orders_take_no_longer_than_the_plain_search_by_far():
    rng = np.random.default_rng(12)
    columns = [rng.normal(size=20_000) for _ in range(2)]
    weights = np.exp(4 * rng.normal(size=20_000))
    y = Labels((Label("y"),), None, rng.normal(size=20_000)[None], weights)
    settings = Settings(criterion="squared_error", max_depth=1)
    seconds = []
    for regime in (PLAIN, None):
        start = time.process_time()
        grow(table_of(columns), y, settings, regime=regime)
        seconds.append(time.process_time() - start)
    plain, fast = seconds
    assert fast < 10 * plain + 1


@pytest.mark.parametrize("criterion", ["poisson", "squared_error", "gini"])
def test_a_limit_on_weight_means_the_same_however_weights_are_counted(criterion):
    rng = np.random.default_rng(0)
    columns = [rng.normal(size=2000) for _ in range(3)]
    floats = rng.random(2000).astype(np.float32).astype(float)
    heavy = rng.integers(1, 2**14, size=2000).astype(float)
    heavy[:8] = 2.0**48 + 1
    for weights in (floats, heavy):
        if criterion == "gini":
            codes = (columns[0] > 0).astype(np.int32) ^ (rng.random(2000) < 0.2)
            y = Labels((Label("y", (0, 1), "int64"),), codes[None].astype(np.int32), None, weights)
        else:
            counts = rng.poisson(np.exp(columns[0])).astype(float)
            y = Labels((Label("y"),), None, counts[None], weights)
        settings = Settings(criterion=criterion, min_weight_fraction_leaf=0.05)
        oracle = grow(table_of(columns), y, settings, regime=PLAIN)
        for regime in FAST.values():
            assert_same(grow(table_of(columns), y, settings, regime=regime), oracle, criterion)


def test_gains_of_heavy_and_light_rows_are_told_apart_by_entropy():
    columns = [
        [9, 2, 7, 4, 5, 11, 0, 3, 6, 10, 8, 1],
        [10, 9, 5, 4, 2, 7, 6, 1, 3, 11, 8, 0],
        [4, 5, 7, 6, 2, 3, 10, 9, 11, 8, 1, 0],
    ]
    weights = [1004, 896, 115, 1, 4, 1, 6, 79541601524, 2, 248474889468, 5, 258107478573]
    codes = np.array([1] * 3 + [0] * 9, np.int32)
    y = Labels((Label("y", (0, 1), "int64"),), codes[None], None, np.array(weights, float))
    table = table_of([np.array(values, float) for values in columns])
    for criterion in ("entropy", "gain_ratio"):
        settings = Settings(criterion=criterion)
        oracle = grow(table, y, settings, regime=PLAIN)
        for regime in FAST.values():
            assert_same(grow(table, y, settings, regime=regime), oracle, criterion)


@pytest.mark.parametrize("criterion", ["squared_error", "poisson"])
def test_an_output_that_is_constant_changes_no_query(criterion):
    rng = np.random.default_rng(2)
    columns = [rng.normal(size=3000) for _ in range(3)]
    numbers = np.abs(columns[0]) + rng.random(3000)
    alone = Labels((Label("a"),), None, numbers[None], None)
    beside = Labels((Label("a"), Label("b")), None, np.array([numbers, np.ones(3000)]), None)
    settings = Settings(criterion=criterion, max_depth=6)
    tree, other = (grow(table_of(columns), labels, settings) for labels in (alone, beside))
    assert np.array_equal(tree.feature, other.feature)
    assert np.array_equal(tree.pivot, other.pivot, equal_nan=True)


def test_drawn_cuts_that_part_rows_alike_are_tied():
    n_rows = 16_384
    above = (np.arange(n_rows) < 0.97 * n_rows).astype(float)
    y = np.where(above > 0, 2.37, 0.86)
    y[5] = 8.01
    X = np.column_stack([above, 1 - above])
    tree = DecisionTreeRegressor(splitter="random", random_state=0, max_depth=1).fit(X, y)
    assert tree.tree_.feature[0] == 0


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_a_drawn_cut_before_a_row_of_hardly_any_weight_gains_nothing(kind):
    y = np.tile([0, 1], 4)
    X = np.column_stack([y, np.arange(8) == 7]).astype(float)
    weights = [0.76, 0.98, 0.57, 0.97, 0.66, 0.71, 0.91, 1e-15]
    tree = kind(splitter="random", random_state=0, max_depth=1).fit(X, y, sample_weight=weights)
    assert tree.tree_.feature[0] == 0


def test_a_value_of_hardly_any_weight_may_belong_far_from_its_place():
    columns = {"c": ["a", "z", "c", "d", "x"]}
    y = np.array([-0.7, 0.7, -1.1, -0.9, -0.6])
    weights = [2.0**50, 2.0**50, 2.0**30, 2.0**30, 1.0]
    tree = DecisionTreeRegressor(categorical="group", max_depth=1)
    tree.fit(columns, y, sample_weight=weights)
    assert tree.rules()[0].conditions[0].codes == (0, 1, 2)
