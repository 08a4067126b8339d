"""Drawings of a tree: the table of them, name → function, and the picture as pixels."""

from collections.abc import Callable
from typing import Literal, Unpack, overload

from bough.drawing.regions import regions
from bough.drawing.style import DrawingOptions, check_names, check_options
from bough.drawing.svg import svg
from bough.drawing.text import text
from bough.errors import Argument, ParameterError, needs_package, refuse_unknown
from bough.tree import Tree, TreeLike, tree_of


@overload
def draw(model: TreeLike, format: Literal["png"], **options: Unpack[DrawingOptions]) -> bytes: ...
@overload
def draw(
    model: TreeLike,
    format: Literal["text", "svg", "regions"] = "text",
    **options: Unpack[DrawingOptions],
) -> str: ...
@overload
def draw(
    model: TreeLike, format: str = "text", **options: Unpack[DrawingOptions]
) -> str | bytes: ...
def draw(
    model: TreeLike,
    format: str = "text",  # noqa: A002
    **options: Unpack[DrawingOptions],
) -> str | bytes:
    """Return a drawing of a tree.

    Parameters
    ----------
    model
        A `Tree`, a fitted estimator, or what `bough.fit` gives.
    format
        The kind of drawing: 'text' for a terminal, 'svg' for a picture that any browser shows,
        'png' for the same as pixels (bytes; needs the extra `bough[png]`), 'regions' for a picture
        of the predictions on the plane of two numbers.
    **options
        `digits`, the least number of significant digits; `max_depth` and `max_nodes`, where to stop;
        `ids`, to show the numbers of nodes. 'text' also has `width`, `ascii` and `color`, pictures
        have `theme` ('light' or 'dark') and `legend`, 'png' has `scale`, and 'regions' has only
        `features` (two names), `ranges`, `theme` and `digits`.

    Examples
    --------
    >>> print(draw(play_tennis_tree, max_depth=1, ascii=True))
    all rows                ####........  14
    |-- outlook = Overcast  ............   4  -> Yes  100 %
    |-- outlook = Rain      #####.......   5  -> Yes   60 %  ... 2 more
    `-- outlook = Sunny     #######.....   5  -> No    60 %  ... 2 more
    <BLANKLINE>
    # No  . Yes   bars: share of each class - number: rows - ...: not drawn
    """
    refuse_unknown("format", format, DRAWINGS)
    check_names(format, DRAWINGS[format], options)
    return DRAWINGS[format](tree_of(model), **options)


def png(
    tree: Tree,
    *,
    scale: int = 2,
    max_depth: int | None = None,
    max_nodes: int | None = 40,
    theme: str = "light",
    digits: int = 3,
    ids: bool = False,
    legend: bool = True,
) -> bytes:
    """Return the SVG picture as a PNG picture, with `scale` pixels for each of its own along each side."""
    check_options(scale=scale)
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise ParameterError(
            Argument("format", "png"), needs_package("resvg-py", "'bough[png]'"),
            ", or draw ", Argument("format", "svg"), ", which needs nothing.",
        ) from None  # fmt: skip
    picture = svg(
        tree,
        max_depth=max_depth,
        max_nodes=max_nodes,
        theme=theme,
        digits=digits,
        ids=ids,
        legend=legend,
    )
    return bytes(svg_to_bytes(svg_string=picture, zoom=scale))


DRAWINGS: dict[str, Callable[..., str | bytes]] = {
    "png": png,
    "regions": regions,
    "svg": svg,
    "text": text,
}
