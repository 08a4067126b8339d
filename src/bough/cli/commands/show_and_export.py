"""The commands that write a tree.

`bough show`: in the terminal; `bough export`: in a format that other programs read.
"""

import sys
from pathlib import Path
from typing import Annotated, cast

from cyclopts import Parameter
from rich.text import Text

from bough.checks.list_of_checks import NOT_EXACT
from bough.cli.arguments import (
    AS_FOUND,
    NOTHING_LOST,
    ModelFile,
    Outputs,
    Reading,
    is_ours,
    open_page,
    page_beside,
    read_model,
)
from bough.cli.command_line import typed_with
from bough.cli.failures import UsageError
from bough.cli.printing import Picture, plain_labels, plain_nodes
from bough.cli.terminal import AS_USUAL, FLAG, Terminal, at_least, hanging
from bough.exports import DIALECTS, FORMATS, ExportOptions
from bough.exports import export as exported
from bough.files import write_file
from bough.tree import Tree
from bough.words import row_count


def show(
    model: ModelFile,
    /,
    *,
    depth: Annotated[int | None, at_least(0)] = None,
    full: Annotated[bool, FLAG] = False,
    rules: Annotated[bool, FLAG] = False,
    ids: Annotated[bool, FLAG] = False,
    html: Annotated[Path | None, Parameter(metavar="FILE")] = None,
    open: Annotated[bool, FLAG] = False,  # noqa: A002 - the name of the option
    terminal: Terminal = AS_USUAL,
) -> None:
    """Draw a tree.

    Parameters
    ----------
    depth
        Draw at most this many levels of questions.
    full
        Draw the whole tree, even if it is longer than the screen.
    rules
        List the rule of each leaf instead.
    ids
        Show the number of each node.
    html
        Write a page about the tree to this file instead.
    open
        Write that page, next to the model file if none is named, and open it in a browser.
    """
    if html is not None or open:
        _write_page(model, html, terminal, is_opened=open)
        return
    saved = read_model(model)
    tree = saved.tree
    if rules:
        _show_rules(tree, terminal)
    elif terminal.json:
        nodes = plain_nodes(tree, depth)
        terminal.document("show", {"labels": plain_labels(tree), "nodes": nodes})
    else:
        terminal.say(Picture(terminal, tree, depth, full, ids).drawn())
        if saved.settings.get("exact") is False:
            terminal.remark(f"{NOT_EXACT[0].upper()}{NOT_EXACT[1:]}.")


def _write_page(model: Path, page: Path | None, terminal: Terminal, *, is_opened: bool) -> None:
    from bough.exports import html

    page = page or page_beside(model) or Path("tree.html")
    write_file(page, html(read_model(model), digits=terminal.digits).encode())
    terminal.remark(f"wrote {page}")
    if terminal.json:
        terminal.document("show", {"output": str(page)})
    if is_opened:
        open_page(page, terminal)


def _show_rules(tree: Tree, terminal: Terminal) -> None:
    from bough.explain.rules_and_conditions import rules  # which a drawing need not wait for

    found = rules(tree, digits=terminal.digits)
    if terminal.json:
        plain = [rule.as_dict() for rule in found]
        terminal.document("show", {"labels": plain_labels(tree), "rules": plain})
        return
    for rule in found:
        terminal.say(hanging(Text(str(rule)), terminal.out.width))


def export(
    model: ModelFile,
    /,
    *,
    to: Annotated[str, Parameter(choices=FORMATS)],
    output: Annotated[Path | None, Parameter(alias="-o", metavar="FILE")] = None,
    check: Annotated[str | None, Parameter(metavar="DATA")] = None,
    dialect: Annotated[str | None, Parameter(choices=DIALECTS)] = None,
    expression: Annotated[bool, FLAG] = False,
    table: Annotated[str | None, Parameter(metavar="NAME")] = None,
    with_test: Annotated[bool, FLAG] = False,
    reading: Reading = AS_FOUND,
    outputs: Outputs = NOTHING_LOST,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Write a tree.

    Parameters
    ----------
    to
        The format.
    output
        The file to write; stdout if none is named.
    check
        A table on which the export is run first; if it differs from the tree anywhere, nothing is written and the exit status is 1.
    dialect
        The database of the SQL: duckdb if not given.
    expression
        Write only the SQL expression that is the prediction, no query.
    table
        The table that the SQL query reads: data if not given.
    with_test
        Let the program test itself when it is run.
    """
    learnt = read_model(model)
    typed = {"dialect": dialect, "expression": expression, "table": table, "with_test": with_test}
    options = cast(ExportOptions, {name: each for name, each in typed.items() if each})
    rows = None if check is None else reading.open(check, learnt.tree.schema.reading)
    given = learnt if rows is None else learnt.by_name()  # a file may have more columns
    found = exported(given, to, check=rows, **options)
    if rows is not None:
        terminal.remark(f"checked on {row_count(rows.n_rows)}: the same predictions as the tree")
    text = found.removesuffix("\n") + "\n" if isinstance(found, str) else None
    content = found if isinstance(found, bytes) else (text or "").encode()
    if output is not None:
        outputs.check(output, [model], lambda old: is_ours(old) or old.read_bytes() == content)
        write_file(output, content)
        terminal.remark(f"wrote {output}")
    elif text is None and (terminal.json or sys.stdout.isatty()):
        error = UsageError(f"{to.upper()} is binary: write it to a file with -o.")
        error.add_note(typed_with("-o", f"tree.{to}"))
        raise error
    if terminal.json:
        written = {"text": text} if output is None else {"output": str(output)}
        terminal.document("export", {"format": to, **written})
    elif output is None:
        sys.stdout.buffer.write(content)
