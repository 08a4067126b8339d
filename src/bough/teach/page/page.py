"""Puts the table, the look and the scripts together; the page itself works out every step."""

from html import escape
from string import Template

import bough
from bough.errors import BudgetError
from bough.learn.score_result import criterion_word
from bough.report.packing import block, policy, read, script_of, style_of
from bough.teach.exact_table import ExactTable
from bough.teach.grow_steps import Manner
from bough.teach.page.page_data import page_data
from bough.tree_task import Task
from bough.words import row_count

SCRIPTS = (
    "exact.js",
    "tallies.js",
    "questions.js",
    "grow.js",
    "words.js",
    "arithmetic.js",
    "dom.js",
    "tree.js",
    "rows.js",
    "candidates.js",
    "number.js",
    "plane.js",
    "finish.js",
    "node.js",
    "address.js",
    "steps.js",
    "page.js",
)
MOST_BYTES = 250_000
_PACKAGE = "bough.teach.page"


def page(table: ExactTable, target: str, task: Task, manner: Manner, digits: int = 3) -> str:
    """Return a growth as one file of HTML, the same for the same table.

    The page holds the rows of the table, and grows the tree from them.
    """
    style, script = style_of(_PACKAGE), script_of(_PACKAGE, SCRIPTS)
    known = {"target": target, "digits": digits, **page_data(table, task, manner)}
    html = Template(read(_PACKAGE, "page.html")).substitute(
        policy=policy(style, script),
        style=style,
        script=script,
        data=block(known),
        version=escape(bough.__version__),
        target=escape(target),
        rows=row_count(len(table.exact.labels)),
        criterion=criterion_word(manner.grows_by(task)),
    )
    if (size := len(html.encode())) > MOST_BYTES:
        raise BudgetError(
            f"This page would have {size:,} bytes, and {MOST_BYTES:,} are the most that a browser "
            "shows at once. Take fewer rows, or ignore some columns."
        )
    return html
