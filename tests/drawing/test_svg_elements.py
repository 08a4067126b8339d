"""Elements of an SVG document."""

from xml.etree import ElementTree as ET

import pytest

from bough.drawing.svg.elements import element, escaped, isolated, short, words


def test_attributes_are_escaped():
    found = ET.fromstring(element("g", class_='"><script>'))
    assert found.get("class") == '"><script>'


def test_words_are_escaped():
    assert ET.fromstring(words("<b>&amp;", 1, 2)).text == "<b>&amp;"


@pytest.mark.parametrize("sign", ["\x00", "\x1b", "\ud800", "\ufffe", "\uffff"])
def test_signs_that_no_document_may_hold_are_replaced(sign):
    assert escaped(f"a{sign}b") == "a\ufffdb"


@pytest.mark.parametrize("name", ["שם", "العمر", "a שם"])
def test_names_from_right_to_left_are_isolated(name):
    assert isolated(name) == f"\u2068{name}\u2069"


@pytest.mark.parametrize("name", ["", "age", "größe", "数"])
def test_other_names_stay_as_they_are(name):
    assert isolated(name) == name


@pytest.mark.parametrize(
    ("length", "written"), [(1234567.89, "1234567.9"), (-3.0, "-3"), (1e-9, "0")]
)
def test_lengths_are_written_without_an_exponent(length, written):
    assert short(length) == written
