"""The table of formats: name → function."""

from collections.abc import Callable
from importlib import import_module
from typing import Literal, TypeAlias, Unpack, cast, overload

from bough.drawing import DRAWINGS, draw
from bough.drawing.style import DrawingOptions, check_names
from bough.errors import refuse_unknown
from bough.exports.model_file import dumps, model_of
from bough.table import TableLike
from bough.tree import Tree, TreeLike, tree_of

PREDICTING = ("c", "java", "javascript", "onnx", "pmml", "python", "sklearn", "sql", "treelite")
DIALECTS = ("duckdb", "postgres", "spark", "sqlite")
WRITERS = {  # the functions and where they are, but for programming languages and drawings
    "dot": (".graphs", "dot"),
    "html": ("", "html"),
    "json": ("", "json"),
    "mermaid": (".graphs", "mermaid"),
    "onnx": (".onnx", "onnx"),
    "pmml": (".pmml", "pmml"),
    "rules": ("", "rule_lines"),
    "sklearn": (".scikit_learn", "sklearn_pickle"),
    "sql": (".sql", "sql"),
    "treelite": (".scikit_learn", "treelite_bytes"),
}
TextFormat: TypeAlias = (
    Literal["c", "dot", "html", "java", "javascript", "json", "mermaid", "pmml"]
    | Literal["python", "regions", "rules", "sql", "svg", "text"]
)
FORMATS = sorted({*PREDICTING, *WRITERS, *DRAWINGS})


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
    format: TextFormat,
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
        from bough.exports.replay import check_export

        check_export(found, format, tree_of(model), check, options)
    return found


def _written(model: TreeLike, format: str, options: ExportOptions) -> str | bytes:  # noqa: A002
    if format in DRAWINGS:
        return draw(model, format, **cast(DrawingOptions, options))
    write = _writer(format)
    check_names(format, write, options)
    if format in PREDICTING:
        from bough.exports.refusals import refuse_weighing

        refuse_weighing(tree_of(model), model_of(model).missing)
    return write(model if format in ("html", "json") else tree_of(model), **options)


def _writer(format: str) -> Callable[..., str | bytes]:  # noqa: A002
    """Return what writes a format. What other formats need is not imported."""
    if format in WRITERS:
        module, name = WRITERS[format]
        found: Callable[..., str | bytes] = getattr(import_module(f"bough.exports{module}"), name)
        return found
    from bough.exports.code import code

    def write(tree: Tree, *, with_test: bool = False) -> str:
        return code(tree, format, with_test=with_test)

    return write


def html(model: TreeLike, *, digits: int = 3) -> str:
    """Return the report, one page of HTML; that of a result of `bough.fit` also tells of its table."""
    from bough.exports.model_file_evidence import evidence_about, simpler_tree
    from bough.report.page import page
    from bough.report.subject import Subject

    if hasattr(model, "__bough_subject__"):
        return page(model.__bough_subject__(digits))
    saved = model_of(model)
    evidence = None if saved.evidence is None else evidence_about(saved.tree, saved.evidence)
    simpler = None if evidence is None else simpler_tree(evidence, saved.tree)
    subject = Subject(saved.tree, evidence, missing=saved.missing, digits=digits, simpler=simpler)
    return page(subject)


def json(model: TreeLike) -> str:
    """Return the model file."""
    return dumps(model_of(model)).decode()


def rule_lines(tree: Tree, *, digits: int | None = None) -> str:
    """Return a line for each leaf."""
    from bough.explain.rules_and_conditions import rules

    return "".join(f"{rule}\n" for rule in rules(tree, digits=digits))
