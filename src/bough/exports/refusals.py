"""What no export can do: trees that a format cannot express, and tools that are not installed."""

import re
import shutil
from importlib import import_module
from typing import Any

import numpy as np

from bough.errors import ParameterError, needs_package
from bough.query_kinds import QueryKind
from bough.tree import Tree
from bough.words import plain


def tool(what: str, advice: str, *names: str) -> str:
    """Return the path of a program that has one of these names."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise ParameterError(
            f"To check this export, bough needs {what}, which is not installed. {advice}"
        )
    return found


def package(name: str, install: str, what: str = "Checking this export") -> Any:
    """Return a module that not every install has; without it, say what needs it."""
    try:
        return import_module(name)
    except ImportError:
        raise ParameterError(what, needs_package(name.partition(".")[0], install), ".") from None


def refuse_words(tree: Tree, pattern: str, target: str) -> None:
    """Refuse names and values with a character that a format cannot hold, naming the first node."""
    bad = re.compile(pattern)
    for number, feature in enumerate(tree.schema.features):
        words = (tree.schema.columns[feature.column], *feature.choices)
        for word in words:
            if isinstance(word, str) and (found := bad.search(word)) is not None:
                for node in (tree.feature == number).nonzero()[0].tolist():
                    raise refusal(node, f"{word!r} has {found[0]!a}, which {target} cannot hold")
    for label in tree.schema.labels:
        for word in label.classes:
            if isinstance(word, str) and (found := bad.search(word)) is not None:
                raise refusal(0, f"the class {word!r} has {found[0]!a}, which {target} cannot hold")


def refusal(
    node: int, reason: str, remedy: str = "Rename it, or choose another format."
) -> ParameterError:
    """Return the error about a tree that a format cannot express."""
    return ParameterError(f"node {node} cannot be exported: {plain(reason)}. {remedy}")


def refuse_weighing(tree: Tree, missing: str) -> None:
    """Refuse a model that sends missing values to every answer, which no format does."""
    asks = np.flatnonzero((tree.feature >= 0) & (tree.query_kind != QueryKind.IS_MISSING))
    if missing == "weigh" and len(asks):
        reason = "missing values go to every answer there (missing='weigh'), and exports follow one"
        raise refusal(int(asks[0]), reason, "Set missing='stop', or predict with bough.")
