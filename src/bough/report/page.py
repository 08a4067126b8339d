"""Puts the sections, the look and the scripts together."""

from functools import cache, partial
from typing import Any

from bough.drawing.options import check_options
from bough.report.columns import data, shuffled
from bough.report.mistakes import errors, for_script
from bough.report.packing import block, policy, read, script_of, style_of
from bough.report.script_data import script_data
from bough.report.sections import (
    areas,
    headline,
    importance,
    method,
    notes,
    picture,
    rules,
)
from bough.report.size import depth
from bough.report.subject import Subject

SCRIPTS = (
    "route.js",
    "rule.js",
    "typed.js",
    "standing.js",
    "tree.js",
    "forms.js",
    "sorting.js",
    "threshold.js",
    "page.js",
)
STYLES = ("page.css", "evidence.css")
_PACKAGE = "bough.report"


def page(subject: Subject) -> str:
    """Return the report: one file of HTML, the same for the same subject.

    Examples
    --------
    >>> html = page(Subject(play_tennis_tree))
    >>> html[:15], "https:" in html
    ('<!DOCTYPE html>', False)
    """
    check_options(digits=subject.digits)
    drawing = picture(subject)
    known, mistaken = script_data(subject, drawing["nodes"]), errors(subject)
    known["threshold"] = for_script(mistaken)
    style, script = style_of(_PACKAGE, STYLES), script_of(_PACKAGE, SCRIPTS)
    html: str = _template().render(
        policy=policy(style, script),
        style=style,
        script=script,
        data_block=block(known),
        headline=headline(subject),
        notes=notes(subject),
        picture=drawing,
        has_questions=len(subject.tree) > 1,
        has_interview=len(subject.tree) > 1 and len(subject.tree.schema.labels) == 1,
        depth=depth(subject),
        errors=mistaken,
        importance=importance(subject),
        shuffled=shuffled(subject),
        areas=areas(subject),
        rules=rules(subject),
        data=data(subject),
        method=method(subject),
        n_supports=len(known["supports"]) - 1,
    )
    return html


@cache
def _template() -> Any:  # noqa: ANN401 - Jinja2 is imported where it is used
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(partial(read, _PACKAGE)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["glued"] = _glued
    return environment.get_template("page.html")


def _glued(text: str) -> str:
    """Return a text in which no line ends between a number and its sign."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%").replace("± ", "±\N{NO-BREAK SPACE}")
