"""`Rule`: a leaf as a sentence; its conditions are merged, one for each feature."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from bough.explain.condition import Condition, Conditions, Narrowing, joined
from bough.node_words import Verdict, verdict_of
from bough.tree import Node, Tree
from bough.walk import walk
from bough.words import plain


@dataclass(frozen=True)
class Rule:
    """What all rows of a leaf have in common, and what the leaf predicts."""

    conditions: tuple[Condition, ...]
    """One for each feature that was asked about, in the order of the first queries about them."""
    verdict: Verdict

    def __str__(self) -> str:
        """Return the rule in words, on one line."""
        return f"{plain(joined(self.conditions))} → {self.verdict.in_full}"

    def __repr__(self) -> str:
        return f"Rule({self})"

    @property
    def exact(self) -> "Rule":
        """The rule with the pivots themselves in words, which hold for any row."""
        return replace(self, conditions=tuple(each.exact for each in self.conditions))

    @property
    def guess(self) -> Any:  # noqa: ANN401 - a class or a number, or several
        return self.verdict.guess

    @property
    def n_rows(self) -> int:
        return self.verdict.n_rows

    @property
    def share(self) -> float | None:
        """The share of the predicted class; None for numbers."""
        return self.verdict.share

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "conditions": [each.as_dict() for each in self.conditions],
            **self.verdict.as_dict(),
        }


def rules(tree: Tree, *, digits: int | None = None) -> list[Rule]:
    """Return one rule for each leaf, in the order in which the tree is drawn.

    A row with a value that a query has no answer for stops at that branch and is under no rule.
    Predictions have at least so many digits in words; None gives all that they have.

    Examples
    --------
    >>> for rule in rules(play_tennis_tree):
    ...     print(rule)
    outlook = Overcast → Yes 100 % (4 rows)
    outlook = Rain and wind = Strong → No 100 % (2 rows)
    outlook = Rain and wind = Weak → Yes 100 % (3 rows)
    outlook = Sunny and humidity = High → No 100 % (3 rows)
    outlook = Sunny and humidity = Normal → Yes 100 % (2 rows)
    """
    return [
        Rule(conditions, verdict_of(tree, node.id, digits))
        for node, conditions in trail_conditions(tree)
        if node.is_leaf
    ]


def trail_conditions(tree: Tree) -> Iterator[tuple[Node, tuple[Condition, ...]]]:
    """Give each node with what its trail asks of each feature, in the order of the drawing."""
    narrowing = Narrowing(tree)
    above: list[Conditions] = []  # of each node on the way here
    for node, depth, parent, _ in walk(tree):
        del above[depth:]
        above.append({} if parent is None else narrowing.below(above[-1], parent, node))
        yield node, tuple(above[-1].values())
