"""A tree of two thousand nodes: every one is found and is on the map, and nothing takes long."""

import os

import numpy as np
import pytest

import bough

THOROUGH = "BOUGH_THOROUGH" in os.environ  # every node is gone to, which takes minutes
LONGEST = 100  # milliseconds of an interaction
MOST_BYTES = 1_000_000
TIMED = """([act, id]) => {
  const element = document.getElementById(id), began = performance.now();
  if (act === "click") element.click();
  else {
    element.value = act;
    element.dispatchEvent(new Event("input"));
  }
  document.querySelector(".drawn").getBoundingClientRect(); // so that all is laid out
  return performance.now() - began;
}"""
CHOSEN = "Number(document.querySelector('.drawn [aria-selected=true]').dataset.node)"
IN_VIEW = """() => {
  const card = document.querySelector(".drawn [aria-selected=true]").getBoundingClientRect();
  const canvas = document.querySelector(".canvas").getBoundingClientRect();
  return card.right > canvas.left && card.left < canvas.right && card.bottom > canvas.top && card.top < canvas.bottom;
}"""
STEP = """(n) => {
  const next = document.getElementById("find-next"), found = [];
  for (let each = 0; each < n; each++) {
    const began = performance.now();
    next.click();
    const chosen = document.querySelector(".drawn [aria-selected=true]").getBoundingClientRect();
    found.push([document.querySelector(".drawn [aria-selected=true]").dataset.node, performance.now() - began]);
  }
  return found;
}"""
# Presses the nearest place on the map above a node, until it is the one that is shown.
BY_MAP = """([trail]) => {
  const wanted = trail.at(-1), map = document.getElementById("map");
  for (let tries = 0; tries < 100; tries++) {
    const at = [...trail].reverse().map((node) => map.querySelector(`[data-at="${node}"]`)).find(Boolean);
    if (!at) { document.getElementById("map-up").click(); continue; }
    const box = at.getBoundingClientRect();
    map.dispatchEvent(new MouseEvent("click", { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 }));
    if (document.querySelector(".drawn [aria-selected=true]").dataset.node === String(wanted)) return box.height;
  }
  return 0;
}"""


@pytest.fixture(scope="module")
def large():
    rng = np.random.default_rng(0)
    x, y = rng.random((2, 5000))
    table = {"left": x, "right": y, "label": np.sin(9 * x) + np.cos(7 * y) + x * y}
    result = bough.fit(table, "label", max_leaves=1000, prune=["cost_complexity"])
    assert len(result.grown_tree_) > 1900
    return result


@pytest.fixture
def shown(large, opened):
    return opened(large.report()).chosen()


def test_the_page_is_small(large):
    assert len(large.report().encode()) <= MOST_BYTES


def test_no_interaction_takes_long(shown):
    acts = [("click", each) for each in ("unfold", "fit", "zoom-in", "zoom-out", "fold")]
    acts += [
        ("left", "search"),
        ("click", "find-next"),
        ("", "search"),
        ("7", "least"),
        ("0", "least"),
    ]
    for act in acts:
        assert min(shown.run(TIMED, act) for _ in range(3)) < LONGEST, act


@pytest.mark.parametrize("name", ["left", "right"])
def test_every_node_is_found(shown, large, name):
    shown.page.fill("#search", name)
    n_found = int(shown.page.inner_text("#found").split(" of ")[1].replace(",", ""))
    tree = large.grown_tree_
    asks = {node.id for node in tree if not node.is_leaf and node.query.feature.name == name}
    below = {child for node in asks for child in tree[node].children}
    assert n_found == len(asks | below)
    n_steps = n_found if THOROUGH else 150
    stepped = shown.run(STEP, n_steps)
    assert len({node for node, _ in stepped}) == n_steps
    assert np.median([each for _, each in stepped]) < LONGEST
    assert shown.run(IN_VIEW)


def test_every_node_is_reached_by_the_map(shown, large):
    tree = large.grown_tree_
    above = {child: node.id for node in tree for child in node.children}
    n_tried = len(tree) if THOROUGH else 40
    for node in np.random.default_rng(1).choice(len(tree), n_tried, replace=False).tolist():
        trail = [node]
        while trail[0]:
            trail.insert(0, above[trail[0]])
        assert shown.run(BY_MAP, [trail]) >= 1
        assert shown.run(CHOSEN) == node
        assert shown.run(IN_VIEW)
