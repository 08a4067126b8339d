"""Conditions as SQL: a database finds the rows that the tree sends to a leaf."""

import datetime as dt

import duckdb
import handmade
import numpy as np
import polars as pl
import pytest
from page_scripts import needs_node, run_scripts

from bough import DecisionTreeClassifier
from bough.explain.condition_sql import where
from bough.explain.rules_and_conditions import trail_conditions
from bough.report.script_data import script_data
from bough.report.subject import Subject

NAMES = ['say "hi", it\'s', "größe", "new\nline", "select"]


def awkward_frame(n_rows=600, seed=5):
    rng = np.random.default_rng(seed)

    def gaps(values):
        return [
            None if gap else value
            for value, gap in zip(values, rng.random(n_rows) < 0.1, strict=True)
        ]

    moments = [
        dt.datetime(2024, 1, 1) + dt.timedelta(hours=int(h)) for h in rng.integers(0, 9000, n_rows)
    ]
    return pl.DataFrame(
        {
            NAMES[0]: gaps(rng.normal(size=n_rows).tolist()),
            NAMES[1]: gaps(rng.choice(["it's", 'a"b', "", "100 %", "new\nline"], n_rows).tolist()),
            NAMES[2]: gaps(rng.integers(2**60, 2**60 + 50, n_rows).tolist()),
            NAMES[3]: gaps(rng.choice([True, False], n_rows).tolist()),
            "when": gaps(moments),
        }
    )


def frame_and_tree(categorical, seed=5):
    frame = awkward_frame(seed=seed)
    hours = frame["when"].dt.hour().fill_null(3).to_numpy()
    weekday = frame["when"].dt.weekday().fill_null(1).to_numpy()
    size = frame[NAMES[2]].fill_null(2**60).to_numpy() - 2**60
    labels = (
        (hours > 11) * 2
        + (weekday > 4)
        + (size > 25) * 4
        + (frame[NAMES[1]].fill_null("").str.len_bytes().to_numpy() > 2)
    )
    return frame, DecisionTreeClassifier(categorical=categorical, max_depth=7).fit(frame, labels)


@pytest.mark.parametrize("categorical", ["each", "group"])
def test_a_database_finds_the_rows_of_every_node(categorical):
    frame, model = frame_and_tree(categorical)
    tree = model.grown_tree_
    kinds = {tree.schema.features[number].part.value for number in tree.feature[tree.feature >= 0]}
    assert len(kinds) > 2  # it asks about parts of dates, too
    rows = frame.with_row_index("row")  # noqa: F841 - DuckDB finds it by name
    trails = model.decision_path(frame).toarray()
    for node, conditions in trail_conditions(tree):
        query = f"SELECT row FROM rows WHERE {where(conditions, tree.schema)} ORDER BY row"
        found = [row for (row,) in duckdb.sql(query).fetchall()]
        assert found == np.flatnonzero(trails[:, node.id]).tolist()


@needs_node
@pytest.mark.parametrize("categorical", ["each", "group"])
def test_a_database_finds_the_rows_of_the_sql_that_the_page_copies(categorical):
    frame, model = frame_and_tree(categorical)
    tree = model.grown_tree_
    program = """
      data.parents = parentsOf(data.tree);
      unpack(data);
      return data.tree.feature.map((_, node) => aboutNode(data, node).sql);"""
    names = ["route.js", "interview.js", "try_it.js", "node_histograms.js", "rule.js"]
    copied = run_scripts(names, program, script_data(Subject(tree)))
    rows = frame.with_row_index("row")  # noqa: F841 - DuckDB finds it by name
    trails = model.decision_path(frame).toarray()
    for node, condition in enumerate(copied):
        found = duckdb.sql(f"SELECT row FROM rows WHERE {condition} ORDER BY row").fetchall()
        assert [row for (row,) in found] == np.flatnonzero(trails[:, node]).tolist()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing_values", """("age" >= 10.5 OR "age" IS NULL) AND "deck" IS NULL"""),
        ("one_of", """"quarter" IN ('Centre', 'Hill') AND "rooms" < 3.5"""),
        ("leaf", "TRUE"),
    ],
)
def test_names_are_quoted_and_missing_values_named(name, words):
    tree = handmade.TREES[name]()
    assert words in [where(each, tree.schema) for _, each in trail_conditions(tree)]


def test_text_that_is_read_as_numbers_is_cast():
    table = {"amount": ["1.5", "2.5", "3.5", "4.5"]}
    tree = DecisionTreeClassifier(types={"amount": "number"}).fit(table, [0, 0, 1, 1]).grown_tree_
    found = [where(conditions, tree.schema) for _, conditions in trail_conditions(tree)]
    assert found[1] == 'CAST("amount" AS DOUBLE PRECISION) < 3.0'
