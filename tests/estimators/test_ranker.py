"""`DecisionTreeRanker`: orders of the rows of groups."""

import pickle
from datetime import date, datetime

import made_tables
import numpy as np
import pytest
import sklearn
from against_reference import query_in_words, reference_query_in_words
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score

import bough
import bough.reference as ref
from bough import DecisionTreeRanker
from bough.encode import Labels
from bough.errors import DataError, DataTypeError, ModelFormatError, ParameterError
from bough.ranking import centred_gains, ndcg
from bough.schema import Label

X = [[1], [5], [2], [1], [9]]
STARS = [0, 2, 1, 0, 1]
GROUP = ["a", "a", "a", "b", "b"]


def made(seed=0, n_groups=40):
    """Return a table, the relevance of its rows, and their groups."""
    table = made_tables.relevances(n_groups, seed)
    return (
        {name: table[name] for name in ("match", "kind", "junk")},
        table["stars"],
        table["search"],
    )


@pytest.mark.parametrize("categorical", ["each", "group"])
@pytest.mark.parametrize("seed", range(4))
def test_it_grows_the_reference_tree_of_centred_gains(seed, categorical):
    columns, stars, group = made(seed, n_groups=8)
    columns["match"] = np.round(columns["match"], 1).tolist()
    codes = np.unique(group, return_inverse=True)[1]
    labels = centred_gains(Labels((Label("y"),), None, np.array([stars], float), group=codes))
    root = ref.grow(
        ref.Table(columns, labels.values[0].tolist(), labels.weights.tolist()),
        ref.Settings(criterion="squared_error", categorical=categorical, max_depth=4),
    )
    tree = DecisionTreeRanker(categorical=categorical, max_depth=4, n_jobs=1)
    grown = tree.fit(columns, stars, group=group).grown_tree_
    expected = ref.breadth_first(root)
    assert [query_in_words(node.query) for node in grown] == [
        reference_query_in_words(node.query) for node in expected
    ]
    assert grown.gain == pytest.approx([float(node.gain) for node in expected], abs=1e-11)
    assert grown.guess[:, 0] == pytest.approx([float(node.guess) for node in expected], abs=1e-11)


def test_what_all_rows_of_a_group_share_is_never_asked_about():
    columns, stars, group = made()
    mean = {
        own: np.mean([s for s, each in zip(stars, group, strict=True) if each == own])
        for own in group
    }
    liked = {"liked": [mean[each] for each in group]}
    stump = DecisionTreeRanker(max_depth=1).fit(columns | liked, stars, group=group)
    assert stump.grown_tree_[0].query.feature.name == "match"
    assert DecisionTreeRanker().fit(liked, stars, group=group).grown_tree_.gain[0] < 1e-12


def test_it_ranks_better_than_a_tree_that_guesses_relevance():
    (columns, stars, group), (others, truth, others_group) = made(0, 200), made(1, 200)
    ranker = DecisionTreeRanker(min_samples_leaf=20).fit(columns, stars, group=group)
    plain = bough.DecisionTreeRegressor(min_samples_leaf=20).fit(columns, stars)
    assert ranker.score(others, truth, group=others_group) > ndcg(
        plain.predict(others), truth, others_group
    )


def test_rows_are_ranked_group_by_group_and_ties_stay_in_order():
    tree = DecisionTreeRanker(max_depth=1).fit([[1], [2]], [0, 1])
    order = tree.rank([[1], [2], [9], [1], [9]], group=["b", "a", "b", "b", "a"])
    assert order.tolist() == [2, 0, 3, 1, 4]


def test_without_groups_all_rows_are_of_one_group():
    assert DecisionTreeRanker().fit([[1], [2], [3]], [0, 1, 2]).rank([[1], [3], [2]]).tolist() == [
        1,
        2,
        0,
    ]


def test_the_score_is_the_ndcg_of_the_scores():
    columns, stars, group = made()
    tree = DecisionTreeRanker(max_depth=2).fit(columns, stars, group=group)
    assert tree.score(columns, stars, group=group) == ndcg(tree.predict(columns), stars, group)


def test_the_loss_at_each_depth_is_that_of_the_tree_cut_there():
    columns, stars, group = made()
    tree = DecisionTreeRanker().fit(columns, stars, group=group)
    losses = tree.depths_path(columns, stars, group=group)
    assert len(losses) == tree.get_depth() + 1
    for depth in (0, 1, 3, tree.get_depth()):
        cut = DecisionTreeRanker(max_depth=depth).fit(columns, stars, group=group)
        assert losses[depth] == pytest.approx(1 - cut.score(columns, stars, group=group))


def test_the_pruning_path_leads_to_its_trees():
    columns, stars, group = made()
    path = DecisionTreeRanker().cost_complexity_pruning_path(columns, stars, group=group)
    alpha = path.ccp_alphas[len(path.ccp_alphas) // 2]
    pruned = DecisionTreeRanker(ccp_alpha=alpha).fit(columns, stars, group=group)
    assert (
        1
        < pruned.get_n_leaves()
        < DecisionTreeRanker().fit(columns, stars, group=group).get_n_leaves()
    )


def test_the_order_of_rows_and_the_names_of_groups_change_nothing():
    columns, stars, group = made()
    rows = np.random.default_rng(0).permutation(len(stars)).tolist()
    names = {name: number for number, name in enumerate(dict.fromkeys(group))}
    one = DecisionTreeRanker(n_jobs=1).fit(columns, stars, group=group)
    other = DecisionTreeRanker(n_jobs=2).fit(
        made_tables.some_rows(columns, rows),
        [stars[row] for row in rows],
        group=[names[group[row]] for row in rows],
    )
    assert bough.export(one, "json") == bough.export(other, "json")


def test_weights_that_are_all_equal_change_nothing():
    columns, stars, group = made()
    weighted = DecisionTreeRanker(max_depth=3).fit(columns, stars, [2.0] * len(stars), group=group)
    plain = DecisionTreeRanker(max_depth=3).fit(columns, stars, group=group)
    assert weighted.predict(columns).tolist() == plain.predict(columns).tolist()


def test_a_least_share_of_the_weight_is_one_of_what_groups_count():
    # The first group has rows of high relevance, each of which counts for little.
    table, stars, group = [[0], [0], [1], [1]], [4, 3, 1, 0], ["a", "a", "b", "b"]
    tree = DecisionTreeRanker(min_weight_fraction_leaf=0.3).fit(table, stars, group=group)
    assert tree.get_n_leaves() == 1


def test_missing_values_and_strings_are_taken_as_they_are():
    table = {"a": [1.0, None, 3.0, None], "b": ["x", "y", None, "x"]}
    tree = DecisionTreeRanker().fit(table, [0, 2, 1, 3])
    assert tree.rank(table).tolist() == [3, 1, 2, 0]


@pytest.mark.parametrize("way", ["file", "pickle"])
def test_a_saved_ranker_comes_back(way, tmp_path):
    columns, stars, group = made()
    tree = DecisionTreeRanker(max_depth=3).fit(columns, stars, group=group)
    if way == "file":
        tree.save(tmp_path / "stars.bough.json")
        back = bough.load(tmp_path / "stars.bough.json")
    else:
        back = pickle.loads(pickle.dumps(tree))
    assert type(back) is DecisionTreeRanker
    assert back.predict(columns).tolist() == tree.predict(columns).tolist()


def test_a_file_of_a_ranker_is_no_regressor(tmp_path):
    path = tmp_path / "stars.bough.json"
    DecisionTreeRanker().fit(X, STARS, group=GROUP).save(path)
    path.write_text(path.read_text().replace("DecisionTreeRanker", "DecisionTreeRegressor"))
    with pytest.raises(ModelFormatError) as error:
        bough.load(path)
    assert str(error.value) == (
        f"{str(path)!r} holds a tree that ranks rows, but says it is a DecisionTreeRegressor."
    )


def test_groups_are_routed():
    columns, stars, group = made()
    codes = np.unique(group, return_inverse=True)[1]
    table = np.stack([columns["match"], columns["junk"]], axis=1)
    with sklearn.config_context(enable_metadata_routing=True):
        tree = DecisionTreeRanker().set_fit_request(group=True).set_score_request(group=True)
        search = GridSearchCV(tree, {"max_depth": [1, 3]}, cv=GroupKFold(3))
        search.fit(table, stars, groups=codes, group=codes)
        each = cross_val_score(
            tree, table, stars, cv=GroupKFold(3), params={"groups": codes, "group": codes}
        )
    folds = list(GroupKFold(3).split(table, stars, codes))
    train, test = folds[0]
    first = DecisionTreeRanker().fit(table[train], np.array(stars)[train], group=codes[train])
    assert each[0] == first.score(table[test], np.array(stars)[test], group=codes[test])
    assert search.best_score_ > 0.5


def test_it_can_be_cloned():
    assert repr(clone(DecisionTreeRanker(max_depth=2))) == "DecisionTreeRanker(max_depth=2)"


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        (
            {"group": [3, 2]},
            DataError,
            (
                "group has 2 values, but X has 5 rows. Give the group of each row. If these "
                "are group sizes, use numpy.repeat(numpy.arange(len(group)), group)."
            ),
        ),
        (
            {"group": ["a", "b"]},
            DataError,
            "group has 2 values, but X has 5 rows. Give the group of each row.",
        ),
        (
            {"group": [[1], [1], [1], [2], [2]]},
            DataError,
            "group has 2 dimensions. Give the group of each row, as in group=frame['qid'].",
        ),
        (
            {"group": [1.0, 1.0, np.nan, 2.0, np.nan]},
            DataError,
            "group is missing in 2 rows (first in row 2). Fill it in, or leave these rows out.",
        ),
        (
            {"group": np.array([1, 1, "b", "b", 2], object)},
            DataTypeError,
            "group mixes text and numbers. Make them all text or all numbers.",
        ),
        (
            {"sample_weight": [1, 1, 1, 0, 0]},
            DataError,
            (
                "all rows of group 'b' have weight 0. Give a row of each group a weight, or "
                "leave these groups out."
            ),
        ),
        (
            {"y": [0, 2, -1, 0, 1]},
            DataError,
            ("y is -1 in row 2. A relevance must be 0 or more; rows that are not relevant have 0."),
        ),
        (
            {"y": [[0, 1]] * 5},
            DataError,
            "y has 2 columns. Give one: the relevance of each row.",
        ),
        ({"y": [0, 2, np.nan, 0, 1]}, DataError, "Input y contains NaN."),
        (
            {"y": ["a", "b", "a", "b", "a"]},
            DataError,
            "y holds 'a' in row 0, which is not a number. A ranker ranks by numbers; use "
            "DecisionTreeClassifier for classes.",
        ),
        (
            {"group": [date(2020, 1, 1), datetime(2020, 1, 1), 3, 4, 5]},
            DataTypeError,
            "group has values that cannot be sorted. Make them all text or all numbers.",
        ),
        (
            {"group": [[1, 2], [3], 4, 5, 6]},
            DataError,
            "group holds lists. Give one number or text for each row.",
        ),
        (
            {"group": np.ma.masked_array([1, 1, 1, 2, 2], [0, 1, 0, 0, 0])},
            DataError,
            "group is missing in 1 row (first in row 1). Fill it in, or leave these rows out.",
        ),
        (
            {"y": [0] * 5},
            DataError,
            (
                "y is 0 in every row, so every order is equally good. Give at least one row "
                "a relevance above 0."
            ),
        ),
    ],
)
def test_bad_input_is_refused_with_what_to_do(given, kind, message):
    with pytest.raises(kind) as error:
        DecisionTreeRanker().fit(**{"X": X, "y": STARS, "group": GROUP, **given})
    assert str(error.value) == message


def test_a_criterion_of_another_task_is_refused():
    with pytest.raises(ParameterError) as error:
        DecisionTreeRanker(criterion="gini").fit(X, STARS)
    assert str(error.value) == "criterion='gini' is not known for ranking. Known: 'ndcg'."


def test_scores_can_be_made_to_go_one_way():
    columns, stars, group = made()
    tree = DecisionTreeRanker(monotonic_cst={"match": 1}).fit(columns, stars, group=group)
    steps = {"match": np.linspace(0, 1, 50).tolist(), "kind": ["new"] * 50, "junk": [0.0] * 50}
    assert np.all(np.diff(tree.predict(steps)) >= 0)
