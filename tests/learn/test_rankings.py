"""Rankings through the protocol: groups stay together, and every tree is measured by groups."""

import made_tables
import numpy as np
import pytest

import bough
from bough.errors import BoughError
from bough.learn.check_table import check
from bough.learn.compare import compare
from bough.learn.evaluate import evaluate
from bough.learn.look_at_columns import look
from bough.learn.request import Request
from bough.learn.row_plan import make_plan, target_of
from bough.learn.score_columns import score
from bough.ranking import ndcg
from bough.table import open_source

SEED = 3


@pytest.fixture(scope="module")
def table():
    return made_tables.relevances(120)


@pytest.fixture(scope="module")
def result(table):
    return fit(table)


def fit(table, **choices):
    return bough.fit(table, "stars", **{"task": "rank", "group": "search", "n_jobs": 1, **choices})


def plan_of(table, **split):
    request = Request(target="stars", task="rank", group="search", seed=SEED, **split)
    source = open_source(table)
    seen = look([source], request.checked(source))
    return make_plan(seen, request, target_of(seen, request))


@pytest.mark.parametrize("n_groups", [40, 400], ids=["folds", "one split"])
def test_whole_groups_stay_together(n_groups):
    plan = plan_of(made_tables.relevances(n_groups))
    parts = [plan.rows.take(rows).group for _, rows in plan.pairs]
    if not plan.is_folded:
        parts.append(plan.rows.take(plan.train).group)
    parts.append(plan.sealed.open().group)
    groups = [set(part.tolist()) for part in parts]
    assert sum(map(len, groups)) == len(set.union(*groups)) == n_groups


def test_the_estimate_is_the_ndcg_of_the_model_on_the_test_rows(table):
    test = new_groups()
    result = fit(table, test=test)
    scores = result.model.predict({name: test[name] for name in ("match", "kind", "junk")})
    assert result.test["ndcg"].value == pytest.approx(ndcg(scores, test["stars"], test["search"]))
    assert result.test["ndcg_loss"].value == pytest.approx(1 - result.test["ndcg"].value)


def test_groups_without_a_relevant_row_do_not_count(table):
    test = new_groups()
    relevant = {each for each, stars in zip(test["search"], test["stars"], strict=True) if stars}
    assert fit(table, test=test).test["ndcg"].n == len(relevant) < 50


def test_the_baseline_is_a_random_order(table):
    test = new_groups()
    found = fit(table, test=test).baseline["ndcg"].value
    assert found == pytest.approx(ndcg(np.zeros(len(test["stars"])), test["stars"], test["search"]))


@pytest.mark.parametrize("n_groups", [40, 400], ids=["folds", "one split"])
def test_the_loss_of_the_chosen_tree_is_what_the_estimate_says(n_groups):
    evidence = fit(made_tables.relevances(n_groups)).evidence
    assert evidence.chosen.dev == pytest.approx(evidence.dev["ndcg_loss"].value)
    assert evidence.chosen.train == pytest.approx(evidence.train["ndcg_loss"].value)


def test_the_standard_error_of_a_size_is_one_over_groups():
    dev = new_groups()
    result = fit(made_tables.relevances(60), dev=dev, refit=False)
    scores = result.model.predict({name: dev[name] for name in ("match", "kind", "junk")})
    rows = {each: [] for each in dev["search"]}
    for row, each in enumerate(dev["search"]):
        rows[each].append(row)
    each = [
        ndcg(scores[r], np.array(dev["stars"])[r])
        for r in rows.values()
        if any(dev["stars"][i] for i in r)
    ]
    expected = np.std(each, ddof=1) / np.sqrt(len(each))
    assert result.evidence.chosen.dev_error == pytest.approx(expected)


def test_the_result_speaks_of_groups(result):
    text = str(result)
    assert "predict stars (for ranking)" in text
    assert "Expected NDCG@10 on new groups: " in text
    assert f"({result.test['ndcg'].n} test groups)" in text
    assert "\nBaseline (random order): " in text
    assert "higher scores rank first" in text


def test_more_rows_are_more_groups(table):
    points = fit(table).evidence.learning
    assert [n for n, _ in points] == sorted(n for n, _ in points)
    assert all(0 < loss < 1 for _, loss in points)


def test_a_doubling_of_the_rows_is_one_where_some_groups_have_no_relevant_row():
    table = made_tables.relevances(200)
    some = relevant_only(table, {f"q{number}" for number in range(0, 200, 3)})
    (quarter, _), (half, _), (whole, _) = fit(some).evidence.learning
    assert [quarter, half] == [pytest.approx(share * whole, rel=0.2) for share in (0.25, 0.5)]


def test_its_own_table_does_not_come_from_elsewhere():
    """Rows of groups without a relevant row are not counted in the tree, but they come to it."""
    rng = np.random.default_rng(0)
    search = np.repeat(np.arange(400), 10)
    is_idle = search % 2 == 0
    match = rng.uniform(size=4000) - 0.5 * is_idle
    stars = np.where(is_idle, 0, (2 * match + rng.uniform(size=4000)).astype(int))
    table = {"search": search.tolist(), "match": match.tolist(), "stars": stars.tolist()}
    assert "B208" not in {note.code for note in evaluate(fit(table).saved, table).notes}


def test_few_groups_that_are_ranked_perfectly_leave_room_for_worse(result):
    best = made_tables.relevances(3, seed=1)
    best = {**best, "search": [f"new {each}" for each in best["search"]]}
    best["match"] = [each / 4 for each in best["stars"]]
    best["kind"] = ["new" if each else "old" for each in best["stars"]]
    found = evaluate(result.saved, best).estimates["ndcg"]
    assert found.low < found.value


def test_no_ranking_is_known_that_no_tree_can_beat(result):
    assert result.evidence.unavoidable is None


def test_a_table_without_a_pattern_is_no_better_than_a_random_order():
    rng = np.random.default_rng(0)
    table = {
        "search": np.repeat(np.arange(100), 8).tolist(),
        "x": rng.normal(size=800).tolist(),
        "stars": rng.integers(0, 3, 800).tolist(),
    }
    notes = {note.code: note.text for note in fit(table).notes}
    assert "better than a random order: its NDCG@10 is 0." in notes["B205"]
    assert notes["B201"].startswith("Only 20 test groups: the true NDCG@10 could be as low as 0.")


def test_the_model_is_a_ranker_and_knows_its_column_of_groups(result, tmp_path):
    result.save(tmp_path / "stars.bough.json")
    tree = bough.load(tmp_path / "stars.bough.json")
    assert isinstance(tree, bough.DecisionTreeRanker)
    assert result.evidence.group == "search"
    assert tree.grown_tree_.schema.task == "ranking"


def test_the_order_of_rows_changes_nothing(table, result):
    rows = np.random.default_rng(0).permutation(len(table["stars"])).tolist()
    other = fit(made_tables.some_rows(table, rows))
    assert bough.export(other, "json") == bough.export(result, "json")


def test_weights_are_those_of_rows(table):
    weighted = {**table, "weight": [2.0] * len(table["stars"])}
    assert fit(weighted, weight="weight").test["ndcg"].value > 0.5


def test_a_finished_model_is_measured_by_groups(result):
    other = made_tables.relevances(40, seed=5)
    found = evaluate(result.saved, other)
    scores = result.model.predict({name: other[name] for name in ("match", "kind", "junk")})
    assert found.task == "ranking"
    assert found.estimates["ndcg"].value == pytest.approx(
        ndcg(scores, other["stars"], other["search"])
    )


def test_two_rankings_are_compared_group_by_group(table, result):
    stump = fit(table, ignore=["match"])
    found = compare(result.saved, stump.saved, made_tables.relevances(40, seed=5))
    assert found.better == "first"
    assert found.difference.n == found.first["ndcg"].n > 30
    assert found.difference.value == pytest.approx(
        found.second["ndcg_loss"].value - found.first["ndcg_loss"].value
    )


def test_the_first_question_is_scored_by_centred_gains(table):
    scores = score(table, "stars", task="rank", group="search")
    assert (scores.task, scores.criterion, scores.first) == ("ranking", "ndcg", "match")


def test_a_table_is_checked_as_it_would_be_learnt_from(table):
    found = check(table, "stars", task="rank", group="search")
    assert found.task == "ranking"
    assert {column.name: column.role for column in found.columns}["search"] == "group"


def with_column(name, change):
    table = made_tables.relevances(40)
    table[name] = [change(each) for each in table[name]]
    return table


def relevant_only(table, groups):
    """Return the table with a relevance of 0 in all but some groups."""
    cells = zip(table["search"], table["stars"], strict=True)
    return {**table, "stars": [stars if each in groups else 0 for each, stars in cells]}


def shared_groups():
    test = made_tables.relevances(3, seed=1)
    return made_tables.relevances(40), {"test": test}


def new_groups(n_groups=50):
    """Return a table of other groups than `table` has."""
    table = made_tables.relevances(n_groups, seed=1)
    return {**table, "search": [f"new {each}" for each in table["search"]]}


REFUSED = {
    "no group": (
        lambda: (made_tables.relevances(40), {"group": None}),
        "task='rank' needs group=…, the column that names the group: rows are ranked within it. Columns: 'search', 'match', 'kind', 'junk' and 'stars'.",
    ),
    "negative": (
        lambda: (with_column("stars", lambda each: each - 4), {}),
        (
            "stars is -4 in row 0 (and 305 more rows are out of range). A relevance must be "
            "0 or more; rows that are not relevant have 0."
        ),
    ),
    "words": (
        lambda: (with_column("stars", lambda each: f"{each} stars"), {}),
        "The target 'stars' has no numbers, but task='rank' ranks by numbers. Use "
        "task='classification', or name a column of numbers.",
    ),
    "nothing relevant": (
        lambda: (with_column("stars", lambda each: 0 * each), {}),
        (
            "stars is 0 in every row, so every order is equally good. Give at least one row "
            "a relevance above 0."
        ),
    ),
    "nothing relevant in the test rows": (
        lambda: (relevant_only(made_tables.relevances(40), {"q0", "q2"}), {}),
        "The test rows have no group with a relevant row; there are 2 in all. Give more such groups, or split the rows differently: seed=…, split=…, or separate tables, dev=… and test=…",
    ),
    "nothing relevant in a fold's training rows": (
        lambda: (relevant_only(made_tables.relevances(40), {"q1"}), {"test": new_groups()}),
        "The training rows of a fold have no group with a relevant row; there are 47 in all. Give more such groups, or split the rows differently: seed=…, split=…, or separate tables, dev=… and test=…",
    ),
    "shared groups": (
        shared_groups,
        "Group 'q0' has 13 rows in the training table and 8 in the test table; 3 groups are in more than one table. Keep all rows of a group in one table: shared groups make the estimate too good.",
    ),
    "idle group": (
        lambda: (
            {
                **made_tables.relevances(40),
                "w": [float(each != "q7") for each in made_tables.relevances(40)["search"]],
            },
            {"weight": "w"},
        ),
        (
            "all rows of group 'q7' have weight 0. Give a row of each group a weight, or "
            "leave these groups out."
        ),
    ),
    "loss": (
        lambda: (made_tables.relevances(40), {"loss": "squared_error"}),
        "loss='squared_error' is not known for ranking. Known: 'ndcg_loss'.",
    ),
}


@pytest.mark.parametrize(("given", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_bad_input_is_refused_with_what_to_do(given, message):
    table, choices = given()
    with pytest.raises(BoughError) as error:
        fit(table, **choices)
    assert str(error.value) == message


MISSING_QUERIES = {
    "no column": (
        lambda table: {name: cells for name, cells in table.items() if name != "search"},
        "The table has no column 'search', which names the groups. It has 'match', 'kind', 'junk' and 'stars'.",
    ),
    "missing": (
        lambda table: {**table, "search": [None, *table["search"][1:]]},
        "The group column 'search' is missing in 1 row. Fill it in, or leave these rows out.",
    ),
    "nothing relevant": (
        lambda table: {**table, "stars": [0] * len(table["stars"])},
        (
            "No group has a relevant row, so every order is equally good. Give rows with a "
            "relevance above 0."
        ),
    ),
}


@pytest.mark.parametrize(("change", "message"), MISSING_QUERIES.values(), ids=MISSING_QUERIES)
def test_a_ranking_cannot_be_measured_without_groups(result, change, message):
    with pytest.raises(BoughError) as error:
        evaluate(result.saved, change(made_tables.relevances(20)))
    assert str(error.value) == message


def test_a_model_that_does_not_know_its_groups_says_what_to_do(table):
    columns = {name: table[name] for name in ("match", "kind", "junk")}
    tree = bough.DecisionTreeRanker().fit(columns, table["stars"], group=table["search"])
    with pytest.raises(BoughError) as error:
        evaluate(tree.__bough_model__(), {**table, "y": table["stars"]})
    assert str(error.value) == (
        "The model ranks the rows of groups, but does not say which column names the group. Learn "
        "it with 'bough fit --task rank --group COLUMN', or measure it in Python: tree.score(X, y, "
        "group=…)."
    )
