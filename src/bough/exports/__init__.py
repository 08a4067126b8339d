"""The table of formats: name → function."""

from collections.abc import Callable
from typing import Literal, Unpack, overload

from bough.drawing import DRAWINGS, draw
from bough.drawing.options import DrawingOptions, check_names
from bough.errors import refuse_unknown
from bough.exports.graphs import dot, mermaid
from bough.exports.model_file import dumps, model_of
from bough.tree import Tree, TreeLike, tree_of


@overload
def export(model: TreeLike, format: Literal["png"], **options: Unpack[DrawingOptions]) -> bytes: ...
@overload
def export(
    model: TreeLike,
    format: Literal["dot", "html", "json", "mermaid", "regions", "rules", "svg", "text"],
    **options: Unpack[DrawingOptions],
) -> str: ...
@overload
def export(model: TreeLike, format: str, **options: Unpack[DrawingOptions]) -> str | bytes: ...
def export(model: TreeLike, format: str, **options: Unpack[DrawingOptions]) -> str | bytes:  # noqa: A002
    """Return a tree in a format that other programs, or people, read.

    Parameters
    ----------
    model
        A `Tree`, a fitted estimator, or what `bough.fit` gives.
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
    refuse_unknown("format", format, FORMATS)
    if format in DRAWINGS:
        return draw(model, format, **options)
    write = WRITERS[format]
    check_names(format, write, options)
    return write(model if write in _OF_MODELS else tree_of(model), **options)


def _json(model: TreeLike) -> str:
    return dumps(model_of(model)).decode()


def _html(model: TreeLike, *, digits: int = 3) -> str:
    from bough.exports.html import html  # needed for no other format

    return html(model, digits=digits)


def _rules(tree: Tree, *, digits: int | None = None) -> str:
    from bough.explain.rules import rules  # needed for no other format

    return "".join(f"{rule}\n" for rule in rules(tree, digits=digits))


WRITERS: dict[str, Callable[..., str]] = {
    "dot": dot,
    "html": _html,
    "json": _json,
    "mermaid": mermaid,
    "rules": _rules,
}
_OF_MODELS = (_html, _json)  # which tell of more than the tree
FORMATS = sorted([*WRITERS, *DRAWINGS])
