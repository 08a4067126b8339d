"""The table of drawings: name → function."""

from collections.abc import Callable
from typing import Literal, Unpack, overload

from bough.drawing.options import DrawingOptions, check_names
from bough.drawing.png import png
from bough.drawing.regions import regions
from bough.drawing.svg import svg
from bough.drawing.text import text
from bough.errors import refuse_unknown
from bough.tree import TreeLike, tree_of

DRAWINGS: dict[str, Callable[..., str | bytes]] = {
    "png": png,
    "regions": regions,
    "svg": svg,
    "text": text,
}


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
