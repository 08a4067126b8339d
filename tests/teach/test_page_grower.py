"""The grower in the page of `bough teach --html` grows what the reference grows."""

import pytest
from page_scripts import TEACHING, needs_node, run_scripts
from taught_tables import reference_nodes, taught_table, whole

from bough.teach.page import page_data
from bough.teach.walkthrough import read_taught

GROWER = ("exact_numbers.js", "tallies.js", "questions.js", "grow.js")
CLASSES = ("entropy", "gini", "error", "gain_ratio")
NUMBERS = ("squared_error", "absolute_error")
MANNERS = ({}, {"categorical": "group"}, {"max_depth": 2})
N_TABLES = 500
GROW = """
const named = (query, table) => {
  const column = table.columns[query.column], groups = query.groups ?? [];
  const pivot = query.kind === "below" ? (column.values[query.low] + column.values[query.code]) / 2 : null;
  return [query.kind, column.name, pivot, groups.map((each) => each.map((code) => column.words[code])), query.missing];
};
return data.map((each) => {
  const table = prepare(each);
  const nodes = grow(table, each.criterion);
  return nodes.map((node) => ({
    rows: node.rows, depth: node.depth, guess: node.guess, impurity: node.impurity,
    children: node.children, asks: node.asks && named(node.asks.query, table),
    gain: node.asks && impurityOf(node.tally, node.asks.gain),
    tied: node.asks ? node.questions.best(each.criterion).map((one) => named(one.query, table)) : [],
  }));
});
"""
KINDS = {"Below": "below", "EachValue": "each", "OneOf": "oneof", "IsMissing": "missing"}


def asked(query):
    groups = [list(group) for group in query.groups]
    return [KINDS[query.kind], query.column, query.pivot, groups, query.missing]


@needs_node
def test_the_page_grows_what_the_reference_grows_on_500_random_tables():
    given, expected = [], []
    for seed in range(N_TABLES):
        criterion = (CLASSES + NUMBERS)[seed % 6]
        manner = MANNERS[seed // 6 % 3]
        is_number = criterion in NUMBERS
        columns, labels = taught_table(seed, numbers=is_number)
        task = "regression" if is_number else "classification"
        table = read_taught(whole(columns, labels), "label", task=task, ignore="B103")
        given.append(page_data(table.exact, table.task, table.manner(criterion, **manner)))
        expected.append((reference_nodes(columns, labels, criterion=criterion, **manner)[1], table))
    n_ties = 0
    for nodes, (known, table) in zip(
        run_scripts(GROWER, GROW, given, TEACHING), expected, strict=True
    ):
        assert len(nodes) == len(known)
        for node, truth in zip(nodes, known, strict=True):
            assert (node["rows"], node["depth"]) == (truth.rows, truth.depth)
            guess = table.exact.classes[node["guess"]] if table.exact.classes else node["guess"]
            assert guess == (truth.guess if table.exact.classes else float(truth.guess))
            assert node["impurity"] == pytest.approx(float(truth.impurity), rel=1e-14)
            assert (node["asks"] is None) == (truth.query is None)
            if truth.query is not None:
                assert node["asks"] == asked(truth.query)
                assert node["gain"] == pytest.approx(float(truth.gain), rel=1e-13, abs=1e-30)
                assert node["tied"] == [asked(each.query) for each in truth.tied]
                n_ties += len(truth.tied) > 1
    assert n_ties > 100
