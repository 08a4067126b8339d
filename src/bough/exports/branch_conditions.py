"""The ways out of a branch: the condition of each answer, and whether a row may have none."""

import re
from typing import NamedTuple

import numpy as np

from bough.errors import ParameterError
from bough.explain.condition import Condition
from bough.query import Below, EachValue, IsMissing, OneOf, Query, QueryKind
from bough.schema import Value
from bough.tree import Node, Tree
from bough.words import plain


class Branch(NamedTuple):
    """A node that asks."""

    node: int
    query: Query
    conditions: tuple[Condition, ...]
    """What leads to each child; no row fulfils two of them."""
    answered: Condition | None
    """What a row must fulfil not to stop here; None: no row stops."""


def branch_of(node: Node) -> Branch:
    """Return what a node asks; the node must not be a leaf."""
    query = node.query
    assert query is not None
    anything = Condition(query.feature)
    conditions = tuple(anything.narrowed(query, answer) for answer in range(n_answers(query)))
    return Branch(node.id, query, conditions, _answered(query))


def n_answers(query: Query) -> int:
    """Return how many answers a query has."""
    if isinstance(query, EachValue):
        return len(query.codes) + (query.missing is not None)
    return 2


def _answered(query: Query) -> Condition | None:
    if isinstance(query, IsMissing):
        return None
    may_be_missing = query.missing is not None
    if not query.feature.kind.has_choices:
        return None if may_be_missing else Condition(query.feature, may_be_missing=False)
    match query:
        case Below():
            codes = tuple(range(len(query.feature.choices)))
        case OneOf():
            codes = tuple(sorted(query.codes + query.others))
        case EachValue():
            codes = query.codes
    return Condition(query.feature, codes=codes, may_be_missing=may_be_missing)


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


def guesses_of(tree: Tree) -> list[tuple[Value, ...]]:
    """Return what each node predicts, for each output."""
    labels = tree.schema.labels
    if tree.guess is not None:
        return [tuple(each) for each in tree.guess.tolist()]
    return [
        tuple(label.classes[code] for label, code in zip(labels, codes, strict=True))
        for codes in tree.class_guess.tolist()
    ]


def refuse_weighing(tree: Tree, missing: str) -> None:
    """Refuse a model that sends missing values to every answer, which no format does."""
    asks = np.flatnonzero((tree.feature >= 0) & (tree.query_kind != QueryKind.IS_MISSING))
    if missing == "weigh" and len(asks):
        reason = "missing values go to every answer there (missing='weigh'), and exports follow one"
        raise refusal(int(asks[0]), reason, "Set missing='stop', or predict with bough.")
