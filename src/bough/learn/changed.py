"""Which rules two trees share, and which rows come to other leaves."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.explain import Condition, Rule, rules, trail_conditions
from bough.explain.condition import joined
from bough.tree import Tree


@dataclass(frozen=True)
class RuleChanges:
    """The rules of two trees, those of more rows first.

    A rule is the same in both trees if it asks the same of every feature and guesses the same.
    """

    same: tuple[Rule, ...]
    other_guess: tuple[tuple[Rule, Rule], ...]
    """Rules that ask the same and guess otherwise, as the first and as the second tree has them."""
    only_first: tuple[Rule, ...]
    only_second: tuple[Rule, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "n_same": len(self.same),
            "other_guess": [
                {"first": one.as_dict(), "second": two.as_dict()} for one, two in self.other_guess
            ],
            "only_first": [rule.as_dict() for rule in self.only_first],
            "only_second": [rule.as_dict() for rule in self.only_second],
        }


def rule_changes(first: Tree, second: Tree, digits: int | None = 3) -> RuleChanges:
    """Return which rules two trees share, with so many digits that different ones read so."""
    for more in [] if digits is None else [digits, digits + 3]:
        changes = _changes(first, second, more)
        words = [_all_words(each) for each in (changes.only_first, changes.only_second)]
        if words[0].isdisjoint(words[1]):
            return changes
    return _changes(first, second, None)


def is_other_leaf(
    first: Tree, first_stops: NDArray[np.integer], second: Tree, second_stops: NDArray[np.integer]
) -> NDArray[np.bool_]:
    """Return for each row whether the rules of the nodes where it stops ask for something else."""
    numbers: dict[Hashable, int] = {}
    one, two = (
        _rule_numbers(tree, stops, numbers)
        for tree, stops in ((first, first_stops), (second, second_stops))
    )
    return np.asarray(one[first_stops] != two[second_stops])


def _rule_numbers(
    tree: Tree, stops: NDArray[np.integer], numbers: dict[Hashable, int]
) -> NDArray[np.intp]:
    """Return a number for what the trail of each node asks, of nodes where some row stops."""
    found = np.full(len(tree), -1)
    is_wanted = np.zeros(len(tree), np.bool_)
    is_wanted[stops] = True
    for node, conditions in trail_conditions(tree):
        if is_wanted[node.id]:
            found[node.id] = numbers.setdefault(_meaning(conditions), len(numbers))
    return found


def _changes(first: Tree, second: Tree, digits: int | None) -> RuleChanges:
    one, two = (
        {_meaning(rule.conditions): rule for rule in _largest_first(rules(tree, digits=digits))}
        for tree in (first, second)
    )
    both = [(rule, two[meaning]) for meaning, rule in one.items() if meaning in two]
    return RuleChanges(
        same=tuple(rule for rule, other in both if rule.guess == other.guess),
        other_guess=tuple(pair for pair in both if pair[0].guess != pair[1].guess),
        only_first=tuple(rule for meaning, rule in one.items() if meaning not in two),
        only_second=tuple(rule for meaning, rule in two.items() if meaning not in one),
    )


def _largest_first(found: Sequence[Rule]) -> list[Rule]:
    return sorted(found, key=lambda rule: -rule.n_rows)


def _all_words(found: Iterable[Rule]) -> set[str]:
    return {joined(rule.conditions) for rule in found}


def _meaning(conditions: Iterable[Condition]) -> Hashable:
    """Return what conditions ask for, however their tree numbers values and orders features."""
    return frozenset(_meaning_of_one(condition.as_dict()) for condition in conditions)


def _meaning_of_one(plain: dict[str, Any]) -> Hashable:
    values = plain.get("values")
    return (
        plain["feature"],
        plain.get("from"),
        plain.get("below"),
        None if values is None else frozenset(values),
        plain["known"],
        plain["missing"],
    )
