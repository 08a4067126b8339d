"""A printed condition is true: read back as a decimal, it picks the rows that go that way.

Every answer of every node is read from the drawing, the rules, DOT, Mermaid, the picture and the
page, in words and as SQL, and from explanations, and compared with where the tree sends the rows it
was grown from.
"""

import datetime as dt
import json
import re
from decimal import Decimal
from math import ceil

import numpy as np
import pytest
import real_results
from pictures import nodes, words_of

import bough
from bough.explain import explain
from bough.exports import export
from bough.learn.score import score
from bough.predict import stops
from bough.schema import Kind
from bough.table import MISSING_INTEGER, read, read_like
from bough.walk import parents, trails, walk

MOST_NODES = 60  # of a tree that are looked at
MOST_ROWS = 2_000  # of a real table
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
        self.is_at = np.zeros((len(tree), table.n_rows), bool)
        starts, met = trails(tree, stops(tree, table))
        self.is_at[met, np.repeat(np.arange(table.n_rows), np.diff(starts))] = True
        kinds = [each.kind for each in tree.schema.features]
        compared = [
            node
            for node in range(1, len(tree))
            if tree.query_kind[above[node]] == 0
            and kinds[tree.feature[above[node]]] not in (Kind.ORDERED, Kind.CHOICE)
        ]
        self.above, self.kinds, self.compared = above, kinds, compared

    def check(self, words, pattern=ONE_SIDE, *, of_all=True):
        """Refuse answers, by the node that they lead to, that pick other rows than the tree does."""
        for node in self.compared[:: 1 + len(self.compared) // MOST_NODES]:
            if node not in words and not of_all:
                continue
            feature = int(self.tree.feature[self.above[node]])
            values, is_known = known_values(self.tree, self.table, feature)
            at = self.is_at[self.above[node]] & is_known
            assert pattern.search(words[node]), words[node]
            found = picked(self.kinds[feature], values[at], words[node], pattern)
            assert np.array_equal(found, self.is_at[node][at]), words[node]


def check_everywhere(tree, table):
    here = Grown(tree, table)
    drawn = bough.draw(tree, "text", width=400).splitlines()
    in_order = [step.node.id for step in walk(tree)]
    here.check(dict(zip(in_order, drawn, strict=False)))  # below them is a legend
    arrow = re.compile(r"(\d+) -> (\d+) \[label=\"(.*)\"\]")
    here.check({int(m[2]): m[3] for m in arrow.finditer(export(tree, "dot"))})
    arrow = re.compile(r"(\d+) -- \"?(.*?)\"? --> n?(\d+)|(\d+) -->\|\"?(.*?)\"?\| ?n?(\d+)")
    mermaid = re.sub(r"#(\d+);", lambda match: chr(int(match[1])), export(tree, "mermaid"))
    here.check({int(m[3] or m[6]): m[2] or m[5] for m in arrow.finditer(mermaid)})
    check_picture(here)
    check_page(here)
    check_rules(here)
    check_explanations(here)


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


def check_rules(here):
    """Check that each rule as a whole picks the rows of its leaf, where all are compared with pivots."""
    rules = bough.export(here.tree, "rules").splitlines()
    leaves = [step.node.id for step in walk(here.tree) if step.node.is_leaf]
    if len(here.kinds) > 1 or not here.compared:
        return
    values, is_known = known_values(here.tree, here.table, 0)
    for leaf, rule in list(zip(leaves, rules, strict=True))[:MOST_NODES]:
        words = BOTH.sub(r"≥ \1 < \2", rule.partition(" → ")[0])
        found = picked(here.kinds[0], values[is_known], words)
        assert np.array_equal(found, here.is_at[leaf][is_known]), rule


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
    columns = read_rows(real_results.FOLDER / about["files"][0])
    labels = columns.pop(about["target"])
    for column in about["ignore"]:
        columns.pop(column, None)
    is_number = not isinstance(labels[0], str) and len(set(labels)) > 20
    grows = bough.DecisionTreeRegressor if is_number else bough.DecisionTreeClassifier
    for pivots in ("round", "midpoint"):
        model = grows(max_depth=6, pivots=pivots).fit(columns, labels)
        tree = model.grown_tree_
        check_everywhere(tree, read_like(columns, tree.schema))


def read_rows(path):
    """Return the first rows of a table that have a label, by columns."""
    import pandas as pd

    frame = pd.read_csv(path, nrows=MOST_ROWS)
    return {name: frame[name].to_numpy() for name in frame if frame[name].notna().all()}
