"""Rows as an export gets them, and the condition of each answer, as formats write it; which features are doubles."""

import re
import shutil
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.errors import ParameterError, needs_package
from bough.explain.condition import Condition
from bough.explain.rules import trail_conditions
from bough.predict import features_asked, stops
from bough.query import Below, EachValue, IsMissing, OneOf, Query, QueryKind
from bough.schema import MISSING_INTEGER, UNSEEN, Feature, Kind, Part, Value
from bough.table import Table, TableLike, read_like
from bough.table.dates import part_of
from bough.table.match_columns import all_missing
from bough.tree import Node, Tree
from bough.words import plain

TESTED = 20  # rows of a test that a file carries
EXACT = 2**53  # every integer up to here is a double


def fields_of(tree: Tree) -> tuple[Feature, ...]:
    """Return a feature for each column that is asked about; for parts of a date, the date."""
    found: dict[int, Feature] = {}
    for number in features_asked(tree):
        feature = tree.schema.features[number]
        if feature.part is not Part.ITSELF:
            feature = replace(feature, kind=Kind.DATE, part=Part.ITSELF, choices=())
        found.setdefault(feature.column, feature)
    return tuple(found[column] for column in sorted(found))


@dataclass(frozen=True)
class Rows:
    """The values of some rows, for each field an array as tables hold it."""

    fields: tuple[Feature, ...]
    values: tuple[NDArray[Any], ...]
    n_rows: int

    def columns(self) -> list[list[Value | None]]:
        """Return the values of each field; dates are microseconds since 1970."""
        pairs = zip(self.fields, self.values, strict=True)
        return [_plain(feature, values) for feature, values in pairs]

    def cells(self) -> list[tuple[Value | None, ...]]:
        """Return the values of each row."""
        return list(zip(*self.columns(), strict=True)) if self.fields else [()] * self.n_rows

    def stops(self, tree: Tree) -> NDArray[np.int32]:
        """Return the node where each row stops."""
        pairs = zip(self.fields, self.values, strict=True)
        of_column = {field.column: values for field, values in pairs}
        values = []
        for feature in tree.schema.features:
            found = of_column.get(feature.column)
            if found is None:
                values.append(all_missing(feature, self.n_rows))
            else:
                is_part = feature.part is not Part.ITSELF
                values.append(part_of(found, feature.part) if is_part else found)
        table = Table(tree.schema.columns, True, tree.schema.features, tuple(values), self.n_rows)  # noqa: FBT003
        return stops(tree, table)


def read_rows(tree: Tree, table: TableLike) -> Rows:
    """Return the rows of a table, read as `predict` reads them."""
    fields = fields_of(tree)
    schema = replace(tree.schema, features=fields)
    read = read_like(table, schema, asked=range(len(fields))).dense()
    values = tuple(np.asarray(read.values[number]) for number in range(len(fields)))
    return Rows(fields, values, read.n_rows)


def rows_for_test(tree: Tree) -> Rows:
    """Return a few rows that stop at nodes all over the tree, and one without any value."""
    fields = fields_of(tree)
    trails = [conditions for _, conditions in trail_conditions(tree)] if len(tree) <= 10_000 else []
    picked = trails[:: max(1, -(-len(trails) // TESTED))]
    cells: dict[tuple[float | None, ...], None] = {(None,) * len(fields): None}  # each once
    for conditions in picked:
        met = {each.feature: each.nearest(None) for each in conditions}
        cells[tuple(met.get(field) for field in fields)] = None
    values = [
        np.array(
            [field.kind.missing if cell is None else cell for cell in column], field.kind.dtype
        )
        for field, column in zip(fields, zip(*cells, strict=True), strict=True)
    ]
    return Rows(fields, tuple(values), len(cells))


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


def _plain(field: Feature, values: NDArray[Any]) -> list[Value | None]:
    if field.kind.has_choices:
        choices = (*field.choices, _unseen(field.choices), None)
        return [
            choices[code]
            for code in np.where(values == UNSEEN, len(field.choices), values).tolist()
        ]
    gap = MISSING_INTEGER if field.kind.is_integer else None
    return [None if each == gap or each != each else each for each in values.tolist()]  # noqa: PLR0124


def _unseen(choices: Sequence[Value]) -> Value:
    if any(isinstance(each, str) for each in choices):
        return max((str(each) for each in choices), key=len) + "?"
    if all(isinstance(each, bool) for each in choices):
        return choices == (False,)
    return max(float(each) for each in choices) + 1


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


def integer_pivots(tree: Tree, number: int) -> list[int]:
    """Return the pivots of a feature of integers, in order, if doubles do not hold them all."""
    if not tree.schema.features[number].kind.is_integer:
        return []
    is_asked = (tree.feature == number) & (tree.query_kind == QueryKind.BELOW)
    found = {_whole(each) for each in tree.pivot[is_asked & ~tree.has_integer_pivot].tolist()}
    if tree.pivot_int is not None:
        found |= set(tree.pivot_int[is_asked & tree.has_integer_pivot].tolist())
    return sorted(found) if any(abs(each) > EXACT for each in found) else []


def double_pivot(feature: Feature, pivots: Sequence[int], pivot: float) -> float:
    """Return a pivot of a feature, whose integer pivots are known, among doubles."""
    if not feature.kind.is_integer:
        return pivot
    return bisect_left(pivots, _whole(pivot)) + 0.5 if pivots else float(_whole(pivot))


def _whole(pivot: float) -> int:
    """Return the least integer that is not below a pivot, as the core does."""
    return pivot if isinstance(pivot, int) else ceil(min(max(pivot, -float(EXACT)), float(EXACT)))
