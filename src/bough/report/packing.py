"""Puts a look, scripts and data into one page that loads nothing and runs nothing else."""

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

# What ends a script or begins a comment in HTML cannot stand in a block of data.
_HARMLESS = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def policy(style: str, script: str) -> str:
    """Return what a browser may run and load: this script and this style, and nothing else."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def block(known: dict[str, Any]) -> str:
    """Return data as JSON that no name in it can break out of."""
    return json.dumps(known, separators=(",", ":"), allow_nan=False).translate(_HARMLESS)


@cache
def style_of(package: str, names: tuple[str, ...] = ("page.css",)) -> str:
    """Return the look of a package's page."""
    return _packed("".join(read(package, name) for name in names))


@cache
def script_of(package: str, names: tuple[str, ...]) -> str:
    """Return all scripts as one, in which their names are no one else's."""
    scripts = "".join(read(package, name) for name in names)
    return f'(()=>{{"use strict";\n{_packed(scripts)}}})()'


def _packed(source: str) -> str:
    """Return lines without indents and comments, and without empty ones."""
    lines = (line.partition(" // ")[0].strip() for line in source.splitlines())
    kept = (line for line in lines if line and not line.startswith(("//", "/*")))
    return "".join(line if line.endswith((";", "{", ",")) else f"{line}\n" for line in kept)


def read(package: str, name: str) -> str:
    """Return a file that a package brings along for its page."""
    return (files(package) / "static" / name).read_text("utf-8")
