"""Rows that go on in parts, since a missing value goes to every answer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from bough.draw.cells import shortened
from bough.draw.verdict import Verdict
from bough.explain.condition import Condition, Conditions, Narrowing, joined
from bough.explain.flip import LONGEST
from bough.query import Below, OneOf, Query
from bough.tree import Tree
from bough.walk import Step, steps_below
from bough.words import plain, share

MOST_ANSWERS = 6  # of a query that are told one by one


@dataclass(frozen=True)
class Part:
    """A part of a row that goes on in parts."""

    share: float
    """How much of the row it is."""
    conditions: tuple[Condition, ...]
    """What it has in common with the rows where it stops, from the first missing value on."""
    verdict: Verdict
    """What the node says where it stops."""
    contribution: float
    """How much it adds to the share of the guess, or to the guess of a number."""
    stopped: str = ""
    """Why it stopped before a leaf, in words; empty if it came to one."""

    @property
    def words(self) -> str:
        """The part in words; a long list of conditions is cut short."""
        conditions = shortened(plain(joined(self.conditions)), LONGEST, "…")
        words = f"{share(self.share):>5}  {conditions} → {self.verdict}"
        return f"{words} ({plain(self.stopped)})" if self.stopped else words

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "part": self.share,
            "conditions": [each.as_dict() for each in self.conditions],
            **self.verdict.as_dict(),
            "contribution": self.contribution,
            "stopped": self.stopped,
        }


def more_parts(parts: Sequence[Part]) -> str:
    """Return parts in words that are not told one by one."""
    together = share(sum(part.share for part in parts))
    return f"{together:>5}  in {len(parts):,} more {'part' if len(parts) == 1 else 'parts'}"


class Parting:
    """What leads the parts of rows to where they stop."""

    def __init__(self, tree: Tree, digits: int | None) -> None:
        self._tree = tree
        self._flow = tree.flow
        self._narrowing = Narrowing(tree, digits)

    def why(self, node_id: int) -> str:
        """Return which value is missing at a node, and how much of a row goes to each answer."""
        query = self._tree[node_id].query
        assert query is not None  # noqa: S101 - a leaf asks for no value
        answers = _known(query).answers_with(self._narrowing.told(node_id))
        shares = [
            f"{share(float(self._flow[step.node.id]))} {answer}"
            for step, answer in zip(steps_below(self._tree, node_id), answers, strict=True)
        ]
        if (more := len(shares) - MOST_ANSWERS) > 1:
            shares = [*shares[:MOST_ANSWERS], f"{more:,} more"]
        how_many = "both answers" if len(answers) == 2 else f"all {len(answers):,} answers"
        return f"{query.feature.name} is missing: follows {how_many}, {', '.join(shares)}"

    def conditions(self, trail: Sequence[Step]) -> tuple[Condition, ...]:
        """Return what the answers on some steps ask of each feature, all taken together."""
        found: Conditions = {}
        for above, step in pairwise(trail):
            found = self._narrowing.below(found, above.node, step.node)
        # That missing values went along when the tree was grown is no reason here.
        return tuple(replace(each, may_be_missing=not each.may_be_known) for each in found.values())


def _known(query: Query) -> Query:
    """Return a query whose answers do not say where missing values went."""
    return replace(query, missing=None) if isinstance(query, Below | OneOf) else query
