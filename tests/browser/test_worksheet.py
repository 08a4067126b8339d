"""Worksheets in Chromium: quiet, readable on a narrow screen, and printed without anything cut."""

import pytest

import bough
from bough.teach.page import worksheet
from bough.teach.step_words import Manners

WAYS = {"blank": Manners(blank=True), "key": Manners(full=True)}


def page_of(way, table="play_tennis"):
    return worksheet(bough.teach.walkthrough(bough.datasets.load(table)), WAYS[way])


@pytest.mark.parametrize("way", WAYS)
def test_a_sheet_asks_for_nothing_and_fits(opened, way):
    for width, media in ((1280, "screen"), (400, "screen"), (720, "print")):
        found = opened(page_of(way), width=width, media=media)
        assert (found.others, found.complaints) == ([], [])
        assert found.run("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_shut_out(opened, axe, way, scheme):
    shown = opened(page_of(way), scheme=scheme)
    shown.run(axe)
    assert shown.run("axe.run().then(found => found.violations.map(each => each.id))") == []
