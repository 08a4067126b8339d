"""The table of formats: name → function."""

from collections.abc import Callable
from typing import Literal, Unpack, cast, overload

from bough.drawing import DRAWINGS, draw
from bough.drawing.options import DrawingOptions, check_names
from bough.errors import refuse_unknown
from bough.exports.graphs import dot, mermaid
from bough.exports.model_file import dumps, model_of
from bough.table import TableLike
from bough.tree import Tree, TreeLike, tree_of


class ExportOptions(DrawingOptions, total=False):
    """What formats can be told; each has some of these."""

    dialect: str
    expression: bool
    table: str
    with_test: bool


@overload
def export(
    model: TreeLike,
    format: Literal["onnx", "png", "sklearn", "treelite"],
    *,
    check: TableLike | None = None,
    **options: Unpack[ExportOptions],
) -> bytes: ...
@overload
def export(
    model: TreeLike,
    format: Literal[
        "c",
        "dot",
        "html",
        "java",
        "javascript",
        "json",
        "mermaid",
        "pmml",
        "python",
        "regions",
        "rules",
        "sql",
        "svg",
        "text",
    ],
    *,
    check: TableLike | None = None,
    **options: Unpack[ExportOptions],
) -> str: ...
@overload
def export(
    model: TreeLike,
    format: str,
    *,
    check: TableLike | None = None,
    **options: Unpack[ExportOptions],
) -> str | bytes: ...
def export(
    model: TreeLike,
    format: str,  # noqa: A002
    *,
    check: TableLike | None = None,
    **options: Unpack[ExportOptions],
) -> str | bytes:
    """Return a tree in a format that other programs, or people, read.

    Parameters
    ----------
    model
        A `Tree`, a fitted estimator, or what `bough.fit` gives.
    format
        'python', 'c', 'javascript' and 'java' are functions that need nothing else, 'sql' a query,
        'onnx' (bytes) and 'pmml' files for inference servers, 'sklearn' (bytes) a pickle of what
        `to_sklearn` returns, 'treelite' (bytes) a model of treelite. 'json' is the model file, 'html' the
        report, 'text' the tree as a table, 'rules' one line for each leaf; 'dot' and 'mermaid' are
        graphs that Graphviz and Mermaid draw; 'svg', 'png' (bytes) and 'regions' are pictures.
    check
        Rows on which the export is run (in DuckDB, Node.js, a compiler …) before it is returned. If it
        does not predict what the tree predicts, an `ExportError` names the first such row.
    **options
        What the format can be told: `dialect` ('duckdb', 'postgres', 'spark', 'sqlite'), `expression`
        (only the prediction, no query) and `table` (the table to read) for 'sql'; `with_test` (the
        file tests itself when run) for programming languages; `digits` for 'html', 'rules', 'dot' and
        'mermaid'; 'text' and pictures take the options of `bough.draw`.

    Examples
    --------
    >>> print(export(play_tennis_tree, "text", max_depth=0, ascii=True))
    all rows  ####........  14  -> Yes  64 %  ... 7 more
    <BLANKLINE>
    # No  . Yes   bars: share of each class - number: rows - ...: not drawn
    """
    refuse_unknown("format", format, FORMATS)
    found = _written(model, format, options)
    if check is not None:
        from bough.exports.check import check_export

        check_export(found, format, tree_of(model), check, options)
    return found


def _written(model: TreeLike, format: str, options: ExportOptions) -> str | bytes:  # noqa: A002
    if format in DRAWINGS:
        return draw(model, format, **cast(DrawingOptions, options))
    write = WRITERS[format]
    check_names(format, write, options)
    if format in PREDICTING:
        from bough.exports.ways import refuse_weighing

        refuse_weighing(tree_of(model), model_of(model).missing)
    return write(model if write in _OF_MODELS else tree_of(model), **options)


def _json(model: TreeLike) -> str:
    return dumps(model_of(model)).decode()


def _html(model: TreeLike, *, digits: int = 3) -> str:
    from bough.exports.html import html  # needed for no other format

    return html(model, digits=digits)


def _rules(tree: Tree, *, digits: int | None = None) -> str:
    from bough.explain.rules import rules  # needed for no other format

    return "".join(f"{rule}\n" for rule in rules(tree, digits=digits))


def _code(language: str) -> Callable[..., str]:
    def write(tree: Tree, *, with_test: bool = False) -> str:
        from bough.exports.code.emit import code  # needed for no other format

        return code(tree, language, with_test=with_test)

    return write


def _sql(
    tree: Tree, *, dialect: str = "duckdb", expression: bool = False, table: str = "data"
) -> str:
    from bough.exports.sql import sql  # needed for no other format

    return sql(tree, dialect=dialect, expression=expression, table=table)


def _onnx(tree: Tree) -> bytes:
    from bough.exports.onnx import onnx  # needed for no other format

    return onnx(tree)


def _pmml(tree: Tree) -> str:
    from bough.exports.pmml import pmml  # needed for no other format

    return pmml(tree)


def _sklearn(tree: Tree) -> bytes:
    from bough.exports.scikit_learn import sklearn_pickle  # needed for no other format

    return sklearn_pickle(tree)


def _treelite(tree: Tree) -> bytes:
    from bough.exports.scikit_learn import treelite_bytes  # needed for no other format

    return treelite_bytes(tree)


PREDICTING: dict[str, Callable[..., str | bytes]] = {
    "c": _code("c"),
    "java": _code("java"),
    "javascript": _code("javascript"),
    "onnx": _onnx,
    "pmml": _pmml,
    "python": _code("python"),
    "sklearn": _sklearn,
    "sql": _sql,
    "treelite": _treelite,
}
WRITERS: dict[str, Callable[..., str | bytes]] = PREDICTING | {
    "dot": dot,
    "html": _html,
    "json": _json,
    "mermaid": mermaid,
    "rules": _rules,
}
DIALECTS = ("duckdb", "postgres", "spark", "sqlite")
_OF_MODELS = (_html, _json)  # which tell of more than the tree
FORMATS = sorted([*WRITERS, *DRAWINGS])
