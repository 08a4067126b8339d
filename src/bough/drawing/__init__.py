"""The table of drawings: name → function."""

from collections.abc import Callable
from typing import Any, Literal, overload

from bough.drawing.png import png
from bough.drawing.regions import regions
from bough.drawing.svg import svg
from bough.drawing.text import text
from bough.errors import ParameterError, did_you_mean, listed
from bough.tree import Tree

DRAWINGS: dict[str, Callable[..., str | bytes]] = {
    "png": png,
    "regions": regions,
    "svg": svg,
    "text": text,
}


@overload
def draw(model: object, format: Literal["png"], **options: Any) -> bytes: ...  # noqa: ANN401
@overload
def draw(model: object, format: str = "text", **options: Any) -> str: ...  # noqa: ANN401
def draw(model: object, format: str = "text", **options: Any) -> str | bytes:  # noqa: A002
    """Return a drawing of a tree.

    Parameters
    ----------
    model
        A `Tree`, a fitted estimator, or what `bough.fit` gives.
    format
        The kind of drawing: 'text' for a terminal, 'svg' for a picture that any browser shows,
        'png' for the same as pixels (bytes; needs the extra `bough[png]`), 'regions' for a picture
        of what is guessed where, on the plane of two numbers.
    **options
        What the drawing can be told; see `bough.drawing.text.text`, `bough.drawing.svg.svg`,
        `bough.drawing.png.png` and `bough.drawing.regions.regions`.

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
    if format not in DRAWINGS:
        hint = did_you_mean(str(format), DRAWINGS)
        raise ParameterError(f"format={format!r} is not known.{hint} Known: {listed(DRAWINGS)}.")
    return DRAWINGS[format](tree_of(model), **options)


def tree_of(model: object) -> Tree:
    """Return the tree of a model: a `Tree` itself, or what a fitted estimator has grown."""
    tree = getattr(model, "grown_tree_", model)
    if isinstance(tree, Tree):
        return tree
    name = type(model).__name__
    if hasattr(model, "fit"):
        from sklearn.exceptions import NotFittedError

        raise NotFittedError(f"This {name} has no tree yet. Call 'fit' first.")
    raise ParameterError(f"model is a {name}; it must be a Tree or a fitted estimator.")
