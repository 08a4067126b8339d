"""SVG pictures taken apart: the boxes of a tree and the words in them."""

import re
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from bough.drawing.svg.elements import text_width

SVG = "{http://www.w3.org/2000/svg}"


@dataclass
class Rectangle:
    left: float
    top: float
    right: float
    bottom: float

    def moved(self, x, y):
        return Rectangle(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def holds(self, other):
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def meets(self, other):
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


def parsed(picture):
    return ET.fromstring(picture)


def shape(element):
    """Return the tags of an element and of all inside it, without names and places."""
    return (element.tag.removeprefix(SVG), element.get("class"), [shape(each) for each in element])


def nodes(picture):
    """Return the group of each box, by the number of its node; stubs have None."""
    return [(each.get("data-node"), each) for each in _groups(picture) if _card(each) is not None]


def box_of(group):
    """Return the box of a node on the picture."""
    card = _card(group)
    x, y = _place(group)
    return Rectangle(0, 0, float(card.get("width")), float(card.get("height"))).moved(x, y)


def words_of(group):
    """Return the words of a node and the room that they take at most: inside it, and before it."""
    inside, before = [], []
    for text in group.iter(f"{SVG}text"):
        x, y = _place(group)
        found = (text.text, _room(text).moved(x, y))
        (before if text.get("class") == "answer" else inside).append(found)
    return inside, before


def _room(text):
    size, bold = float(text.get("font-size", 12)), text.get("font-weight") == "700"
    x, y, width = float(text.get("x")), float(text.get("y")), text_width(text.text, size, bold=bold)
    left = {"end": x - width, "middle": x - width / 2}.get(text.get("text-anchor"), x)
    return Rectangle(left, y - 0.75 * size, left + width, y + 0.2 * size)


def _groups(picture):
    return [
        each
        for each in parsed(picture).iter(f"{SVG}g")
        if each.get("data-parent") or each.get("data-node")
    ]


def _card(group):
    cards = [each for each in group if each.get("class") == "card"]
    return cards[-1] if cards else None


def _place(group):
    x, y = re.fullmatch(r"translate\((.+),(.+)\)", group.get("transform")).groups()
    return float(x), float(y)
