"""The page of `bough teach --html`, driven in a real browser without a network."""

import os
import random
import re

import pytest

import bough

THOROUGH = "BOUGH_THOROUGH" in os.environ  # as `make browser` is
CHECKED = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations.map(
  (each) => `${each.id}: ${each.nodes.map((node) => node.html.slice(0, 120)).join(" ")}`)"""


def circle():
    draw = random.Random(1)
    x, y = ([round(draw.random() * 10, 1) for _ in range(60)] for _ in range(2))
    inside = [(a - 5) ** 2 + (b - 5) ** 2 < 9 for a, b in zip(x, y, strict=True)]
    return {"x": x, "y": y, "where": ["in" if each else "out" for each in inside]}


def price():
    columns = circle()
    del columns["where"]
    return {**columns, "price": [2.5 * a + b for a, b in zip(*columns.values(), strict=True)]}


def html_of(name):
    if name in ("circle", "price"):
        table, target = (circle(), "where") if name == "circle" else (price(), "price")
        return bough.teach.walkthrough(table, target, max_depth=3).html()
    return bough.teach.walkthrough(bough.datasets.load(name)).html()


def at(html, opened, address, **options):
    """Open a page at a place, as a link does."""
    shown = opened(html, **options)
    shown.page.goto(f"{shown.own}#{address}")
    return shown


def quiet(shown):
    asked = [url for url in shown.others if url.split("#")[0] != shown.own]
    return (asked, shown.complaints) == ([], [])


def heading(shown):
    return shown.page.text_content("#heading")


def cards(shown, kind):
    return shown.page.locator(f"#tree .{kind} .says").all_text_contents()


@pytest.fixture(scope="module")
def commute():
    return html_of("commute")


def test_forward_back_and_a_jump(opened, commute):
    shown = opened(commute)
    assert (heading(shown), cards(shown, "waiting")) == ("All rows", ["Bus", "Drive"])
    shown.page.click("#next")
    shown.page.click("#next")
    assert heading(shown) == "tired = Tired"
    assert "0.482 + 0.352 + 0.390 = 1.224 bit" in shown.page.text_content("#node")
    assert cards(shown, "asks") == ["tired ?", "bringing ?", "bringing ?"]
    shown.page.click("#back")
    assert heading(shown) == "tired = Not Tired"
    shown.page.click("#tree .card:has-text('Backpack')")
    assert heading(shown) == "tired = Not Tired and bringing = Backpack"
    assert quiet(shown)


def test_keys(opened, commute):
    shown = opened(commute)
    press = shown.page.keyboard.press
    for key, place in (
        ("ArrowRight", 2),
        ("ArrowRight", 3),
        ("ArrowLeft", 2),
        ("End", 16),
        ("Home", 1),
    ):
        press(key)
        assert shown.page.text_content("#place").startswith(f"Step {place} of 16")
    shown.page.focus("#step")
    press("ArrowRight")
    assert shown.page.text_content("#place").startswith("Step 2 of")


def test_links_lead_to_a_place_and_are_kept(opened, commute):
    shown = at(commute, opened, "step=7&criterion=gini")
    assert shown.page.text_content("#place").startswith("Step 7 of 16")
    assert shown.page.is_checked("[value=gini]")
    shown.page.click("#next")
    assert shown.run("location.hash") == "#step=8&criterion=gini"
    shown.run("location.hash = '#step=3'")
    shown.page.wait_for_function(
        "document.getElementById('heading').textContent === 'tired = Tired'"
    )
    shown.page.goto(f"{shown.own}#step=99&criterion=nonsense&ask=x&depth=y")
    assert (heading(shown), quiet(shown)) == ("The finished tree", True)


def test_the_winner_is_hidden_until_one_is_picked(opened, commute):
    shown = opened(commute)
    shown.page.check("#predict")
    assert cards(shown, "hidden") == ["which question?"]
    text = shown.page.text_content("#node")
    assert not re.search(r"gain|0\.558|▶|remainder", text)
    shown.page.click(".pick:has-text('raining')")
    shown.page.click("#pick")
    verdict = shown.page.text_content(".verdict")
    assert verdict.startswith(
        "raining gains 0.148: rank 3 of 4. tired would have gained 0.409 more."
    )
    assert cards(shown, "asks") == ["tired ?"]
    shown.page.click("#next")
    shown.page.click(".pick:has-text('bringing')")
    shown.page.click("#pick")
    assert shown.page.text_content(".verdict").endswith("1 of 2 found so far.")


def test_asking_otherwise_grows_on_beside_the_greedy_tree(opened):
    shown = opened(html_of("office_rooms"))
    shown.page.click(".pick:has-text('size')")
    shown.page.click("#otherwise")
    assert cards(shown, "forced") == ["size ?"]
    own, greedy = shown.page.locator(".comparison tbody tr").all_text_contents()
    assert greedy == "the greedy tree, by entropy521.380"
    assert own.startswith("your tree")
    shown.page.goto(shown.run("location.href"))
    assert cards(shown, "forced") == ["size ?"]
    shown.page.click("#greedy")
    assert cards(shown, "asks") == ["status ?"]
    assert shown.page.is_hidden("#own")


def test_another_criterion_is_marked_where_it_asks_otherwise(opened):
    shown = at(html_of("penguins"), opened, "step=2")
    shown.page.check("[value=gini]")
    assert shown.page.text_content("#marks") == "Gini would ask otherwise at 1 of 2 nodes so far."
    assert shown.page.locator("#tree .chip").all_text_contents() == ["Gini asks otherwise"]
    assert "G = 1" in shown.page.text_content("#node")
    shown.page.click("#grow")
    assert shown.page.text_content("#grown-by") == "grown by Gini"
    assert shown.page.locator("#tree .chip").count() == 0


def test_fractions_light_their_rows(opened, commute):
    shown = at(commute, opened, "step=3")
    assert shown.page.locator("#rows tr.here").count() == 9
    shown.page.hover(".fraction:has-text('2/9 lg 2/9')")
    lit = shown.page.locator("#rows tr.lit")
    assert lit.count() == 2
    assert all("Bike" in words for words in lit.all_text_contents())
    shown.page.focus(".detail .fraction:has-text('4/9')")
    assert shown.page.locator("#rows tr.lit").count() == 4


def test_the_slider_tries_every_pivot(opened):
    shown = opened(html_of("seven_numbers"))
    tried = []
    for place in range(5):
        shown.page.locator("#pivot").fill(str(place))
        tried.append(shown.page.text_content(".detail h2"))
    assert tried == [f"number < {pivot}" for pivot in ("1", "5.5", "8", "12.15", "20.15")]
    assert shown.page.locator(".points circle").count() == 7
    assert shown.run("document.activeElement.id") == "pivot"


def test_two_numbers_are_cut_region_by_region(opened):
    shown = opened(html_of("circle"))
    regions = [shown.page.locator(".regions rect").count()]
    while not shown.page.is_disabled("#next"):
        shown.page.click("#next")
        regions.append(shown.page.locator(".regions rect").count())
    assert regions[0] == 2
    assert regions == sorted(regions)
    assert regions[-1] == shown.page.locator("#tree .leaf").count()
    assert shown.page.locator(".plane .points circle").count() == 60


def test_the_last_step_cuts_the_tree_at_any_depth(opened, commute):
    shown = at(commute, opened, "step=16")
    said = []
    for depth in range(5):
        shown.page.locator("#depth").fill(str(depth))
        said.append(shown.page.get_attribute("#depth", "aria-valuetext").split(",")[0])
    assert said == [f"depth {each}: {n} of 16 rows wrong" for each, n in enumerate((9, 4, 2, 1, 0))]
    shown.page.locator("#depth").fill("1")
    assert shown.page.locator("#rows tr.here").count() == 4
    assert shown.run("location.hash") == "#step=16&depth=1"


@pytest.mark.parametrize(
    ("name", "width"),
    [("penguins", 400), ("circle", 1280), *([("price", 400), ("play_tennis", 400)] * THOROUGH)],
)
def test_every_step_fits_the_screen(opened, name, width):
    shown = opened(html_of(name), width=width)
    while not shown.page.is_disabled("#next"):
        assert shown.run("document.documentElement.scrollWidth") == width
        shown.page.keyboard.press("ArrowRight")
    assert shown.run("document.documentElement.scrollWidth") == width
    assert quiet(shown)


STATES = [
    ("penguins", "step=2&criterion=gini"),
    ("play_tennis", "step=2&ask=:2.each..&predict=1"),
    ("circle", "step=2&criterion=error"),
    ("price", "step=20&depth=1"),
    ("commute", "step=3"),
]


@pytest.mark.parametrize(("name", "address"), STATES if THOROUGH else STATES[:3])
def test_axe_finds_nothing(opened, axe, name, address):
    for width, scheme in ((1280, "light"), (400, "dark"))[: 1 + THOROUGH]:
        shown = at(html_of(name), opened, address, width=width, scheme=scheme)
        shown.run(axe)
        assert shown.run(CHECKED) == []


def test_every_step_is_a_printed_page(opened, commute):
    shown = opened(commute, media="print")
    pdf = shown.page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)) == 16
    assert quiet(shown)


def test_names_are_texts_and_nothing_else(opened):
    evil = "<img src=x onerror=alert(1)>"
    html = bough.teach.walkthrough(
        {evil: [evil, "b", "a", "b"], "n": [1, 2, 3, 4], "y": [evil, "no", "no", evil]},
        "y",
        ignore="B103",
    ).html()
    shown = opened(html, width=400)
    while not shown.page.is_disabled("#next"):
        shown.page.click("#next")
    assert shown.page.locator("img").count() == 0
    assert shown.run("document.documentElement.scrollWidth") == 400
    assert quiet(shown)
