"""The first screen, and two trees to choose from."""

from dataclasses import replace

import pytest
from hostile_names import HOSTILE, plain_result, renamed_subject

from bough.evidence import Simpler
from bough.report.page import page
from bough.walk import cut, depths

ABOVE = """() => ["h1", ".lead", ".cards .card", "#notes", "#tree .canvas"].map((each) =>
  [...document.querySelectorAll(each)].filter((found) => found.offsetParent).at(-1).getBoundingClientRect().top)"""
CUT = """() => [...document.querySelectorAll("#answer *")].filter((each) => each.offsetParent &&
  each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflow !== "visible" &&
  !each.closest("details:not([open]), nav, .sr")).map((each) => each.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def learnt():
    return plain_result()


def with_simpler(subject):
    """Return a subject beside which a tree of one question does about as well."""
    tree = cut(subject.tree, depths(subject.tree) == 1)
    found = Simpler(subject.evidence.chosen, tree.n_leaves, subject.evidence.test)
    return replace(subject, simpler=tree, evidence=replace(subject.evidence, simpler=found))


@pytest.mark.parametrize("width", [1280, 400])
def test_it_is_above_the_fold_and_nothing_in_it_is_cut(opened, learnt, width):
    shown = opened(page(learnt.__bough_subject__(3)), width=width)
    shown.page.set_viewport_size({"width": width, "height": 800})
    assert max(shown.run(ABOVE)) < 800
    hostile = opened(page(with_simpler(renamed_subject(learnt, HOSTILE))), width=width)
    for each in (shown, hostile):
        assert each.run(CUT) == []
        assert each.run("document.documentElement.scrollWidth") == width


def test_the_other_tree_is_a_click_away(opened, learnt):
    subject = with_simpler(learnt.__bough_subject__(3))
    n_simple, n_model = subject.simpler.n_leaves, subject.tree.n_leaves
    shown = opened(page(subject))
    rules = "#rules .view:not([hidden]) tbody tr"
    assert shown.page.inner_text("#n-nodes") == str(len(subject.simpler))
    assert shown.page.locator(rules).count() == n_simple
    field = shown.page.locator("#what-if [id^=if-]:not(span)").first
    field.select_option(index=1) if field.evaluate(
        "(each) => each.tagName"
    ) == "SELECT" else field.fill("1")
    shown.page.click(f"text=Show all {n_model} leaves")
    assert shown.page.inner_text("#n-nodes") == str(len(subject.tree))
    assert shown.page.locator(rules).count() == n_model
    assert shown.page.locator("#what-if .guess").count() == 1  # what was typed is kept
    assert shown.page.locator("h1 .view:visible").get_attribute("data-view") == "model"
    shown.page.click("text=Show the simpler tree")
    assert shown.page.locator(rules).count() == n_simple
    assert shown.complaints == []


def test_a_rule_leads_to_its_node_and_is_copied(opened, learnt):
    shown = opened(page(learnt.__bough_subject__(3)))
    row = shown.page.locator("#rules tbody tr").nth(2)
    words = row.locator(".rule-words").text_content()
    row.locator("button", has_text="In the tree").click()
    assert shown.page.locator(".bough-tree .on, .canvas .on").count() > 1
    row.locator("button", has_text="Copy").click()
    row.locator("button", has_text="Selected").or_(
        row.locator("button", has_text="Copied")
    ).wait_for()
    assert words
    assert shown.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_shut_out_of_it(opened, learnt, axe, scheme):
    shown = opened(page(with_simpler(learnt.__bough_subject__(3))), scheme=scheme)
    shown.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    shown.run(axe)
    checked = """async () => (await axe.run("#answer, #try, #rules", { resultTypes: ["violations"] })).violations
      .map((each) => `${each.id}: ${each.nodes.map((node) => node.html.slice(0, 120)).join(" ")}`)"""
    assert shown.run(checked) == []
