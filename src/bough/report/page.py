"""Puts the sections, the look and the scripts together."""

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from bough.drawing.options import check_options
from bough.report.columns import data, shuffled
from bough.report.mistakes import errors, for_script
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
_STATIC = files("bough.report") / "static"
# What ends a script or begins a comment in HTML cannot stand in a block of data.
_HARMLESS = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


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
    style, script = _style(), _script()
    html: str = _template().render(
        policy=_policy(style, script),
        style=style,
        script=script,
        data_block=_block(known),
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


def _policy(style: str, script: str) -> str:
    """Return what a browser may run and load: this script and this style, and nothing else."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _block(known: dict[str, Any]) -> str:
    """Return data as JSON that no name in it can break out of."""
    return json.dumps(known, separators=(",", ":"), allow_nan=False).translate(_HARMLESS)


@cache
def _template() -> Any:  # noqa: ANN401 - Jinja2 is imported where it is used
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_read),
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


@cache
def _style() -> str:
    return _packed("".join(map(_read, STYLES)))


@cache
def _script() -> str:
    """Return all scripts as one, in which their names are no one else's."""
    return f'(()=>{{"use strict";\n{_packed("".join(map(_read, SCRIPTS)))}}})()'


def _packed(source: str) -> str:
    """Return lines without indents and comments, and without empty ones."""
    lines = (line.partition(" // ")[0].strip() for line in source.splitlines())
    kept = (line for line in lines if line and not line.startswith(("//", "/*")))
    return "".join(line if line.endswith((";", "{", ",")) else f"{line}\n" for line in kept)


def _read(name: str) -> str:
    return (_STATIC / name).read_text("utf-8")
