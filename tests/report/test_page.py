"""The page as a file: whole, harmless, small, and without a row of the table."""

import base64
import hashlib
import json
import re
import time
from html.parser import HTMLParser

import handmade
import pytest
from hostile_names import HOSTILE, PLAIN, plain_result, renamed_subject
from real_results import FOLDER, result_of, why_absent

import bough
from bough.report.page import page, script_of
from bough.report.subject import Subject

MOST_SCRIPT = 65_000
PENCIL = {"text", "path", "rect"}  # how many of them a picture has depends on the room for words
VOID = {"meta", "input", "col", "wbr"}


class Parsed(HTMLParser):
    """The shape of a page: its elements with their attributes, and the texts of some."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.shape, self.open, self.texts = [], [], {}
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        names = tuple(name for name, _ in attributes)
        if "svg" not in self.open or tag not in PENCIL:
            self.shape.append((len(self.open), tag, names, dict(attributes).get("class")))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, text):
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(text)


@pytest.fixture(scope="module")
def penguins():
    data = bough.datasets.load("penguins")
    return bough.fit({**data.features, "species": data.labels}, "species")


@pytest.fixture(scope="module")
def html(penguins):
    return penguins.report()


def test_every_element_is_closed(html):
    assert Parsed(html).open == []


def test_it_has_every_section(html):
    found = re.findall(r'<section id="([a-z]+)"', html)
    assert found == [
        "answer", "tree", "try", "errors", "matters", "depth", "regions", "rules", "data", "method",
    ]  # fmt: skip


def test_the_same_result_gives_the_same_page(penguins, html):
    assert penguins.report() == html


def test_only_its_own_script_and_style_may_run(html):
    policy = (
        re.search(r'Content-Security-Policy" content="([^"]*)"', html)
        .group(1)
        .replace("&#39;", "'")
    )
    parsed = Parsed(html)
    hashes = []
    for text in ("".join(parsed.texts["script"][1:]), "".join(parsed.texts["style"])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        hashes.append(f"'sha256-{digest}'")
    assert policy == (
        f"default-src 'none'; script-src {hashes[0]}; style-src {hashes[1]}; "
        "base-uri 'none'; form-action 'none'"
    )


def test_nothing_is_loaded_from_anywhere(html):
    places = re.findall(r"""(?:src|href|url|action)\s*[=(]\s*["']?([^"' >)]*)""", html)
    assert {place[:1] for place in places} == {"#"}
    assert set(re.findall(r"https?://[^\"' <]*", html)) == {"http://www.w3.org/2000/svg"}


def test_no_element_has_a_style_or_a_script_of_its_own(html):
    names = {name for _, _, attributes, _ in Parsed(html).shape for name in attributes}
    assert [name for name in names if name == "style" or name.startswith("on")] == []


def test_the_scripts_are_small(html):
    assert len("".join(Parsed(html).texts["script"][1:]).encode()) <= MOST_SCRIPT


def test_texts_are_never_read_as_html():
    script = script_of("bough.report")
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
    ):
        assert word not in script


def test_the_data_block_is_json(html):
    found = json.loads(Parsed(html).texts["script"][0])
    assert len(found["rows"]) == len(found["says"]) == len(found["tree"]["feature"])


@pytest.fixture(scope="module")
def plain():
    return plain_result()


def test_hostile_names_do_not_change_the_shape_of_the_page(plain):
    hostile, harmless = (Parsed(page(renamed_subject(plain, names))) for names in (HOSTILE, PLAIN))
    assert hostile.shape == harmless.shape
    assert len(hostile.texts["script"]) == len(harmless.texts["script"]) == 2


def test_no_name_is_shown_with_signs_that_turn_or_break_lines(plain):
    parsed = Parsed(page(renamed_subject(plain, HOSTILE)))
    shown = "".join("".join(texts) for tag, texts in parsed.texts.items() if tag != "script")
    assert not set("\x1b\x07\u202e\r") & set(shown)
    assert "alert(1)" in shown
    assert "7 * 7" in shown


def test_no_row_of_the_table_is_in_the_page():
    n_rows = 300
    table = {
        "age": [number % 60 + 0.123456789 * (number % 7 == 0) for number in range(n_rows)],
        "code": [f"mark-{number}" for number in range(n_rows)],
        "size": [["S", "M", "L"][number % 3] for number in range(n_rows)],
        "price": [round(7919 * number % 1000 / 7, 9) for number in range(n_rows)],
        "label": [["no", "yes"][number % 60 > 30] for number in range(n_rows)],
    }
    html = bough.fit(table, "label").report()
    assert "mark-" not in html.replace("mark-0", "")
    prices = [str(price) for price in table["price"] if price not in (0.0, max(table["price"]))]
    assert [price for price in prices if f" {price} " in html or f'"{price}"' in html] == []


@pytest.mark.parametrize("name", handmade.TREES)
def test_a_tree_alone_has_a_page(name):
    parsed = Parsed(page(Subject(handmade.TREES[name]())))
    assert parsed.open == []
    assert "How well it predicts is not known" in "".join(parsed.texts["p"])


def test_a_leaf_asks_nothing():
    assert 'id="try"' not in page(Subject(handmade.one_leaf()))


def test_twenty_questions_are_about_one_label():
    html = page(Subject(handmade.two_outputs()))
    assert 'id="what-if"' in html
    assert 'id="questions"' not in html


def test_a_deep_tree_has_a_page():
    html = page(Subject(handmade.chain(3000)))
    assert Parsed(html).open == []


def test_many_leaves_are_counted_and_not_listed():
    html = page(Subject(handmade.chain(400)))
    assert "101 more rules with fewer rows" in html


@pytest.mark.skipif(FOLDER is None, reason=why_absent())
def test_the_page_of_adult_is_small_and_made_at_once():
    result = result_of("adult")
    seconds = []
    for _ in range(3):
        start = time.process_time()
        html = result.report()
        seconds.append(time.process_time() - start)
    assert len(html.encode()) <= 400_000
    assert min(seconds) < 1.5
