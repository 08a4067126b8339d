"""The picture of a tree as pixels."""

from typing import Any

from bough.drawing.options import check_options
from bough.drawing.svg import svg
from bough.errors import ParameterError
from bough.tree import Tree


def png(tree: Tree, *, scale: int = 2, **options: Any) -> bytes:  # noqa: ANN401
    """Return the tree as a PNG picture.

    Parameters
    ----------
    tree
        The tree to draw.
    scale
        How many pixels there are for each pixel of the SVG picture, along each side.
    **options
        The options of the SVG picture.
    """
    check_options(scale=scale)
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise ParameterError(
            "format='png' needs the package resvg-py. Install it with pip install 'bough[png]', "
            "or draw format='svg', which needs nothing."
        ) from None
    return bytes(svg_to_bytes(svg_string=svg(tree, **options), zoom=scale))
