"""Rankings through the protocol: groups stay together, and every tree is measured by groups."""

import made_tables
import numpy as np
import pytest

import bough
from bough.errors import BoughError
from bough.learn.check import check
from bough.learn.compare import compare
from bough.learn.evaluate import evaluate
from bough.learn.look_at_columns import look
from bough.learn.request import Request
from bough.learn.row_plan import make_plan, target_of
from bough.learn.score_columns import score
from bough.losses import ndcg
from bough.table import open_source

SEED = 3


@pytest.fixture(scope="module")
def table():
    return made_tables.queries(120)


@pytest.fixture(scope="module")
def result(table):
    return fit(table)


def fit(table, **choices):
    return bough.fit(table, "stars", **{"task": "rank", "group": "query", "n_jobs": 1, **choices})


def plan_of(table, **split):
    request = Request(target="stars", task="rank", group="query", seed=SEED, **split)
    source = open_source(table)
    seen = look([source], request.checked(source))
    return make_plan(seen, request, target_of(seen, request))


@pytest.mark.parametrize("n_queries", [40, 400], ids=["folds", "one split"])
def test_whole_queries_stay_together(n_queries):
    plan = plan_of(made_tables.queries(n_queries))
    parts = [plan.rows.take(rows).group for _, rows in plan.pairs]
    if not plan.is_folded:
        parts.append(plan.rows.take(plan.train).group)
    parts.append(plan.sealed.open().group)
    queries = [set(part.tolist()) for part in parts]
    assert sum(map(len, queries)) == len(set.union(*queries)) == n_queries


def test_the_estimate_is_the_ndcg_of_the_model_on_the_test_rows(table):
    test = new_queries()
    result = fit(table, test=test)
    scores = result.model.predict({name: test[name] for name in ("match", "kind", "junk")})
    assert result.test["ndcg"].value == pytest.approx(ndcg(scores, test["stars"], test["query"]))
    assert result.test["ndcg_loss"].value == pytest.approx(1 - result.test["ndcg"].value)


def test_queries_without_a_relevant_row_do_not_count(table):
    test = new_queries()
    relevant = {q for q, stars in zip(test["query"], test["stars"], strict=True) if stars}
    assert fit(table, test=test).test["ndcg"].n == len(relevant) < 50


def test_the_baseline_is_a_random_order(table):
    test = new_queries()
    found = fit(table, test=test).baseline["ndcg"].value
    assert found == pytest.approx(ndcg(np.zeros(len(test["stars"])), test["stars"], test["query"]))


@pytest.mark.parametrize("n_queries", [40, 400], ids=["folds", "one split"])
def test_the_loss_of_the_chosen_tree_is_what_the_estimate_says(n_queries):
    evidence = fit(made_tables.queries(n_queries)).evidence
    assert evidence.chosen.dev == pytest.approx(evidence.dev["ndcg_loss"].value)
    assert evidence.chosen.train == pytest.approx(evidence.train["ndcg_loss"].value)


def test_the_standard_error_of_a_size_is_one_over_queries():
    dev = new_queries()
    result = fit(made_tables.queries(60), dev=dev, refit=False)
    scores = result.model.predict({name: dev[name] for name in ("match", "kind", "junk")})
    rows = {query: [] for query in dev["query"]}
    for row, query in enumerate(dev["query"]):
        rows[query].append(row)
    each = [
        ndcg(scores[r], np.array(dev["stars"])[r])
        for r in rows.values()
        if any(dev["stars"][i] for i in r)
    ]
    expected = np.std(each, ddof=1) / np.sqrt(len(each))
    assert result.evidence.chosen.dev_error == pytest.approx(expected)


def test_the_result_speaks_of_queries(result):
    text = str(result)
    assert "predict stars (for ranking)" in text
    assert "Expected NDCG@10 on new groups: " in text
    assert f"({result.test['ndcg'].n} test groups)" in text
    assert "\nBaseline (random order): " in text
    assert "higher scores rank first" in text


def test_more_rows_are_more_queries(table):
    points = fit(table).evidence.learning
    assert [n for n, _ in points] == sorted(n for n, _ in points)
    assert all(0 < loss < 1 for _, loss in points)


def test_a_doubling_of_the_rows_is_one_where_some_queries_have_no_relevant_row():
    table = made_tables.queries(200)
    some = relevant_only(table, {f"q{number}" for number in range(0, 200, 3)})
    (quarter, _), (half, _), (whole, _) = fit(some).evidence.learning
    assert [quarter, half] == [pytest.approx(share * whole, rel=0.2) for share in (0.25, 0.5)]


def test_its_own_table_does_not_come_from_elsewhere():
    """Rows of groups without a relevant row are not counted in the tree, but they come to it."""
    rng = np.random.default_rng(0)
    query = np.repeat(np.arange(400), 10)
    is_idle = query % 2 == 0
    match = rng.uniform(size=4000) - 0.5 * is_idle
    stars = np.where(is_idle, 0, (2 * match + rng.uniform(size=4000)).astype(int))
    table = {"query": query.tolist(), "match": match.tolist(), "stars": stars.tolist()}
    assert "B208" not in {note.code for note in evaluate(fit(table).saved, table).notes}


def test_few_queries_that_are_ranked_perfectly_leave_room_for_worse(result):
    best = made_tables.queries(3, seed=1)
    best = {**best, "query": [f"new {each}" for each in best["query"]]}
    best["match"] = [each / 4 for each in best["stars"]]
    best["kind"] = ["new" if each else "old" for each in best["stars"]]
    found = evaluate(result.saved, best).estimates["ndcg"]
    assert found.low < found.value


def test_no_ranking_is_known_that_no_tree_can_beat(result):
    assert result.evidence.unavoidable is None


def test_a_table_without_a_pattern_is_no_better_than_a_random_order():
    rng = np.random.default_rng(0)
    table = {
        "query": np.repeat(np.arange(100), 8).tolist(),
        "x": rng.normal(size=800).tolist(),
        "stars": rng.integers(0, 3, 800).tolist(),
    }
    notes = {note.code: note.text for note in fit(table).notes}
    assert "better than a random order: its NDCG@10 is 0." in notes["B205"]
    assert notes["B201"].startswith("Only 20 test groups: the true NDCG@10 could be as low as 0.")


def test_the_model_is_a_ranker_and_knows_its_column_of_queries(result, tmp_path):
    result.save(tmp_path / "stars.bough.json")
    tree = bough.load(tmp_path / "stars.bough.json")
    assert isinstance(tree, bough.DecisionTreeRanker)
    assert result.evidence.group == "query"
    assert tree.grown_tree_.schema.task == "ranking"


def test_the_order_of_rows_changes_nothing(table, result):
    rows = np.random.default_rng(0).permutation(len(table["stars"])).tolist()
    other = fit(made_tables.some_rows(table, rows))
    assert bough.export(other, "json") == bough.export(result, "json")


def test_weights_are_those_of_rows(table):
    weighted = {**table, "weight": [2.0] * len(table["stars"])}
    assert fit(weighted, weight="weight").test["ndcg"].value > 0.5


def test_a_finished_model_is_measured_by_queries(result):
    other = made_tables.queries(40, seed=5)
    found = evaluate(result.saved, other)
    scores = result.model.predict({name: other[name] for name in ("match", "kind", "junk")})
    assert found.task == "ranking"
    assert found.estimates["ndcg"].value == pytest.approx(
        ndcg(scores, other["stars"], other["query"])
    )


def test_two_rankings_are_compared_query_by_query(table, result):
    stump = fit(table, ignore=["match"])
    found = compare(result.saved, stump.saved, made_tables.queries(40, seed=5))
    assert found.better == "first"
    assert found.difference.n == found.first["ndcg"].n > 30
    assert found.difference.value == pytest.approx(
        found.second["ndcg_loss"].value - found.first["ndcg_loss"].value
    )


def test_the_first_question_is_scored_by_centred_gains(table):
    scores = score(table, "stars", task="rank", group="query")
    assert (scores.task, scores.criterion, scores.first) == ("ranking", "ndcg", "match")


def test_a_table_is_checked_as_it_would_be_learnt_from(table):
    found = check(table, "stars", task="rank", group="query")
    assert found.task == "ranking"
    assert {column.name: column.role for column in found.columns}["query"] == "group"


def with_column(name, change):
    table = made_tables.queries(40)
    table[name] = [change(each) for each in table[name]]
    return table


def relevant_only(table, queries):
    """Return the table with a relevance of 0 in all but some groups."""
    cells = zip(table["query"], table["stars"], strict=True)
    return {**table, "stars": [stars if query in queries else 0 for query, stars in cells]}


def shared_queries():
    test = made_tables.queries(3, seed=1)
    return made_tables.queries(40), {"test": test}


def new_queries(n_queries=50):
    """Return a table of other groups than `table` has."""
    table = made_tables.queries(n_queries, seed=1)
    return {**table, "query": [f"new {query}" for query in table["query"]]}


REFUSED = {
    "no group": (
        lambda: (made_tables.queries(40), {"group": None}),
        "task='rank' needs group=…, the column that names the group: rows are ranked within it. Columns: 'query', 'match', 'kind', 'junk' and 'stars'.",
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
        lambda: (relevant_only(made_tables.queries(40), {"q1", "q2"}), {}),
        "The test rows have no group with a relevant row; there are 2 in all. Give more such groups, or split the rows differently: seed=…, split=…, or separate tables, dev=… and test=…",
    ),
    "nothing relevant in a fold's training rows": (
        lambda: (relevant_only(made_tables.queries(40), {"q1"}), {"test": new_queries()}),
        "The training rows of a fold have no group with a relevant row; there are 47 in all. Give more such groups, or split the rows differently: seed=…, split=…, or separate tables, dev=… and test=…",
    ),
    "shared queries": (
        shared_queries,
        "Group 'q0' has 13 rows in the training table and 8 in the test table; 3 groups are in more than one table. Keep all rows of a group in one table: shared groups make the estimate too good.",
    ),
    "idle query": (
        lambda: (
            {
                **made_tables.queries(40),
                "w": [float(each != "q7") for each in made_tables.queries(40)["query"]],
            },
            {"weight": "w"},
        ),
        (
            "all rows of group 'q7' have weight 0. Give a row of each group a weight, or "
            "leave these groups out."
        ),
    ),
    "loss": (
        lambda: (made_tables.queries(40), {"loss": "squared_error"}),
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
        lambda table: {name: cells for name, cells in table.items() if name != "query"},
        "The table has no column 'query', which names the groups. It has 'match', 'kind', 'junk' and 'stars'.",
    ),
    "missing": (
        lambda table: {**table, "query": [None, *table["query"][1:]]},
        "The group column 'query' is missing in 1 row. Fill it in, or leave these rows out.",
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
def test_a_ranking_cannot_be_measured_without_queries(result, change, message):
    with pytest.raises(BoughError) as error:
        evaluate(result.saved, change(made_tables.queries(20)))
    assert str(error.value) == message


def test_a_model_that_does_not_know_its_queries_says_what_to_do(table):
    columns = {name: table[name] for name in ("match", "kind", "junk")}
    tree = bough.DecisionTreeRanker().fit(columns, table["stars"], group=table["query"])
    with pytest.raises(BoughError) as error:
        evaluate(tree.__bough_model__(), {**table, "y": table["stars"]})
    assert str(error.value) == (
        "The model ranks the rows of groups, but does not say which column names the group. Learn "
        "it with 'bough fit --task rank --group COLUMN', or measure it in Python: tree.score(X, y, "
        "group=…)."
    )
