"""The textbook algorithm, to be read and to be tested against.

A decision tree is grown from a table of rows whose labels are known:

    grow(rows):
        all labels equal, or no reason to go on:  a leaf that guesses the commonest label
        otherwise:  ask the query with the greatest gain, and grow one child for each answer

The rest says what a query is, what its gain is, which of two equally good queries is asked, and
what becomes of missing values. The fast core of bough must grow the same trees, node for node. All
numbers here are exact fractions, and logarithms have 50 digits: nothing depends on rounding.

>>> table = Table({"rain": ["yes", "yes", "no"], "wind": [3, 9, 2]}, ["bus", "bus", "walk"])
>>> tree = grow(table, Settings(criterion="entropy"))
>>> tree.query.column, stop(tree, {"rain": "no", "wind": 5}).guess
('rain', 'walk')
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, starmap
from math import ceil, inf
from typing import Any

from bough.reference_impurity import (
    GUESSES,
    IMPURITIES,
    NO_BOUNDS,
    TIE,
    Bounds,
    Exact,
    Label,
    Tally,
    are_in_order,
    bounds_below,
    clipped,
    commonest,
    entropy,
    gini,
    mean,
    middle,
    pinball,
    remainder_of,
    shares_of,
    weight_of,
)

Value = Any  # a number or a word; None where the value is missing
Group = tuple[Value, ...]
MOST_ANSWERS = 5  # values of a column that "auto" still asks about one by one


class Table:
    """Columns of values, a label for each row, and how much each row counts.

    Numbers are compared with pivots, except in the columns named as `choices`; these, and columns
    that hold anything else, are asked about by name.
    """

    def __init__(
        self,
        columns: Mapping[str, Sequence[Value]],
        labels: Sequence[Label],
        weights: Sequence[float] | None = None,
        choices: Collection[str] = (),
    ) -> None:
        self.columns, self.labels = columns, labels
        self.numbers = {c for c in columns if c not in choices and _are_numbers(columns[c])}
        self.weights = [_exact(weight) for weight in weights or [1] * len(labels)]
        self.weight = sum(self.weights)
        self.rows = [row for row, weight in enumerate(self.weights) if weight > 0]
        if not self.rows or min(self.weights) < 0:
            raise ValueError("No weight may be below 0, and at least one must be above 0.")


def _are_numbers(values: Iterable[Value]) -> bool:
    return all(value is None or type(value) in (int, float) for value in values)


def _exact(number: float) -> Exact:
    return number if isinstance(number, int) else Fraction(number)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What a user may choose. A float among the `min_samples` settings is a share of the rows."""

    criterion: str = "gini"
    quantile: float = 0.5  # the level of the criterion of this name
    categorical: str = "each"  # one answer for each value; "group": two groups of values; "auto"
    max_depth: int | None = None
    min_samples_split: int | float = 2
    min_samples_leaf: int | float = 1
    min_weight_fraction_leaf: float = 0
    min_impurity_decrease: float = 0
    max_leaf_nodes: int | None = None
    monotonic_cst: Mapping[str, int] = field(default_factory=dict)  # 1 up, -1 down its column


# --- Tallies -------------------------------------------------------------------------------------


def tally_of(table: Table, rows: Iterable[int]) -> Tally:
    """Return the weight that each label has among some rows."""
    tally: Tally = {}
    for row in rows:
        label = table.labels[row]
        tally[label] = tally.get(label, 0) + table.weights[row]
    return dict(sorted(tally.items()))


def impurity_of(tally: Tally, settings: Settings) -> Fraction:
    """Return how mixed a tally is; 0 when all labels are equal."""
    if settings.criterion == "quantile":
        return pinball(tally, Fraction(settings.quantile))
    return IMPURITIES[settings.criterion](tally)


def guess_of(tally: Tally, settings: Settings) -> Label:
    """Return the label that a node alone would predict."""
    if settings.criterion == "quantile":
        return middle(tally, Fraction(settings.quantile))
    return GUESSES.get(settings.criterion, commonest)(tally)


# --- Queries -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Query:
    """A question about a column.

    Below:      a number against the pivot. Answer 0: below it, 1: not below it.
    EachValue:  which value? One answer for each value that the node saw, missing last.
    OneOf:      one of these values? Answer 0: yes (the node's first value is), 1: no.
    IsMissing:  is it missing? Answer 0: missing, 1: known.
    """

    kind: str
    column: str
    pivot: float | None = None
    groups: tuple[Group, ...] = ()  # the values of each answer
    missing: int | None = None  # the answer of a missing value; None: the node saw none

    def answer(self, value: Value) -> int | None:
        """Return the number of the answer that a value gives; None: the value leads nowhere."""
        if value is None:
            return self.missing
        if self.kind == "IsMissing":
            return 1
        if self.pivot is not None:
            return 0 if value < self.pivot else 1
        return next((number for number, group in enumerate(self.groups) if value in group), None)


def queries(table: Table, rows: Sequence[int], settings: Settings) -> Iterator[Query]:
    """List every query that tells two of the rows apart, in the order that decides ties."""
    for column in table.columns:
        values = {table.columns[column][row] for row in rows}
        known = sorted(values - {None})
        either = (0, 1) if None in values else (None,)  # missing rows are tried at both answers
        if len(values) < 2:
            continue
        is_large = len({*table.columns[column]} - {None}) > MOST_ANSWERS
        if column in table.numbers:
            for pivot in starmap(pivot_between, pairwise(known)):
                yield from (Query("Below", column, pivot, missing=side) for side in either)
        elif settings.categorical == "group" or (settings.categorical == "auto" and is_large):
            for pair in groupings(table, rows, column, settings):
                yield from (Query("OneOf", column, groups=pair, missing=side) for side in either)
        else:
            last = len(known) if None in values else None
            yield Query("EachValue", column, groups=tuple((v,) for v in known), missing=last)
            continue  # missing is one of the answers, so that nothing is left to ask
        if None in values:
            yield Query("IsMissing", column, missing=0)


@lru_cache(maxsize=None, typed=True)
def pivot_between(low: float, high: float) -> float:
    """Return the number halfway between two neighbours, rounded once, but never `low` itself."""
    if isinstance(low, int) and isinstance(high, int) and max(abs(low), abs(high)) > 2**53:
        return (low + high + 1) // 2  # a float cannot tell such integers apart
    middle = float((Fraction(low) + Fraction(high)) / 2)
    return middle + 0.0 if middle > low else float(high)  # adding 0.0 makes 0.0 of -0.0


def groupings(
    table: Table, rows: Sequence[int], column: str, settings: Settings
) -> list[tuple[Group, Group]]:
    """List the ways to put the values into two groups; the first value is in the first group.

    For two classes, and for numbers, the values are cut in two in order of their guess and mean
    label; for means no other way is better. More classes bring one order each, by the share of
    that class. The first value alone is always considered.
    """
    values = table.columns[column]
    known = sorted({values[row] for row in rows} - {None})
    tallies = [tally_of(table, [row for row in rows if values[row] == v]) for v in known]
    classes = list(tally_of(table, rows))
    if len(classes) == 2:
        del classes[0]  # its order is that of the other class, backwards
    if settings.criterion in (*GUESSES, "quantile"):
        scores: list[list[Any]] = [[(guess_of(tally, settings), mean(tally)) for tally in tallies]]
    else:
        scores = [[shares_of(tally).get(label, 0) for tally in tallies] for label in classes]
    found = {(known[0],)}
    for score in scores:
        order = [value for _, value in sorted(zip(score, known, strict=True))]
        for cut in range(1, len(order)):
            side = order[:cut] if known[0] in order[:cut] else order[cut:]
            found.add(tuple(sorted(side)))
    pairs = [(group, tuple(v for v in known if v not in group)) for group in sorted(found)]
    return [pair for pair in pairs if pair[1]]


# --- The best query ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Candidate:
    """A query that a node may ask, the rows of each answer, their tallies, and the gain."""

    query: Query
    parts: list[list[int]]
    tallies: list[Tally]
    gain: Fraction
    bounds: list[Bounds]  # what is guessed below each answer lies between these


@dataclass(eq=False)
class Node:
    """Some rows of the table: a branch if it asks a query, a leaf if it does not."""

    rows: list[int]
    depth: int
    tally: Tally
    guess: Label
    level: float  # under `monotonic_cst`: the guess, or the share of the last class, in its bounds
    impurity: Fraction
    bounds: Bounds
    tied: list[Candidate] = field(default_factory=list)  # equally good; a branch asks the first
    query: Query | None = None
    gain: Fraction = Fraction(0)
    children: list["Node"] = field(default_factory=list)  # one for each answer


def candidates(table: Table, node: Node, settings: Settings) -> list[Candidate]:
    """List the queries that leave enough rows to two answers, in the order that decides ties."""
    asked = queries(table, node.rows, settings)
    found = [candidate_of(table, node, query, settings) for query in asked]
    return [candidate for candidate in found if candidate]


def candidate_of(table: Table, node: Node, query: Query, settings: Settings) -> Candidate | None:
    """Return what comes of a query; None if too few rows are left to two answers."""
    least_rows = rows_needed(settings.min_samples_leaf, table, at_least=1)
    least_weight = (Fraction(str(settings.min_weight_fraction_leaf)) - TIE) * table.weight
    parts = split(table, node.rows, query)
    tallies = [tally_of(table, part) for part in parts]
    sizes = zip(map(len, parts), map(weight_of, tallies), strict=True)
    is_barred = settings.criterion == "poisson" and not all(map(mean, tallies))  # no ln 0
    if sum(n >= least_rows and weight >= least_weight for n, weight in sizes) < 2 or is_barred:
        return None
    direction = settings.monotonic_cst.get(query.column, 0) if query.kind == "Below" else 0
    levels = [level_of(table, tally, settings) if direction else 0.0 for tally in tallies]
    if not are_in_order(levels, direction, node.bounds):
        return None
    bounds = bounds_below(levels, direction, node.bounds)
    gain = node.impurity - remainder_of(tallies, lambda tally: impurity_of(tally, settings))
    return Candidate(query, parts, tallies, gain, bounds)


def level_of(table: Table, tally: Tally, settings: Settings) -> float:
    """Return what goes one way along a column: the guess, or the share of the last class."""
    if settings.criterion in (*GUESSES, "quantile"):
        return float(guess_of(tally, settings))
    return float(shares_of(tally).get(max(table.labels), 0))


def rows_needed(setting: float, table: Table, *, at_least: int) -> int:
    """Return a number of rows from a setting that is a number or a share of all rows."""
    if isinstance(setting, float):
        setting = ceil(Fraction(str(setting)) * len(table.rows) - TIE)
    return max(setting, at_least)


def split(table: Table, rows: Sequence[int], query: Query) -> list[list[int]]:
    """Return the rows that give each answer."""
    parts: dict[int | None, list[int]] = {}
    for row in rows:
        answer = query.answer(table.columns[query.column][row])
        parts.setdefault(answer, []).append(row)
    return [parts[answer] for answer in range(len(parts))]


def best(found: list[Candidate], node: Node, settings: Settings) -> list[Candidate]:
    """List the best candidates: equally good, so the first is the one to ask."""
    slack = TIE * node.impurity
    if settings.criterion == "gain_ratio":
        return _best_ratio(found, slack)
    found = _greatest(found, lambda candidate: candidate.gain, slack)
    if settings.criterion == "error":  # many queries err equally often; the Gini gain decides
        slack = TIE * gini(node.tally)
        found = _greatest(found, lambda candidate: -remainder_of(candidate.tallies, gini), slack)
    return found


def _best_ratio(found: list[Candidate], slack: Fraction) -> list[Candidate]:
    """List those of the greatest gain for each bit that their answers take, as C4.5 does.

    Hardly any gain over hardly any bits is no good ratio: the gain must reach the average.
    """
    by_column: dict[str, list[Candidate]] = {}
    for candidate in found:
        by_column.setdefault(candidate.query.column, []).append(candidate)
    sent = [_greatest(some, lambda c: c.gain, slack)[0] for some in by_column.values()]
    average = sum((candidate.gain for candidate in sent), Fraction(0)) / max(len(sent), 1)
    compared = [candidate for candidate in sent if candidate.gain >= average - slack]
    bits = {c.query: entropy(dict(enumerate(map(weight_of, c.tallies)))) for c in compared}
    return _greatest(compared, lambda candidate: candidate.gain / bits[candidate.query], TIE)


def _greatest(
    found: list[Candidate], score: Callable[[Candidate], Fraction], slack: Fraction
) -> list[Candidate]:
    scores = [score(candidate) for candidate in found]
    least = max(scores, default=Fraction(0)) - slack
    return [candidate for candidate, s in zip(found, scores, strict=True) if s >= least]


# --- Growing, predicting -------------------------------------------------------------------------


def grow(table: Table, settings: Settings) -> Node:
    """Return the root of the tree that a table grows.

    The order in which nodes ask matters only under `max_leaf_nodes`: then the node whose query
    helps the table most goes first, the older of equal ones, and a node whose answers are more
    than the leaves left stays a leaf.
    """
    root = make_node(table, table.rows, 0, NO_BOUNDS, settings)
    waiting = [root]
    leaves_left = inf if settings.max_leaf_nodes is None else settings.max_leaf_nodes - 1
    while waiting := [n for n in waiting if n.tied and len(n.tied[0].parts) - 1 <= leaves_left]:
        helps = [0 if leaves_left == inf else help_of(table, node) for node in waiting]
        enough = max(helps) - TIE * root.impurity
        node = waiting.pop(next(turn for turn, h in enumerate(helps) if h >= enough))
        node.query, node.gain = node.tied[0].query, node.tied[0].gain
        for part, bounds in zip(node.tied[0].parts, node.tied[0].bounds, strict=True):
            node.children.append(make_node(table, part, node.depth + 1, bounds, settings))
        leaves_left -= len(node.children) - 1
        waiting += node.children
    return root


def make_node(
    table: Table, rows: list[int], depth: int, bounds: Bounds, settings: Settings
) -> Node:
    """Return a leaf, with the queries that it may ask: none where a stopping rule holds."""
    tally = tally_of(table, rows)
    guess, impurity = guess_of(tally, settings), impurity_of(tally, settings)
    free = level_of(table, tally, settings)
    level = clipped(free, bounds)
    if level != free:  # the bound is guessed, or what it makes the commoner of two classes
        share, (first, last) = Fraction(level), (min(table.labels), max(table.labels))
        has_classes = settings.criterion not in (*GUESSES, "quantile")
        guess = commonest({first: 1 - share, last: share}) if has_classes else level
    node = Node(rows, depth, tally, guess, level, impurity, bounds)
    too_few = len(rows) < rows_needed(settings.min_samples_split, table, at_least=2)
    if len(tally) > 1 and not too_few and depth != settings.max_depth:
        found = candidates(table, node, settings)
        node.tied = best(found, node, settings)  # a gain of 0 is no reason to stop
    if node.tied and help_of(table, node) < Fraction(str(settings.min_impurity_decrease)) - TIE:
        node.tied = []
    return node


def help_of(table: Table, node: Node) -> Fraction:
    """Return the best gain as the whole table sees it: times the share that the node has of it."""
    return node.tied[0].gain * weight_of(node.tally) / table.weight


def stop(root: Node, row: Mapping[str, Value]) -> Node:
    """Return the node that guesses for a row: a leaf, or where the row's value leads nowhere."""
    node = root
    while node.query and (answer := node.query.answer(row[node.query.column])) is not None:
        node = node.children[answer]
    return node


def breadth_first(root: Node) -> list[Node]:
    """List all nodes, those nearer to the root first: the position is the number of a node."""
    nodes = [root]
    for node in nodes:  # the list grows while it is read
        nodes.extend(node.children)
    return nodes
