"""The leaves as rules: whole, with the shorter side of long lists."""

from collections.abc import Collection
from typing import Any

import numpy as np

from bough.drawing.colors import color_of, colored_classes
from bough.explain import Condition
from bough.explain.condition import all_of
from bough.explain.rules import trail_conditions
from bough.node_words import verdict_of
from bough.query import QueryKind
from bough.report.subject import Subject
from bough.tree import Tree
from bough.words import amount, plain, share, value_word

MOST_RULES = 300  # that stand in the page itself
LONGEST = 10  # conditions and values of a rule that is unfolded from the start


def rules(subject: Subject) -> dict[str, Any]:
    """Return the leaves as sentences, those of most rows first."""
    tree, stops = subject.tree, subject.stops
    leaves = {node.id: conditions for node, conditions in trail_conditions(tree) if node.is_leaf}
    order = sorted(leaves, key=lambda node: -int(tree.n_rows[node]))
    colored = colored_classes(tree)
    known = _features_with_gaps(tree)
    lines = []
    for node in order[:MOST_RULES]:
        verdict = verdict_of(tree, node, subject.digits)
        conditions = leaves[node]
        line = {
            "node": node,
            "conditions": all_of([condition_words(each, known) for each in conditions]),
            "is_long": sum(map(_length, conditions)) > LONGEST,
            "guess": plain(verdict.guess_word),
            "certainty": verdict.certainty,
            "n_rows": verdict.n_rows,
            "color": color_of(int(tree.class_guess[node, 0]), colored) if colored else "",
        }
        if stops is not None:
            line |= {"n_test": int(stops.n_reached[node]), "test": _on_test_rows(subject, node)}
        lines.append(line)
    return {
        "lines": lines,
        "n_more": len(leaves) - len(lines),
        "certainty": _certainty(subject),
        "on_test": "relevance on test rows" if tree.schema.task.ranks else "on test rows",
        "has_test": stops is not None,
    }


def condition_words(condition: Condition, known: Collection[str] = ()) -> str:
    """Return a condition in words; of a list of values, the side that is shorter.

    Both sides say the same of every value that the column has. `known` names the columns in which
    values were missing, of which 'not' alone would say too much.

    Examples
    --------
    >>> outlook = play_tennis_tree.schema.features[0]
    >>> condition_words(Condition(outlook, codes=(0, 2), may_be_missing=False))
    'outlook not Rain'
    >>> condition_words(Condition(outlook, codes=(0, 2)), known=["outlook"])
    'outlook not Rain, or missing'
    """
    feature, codes = condition.feature, condition.codes
    if codes is None or not condition.may_be_known or feature.name == "":
        return plain(str(condition))
    others = [code for code in range(len(feature.choices)) if code not in codes]
    if not 0 < len(others) < len(codes):
        return plain(str(condition))
    names = ", ".join(value_word(feature.choices[code]) for code in others)
    if condition.may_be_missing:
        return plain(f"{feature.name} not {names}, or missing")
    is_known = "known and " if feature.name in known else ""
    return plain(f"{feature.name} {is_known}not {names}")


def _length(condition: Condition) -> int:
    """Return how much a condition adds to a rule, whatever its names are."""
    if condition.codes is None:
        return 1
    n_others = len(condition.feature.choices) - len(condition.codes)
    return 1 + min(len(condition.codes), n_others or len(condition.codes))


def _features_with_gaps(tree: Tree) -> set[str]:
    """Return the features of which the tree has seen missing values."""
    has_gaps = (tree.missing_child >= 0) | (tree.query_kind == QueryKind.IS_MISSING)
    asked = tree.feature[has_gaps & (tree.feature >= 0)]
    return {tree.schema.features[number].name for number in np.unique(asked).tolist()}


def _certainty(subject: Subject) -> str:
    """Return how leaves say how sure they are; "": they do not."""
    schema = subject.tree.schema
    if len(schema.labels) > 1 or schema.task.ranks:
        return ""
    return "share" if schema.has_classes else "spread"


def _on_test_rows(subject: Subject, node: int) -> str:
    """Return what the test rows say of a leaf: the share that is right, the error, the relevance."""
    stops, digits = subject.stops, subject.digits
    assert stops is not None  # noqa: S101 - who calls has looked
    right, error = stops.right(node), stops.error(node)
    if right is not None:
        return share(right)
    if subject.tree.schema.task.ranks and stops.reached[node, 0]:
        return amount(stops.mean(node), digits)
    return "" if error is None else f"± {amount(error, digits)}"
