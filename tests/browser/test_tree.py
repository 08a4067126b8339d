"""The drawing of the tree: pressing, folding, searching, moving by keys."""

import handmade
import pytest
from real_results import FOLDER, result_of, why_absent

from bough.report.page import page
from bough.report.subject import Subject

SHOWN = (
    "[...document.querySelectorAll('.drawn [data-node]')].map((each) => Number(each.dataset.node))"
)
FOCUSED = "Number(document.activeElement.dataset.node)"


@pytest.fixture
def tennis(opened):
    return opened(page(Subject(handmade.play_tennis())))


@pytest.fixture
def adult(opened):
    if FOLDER is None:
        pytest.skip(why_absent())
    return opened(result_of("adult").report()).chosen()


def test_a_node_that_is_pressed_tells_its_rule(tennis):
    tennis.page.click(".drawn [data-node='5'] .name")
    assert tennis.page.inner_text("#node-rule") == "outlook = Rain and wind = Weak → Yes 100 %"
    assert tennis.page.inner_text("#node-train") == "3 rows · Yes: 3 (100 %)"
    assert tennis.page.inner_text("#node-test") == "not known"
    assert tennis.page.inner_text("#node-sql") == "\"outlook\" = 'Rain' AND \"wind\" = 'Weak'"


def test_a_node_tells_of_its_test_rows(adult):
    tree, stops = result_of("adult").grown_tree_, result_of("adult").__bough_subject__(3).stops
    assert stops.n_told[0] == stops.n_reached[0]
    for node in adult.run(SHOWN)[:5]:
        adult.run(f"document.querySelector('.drawn [data-node=\"{node}\"]').focus()")
        n_rows, n_told = f"{stops.n_reached[node]:,} test rows", stops.n_told[node]
        if n_told < stops.n_reached[node]:  # the others are told above, with more of their kind
            n_rows = f"{n_told:,} of {n_rows}: "
        assert adult.page.inner_text("#node-test").startswith(n_rows)
        assert adult.page.inner_text("#node-train").startswith(f"{tree.n_rows[node]:,} rows")


def test_what_lies_below_a_node_is_folded_and_unfolded(tennis):
    whole = tennis.run(SHOWN)
    tennis.page.click(".drawn [data-node='2'] .handle")
    assert tennis.run(SHOWN) == [node for node in whole if node not in (4, 5)]
    assert tennis.page.text_content(".drawn [data-node='2'] .handle text") == "+2"
    assert tennis.page.get_attribute(".drawn [data-node='2']", "aria-expanded") == "false"
    tennis.page.click(".drawn [data-node='2'] .handle")
    assert tennis.run(SHOWN) == whole


def test_everything_can_be_folded_and_unfolded(tennis):
    whole = tennis.run(SHOWN)
    tennis.page.click("#fold")
    assert tennis.run(SHOWN) == [0, 1, 2, 3]
    tennis.page.click("#unfold")
    assert tennis.run(SHOWN) == whole


def test_a_large_tree_is_folded_at_first(adult):
    assert 5 < len(adult.run(SHOWN)) <= 23
    adult.page.click("#unfold")
    adult.page.click("#fit")
    drawn = "[...document.querySelectorAll('.far path')].map((each) => each.getAttribute('d').split('M').length - 1)"
    assert sum(adult.run(drawn)) == len(result_of("adult").grown_tree_)


@pytest.mark.parametrize("width", [1280, 1920])
def test_what_is_open_at_first_has_room_and_fit_fits(opened, width):
    if FOLDER is None:
        pytest.skip(why_absent())
    adult = opened(result_of("adult").report(), width=width).chosen()
    script = """() => {
      const canvas = document.querySelector(".canvas");
      return canvas.scrollWidth <= canvas.clientWidth && canvas.scrollHeight <= canvas.clientHeight;
    }"""
    assert adult.run(script)
    adult.page.click("#unfold")
    assert not adult.run(script)
    adult.page.click("#fit")
    assert adult.run(script)


LETTERS = """() => [...document.querySelectorAll(".drawn text")].map((each) =>
  parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a)"""
TARGETS = """() => [...document.querySelectorAll("#tree button, .drawn .handle rect, #tree input")].filter(
  (each) => each.checkVisibility()).map((each) => each.getBoundingClientRect()).map((box) => Math.min(box.width, box.height))"""


@pytest.mark.parametrize("width", [1280, 400])
def test_letters_and_what_is_pressed_are_large_enough(opened, width):
    for shown in (
        opened(page(Subject(tree)), width=width)
        for tree in (handmade.play_tennis(), handmade.chain(30))
    ):
        for press in ("#unfold", "#zoom-out", "#zoom-out", "#fit", "#zoom-in"):
            shown.page.click(press)
            assert min(shown.run(LETTERS), default=12) >= 11.99
            assert min(shown.run(TARGETS)[1:]) >= 15.9  # a range is 16 high in every browser
            assert min(shown.run(TARGETS.replace(", #tree input", ""))) >= 23.9


def test_boxes_do_not_lie_on_each_other_when_some_are_folded(adult):
    script = """() => {
      const groups = [...document.querySelectorAll(".drawn .nodes > g")];
      const boxes = groups.map((group) => group.querySelector(".card, .block").getBoundingClientRect());
      return boxes.some((one, place) => boxes.slice(place + 1).some((other) =>
        one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom));
    }"""
    for press in ("#fold", "#unfold", "#fit"):
        assert adult.run(script) is False
        adult.page.click(press)


def test_what_is_looked_for_is_found(tennis):
    hits = "[...document.querySelectorAll('.drawn .hit')].map((each) => Number(each.dataset.node))"
    chosen = "Number(document.querySelector('.drawn [aria-selected=true]').dataset.node)"
    tennis.page.fill("#search", "wind")
    assert tennis.run(hits) == [2, 4, 5]
    places = []
    for keys in ("", "Enter", "Enter", "Enter", "Shift+Enter"):
        if keys:
            tennis.page.press("#search", keys)
        places.append((tennis.run(chosen), tennis.page.inner_text("#found")))
    assert places == [(2, "1 of 3"), (4, "2 of 3"), (5, "3 of 3"), (2, "1 of 3"), (5, "3 of 3")]
    tennis.page.click("#find-next")
    tennis.page.click("#find-back")
    assert tennis.run(chosen) == 5
    tennis.page.fill("#search", "nothing of the kind")
    assert tennis.page.inner_text("#found") == "none"
    tennis.page.fill("#search", "")
    assert tennis.run(hits) == []


def test_what_is_folded_is_found_too(tennis):
    tennis.page.click("#fold")
    tennis.page.fill("#search", "wind = Weak")
    assert 5 in tennis.run(SHOWN)


def test_nodes_with_few_rows_can_be_hidden(tennis):
    tennis.page.fill("#least", "3")  # the fourth of 0, 1, 2, 5, 10
    assert tennis.page.inner_text("#rows") == "5"
    assert tennis.run(SHOWN) == [0, 2, 3]


@pytest.mark.parametrize(
    ("keys", "node"),
    [
        ("", 0),
        ("ArrowRight", 1),
        ("ArrowDown", 1),
        ("ArrowDown ArrowDown", 2),
        ("ArrowDown ArrowDown ArrowRight", 4),
        ("ArrowDown ArrowDown ArrowRight ArrowLeft", 2),
        ("ArrowDown ArrowDown ArrowLeft ArrowRight ArrowRight", 4),
        ("End", 7),
        ("End Home", 0),
        ("End ArrowUp", 6),
        ("ArrowUp", 0),
    ],
)
def test_keys_lead_from_node_to_node(tennis, keys, node):
    tennis.run("document.querySelector('.drawn [data-node=\"0\"]').focus()")
    for key in keys.split():
        tennis.page.keyboard.press(key)
    assert tennis.run(FOCUSED) == node


def test_one_node_at_a_time_can_be_reached_by_the_tab_key(tennis):
    tennis.page.click(".drawn [data-node='5'] .name")
    script = (
        "[...document.querySelectorAll('.drawn [tabindex=\"0\"]')].map((each) => each.dataset.node)"
    )
    assert tennis.run(script) == ["5"]


def test_the_tree_grows_and_shrinks(tennis):
    width = "Number(document.querySelector('.drawn').getAttribute('width'))"
    before = tennis.run(width)
    tennis.page.click("#zoom-in")
    assert tennis.run(width) == pytest.approx(1.25 * before, abs=2)
    tennis.page.click("#fit")
    assert tennis.run(
        "(c => c.scrollWidth <= c.clientWidth && c.scrollHeight <= c.clientHeight)(document.querySelector('.canvas'))"
    )
    assert tennis.run(width) < 1.25 * before


IN_VIEW = """() => {
  const card = document.activeElement.querySelector(".card, .block").getBoundingClientRect();
  const canvas = document.querySelector(".canvas").getBoundingClientRect();
  const inside = (one, other) => one.left >= other.left - 1 && one.right <= other.right + 1 && one.top >= other.top - 1 && one.bottom <= other.bottom + 1;
  return inside(card, canvas) && inside(card, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
}"""


@pytest.mark.parametrize("width", [1280, 400])
def test_the_node_that_keys_lead_to_is_always_in_view(opened, width):
    shown = opened(page(Subject(handmade.chain(40))), width=width)
    shown.page.click("#unfold")
    shown.run("document.querySelector('.drawn [aria-selected=true]').focus()")
    for key in ["ArrowDown"] * 12 + [
        "End",
        "ArrowUp",
        "ArrowUp",
        "Home",
        "ArrowRight",
        "ArrowRight",
    ]:
        shown.page.keyboard.press(key)
        assert shown.run(IN_VIEW), key


def test_rules_are_sorted_by_the_column_that_is_pressed(tennis):
    cells = (
        "[...document.querySelectorAll('#rules tbody tr')].map((row) => row.cells[3].textContent)"
    )
    assert tennis.run(cells) == ["4", "3", "3", "2", "2"]
    tennis.page.click("#rules th:nth-child(4) button")
    tennis.page.click("#rules th:nth-child(4) button")
    assert tennis.run(cells) == ["2", "2", "3", "3", "4"]
    assert tennis.page.get_attribute("#rules th:nth-child(4)", "aria-sort") == "ascending"
