"""The table of drawings: name → function."""

from collections.abc import Callable
from typing import Any

from bough.draw.text import text
from bough.errors import ParameterError, did_you_mean, listed
from bough.tree import Tree

DRAWINGS: dict[str, Callable[..., str]] = {"text": text}


def draw(model: object, format: str = "text", **options: Any) -> str:  # noqa: A002, ANN401
    """Return a drawing of a tree.

    Parameters
    ----------
    model
        A `Tree`, or a fitted estimator.
    format
        The kind of drawing: 'text'.
    **options
        What the drawing can be told; for 'text' see `bough.draw.text.text`.

    Examples
    --------
    >>> print(draw(play_tennis_tree, max_depth=1, ascii=True))
    all rows                ####........  14
    |-- outlook = Overcast  ............   4  -> Yes  100 %
    |-- outlook = Rain      #####.......   5  -> Yes   60 %  ...
    `-- outlook = Sunny     #######.....   5  -> No    60 %  ...
    <BLANKLINE>
    # No  . Yes   bars: share of each class - number: rows - ...: asks on
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
