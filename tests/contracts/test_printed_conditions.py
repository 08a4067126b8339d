"""A printed condition is true: read back as a decimal, it picks the rows that go that way.

Every answer of every node is read from the drawing, the rules, DOT, Mermaid, the picture and the
page, in words and as SQL, from explanations, interviews and comparisons, and compared with where the
tree sends the rows it was grown from. DuckDB runs the SQL. `make printed` takes all rows and all nodes
of the real tables, and does not limit the depth.
"""

import datetime as dt
import json
import os
import re
from decimal import Decimal
from math import ceil

import duckdb
import numpy as np
import pandas as pd
import pytest
import real_results
from pictures import nodes, words_of

import bough
from bough.cli.commands.explain_and_ask import _answers
from bough.explain.condition_sql import where
from bough.explain.row import explain
from bough.explain.rules_and_conditions import cell_of, joined, plain_cell, rules, trail_conditions
from bough.exports import export
from bough.interview import Interview
from bough.learn.compare import rule_changes
from bough.learn.score_columns import score
from bough.predict import stops
from bough.schema import MISSING, MISSING_INTEGER, Kind
from bough.table import read, read_like
from bough.walk import cut, depths, parents, sizes_below, walk
from bough.words import plain

IS_THOROUGH = "BOUGH_THOROUGH" in os.environ
MOST_NODES = 10_000 if IS_THOROUGH else 60  # of a tree that are looked at
MOST_ROWS = None if IS_THOROUGH else 2_000  # of a real table
DEPTH = None if IS_THOROUGH else 9  # of a tree of one
EPOCH = np.datetime64(0, "us")
NUMBER = r"-?[\d.]+(?:e[+-]?\d+)?"
MOMENT = r"\d+-\d\d-\d\d(?: [\d:.]+)?"
VALUE = rf"{MOMENT}|{NUMBER}"
# In a picture 'or later' may be cut short, but never the moment.
ONE_SIDE = re.compile(rf"(<|≥|before) ({VALUE})()(?=$| )|({MOMENT}) (?:or later|[or late]*…)")
BOTH = re.compile(rf"({VALUE}) ≤ .+ < ({VALUE})(?=$| )")
SQL = re.compile(rf"(<|>=) (?:TIMESTAMP )?'?({VALUE})'?")


def steps(n=240):
    return np.arange(n)


def made_tables():
    """Return tables of one column that is hard to print, and others that are not."""
    rng = np.random.default_rng(3)
    noise = rng.integers(0, 2, 240)
    day = np.datetime64("2011-01-01", "us")
    yield "float noise", {"x": np.cumsum(np.full(240, 0.1))}, noise
    yield "sums of decimals", {"x": rng.integers(0, 30, 240) * 0.1 + 0.2}, noise
    yield "neighbours among floats", {"x": 1 + steps() % 9 * 2.0**-52}, noise
    yield "tiny numbers", {"x": rng.random(240) * 1e-300}, noise
    yield "the tiniest numbers", {"x": steps() % 7 * 5e-324}, noise
    yield "huge numbers", {"x": rng.normal(size=240) * 1e307}, noise
    yield "from least to most", {"x": np.linspace(-1.0, 1.0, 240) * np.finfo(float).max}, noise
    yield "negative numbers", {"x": -np.exp(rng.normal(size=240) * 3).round(2)}, noise
    yield "around zero", {"x": rng.normal(size=240).round(1) - 0.0}, noise
    yield "gaps", {"x": np.where(rng.random(240) < 0.2, np.nan, rng.normal(size=240))}, noise
    yield "single precision", {"x": rng.random(240).astype(np.float32)}, noise
    yield "whole numbers", {"x": rng.integers(-40, 90, 240)}, noise
    yield "beyond 2**53", {"x": 2**53 + steps() % 11 * 3 - 9}, noise
    yield "the ends of int64", {"x": rng.integers(-(2**63) + 1, 2**63 - 1, 240)}, noise
    yield "dates", {"x": day + rng.integers(0, 900, 240).astype("m8[D]")}, noise
    yield "moments", {"x": day + rng.integers(0, 10**9, 240).astype("m8[us]")}, noise
    yield "far dates", {"x": np.datetime64("2300-01-01", "us") + steps().astype("m8[m]")}, noise


MADE = {name: (table, labels) for name, table, labels in made_tables()}


def ordered():
    sizes = ["S", "M", "L", "XL"]
    values = np.array(sizes)[np.random.default_rng(0).integers(0, 4, 240)]
    return {"size": values.tolist(), "z": steps().tolist()}, {"size": sizes}


def grown(table, labels, **settings):
    model = bough.DecisionTreeClassifier(**settings).fit(table, labels)
    return model.grown_tree_, read(table, types=settings.get("types"))


def known_values(tree, table, feature):
    """Return the values of a feature as they compare, and which rows have one."""
    values, kind = table.values[feature], tree.schema.features[feature].kind
    if kind.has_choices:
        return values, values != MISSING
    if kind.is_integer:
        return values, values != MISSING_INTEGER
    return values.astype(np.float64), ~np.isnan(values.astype(np.float64))


def below(kind, values, text):
    """Return which values are below one that is read from text."""
    if kind is Kind.DATE:
        return values < (np.datetime64(text, "us") - EPOCH).astype(np.int64)
    return values < (ceil(Decimal(text)) if kind is Kind.INTEGER else float(text))


def picked(kind, values, words, pattern=ONE_SIDE):
    """Return which known values an answer in words picks."""
    is_in = np.ones(len(values), bool)
    for match in pattern.finditer(words):
        is_below = below(kind, values, match[2] or match[4])
        is_in &= is_below if match[1] in ("<", "before") else ~is_below
    return is_in


class Grown:
    """A tree, its rows, and where these are."""

    def __init__(self, tree, table):
        self.tree, self.table = tree, table
        above = parents(tree)
        self.in_order = [step.node.id for step in walk(tree)]
        self.first = np.argsort(self.in_order)  # a node is followed by all that lies below it
        self.last = self.first + sizes_below(tree)
        self.stop = self.first[stops(tree, table)]
        kinds = [each.kind for each in tree.schema.features]
        compared = [
            node
            for node in range(1, len(tree))
            if tree.query_kind[above[node]] == 0
            and kinds[tree.feature[above[node]]] not in (Kind.ORDERED, Kind.CHOICE)
        ]
        self.above, self.kinds, self.compared = above, kinds, compared

    def is_at(self, node):
        """Return which rows come to a node."""
        return (self.first[node] <= self.stop) & (self.stop <= self.last[node])

    def check(self, words, pattern=ONE_SIDE, *, of_all=True):
        """Refuse answers, by the node that they lead to, that pick other rows than the tree does."""
        for node in self.compared[:: 1 + len(self.compared) // MOST_NODES]:
            if node not in words and not of_all:
                continue
            feature = int(self.tree.feature[self.above[node]])
            values, is_known = known_values(self.tree, self.table, feature)
            at = self.is_at(self.above[node]) & is_known
            assert pattern.search(words[node]), words[node]
            found = picked(self.kinds[feature], values[at], words[node], pattern)
            assert np.array_equal(found, self.is_at(node)[at]), words[node]


def check_everywhere(tree, table):
    here = Grown(tree, table)
    drawn = bough.draw(tree, "text", width=400).splitlines()
    here.check(dict(zip(here.in_order, drawn, strict=False)))  # below them is a legend
    arrow = re.compile(r"(\d+) -> (\d+) \[label=\"(.*)\"\]")
    here.check({int(m[2]): m[3] for m in arrow.finditer(export(tree, "dot"))})
    arrow = re.compile(r"(\d+) -- \"?(.*?)\"? --> n?(\d+)|(\d+) -->\|\"?(.*?)\"?\| ?n?(\d+)")
    mermaid = re.sub(r"#(\d+);", lambda match: chr(int(match[1])), export(tree, "mermaid"))
    here.check({int(m[3] or m[6]): m[2] or m[5] for m in arrow.finditer(mermaid)})
    check_picture(here)
    check_page(here)
    check_rules(here)
    check_comparison(here)
    check_explanations(here)
    check_interviews(here)


def check_picture(here):
    groups = nodes(bough.draw(here.tree, "svg"))
    said = {
        int(node): " ".join(words for words, _ in words_of(group)[1])
        for node, group in groups
        if node is not None
    }
    assert said
    here.check(said, of_all=False)


def check_page(here):
    data = re.search(r'id="report">(.*?)</script>', export(here.tree, "html"), re.DOTALL)
    report = json.loads(data[1])
    here.check(dict(enumerate(report["answer"])))
    here.check({node: sql for node, sql in enumerate(report["sql"]) if sql}, SQL, of_all=False)


def meets(here, condition):
    """Return which rows a condition picks, if it compares with pivots by its words alone."""
    number = here.tree.schema.features.index(condition.feature)
    values, is_known = known_values(here.tree, here.table, number)
    found = np.full(len(values), condition.may_be_missing)
    found[is_known] = condition.may_be_known
    if condition.feature.kind.has_choices:
        codes = np.arange(len(condition.feature.choices))
        is_in = np.isin(codes, codes if condition.codes is None else condition.codes)
        is_in &= codes >= (-1 if condition.low is None else condition.low)
        is_in &= codes < (len(codes) if condition.high is None else condition.high)
        found[is_known] &= is_in[values[is_known]]
    else:
        words = BOTH.sub(r"≥ \1 < \2", str(condition))
        found[is_known] &= picked(condition.feature.kind, values[is_known], words)
    return found


def rows_of(here, rule):
    """Return the rows that a rule picks as it is printed."""
    assert str(rule).startswith(f"{plain(joined(rule.conditions))} → ")
    every_row = np.ones(here.table.n_rows, bool)
    return np.all([every_row, *(meets(here, each) for each in rule.conditions)], axis=0)


def check_rules(here):
    """Check that each rule as a whole picks the rows of its leaf."""
    found = rules(here.tree)
    assert bough.export(here.tree, "rules").splitlines() == [str(rule) for rule in found]
    leaves = [step.node.id for step in walk(here.tree) if step.node.is_leaf]
    for leaf, rule in list(zip(leaves, found, strict=True))[:MOST_NODES]:
        assert np.array_equal(rows_of(here, rule), here.is_at(leaf)), str(rule)


def check_comparison(here):
    """Check the rules that a comparison lists, beside a tree that is cut."""
    if len(here.tree) == 1:
        return
    depth = depths(here.tree)
    changes = rule_changes(here.tree, cut(here.tree, depth >= depth.max() - 1))
    assert changes.only_first
    places = {hash(here.is_at(node).tobytes()) for node in range(len(here.tree))}
    for only in (changes.only_first, changes.only_second):
        for rule in only[:MOST_NODES]:
            assert hash(rows_of(here, rule).tobytes()) in places, str(rule)


def check_interviews(here):
    """Check what an interview compares a number with, and what it says of either answer."""
    n_rows = here.table.n_rows
    for row in range(0, n_rows, 1 + n_rows // 4):
        interview = Interview(here.tree)
        while not interview.is_over:
            node, name = interview._standing.asking[0], interview.question.feature
            feature = int(here.tree.feature[node])
            if (first := int(here.tree.first_child[node])) in here.compared:
                _, *said = interview.why().split(f"{plain(name)} ")[1:]
                here.check({first: said[0], first + 1: said[1]}, of_all=False)
                check_pivots(here, feature, interview)
            cell = cell_of(here.table, feature, row)
            interview.answer(plain_cell(here.table.features[feature], cell))


def check_pivots(here, feature, interview):
    """Check that every node that waits for an answer compares as one of the pivots that are told."""
    (answers,) = _answers(interview.question)
    told = re.findall(VALUE, answers.partition("compared with ")[2])
    values, is_known = known_values(here.tree, here.table, feature)
    for node in interview._standing.asking if "…" not in answers else ():
        at = here.is_at(node) & is_known
        goes_left = here.is_at(here.tree.first_child[node])[at]
        assert any(
            np.array_equal(below(here.kinds[feature], values[at], text), goes_left) for text in told
        )


def check_explanations(here):
    some = here.table.rows(np.arange(0, here.table.n_rows, 1 + here.table.n_rows // 15))
    compared = re.compile(rf"(<|≥|before) ({VALUE}).* \(it is ({VALUE}),")
    for explanation in explain(here.tree, some):
        for step in explanation.steps:
            if (match := compared.search(step.words)) and "missing" not in step.value_word:
                one, other = map(plain_value, (match[3], match[2]))
                assert (one < other) == (match[1] != "≥"), step.words


def plain_value(text):
    return dt.datetime.fromisoformat(text) if re.fullmatch(MOMENT, text) else Decimal(text)


@pytest.mark.parametrize("pivots", ["round", "midpoint"])
@pytest.mark.parametrize("name", MADE)
def test_every_printed_condition_picks_the_rows_that_go_that_way(name, pivots):
    check_everywhere(*grown(*MADE[name], pivots=pivots))


@pytest.mark.parametrize("name", MADE)
def test_where_a_pivot_lies_in_its_gap_changes_nothing_else(name):
    (halfway, table), (rounded, _) = (
        grown(*MADE[name], pivots=pivots) for pivots in ("midpoint", "round")
    )
    assert np.array_equal(stops(halfway, table), stops(rounded, table))
    for array in ("feature", "tally", "n_rows", "gain", "impurity", "missing_child"):
        assert np.array_equal(getattr(halfway, array), getattr(rounded, array))
    assert rounded.shown is None
    assert not np.signbit(rounded.pivot[rounded.pivot == 0]).any()


@pytest.mark.parametrize("pivots", ["round", "midpoint"])
def test_conditions_of_ordered_values_name_one(pivots):
    table, types = ordered()
    labels = [size in ("L", "XL") for size in table["size"]]
    tree, _ = grown(table, labels, pivots=pivots, types=types)
    assert [step.answer for step in walk(tree)][1:] == ["before L", "L or after"]


def test_a_tree_from_fit_asks_for_what_it_prints():
    table = MADE["float noise"][0] | {"y": (steps() % 40 < 20).astype(int)}
    result = bough.fit(table, "y")
    tree = result.saved.tree
    assert result.saved.settings["pivots"] == "round"
    assert tree.shown is None
    assert len(tree) > 1
    check_everywhere(tree, read_like(table, tree.schema))
    assert max(len(repr(each)) for each in tree.pivot[tree.feature >= 0].tolist()) <= 5


@pytest.mark.parametrize("name", MADE)
def test_scores_count_the_rows_that_their_answers_pick(name):
    table, labels = MADE[name]
    feature, *_ = score(table | {"y": labels}, "y", ignore=["B103"]).features
    read_table = read(table)
    kind = read_table.features[0].kind
    values = read_table.values[0]
    if kind is Kind.NUMBER:
        values = values[~np.isnan(values)].astype(np.float64)
    for answer in feature.answers:
        if not answer.words.endswith("missing"):
            assert picked(kind, values, answer.words).sum() == answer.n_rows


@pytest.mark.skipif(real_results.FOLDER is None, reason=str(real_results.why_absent))
@pytest.mark.parametrize("name", real_results.NAMES or [None])
def test_printed_conditions_of_real_tables_are_true(name):
    about = real_results.ABOUT[name]
    frame = pd.read_csv(real_results.FOLDER / about["files"][0], nrows=MOST_ROWS)
    frame = frame[frame[about["target"]].notna()].reset_index(drop=True)
    labels = frame.pop(about["target"])
    frame = frame.drop(columns=about["ignore"], errors="ignore")
    is_number = labels.dtype.kind in "if" and labels.nunique() > 20
    grows = bough.DecisionTreeRegressor if is_number else bough.DecisionTreeClassifier
    for pivots in ("round", "midpoint"):
        tree = grows(max_depth=DEPTH, pivots=pivots).fit(frame, labels).grown_tree_
        table = read_like(frame, tree.schema)
        check_everywhere(tree, table)
        check_sql(Grown(tree, table), frame)


def check_sql(here, frame):
    """Check that DuckDB finds the rows of every node."""
    rows = frame.copy().assign(row_number=np.arange(len(frame)))  # noqa: F841 - DuckDB finds it by name
    found = list(trail_conditions(here.tree))
    for node, conditions in found[:: 1 + len(found) // MOST_NODES]:
        query = f"SELECT row_number FROM rows WHERE {where(conditions, here.tree.schema)}"
        picked_rows = duckdb.sql(query).fetchnumpy()["row_number"]
        assert np.array_equal(np.sort(picked_rows), np.flatnonzero(here.is_at(node.id))), query
