"""A growth as a page to print: no script, nothing from elsewhere."""

from bough.learn.score_result import MARK
from bough.teach.growth_as_text import document_title, end_words, outline, rows_grid
from bough.teach.step_words import BLANK, Manners, step_page
from bough.teach.steps import Walkthrough
from bough.words import plain


def worksheet(growth: Walkthrough, manners: Manners) -> str:
    """Return a whole growth as a page: blank, filled in, or as notes."""
    from bough.report.page import (  # which a walk in the terminal does without
        head,
        style_of,
        template,
    )

    title = plain(document_title(growth, manners))
    found: str = template("bough.teach", "worksheet.html").render(
        head=head(title, style_of("bough.teach", "worksheet.css")),
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
