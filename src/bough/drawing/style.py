"""The style of drawings: their options, and what is refused; colours and fonts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, TypedDict

import numpy as np

from bough.errors import Argument, ParameterError, did_you_mean, listed, refuse_unknown
from bough.settings import whole
from bough.tree import Tree

LEAST = {"digits": 1, "max_depth": 0, "max_nodes": 1, "scale": 1, "width": 1}
MAY_BE_NONE = {"max_depth", "max_nodes", "width"}
Color = tuple[int, int, int]
# Blue and orange, then further ones that most eyes tell apart (Okabe and Ito). The last one is also
# that of all classes without a colour of their own.
COLORS: tuple[Color, ...] = (
    (0, 114, 178),
    (230, 159, 0),
    (0, 158, 115),
    (204, 121, 167),
    (86, 180, 233),
    (213, 94, 0),
    (240, 228, 66),
    (150, 150, 150),
)
FONTS = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', "
    "'DejaVu Sans', Arial, sans-serif"
)


class DrawingOptions(TypedDict, total=False):
    """What drawings and other formats can be told; each has some of these."""

    digits: int | None
    max_depth: int | None
    max_nodes: int | None
    width: int | None
    ascii: bool
    color: bool
    ids: bool
    theme: str
    legend: bool
    scale: int
    features: Sequence[str] | None
    ranges: Mapping[str, tuple[float, float]] | None


def check_options(**options: object) -> None:
    """Refuse options that are no whole numbers, or too small."""
    for name, value in options.items():
        if value is None and name in MAY_BE_NONE:
            continue
        whole(LEAST[name])(name, value)


def check_names(format: str, write: Callable[..., Any], options: Mapping[str, object]) -> None:  # noqa: A002
    """Refuse options that a format does not have."""
    known = [
        each.name for each in signature(write).parameters.values() if each.kind is each.KEYWORD_ONLY
    ]
    for name in options:
        if name not in known:
            has = f"It has {listed(known, most=len(known))}." if known else "It has none."
            raise ParameterError(
                Argument("format", format),
                f" has no option {name!r}.{did_you_mean(name, known)} {has}",
            )


def colored_classes(tree: Tree) -> list[int]:
    """Return the classes that have a colour of their own: all, or the commonest of too many.

    There are none where labels are numbers, or several.
    """
    if not tree.schema.has_classes or len(tree.schema.labels) > 1:
        return []
    shares = tree.shares[0, 0]
    if len(shares) <= len(COLORS):
        return list(range(len(shares)))
    return sorted(np.argsort(-shares, kind="stable")[: len(COLORS) - 1].tolist())


def color_of(class_number: int, colored: list[int]) -> str:
    """Return the colour of a class, as pages and pictures write it."""
    place = colored.index(class_number) if class_number in colored else len(COLORS) - 1
    return hex_of(COLORS[place])


def hex_of(color: Color) -> str:
    """Return a colour as '#0072b2'."""
    return "#" + bytes(color).hex()


@dataclass(frozen=True)
class Theme:
    """A colour for everything that a picture is made of; words are well legible on the others."""

    ground: str
    card: str
    border: str
    ink: str  # of what is read first
    muted: str  # of other words
    edge: str
    number: str  # of what shows numbers


THEMES = {
    "light": Theme(
        ground="#ffffff",
        card="#f6f8fa",
        border="#c8ced8",
        ink="#1a1d23",
        muted="#57606a",
        edge="#ccd2db",
        number="#0072b2",
    ),
    "dark": Theme(
        ground="#14181b",
        card="#1e232a",
        border="#48505c",
        ink="#e9ebee",
        muted="#a3acb8",
        edge="#3a424d",
        number="#56b4e9",
    ),
}


def theme_of(name: str) -> Theme:
    """Return the theme that a user has named."""
    refuse_unknown("theme", name, THEMES)
    return THEMES[name]
