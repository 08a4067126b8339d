"""The picture of a tree as pixels."""

from bough.drawing.options import check_options
from bough.drawing.svg import svg
from bough.errors import Argument, ParameterError, needs_package
from bough.tree import Tree


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
    """Return the tree as a PNG picture.

    Parameters
    ----------
    scale
        How many pixels there are for each pixel of the SVG picture, along each side.
    max_depth, max_nodes, theme, digits, ids, legend
        As for the SVG picture.
    """
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
