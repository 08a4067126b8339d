"""A growth as a page to print: a worksheet, its key, or notes. No script, nothing from elsewhere."""

from importlib.resources import files

from bough.drawing.svg.elements import element, escaped
from bough.learn.score_result import MARK
from bough.teach.documents import document_title, end_words, outline, rows_grid
from bough.teach.grids import Grid, GridRow
from bough.teach.step_pages import BLANK, Manners, StepPage, step_page
from bough.teach.steps import Walkthrough
from bough.words import plain

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="bough worksheet">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
"""


def worksheet(growth: Walkthrough, manners: Manners) -> str:
    """Return a whole growth as a page: blank, filled in, or as notes."""
    title = escaped(plain(document_title(growth, manners)))
    style = (files("bough.teach") / "static" / "worksheet.css").read_text("utf-8")
    steps = [_step(step_page(step, growth, manners)) for step in growth.steps]
    parts = [
        element("h1", title),
        _fields() if manners.blank else "",
        _table(rows_grid(growth), "the table") if manners.blank or manners.full else "",
        *steps,
        _end(growth, manners),
    ]
    head = f"{_HEAD}{element('title', title)}\n<style>\n{style}</style>\n</head>\n"
    body = "\n".join(filter(None, parts))
    return f"{head}<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"


def _fields() -> str:
    return element("p", *(element("span", each) for each in ("Name", "Date")), class_="fields")


def _step(page: StepPage) -> str:
    labels = (element("span", _words(each)) for each in page.labels)
    parts = [
        element("h2", _words(page.heading)),
        element("p", *labels, class_="labels"),
        _line(page.impurity) if page.impurity else "",
        _table(page.questions, "the questions") if page.questions is not None else "",
        *(_line(part) for line in page.lines for part in line.split("   ")),
        *(_table(grid, title) for title, grid in page.pivots),
    ]
    return element("section", *parts)


def _end(growth: Walkthrough, manners: Manners) -> str:
    drawn = "" if manners.blank else "\n".join(map(plain, outline(growth, manners.digits)))
    parts = [
        element("h2", "the tree"),
        element("pre", escaped(drawn)) if drawn else "",
        *(_line(part) for line in end_words(growth, manners) for part in line.split("   ")),
    ]
    return element("section", *parts)


def _line(words: str) -> str:
    """Return a line; where the end of it is to be filled in, there is room for a sentence."""
    return element("p", _words(words, is_wide=words.endswith(f" {BLANK}")), class_="sum")


def _words(words: str, *, is_wide: bool = False) -> str:
    """Return words with lines where something is to be filled in."""
    kind = "blank wide" if is_wide else "blank"
    blank = element("span", "", class_=kind, role="img", aria_label="to fill in")
    return escaped(plain(words)).replace(BLANK, blank)


def _table(grid: Grid, title: str) -> str:
    names = [("", "")] + [(each.name, _side(each.is_number)) for each in grid.columns]
    heading = element(
        "tr",
        *(
            element("th", _words(name), class_=side, scope="col") if name else element("td", "")
            for name, side in names
        ),
    )
    rows = "\n".join(_row(row, grid) for row in grid.rows)
    whole = element(
        "table",
        element("caption", _words(title)),
        element("thead", heading),
        element("tbody", rows),
    )
    return element("div", whole, class_="table", tabindex=0, role="group", aria_label=title)


def _row(row: GridRow, grid: Grid) -> str:
    """Return a row; the last cell of a short one runs over the others."""
    rest = len(grid.columns) - len(row.cells) + 1
    cells = [element("td", MARK if row.is_marked else "")]
    for place, cell in enumerate(row.cells):
        is_last = place == len(row.cells) - 1
        cells.append(
            element(
                "td",
                _words(cell),
                class_=_side(grid.columns[place].is_number and rest == 1),
                colspan=rest if is_last and rest > 1 else None,
            )
        )
    return element("tr", *cells, class_="marked" if row.is_marked else None)


def _side(is_number: bool) -> str | None:  # noqa: FBT001 - of a column
    return "number" if is_number else None
