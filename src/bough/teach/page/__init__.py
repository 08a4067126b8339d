"""The pages of a growth: one that works out every step in a browser, and the worksheet to print.

Of the first, this puts the table, the look and the scripts together; its scripts grow the tree.
"""

from html import escape
from string import Template
from typing import Any

import bough
from bough.errors import BudgetError
from bough.learn.score_result import SIDE_BY_SIDE, criterion_word
from bough.report.page import block, head, read, script_of, style_of, template
from bough.schema import Kind, Task
from bough.teach.arithmetic import ExactTable
from bough.teach.growth_as_text import document_title, end_words, outline, rows_grid
from bough.teach.node_questions import Manner
from bough.teach.step_words import BLANK, Manners, step_page
from bough.teach.steps import Walkthrough
from bough.text_layout import MARK
from bough.words import guess_word, plain, row_count, value_word

MOST_BYTES = 250_000
_PACKAGE = "bough.teach.page"
MISSING = -1
SAFE = 2**53  # beyond, integers are no numbers in a script


def page_of(table: ExactTable, target: str, task: Task, manner: Manner, digits: int = 3) -> str:
    """Return a growth as one file of HTML, the same for the same table.

    The page holds the rows of the table, and grows the tree from them.
    """
    style, script = style_of(_PACKAGE, "page.css"), script_of(_PACKAGE)
    known = {"target": target, "digits": digits, **page_data(table, task, manner)}
    html = Template(read(_PACKAGE, "page.html")).substitute(
        head=head(f"{target}: a tree grows step by step", style, script),
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


def page_data(table: ExactTable, task: Task, manner: Manner) -> dict[str, Any]:
    """Return a table and how to grow from it, for the grower in the page."""
    return {
        "classes": [guess_word(each) for each in table.classes],
        "labels": table.exact.labels,
        "columns": [_column(table, name) for name in table.features],
        "criteria": SIDE_BY_SIDE[task],
        "criterion": manner.grows_by(task),
        "categorical": manner.categorical,
        "maxDepth": manner.max_depth,
        "asksAll": manner.asks_all,
    }


def _column(table: ExactTable, name: str) -> dict[str, Any]:
    """Return a feature: its values in order, and the place of each row's value among them."""
    kind, cells = table.features[name].kind, table.cells[name]
    known = sorted({cell for cell in cells if cell is not None})
    place = {value: number for number, value in enumerate(known)}
    is_safe = all(abs(value) <= SAFE or isinstance(value, float) for value in known)
    is_plain = is_safe and kind.is_compared and kind not in (Kind.DATE, Kind.ORDERED)
    return {
        "name": name,
        "isNumber": kind.is_compared,
        "kind": kind.name.lower(),
        "values": [float(value) if abs(value) > SAFE else value for value in known]
        if kind.is_compared
        else [],
        "words": [] if is_plain else [table.value_words(name, value) for value in known],
        "wholes": [str(value) for value in known] if kind.is_integer and not is_safe else [],
        "choices": [value_word(each) for each in table.features[name].choices]
        if kind is Kind.ORDERED
        else [],
        "codes": [MISSING if cell is None else place[cell] for cell in cells],
    }


def worksheet(growth: Walkthrough, manners: Manners) -> str:
    """Return a whole growth as a page to print, with no script: blank, filled in, or as notes."""
    title = plain(document_title(growth, manners))
    found: str = template(_PACKAGE, "worksheet.html").render(
        head=head(title, style_of(_PACKAGE, "worksheet.css")),
        title=title,
        blank=BLANK,
        mark=MARK,
        is_blank=manners.blank,
        rows=rows_grid(growth) if manners.blank or manners.full else None,
        steps=[step_page(step, growth, manners) for step in growth.steps],
        outline=[] if manners.blank else [*map(plain, outline(growth, manners.digits))],
        end=end_words(growth, manners),
    )
    return found
