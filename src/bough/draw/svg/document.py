"""A whole SVG document around what a picture shows."""

from collections.abc import Iterable

from bough.draw.svg.element import element, escaped, short
from bough.draw.svg.theme import FONTS, Theme

MARGIN = 16  # on every side
SMALL = 12  # the size of letters, unless others are asked for


def document(
    inner: Iterable[str],
    size: tuple[float, float],
    theme: Theme,
    *,
    name: str,
    title: str,
    description: str,
) -> str:
    """Return a document; those who cannot see it hear its title and its description.

    Parameters
    ----------
    inner
        What is shown, in the order in which it is painted.
    size
        The width and the height of what is shown, without the margin around it.
    theme
        The colours.
    name
        The class of the document, by which a page that holds it finds it.
    title, description
        What the picture shows, in words.
    """
    width, height = (length + 2 * MARGIN for length in size)
    return element(
        "svg",
        element("title", escaped(title)),
        element("desc", escaped(description)),
        element("rect", class_="ground", width=width, height=height, fill=theme.ground),
        group("".join(inner), (MARGIN, MARGIN)),
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        class_=name,
        viewBox=f"0 0 {short(width)} {short(height)}",
        width=width,
        height=height,
        direction="ltr",
        font_family=FONTS,
        font_size=SMALL,
    )


def group(inner: str, place: tuple[float, float], **attributes: str | float | None) -> str:
    """Return a group that is moved to a place; nothing if it is empty."""
    x, y = map(short, place)
    return element("g", inner, transform=f"translate({x},{y})", **attributes) if inner else ""
