"""Puts the sections, the look and the scripts together."""

from functools import cache, partial
from typing import Any

from bough.drawing.options import check_options
from bough.errors import BoughError, needs_package
from bough.report.columns import data, shuffled
from bough.report.first_screen import facts, headline, larger, notes
from bough.report.mistakes import errors, for_script
from bough.report.packing import block, policy, read, script_of, style_of
from bough.report.rule_lines import rules
from bough.report.script_data import script_data
from bough.report.sections import (
    areas,
    importance,
    method,
    picture,
)
from bough.report.size import depth
from bough.report.subject import Subject

SCRIPTS = (
    "route.js",
    "rule.js",
    "typed.js",
    "standing.js",
    "card.js",
    "bins.js",
    "map.js",
    "canvas.js",
    "flip.js",
    "forms.js",
    "rules.js",
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
    trees = {"simple": subject.smaller, "model": subject}
    views = {name: _view(each, name) for name, each in trees.items() if each is not None}
    first, *others = sorted(views.values(), key=lambda view: view["subject"] is not subject.shown)
    known = views["model"]["known"] | {"simple": views.get("simple", {}).get("known")}
    mistaken = errors(subject)
    known["threshold"] = for_script(mistaken)
    style, script = style_of(_PACKAGE, STYLES), script_of(_PACKAGE, SCRIPTS)
    html: str = _template().render(
        policy=policy(style, script),
        style=style,
        script=script,
        data_block=block(known),
        facts=facts(subject),
        views=[first, *others],
        n_leaves={name: view["headline"]["n_leaves"] for name, view in views.items()},
        larger=larger(subject),
        notes=notes(subject),
        picture=first["picture"],
        has_questions=len(subject.tree) > 1,
        has_interview=len(subject.tree) > 1 and len(subject.tree.schema.labels) == 1,
        depth=depth(subject),
        errors=mistaken,
        importance=importance(subject),
        shuffled=shuffled(subject),
        areas=areas(subject),
        data=data(subject),
        method=method(subject),
        n_supports=len(known["supports"]) - 1,
    )
    return html


def _view(subject: Subject, name: str) -> dict[str, Any]:
    """Return what differs from tree to tree."""
    drawing = picture(subject)
    return {
        "id": name,
        "subject": subject,
        "headline": headline(subject),
        "picture": drawing,
        "rules": rules(subject),
        "known": script_data(subject),
    }


@cache
def _template() -> Any:  # noqa: ANN401 - Jinja2 is imported where it is used
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ImportError:
        raise BoughError("The page", needs_package("jinja2", "'bough[cli]'"), ".") from None

    environment = Environment(
        loader=FunctionLoader(partial(read, _PACKAGE)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["glued"] = _glued
    environment.filters["breakable"] = _breakable
    return environment.get_template("page.html")


def _breakable(name: str) -> Any:  # noqa: ANN401 - Jinja2 is imported where it is used
    """Return a name that goes on in the next line after an underscore, if it must."""
    from markupsafe import Markup, escape

    return Markup(str(escape(name)).replace("_", "_<wbr>"))  # noqa: S704 - it is escaped


def _glued(text: str) -> str:
    """Return a text in which no line ends between a number and its sign."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%").replace("± ", "±\N{NO-BREAK SPACE}")
