"""`interview.js`: twenty questions in the page ask and conclude as `Interview` does."""

import json
import random

import handmade
import numpy as np
import pytest
from page_scripts import needs_node, run_scripts
from random_trees import random_tree

import bough
from bough.interview import Interview, Standing
from bough.report.script_data import script_data
from bough.report.subject import Subject
from bough.schema import Kind, Label, Schema

pytestmark = needs_node

PROGRAM = """
const { tree, steps } = data;
tree.pivot = tree.pivot.map((pivot) => (typeof pivot === "string" ? BigInt(pivot) : pivot));
const known = new Map(), unknown = new Set(), told = [];
const tell = () => {
  const now = standing(tree, known, unknown);
  const most = now.asked === null ? 0 : mostLeft(tree, known, unknown, now.places);
  told.push({ asked: now.asked, asking: now.asking, places: now.places, mass: now.places.map((node) => now.mass[node]), most });
};
tell();
for (const { feature, value } of steps) {
  if (value === "unknown") unknown.add(feature);
  else known.set(feature, value);
  tell();
}
return told;
"""


def answered(tree, seed, missing):
    """Answer an interview by chance; return what was said and where the row stood each time."""
    chance = random.Random(seed)
    interview = Interview(tree, missing=missing)
    steps, stood = [], [interview._standing]
    while (question := interview.question) is not None:
        number = interview._standing.asked
        feature = tree.schema.features[number]
        if chance.random() < 0.35:
            interview.dont_know()
            steps.append({"feature": number, "value": "unknown"})
        elif chance.random() < 0.2:
            interview.answer(None)
            steps.append({"feature": number, "value": None})
        elif feature.choices:
            choice = chance.choice(question.choices)
            interview.answer(choice)
            steps.append({"feature": number, "value": feature.choices.index(choice)})
        else:
            value = int(np.floor(chance.choice(question.pivots))) + chance.choice([-1, 0, 1])
            interview.answer(value)
            is_integer = feature.kind is Kind.INTEGER
            steps.append(
                {"feature": number, "value": {"integer": str(value)} if is_integer else value}
            )
        stood.append(interview._standing)
    return steps, stood


def plain(standing: Standing):
    return {
        "asked": standing.asked,
        "asking": [] if standing.asked is None else standing.asking,
        "places": standing.places.tolist(),
        "mass": standing._mass[standing.places].tolist(),
        "most": 0 if standing.asked is None else standing.most_left,
    }


@pytest.mark.parametrize("missing", ["stop", "weigh"])
@pytest.mark.parametrize("seed", range(8))
def test_the_page_asks_what_the_interview_asks(seed, missing):
    rng = np.random.default_rng(seed)
    makes = ["float64", "whole", "choice", "beyond 2^53", "ordered", "choice"]
    tree = random_tree(rng, makes, categorical=["each", "group"][seed % 2])
    steps, stood = answered(tree, seed, missing)
    data = {"tree": script_data(Subject(tree, missing=missing))["tree"], "steps": steps}
    assert run_scripts(["route.js", "interview.js"], PROGRAM, data) == [*map(plain, stood)]


def test_a_leaf_asks_nothing():
    data = {"tree": script_data(Subject(handmade.one_leaf()))["tree"], "steps": []}
    found = run_scripts(["route.js", "interview.js"], PROGRAM, data)
    assert found == [{"asked": None, "asking": [], "places": [0], "mass": [1], "most": 0}]


@pytest.mark.parametrize("costs", [None, [[0, 0.05, 1], [1, 0, 1], [0.2, 0.2, 0]]])
def test_the_page_guesses_the_class_that_the_tree_would(costs):
    rng = np.random.default_rng(8)
    shares = [[0.5, 0.5, 0.0], *rng.dirichlet(np.ones(3), size=200).round(2).tolist()]
    label = Label(
        "y", ("a", "b", "c"), "<U1", costs=() if costs is None else tuple(map(tuple, costs))
    )
    tree = handmade.make_tree(Schema((), (), (label,)), handmade.leaf(0, 1, 2))
    program = "return data.shares.map((shares) => guessOf(shares, data.costs));"
    found = run_scripts(["interview.js"], program, {"shares": shares, "costs": costs})
    assert found == tree.guessed(np.array(shares)[:, np.newaxis])[:, 0].tolist()


def test_the_shares_of_many_classes_are_told_without_zeros():
    rng = np.random.default_rng(9)
    kinds = rng.integers(0, 30, 900)
    table = {"x": kinds + rng.normal(0, 0.2, 900), "kind": [f"kind {each}" for each in kinds]}
    tree = bough.fit(table, "kind", n_jobs=1).grown_tree_
    view = json.loads(json.dumps(script_data(Subject(tree))))
    assert min(map(len, view["tallies"])) < 30
    found = run_scripts(["node_histograms.js"], "unpack(data); return data.shares;", view)
    assert np.allclose(found, tree.shares[:, 0], atol=1e-8)
