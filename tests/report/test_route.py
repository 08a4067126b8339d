"""`route.js`: rows of any kind stop in the page where `predict` says."""

import handmade
import numpy as np
import pytest
from edge_rows import edge_rows
from page_scripts import needs_node, run_scripts
from random_trees import KINDS, random_table, random_tree

from bough.predict import stops
from bough.report.script_data import script_data
from bough.report.subject import Subject
from bough.schema import MISSING, MISSING_INTEGER, UNSEEN, Kind

pytestmark = needs_node

PROGRAM = """
const { tree, columns } = data;
tree.pivot = tree.pivot.map((pivot) => (typeof pivot === "string" ? BigInt(pivot) : pivot));
return columns[0].map((_, row) => {
  let node = 0;
  for (let next = 0; next >= 0;) {
    node = next;
    next = tree.feature[node] < 0 ? -1 : nextNode(tree, node, columns[tree.feature[node]][row]);
  }
  return node;
});
"""


def page_values(feature, column):
    """The values of a column as the page has them."""
    if feature.kind.is_integer:
        return [None if each == MISSING_INTEGER else {"integer": str(each)} for each in column]
    if feature.kind is Kind.NUMBER:
        return [None if each != each else each for each in column]
    return [{MISSING: None, UNSEEN: "unseen"}.get(each, each) for each in column]


def stops_in_the_page(tree, table):
    columns = [
        page_values(feature, values.tolist())
        for feature, values in zip(table.features, table.values, strict=True)
    ]
    known = script_data(Subject(tree))["tree"]
    return run_scripts(["route.js"], PROGRAM, {"tree": known, "columns": columns})


@pytest.mark.parametrize("seed", range(8))
def test_rows_of_any_columns_stop_where_the_core_says(seed):
    rng = np.random.default_rng(seed)
    makes = rng.choice(list(KINDS), size=rng.integers(1, 8)).tolist()
    tree = random_tree(rng, makes, categorical=["each", "group"][seed % 2])
    table = random_table(rng, makes, share_missing=0.2, share_unseen=0.1)
    assert stops_in_the_page(tree, table) == stops(tree, table).tolist()


@pytest.mark.parametrize("seed", range(6))
def test_rows_at_pivots_and_beside_them_stop_where_the_core_says(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, list(KINDS), categorical=["each", "group"][seed % 2])
    table = edge_rows(tree, seed)
    found = stops(tree, table).tolist()
    assert len(set(found)) > 10
    assert stops_in_the_page(tree, table) == found


@pytest.mark.parametrize("name", ["missing_values", "one_of", "beyond_float", "awkward_names"])
def test_handmade_trees_lead_rows_as_the_core_does(name):
    tree = handmade.TREES[name]()
    table = edge_rows(tree)
    assert stops_in_the_page(tree, table) == stops(tree, table).tolist()
