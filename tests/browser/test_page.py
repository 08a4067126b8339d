"""The page in a real browser without a network."""

import os
import re
from pathlib import Path

import handmade
import made_tables as made
import numpy as np
import pytest
from hostile_names import HOSTILE, PLAIN, plain_result, renamed_subject
from real_results import FOLDER, NAMES, result_of, why_absent

import bough
from bough.report.page import page
from bough.report.subject import Subject

OVERLAPS = (Path(__file__).parent / "overlaps.js").read_text("utf-8")
SHAPE = """() => {
  const isPencil = (each) => each.closest("svg") && ["text", "path", "rect"].includes(each.tagName);
  return [...document.querySelectorAll("*")].filter((each) => !isPencil(each)).map((each) =>
    [each.tagName, ...[...each.attributes].map((attribute) => attribute.name)].join(" "));
}"""
CHECKED = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations.map(
  (each) => `${each.id}: ${each.nodes.map((node) => node.html.slice(0, 120)).join(" ")}`)"""
# Beside the shadows that say that a table goes on, no contrast could be measured.
NO_SHADOWS = """document.querySelectorAll("*").forEach((each) => {
  each.style.backgroundImage = "none";
})"""
KEPT = ["titanic", "soybean", "california_housing"]

THOROUGH = "BOUGH_THOROUGH" in os.environ  # as `make browser` is

needs_tables = pytest.mark.skipif(FOLDER is None, reason=why_absent())


@pytest.fixture(scope="module")
def plain():
    return plain_result()


def quiet(opened):
    """Whether a page asked for nothing, complained of nothing and came to life."""
    is_live = opened.run("document.documentElement.classList.contains('live')")
    return (opened.others, opened.complaints, is_live) == ([], [], True)


@needs_tables
@pytest.mark.parametrize("name", NAMES if THOROUGH else KEPT)
def test_no_request_leaves_the_page_and_the_console_stays_empty(opened, name):
    assert quiet(opened(result_of(name).report()))


@pytest.mark.parametrize("name", handmade.TREES)
def test_the_page_of_a_tree_alone_is_quiet(opened, name):
    assert quiet(opened(page(Subject(handmade.TREES[name]()))))


def test_hostile_names_do_not_change_the_shape_of_the_document(opened, plain):
    hostile, harmless = (opened(page(renamed_subject(plain, each))) for each in (HOSTILE, PLAIN))
    assert quiet(hostile)
    assert hostile.run(SHAPE) == harmless.run(SHAPE)


@needs_tables
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("name", NAMES if THOROUGH else KEPT)
def test_no_text_lies_on_another_and_nothing_is_wider_than_the_screen(opened, name, width):
    shown = opened(result_of(name).report(), width=width)
    for folded in (True, False):
        assert shown.run(OVERLAPS) == []
        if folded:
            shown.run(
                "document.querySelectorAll('details').forEach((each) => { each.open = true; })"
            )
            shown.page.click("#unfold")
    assert shown.run("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("width", [1280, 400])
def test_hostile_names_do_not_lie_on_each_other(opened, plain, width):
    shown = opened(page(renamed_subject(plain, HOSTILE)), width=width)
    assert shown.run(OVERLAPS) == []
    assert shown.run("document.documentElement.scrollWidth") == width


def barriers(shown, axe):
    """What shuts people out of a page that is wholly unfolded."""
    shown.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    shown.run(NO_SHADOWS)
    shown.run(axe)
    return shown.run(CHECKED)


@needs_tables
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400] if THOROUGH else [1280])
@pytest.mark.parametrize("name", NAMES if THOROUGH else ["titanic"])
def test_nobody_is_shut_out(opened, axe, name, width, scheme):
    assert barriers(opened(result_of(name).report(), scheme=scheme, width=width), axe) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_hostile_names_shut_nobody_out(opened, axe, plain, width, scheme):
    subject = renamed_subject(plain, HOSTILE)
    assert barriers(opened(page(subject), scheme=scheme, width=width), axe) == []


def test_hostile_names_do_not_lie_on_each_other_on_paper(opened, plain):
    shown = opened(page(renamed_subject(plain, HOSTILE)), width=A4, media="print")
    assert shown.run(OVERLAPS) == shown.run(POINTS) == []


def test_the_page_can_be_made_dark_and_light_again(opened):
    shown = opened(page(Subject(handmade.play_tennis())))
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = shown.run(ground)
    shown.page.click("#theme")
    assert shown.run(ground) == "rgb(20, 24, 27)"
    shown.page.click("#theme")
    assert shown.run(ground) == light


def test_on_paper_there_is_nothing_to_press(opened):
    shown = opened(page(Subject(handmade.play_tennis())), media="print")
    assert shown.page.locator("button:not(.head):visible, input:visible").count() == 0
    assert shown.page.locator(".bough-tree.still").is_visible()
    assert not shown.page.locator(".bough-tree.drawn").is_visible()


@pytest.fixture(scope="module")
def two_trees():
    return bough.fit(made.classes(), "label")


A4 = 725  # pixels between the margins
POINTS = """() => {
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: around, data } = walker.currentNode;
    if (!data.trim() || !around.getClientRects().length || around.closest("title, script, style")) continue;
    const scale = around.getScreenCTM ? around.getScreenCTM().a || Math.abs(around.getScreenCTM().b) : 1;
    const points = 0.75 * scale * parseFloat(getComputedStyle(around).fontSize);
    if (points < 6.995) found.push(`${points.toFixed(2)} ${data.trim().slice(0, 40)}`);
  }
  return found;
}"""


@needs_tables
@pytest.mark.parametrize(
    "name", NAMES if THOROUGH else ["penguins", "soybean", "california_housing"]
)
def test_letters_on_paper_have_seven_points(opened, name):
    shown = opened(result_of(name).report(), width=A4, media="print")
    assert shown.run(POINTS) == []
    assert shown.run(OVERLAPS) == []


def test_the_tree_that_is_shown_is_the_one_on_paper(opened, two_trees):
    shown = opened(two_trees.report())
    for name, leaves in (("simple", two_trees.simpler), ("model", two_trees)):
        if name == "model":
            shown.chosen()
        shown.page.emulate_media(media="print")
        still = shown.page.locator(".bough-tree.still:visible")
        assert still.count() == 1
        assert f"{leaves.grown_tree_.n_leaves} leaves" in still.locator("desc").inner_html()
        shown.page.emulate_media(media="screen")


def test_warnings_are_on_paper(opened):
    table = made.classes()
    copy = {**table, "same": table["label"]}
    shown = opened(bough.fit(copy, "label").report(), media="print")
    assert shown.page.locator("#notes .note summary:visible").count() > 0


@pytest.mark.parametrize("length", [4, 18, 30])
def test_names_in_cards_are_whole(opened, length):
    name = ("median_house_value_of_all_blocks" * 2)[:length]
    random = np.random.default_rng(0)
    x = random.normal(size=400)
    table = {name: x, "label": np.where(x + random.normal(size=400) / 9 > 0, "yes", "no")}
    shown = opened(bough.fit(table, "label", max_depth=1).report())
    told = shown.page.locator(".drawn [data-node='0'] .name").all_text_contents()
    assert "".join(told).replace(" ", "") == f"{name}?"


def test_scores_are_whole_in_small_cards(opened):
    shown = opened(bough.fit(made.relevances(), "stars", task="ranking", group="search").report())
    shown.page.click("#unfold")
    for _ in range(5):
        heads = shown.page.locator(".drawn .leaf .name").all_text_contents()
        assert not any("…" in each for each in heads), heads
        shown.page.click("#zoom-out")
    told = shown.page.locator(".drawn .leaf title").all_text_contents()
    assert not told or all("relevance" in each for each in told)


def test_shares_are_whole_in_small_cards(opened):
    random = np.random.default_rng(0)
    x = random.normal(size=900)
    label = np.digitize(x, [-1, -0.5, 0, 0.5, 1])
    names = np.array([f"a class with the long name {each}" for each in "abcdef"])
    shown = opened(bough.fit({"x": x, "label": names[label]}, "label", max_depth=4).report())
    shown.page.click("#unfold")
    n_cut = 0
    while heads := shown.page.locator(".drawn .leaf .name").all_text_contents():
        cut = [each for each in heads if "…" in each]
        assert all(re.search(r" [<>]?\d+ %$", each) for each in cut)
        n_cut += len(cut)
        shown.page.click("#zoom-out")
    assert n_cut > 0


def test_names_on_paper_are_whole(opened):
    random = np.random.default_rng(0)
    family = random.choice(["Husband", "Not-in-family", "Other-relative", "Own-child"], 900)
    gain, school = random.integers(0, 90_000, 900), random.choice(["Doctorate", "Masters"], 900)
    label = (family == "Husband") * 1 + 2 * (gain > 7000 + 9000 * (family == "Own-child"))
    label += school == "Masters"
    table = {"relationship": family, "capital_gain": gain, "education_num": school, "label": label}
    result = bough.fit(table, "label", task="classification", max_depth=4, categorical="group")
    shown = opened(result.report(), width=A4, media="print")
    heads = shown.page.locator(".still .branch .name").all_text_contents()
    assert len(heads) > 2
    assert {each.strip("\u2068\u2069 ?").rstrip("\u2069") for each in heads} <= set(table)


# The ratio of contrast (WCAG) of each text in the drawing with the card that it lies on.
CONTRASTS = """() => {
  const channel = (each) => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
  const light = (color) => {
    const [red, green, blue] = color.match(/[\\d.]+/g).map((each) => channel(each / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const found = {};
  for (const text of document.querySelectorAll(".drawn text, #map text")) {
    const around = text.closest(".handle") ?? (text.classList.contains("answer") ? null : text.closest("[data-node]"));
    const ground = around?.querySelector("rect");
    const below = ground ? getComputedStyle(ground).fill : getComputedStyle(document.documentElement).backgroundColor;
    const [low, high] = [light(getComputedStyle(text).fill), light(below)].sort((a, b) => a - b);
    const kind = text.getAttribute("class") ?? text.parentNode.getAttribute("class");
    found[kind] = Math.min(found[kind] ?? 21, (high + 0.05) / (low + 0.05));
  }
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_in_the_drawing_can_be_told_from_their_ground(opened, two_trees, scheme):
    found = opened(two_trees.report(), scheme=scheme).chosen().run(CONTRASTS)
    assert {"name", "answer", "handle"} <= set(found)
    assert min(found.values()) >= 4.5, found


def test_without_scripts_the_page_can_be_read(browser, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(page(Subject(handmade.play_tennis())), "utf-8")
    context = browser.new_context(java_script_enabled=False)
    shown = context.new_page()
    shown.goto(path.as_uri())
    assert shown.locator("#rules").is_visible()
    assert shown.locator(".bough-tree").is_visible()
    assert shown.locator("button:visible").count() == 0
    context.close()


def test_the_page_works_within_the_frame_of_a_notebook(opened):
    from bough.report.notebook import Frame

    shown = opened(f"<!DOCTYPE html>{Frame(page(Subject(handmade.play_tennis())))._repr_html_()}")
    inside = shown.page.frame_locator("iframe")
    inside.locator("#questions button", has_text="Rain").click()
    inside.locator("#questions button", has_text="Weak").click()
    assert inside.locator("#questions .guess").inner_text() == "→ Yes 100 %"
    assert shown.complaints == []
