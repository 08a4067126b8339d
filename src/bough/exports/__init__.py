"""The table of formats: name → function."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, overload

from bough.drawing import draw, tree_of
from bough.errors import ParameterError, did_you_mean, listed
from bough.exports.graphs import dot, mermaid
from bough.exports.model_file import Model, dumps
from bough.exports.rules import rule_lines


@overload
def export(model: object, format: Literal["png"], **options: Any) -> bytes: ...  # noqa: ANN401
@overload
def export(model: object, format: str, **options: Any) -> str: ...  # noqa: ANN401
def export(model: object, format: str, **options: Any) -> str | bytes:  # noqa: A002
    """Return a tree in a format that other programs, or people, read.

    Parameters
    ----------
    model
        A `Tree`, or a fitted estimator.
    format
        'json' is the model file, 'html' the report, 'text' the tree as a table, 'rules' one line
        for each leaf; 'dot' and 'mermaid' are graphs that Graphviz and Mermaid draw; 'svg', 'png'
        (bytes) and 'regions' are pictures.
    **options
        What the format can be told: `digits` for 'html', 'rules', 'dot' and 'mermaid'; 'text' and
        pictures take the options of `bough.draw`.

    Examples
    --------
    >>> print(export(play_tennis_tree, "text", max_depth=0, ascii=True))
    all rows  ####........  14  -> Yes  64 %  ... 7 more
    <BLANKLINE>
    # No  . Yes   bars: share of each class - number: rows - ...: not drawn
    """
    if format not in FORMATS:
        hint = did_you_mean(str(format), FORMATS)
        raise ParameterError(
            f"format={format!r} is not known.{hint} Known: {listed(FORMATS, most=len(FORMATS))}."
        )
    return FORMATS[format](model, **options)


def _json(model: object) -> str:
    tree = tree_of(model)
    # An estimator knows what else belongs into its file.
    whole = model.__bough_model__() if hasattr(model, "__bough_model__") else Model(tree, {})
    return dumps(whole).decode()


def _html(model: object, **options: Any) -> str:  # noqa: ANN401
    from bough.exports.html import html  # needed for no other format

    return html(model, **options)


def _of_tree(write: Callable[..., str]) -> Callable[..., str]:
    """Return a function that writes the tree of any model."""
    return lambda model, **options: write(tree_of(model), **options)


FORMATS: dict[str, Callable[..., str | bytes]] = {
    "dot": _of_tree(dot),
    "html": _html,
    "json": _json,
    "mermaid": _of_tree(mermaid),
    "png": partial(draw, format="png"),
    "regions": partial(draw, format="regions"),
    "rules": _of_tree(rule_lines),
    "svg": partial(draw, format="svg"),
    "text": partial(draw, format="text"),
}
