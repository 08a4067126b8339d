"""What colours, widths and dots of a picture mean."""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from bough.drawing.colors import COLORS, colored_classes, hex_of
from bough.drawing.svg.elements import SMALL, Paint, isolated, words
from bough.drawing.svg.text_width import fitted, text_width
from bough.shorten import filled
from bough.tree import Tree
from bough.words import guess_word, plain

LINE = 20
SWATCH = 10
GAP = 16
LONGEST_NAME = 180


class Key(NamedTuple):
    """A colour, if there is one, and what it means."""

    words: str
    color: str | None = None

    @property
    def width(self) -> float:
        return text_width(self.words, SMALL) + (SWATCH + 5 if self.color else 0)


def class_keys(tree: Tree) -> list[Key]:
    """Return what the colours of classes mean."""
    colored = colored_classes(tree)
    classes = tree.schema.labels[0].classes
    names = [fitted(plain(guess_word(classes[each])), LONGEST_NAME, SMALL) for each in colored]
    if colored and len(colored) < len(classes):
        names.append(f"{len(classes) - len(colored)} others")
    return [Key(name, hex_of(COLORS[place])) for place, name in enumerate(names)]


def sign_keys(signs: Iterable[str], width: float) -> list[Key]:
    """Return what signs mean, in pieces that are no wider than a picture."""
    lines = filled(signs, width, " · ", partial(text_width, size=SMALL))
    return [Key(line) for line in lines]


def legend_of(keys: Iterable[Key], width: float) -> tuple[str, float]:
    """Return keys beside each other, in as many lines as it takes, and how high they are."""
    shown, paint = "", Paint()
    x = y = 0.0
    for key in keys:
        if x > 0 and x + key.width > width:
            x, y = 0.0, y + LINE
        middle = y + LINE / 2
        start = x
        if key.color is not None:
            paint.rectangle(key.color, x, middle - SWATCH / 2, SWATCH, SWATCH)
            start += SWATCH + 5
        shown += words(isolated(key.words), start, middle + SMALL / 3)
        x += key.width + GAP
    return shown + paint.write(), y + LINE
