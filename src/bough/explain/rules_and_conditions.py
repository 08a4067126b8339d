"""`Condition`: what a trail asks of one feature, all its queries taken together.

`Rule`: a leaf as a sentence; its conditions are merged, one for each feature.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, inf, isnan, nextafter
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from bough.node_words import Verdict, verdict_of
from bough.query_kinds import Below, EachValue, IsMissing, OneOf, Query
from bough.schema import UNSEEN, Feature, Kind, Value, date
from bough.table import Table
from bough.tree import Node, Tree, query_at
from bough.walk import answer_numbers, parents, walk
from bough.words import between, ordered_answers, plain, value_list

Cell = float | int  # a number, or the code of a choice


def cell_of(table: Table, feature: int, row: int) -> Cell | None:
    """Return the value of a feature in a row; None where it is missing or not a known choice."""
    value, kind = table.values[feature][row], table.features[feature].kind
    if kind is Kind.NUMBER:
        return None if isnan(number := float(value)) else number
    code = int(value)
    is_unknown = code == kind.missing or (kind.has_choices and code == UNSEEN)
    return None if is_unknown else code


def is_known(feature: Feature, values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which values are neither missing nor other choices than the feature has."""
    kind = feature.kind
    found: NDArray[np.bool_] = ~np.isnan(values) if kind is Kind.NUMBER else values != kind.missing
    return found & (values != UNSEEN) if kind.has_choices else found


def is_unseen(table: Table, feature: int, row: int) -> bool:
    """Return whether a value is none of the choices that the feature has."""
    has_choices = table.features[feature].kind.has_choices
    return has_choices and bool(table.values[feature][row] == UNSEEN)


def plain_cell(feature: Feature, cell: Cell | None) -> Value | None:
    """Return a cell as plain data: a number, the name of a choice, a date as text."""
    if cell is None or feature.kind in (Kind.NUMBER, Kind.INTEGER):
        return cell
    return feature.choices[int(cell)] if feature.kind.has_choices else date(cell)


@dataclass(frozen=True)
class Condition:
    """The values of a feature with which a row stays on a trail."""

    feature: Feature
    low: Cell | None = None
    """A known value is not below this pivot."""
    high: Cell | None = None
    """A known value is below this pivot."""
    codes: tuple[int, ...] | None = None
    """A known value has one of these codes; None: any."""
    may_be_known: bool = True
    may_be_missing: bool = True
    shown_low: Cell | None = None
    """What words give for `low`, the same to the rows that the tree was grown from; None: itself."""
    shown_high: Cell | None = None
    """The same for `high`."""

    @property
    def known_codes(self) -> tuple[int, ...] | None:
        """The codes that a known value may have; None: it has none, or any."""
        low, high, choices = self.low, self.high, self.feature.choices
        if not self.feature.kind.has_choices or (low is None and high is None):
            return self.codes
        first = 0 if low is None else ceil(low)
        return tuple(range(first, len(choices) if high is None else ceil(high)))

    def __str__(self) -> str:
        """Return the condition in words, as in '11 ≤ age < 30 or missing'."""
        feature, (low, high) = self.feature, self._shown
        if not self.may_be_known:
            return f"{feature.name} is missing"
        if low is not None and high is not None:
            words = between(feature, low, high)
        elif low is not None:
            words = f"{feature.name} {ordered_answers(feature, low)[1]}"
        elif high is not None:
            words = f"{feature.name} {ordered_answers(feature, high)[0]}"
        elif self.codes is not None:
            words = f"{feature.name} {value_list(feature, self.codes)}"
        else:
            words = f"{feature.name} is known"
        return f"{words} or missing" if self.may_be_missing else words

    @property
    def exact(self) -> "Condition":
        """The condition with the pivots themselves in words, which hold for any row."""
        return replace(self, shown_low=None, shown_high=None)

    def told_of(self, value: Cell | None) -> "Condition":
        """Return the condition in words that hold for a value, which no row may have had before."""
        pairs = zip((self.low, self.high), self._shown, strict=True)
        is_other = any(
            None not in (value, end) and (value < end) != (value < shown)  # type: ignore[operator]
            for end, shown in pairs
        )
        return self.exact if is_other else self

    def as_dict(self) -> dict[str, Any]:
        """Return plain data; what does not matter is left out."""
        codes = None if self.codes is None else [self.feature.choices[code] for code in self.codes]
        ends = {
            "from": _plain_end(self.feature, self.low),
            "below": _plain_end(self.feature, self.high),
        }
        found = {"feature": self.feature.name, "words": str(self), **ends, "values": codes}
        kept = {name: each for name, each in found.items() if each is not None}
        return kept | {"known": self.may_be_known, "missing": self.may_be_missing}

    def narrowed(self, query: Query, answer: int) -> "Condition":
        """Return what is left of the condition when a query got this answer."""
        if isinstance(query, Below):
            return self._between(query, answer)
        missing = 0 if isinstance(query, IsMissing) else query.missing
        codes, may_be_known = self.codes, self.may_be_known
        match query:
            case OneOf():
                codes = self._among((query.codes, query.others)[answer])
            case EachValue():  # its answer after all values is that of the missing
                codes = self._among(query.codes[answer : answer + 1])
            case IsMissing():
                may_be_known = may_be_known and answer == 1
            case _:
                assert_never(query)
        if not isinstance(query, IsMissing):
            may_be_known = may_be_known and codes != ()
        may_be_missing = self.may_be_missing and missing == answer
        return replace(self, codes=codes, may_be_known=may_be_known, may_be_missing=may_be_missing)

    @property
    def can_be_met(self) -> bool:
        """Whether any value meets it; on the trails of a grown tree one does."""
        return self.may_be_missing or self.can_be_known

    def nearest(self, value: Cell | None) -> Cell | None:
        """Return the value that meets the condition nearest to one that does not; None is missing."""
        if not self.can_be_known:
            return None
        if self.feature.kind is Kind.CHOICE:
            return 0 if self.codes is None else self.codes[0]
        first, last = self._nearest_to_ends
        if first is None:
            return 0 if last is None else last
        return first if last is None or value is None or value < first else last

    @cached_property
    def can_be_known(self) -> bool:
        """Whether any known value meets it."""
        has_names = self.feature.kind.has_choices
        if not self.may_be_known or (has_names and not self.feature.choices):
            return False
        first, last = self._nearest_to_ends
        return first is None or last is None or first <= last

    @property
    def _shown(self) -> tuple[Cell | None, Cell | None]:
        low = self.low if self.shown_low is None else self.shown_low
        return low, self.high if self.shown_high is None else self.shown_high

    def _between(self, query: Below, answer: int) -> "Condition":
        """Return the condition with the end that the answer of a query moves, if any."""
        low, shown_low, high, shown_high = self.low, self.shown_low, self.high, self.shown_high
        if answer == 0 and (high is None or query.pivot < high):
            high, shown_high = query.pivot, query.shown
        if answer == 1 and (low is None or query.pivot > low):
            low, shown_low = query.pivot, query.shown
        # Large trees have very many of them, and `replace` takes several times as long.
        return Condition(
            self.feature,
            low,
            high,
            self.codes,
            self.may_be_known,
            self.may_be_missing and query.missing == answer,
            shown_low,
            shown_high,
        )

    def _among(self, codes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(code for code in codes if self.codes is None or code in self.codes)

    @cached_property
    def _nearest_to_ends(self) -> tuple[Cell | None, Cell | None]:
        """The least and the largest value between the pivots; None where there is no pivot."""
        first, last = self.low, self.high
        if self.feature.kind is Kind.NUMBER:
            return first, None if last is None else nextafter(last, -inf)
        return None if first is None else ceil(first), None if last is None else ceil(last) - 1


Conditions = dict[int, Condition]  # by the number of the feature


class Narrowing:
    """Follows a trail, and keeps what it asks of each feature."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._numbers = answer_numbers(tree)

    def below(self, conditions: Mapping[int, Condition], above: Node, child: Node) -> Conditions:
        """Return the conditions, by feature, one step further down."""
        query = above.query
        if query is None:
            return dict(conditions)
        feature = int(self._tree.feature[above.id])
        so_far = conditions.get(feature, Condition(query.feature))
        narrowed = so_far.narrowed(query, int(self._numbers[child.id]))
        return {**conditions, feature: narrowed}


class ConditionsOf(dict[int, Condition]):
    """What the trail to each node asks of one feature, found out when it is looked up.

    Kept at the root and right below the nodes that ask about the feature: all features together
    take no more room than the tree.
    """

    def __init__(self, tree: Tree, feature: int) -> None:
        super().__init__({0: Condition(tree.schema.features[feature])})
        self._tree, self._feature = tree, feature
        self._above, self._asks = parents(tree).data, tree.feature.data
        self._numbers = answer_numbers(tree).data

    def __missing__(self, node: int) -> Condition:
        narrow, here = [], node  # from the node up to one that is kept
        while here not in self:
            above = self._above[here]
            if self._asks[above] == self._feature:
                narrow.append((above, here))
            here = above
        found = self[here]
        for above, child in reversed(narrow):
            query = query_at(self._tree, above)
            found = self[child] = found.narrowed(query, self._numbers[child])
        return found


def joined(conditions: Iterable[Condition]) -> str:
    """Return conditions that all hold in words; none is all rows."""
    return all_of([str(condition) for condition in conditions])


def all_of(words: list[str]) -> str:
    """Return conditions that are already in words as one; none is all rows."""
    if len(words) > 1:  # so that 'a or missing and b' is not misread
        words = [f"({each})" if each.endswith(" or missing") else each for each in words]
    return " and ".join(words) or "all rows"


def _plain_end(feature: Feature, pivot: Cell | None) -> Value | None:
    """Return a pivot as plain data: a number, the first ordered value not below it, or a date."""
    if pivot is None or feature.kind in (Kind.NUMBER, Kind.INTEGER):
        return pivot
    return plain_cell(feature, ceil(pivot))


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
