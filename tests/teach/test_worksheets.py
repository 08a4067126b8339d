"""Worksheets and their keys as pages to print."""

from html.parser import HTMLParser

import pytest
from hostile_names import HOSTILE

import bough
from bough.teach import walkthrough
from bough.teach.growth_as_text import text
from bough.teach.page import worksheet
from bough.teach.step_words import Manners

BLANK, KEY = Manners(blank=True), Manners(full=True)
VOID = {"meta"}


class Page(HTMLParser):
    """What a page shows: its tags, which must close in order, and its words."""

    def __init__(self, html):
        super().__init__()
        self.open, self.tags, self.said, self.attributes = [], [], [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open and data.strip():
            self.said.append(data)


def of(name, manners, **options):
    return Page(worksheet(walkthrough(bough.datasets.load(name), **options), manners))


@pytest.mark.parametrize("name", ["office_rooms", "seven_numbers", "course_ratings"])
def test_the_key_says_what_the_text_says(name):
    page = of(name, KEY)
    assert page.open == []
    shown = text(walkthrough(bough.datasets.load(name)), KEY, width=None)
    words = " ".join(page.said)
    assert [each for each in shown.split() if each not in words] == []


def test_a_worksheet_leaves_out_what_is_to_be_worked_out():
    page = of("commute", BLANK)
    steps = " ".join(page.said).partition("step 1 of")[2]
    assert "0." not in steps
    assert "▶" not in steps
    blank, key = (each.tags.count("tr") for each in (page, of("commute", KEY)))
    assert blank == key
    assert {"Name", "Date"} <= set(page.said)
    assert "to fill in" in worksheet(walkthrough(bough.datasets.load("commute")), BLANK)


@pytest.mark.parametrize("manners", [BLANK, KEY, Manners(pivots=True)], ids=str)
def test_hostile_names_are_only_words(manners):
    columns = {name: [name, "x", name, "y"] for name in HOSTILE}
    growth = walkthrough({**columns, "la<i>bel": [*HOSTILE[:3], HOSTILE[0]]}, "la<i>bel")
    page = Page(worksheet(growth, manners))
    assert page.open == []
    assert not {"script", "b", "i", "img"} & set(page.tags)
    assert not [
        name for name in page.attributes if name.startswith("on") or name in ("src", "href")
    ]


def test_a_page_needs_nothing_else():
    html = worksheet(walkthrough(bough.datasets.load("and")), BLANK)
    assert "default-src 'none'" in html
    assert "http" not in html.replace("http-equiv", "")
    assert "url(" not in html
