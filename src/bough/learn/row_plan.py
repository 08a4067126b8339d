"""Which rows grow, choose and test a tree, and what their labels are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bough.costs import read_costs
from bough.errors import Argument, BudgetError, DataError, ParameterError
from bough.holdout import SplitRows, folds, folds_in_time, row_hashes, split_rows
from bough.learn.labelled_rows import (
    LabelledRows,
    Sealed,
    label_column,
    seen_features,
    seen_label,
    weights_of,
)
from bough.learn.look_at_columns import Look
from bough.learn.request import Request, Roles
from bough.learn.target import Target, read_target, refuse_one_answer
from bough.ranking import check_weighed
from bough.schema import Task
from bough.table.column import Column, Rows
from bough.table.source import Source
from bough.words import plain, row_count, value_word

MOST_BYTES = 9 * 2**30
BYTES_PER_COUNT = 45  # of a class at a row; measured with 1,000 classes in 6,000 and in 30,000 rows
SMALL = 20_000  # rows, or groups of them; smaller tables are cross-validated
FOLDS = 10
FOLDS_IN_TIME = 5


Sample: TypeAlias = tuple[LabelledRows, Rows, list[tuple[Rows, Rows]]]
"""Rows, which of them grow the final tree, and pairs to choose it by: to grow from, and to try on."""


@dataclass(frozen=True, eq=False)
class Plan:
    """How the rows of a table are used."""

    target: Target
    rows: LabelledRows
    """All rows that may be learnt from: training and development rows."""
    numbers: Rows
    """Which rows of the table these are."""
    pairs: list[tuple[Rows, Rows]]
    """Rows to grow from, and rows to try the growth on: one pair, or one for each fold."""
    sealed: Sealed
    is_folded: bool

    @property
    def task(self) -> Task:
        return self.target.task

    @property
    def train(self) -> Rows:
        """The rows of which labels may be read by checks: all that the final tree learns from."""
        return np.arange(len(self.rows)) if self.is_folded else self.pairs[0][0]

    @property
    def sample(self) -> Sample:
        return self.rows, self.train, self.pairs


@dataclass(frozen=True, eq=False)
class Problem:
    """A table that has been looked at, and whose rows have been shared out."""

    name: str
    """What the table is called."""
    source: Source
    look: Look
    request: Request
    plan: Plan
    options: str = ""
    """What to type after the name of the file for the same."""

    @property
    def loss(self) -> str:
        return self.request.loss or self.plan.task.loss

    @property
    def is_refitted(self) -> bool:
        """Whether the chosen tree is grown again from training and development rows."""
        return self.request.refits(is_folded=self.plan.is_folded)

    @property
    def learnt(self) -> LabelledRows:
        """The rows that the chosen tree is grown from."""
        return self.plan.rows if self.is_refitted else self.plan.rows.take(self.plan.train)


def target_of(look: Look, roles: Roles) -> Target:
    """Return the labels of a table, and their task."""
    if roles.target is None:
        raise ParameterError(Argument("target", None), ": name the column to predict.")
    column, n_given = look.columns[roles.target], look.n_rows[0]
    target = read_target(column, roles.target, roles.task, look.where, n_given)
    refuse_one_answer(target, len(column.missing_rows()))
    return target


def make_plan(look: Look, request: Request, target: Target) -> Plan:
    """Return how the rows of a table are used; rows without a label or a weight are not."""
    numbers, rows = _rows_in_order(look, request, target)
    source = look.source_of(numbers)
    if target.task.ranks:
        _check_groups(look, request, target.rows)
    time = _time(look, request.time, numbers)
    parts = _parts(rows, source, request, time)
    learnt = np.sort(np.concatenate([parts.train, parts.dev]))
    to_learn = rows.take(learnt)
    # A model must not know values and classes of the test rows.
    features, label = seen_features(to_learn.table), seen_label(to_learn.labels)
    to_learn = to_learn.read_with(features, label)
    sealed = Sealed(rows.take(parts.test).read_with(features, label))
    is_folded = _is_folded(rows.take(np.flatnonzero(source == 0)), len(parts.dev), request)
    if not is_folded:
        pairs = [(np.searchsorted(learnt, parts.train), np.searchsorted(learnt, parts.dev))]
    else:
        pairs = _fold_pairs(to_learn) if time is None else _pairs_in_time(time[learnt])
    if target.task.ranks:
        _check_relevant(rows, to_learn, pairs, parts)
    return Plan(target, to_learn, numbers[learnt], pairs, sealed, is_folded)


def refuse_too_many_classes(plan: Plan) -> None:
    """Refuse rows whose trees would not fit into memory, as each node counts every class."""
    classes = plan.rows.labels.labels[0].classes
    n_growths = 2 + len(plan.pairs) if plan.is_folded else 2
    size = len(plan.rows) * len(classes) * n_growths * BYTES_PER_COUNT
    if size > MOST_BYTES:
        raise BudgetError(
            f"{plan.target.name!r} has {len(classes):,} classes in {len(plan.rows):,} rows to learn "
            f"from. Trees count every class at every node, which may take {size / 2**30:,.0f} GB here. "
            "Join rare classes into one, such as 'other', or learn from fewer rows."
        )


def _check_relevant(
    rows: LabelledRows, to_learn: LabelledRows, pairs: list[tuple[Rows, Rows]], parts: SplitRows
) -> None:
    """Refuse groups of which too few have a relevant row, so that some part has none of them."""
    assert rows.group is not None  # noqa: S101 - a ranking has groups
    relevance = to_learn.answers
    least = min((relevance[train] for train, _ in pairs), key=np.max)
    tried = np.concatenate([dev for _, dev in pairs])
    by_part = {
        "training rows" if len(pairs) == 1 else "training rows of a fold": least,
        "development rows": relevance[tried],
        "test rows": rows.answers[parts.test],
    }
    check_relevant(by_part, len(np.unique(rows.group[rows.answers > 0])))


def _is_folded(own: LabelledRows, n_dev: int, request: Request) -> bool:
    """Return whether folds take the place of the development rows."""
    if request.needs_dev and n_dev == 0:
        raise DataError(
            request.needs_dev, " needs development rows, but none of those given has a label and a "
            "weight. Give others: ", Argument("dev", ...),
        )  # fmt: skip
    has_reason = request.dev is not None or request.needs_dev or not request.refit
    return n_dev == 0 or not (has_reason or _n_units(own) >= SMALL)


def _n_units(rows: LabelledRows) -> int:
    """Return how many rows, or groups of rows, are independent of each other."""
    return len(rows) if rows.group is None else len(np.unique(rows.group))


def _rows_in_order(look: Look, request: Request, target: Target) -> tuple[Rows, LabelledRows]:
    """Return the rows that count, by their hashes: no sum depends on the order of the table."""
    seed = request.seed
    hashes = row_hashes(look.columns | look.ignored, seed)[target.rows]
    weights = None
    if request.weight is not None:
        weights = weights_of(look.columns[request.weight].take(target.rows), request.weight)
    order = np.argsort(hashes, kind="stable")
    if weights is not None:
        order = order[weights[order] > 0]
    numbers = target.rows[order]
    group = _group(look, request.group, numbers, seed)
    labels = replace(replace(target.labels, weights=weights).rows(order), group=group)
    return numbers, LabelledRows(look.table.rows(numbers), labels, hashes[order])


def _parts(
    rows: LabelledRows, source: NDArray[np.intp], request: Request, time: NDArray[np.int64] | None
) -> SplitRows:
    """Return the parts; rows of an own table are in its part, the others share what is left."""
    has_dev, has_test = request.dev is not None, request.test is not None
    own = np.flatnonzero(source == 0)
    train, dev, test = request.split
    left = (train, 0.0 if has_dev else dev, 0.0 if has_test else test)
    shares = left if sum(left) == sum(request.split) else [share / sum(left) for share in left]
    classes = None
    if rows.labels.codes is not None:  # whichever other classes there are, a class has one hash
        classes = row_hashes(label_column(rows.labels), request.seed)[own]
    found = split_rows(
        rows.places[own],
        shares=shares,
        classes=classes,
        group=None if rows.group is None else rows.group[own],
        time=None if time is None else time[own],
    )
    return SplitRows(
        own[found.train],
        np.flatnonzero(source == 1) if has_dev else own[found.dev],
        np.flatnonzero(source == has_dev + has_test) if has_test else own[found.test],
    )


def _fold_pairs(rows: LabelledRows) -> list[tuple[Rows, Rows]]:
    n_folds = min(FOLDS, _n_units(rows))
    if n_folds < 2:
        raise DataError(
            "The table has too few rows: cross-validation needs at least two rows, or two groups, to "
            "learn from. Give more rows."
        )
    codes = rows.labels.codes
    fold = folds(
        rows.places, n_folds, classes=None if codes is None else codes[0], group=rows.group
    )
    return [
        (np.flatnonzero(fold != each), np.flatnonzero(fold == each)) for each in np.unique(fold)
    ]


def _pairs_in_time(time: NDArray[np.int64]) -> list[tuple[Rows, Rows]]:
    """Return folds of which each is tried on what had been learnt before it."""
    block = folds_in_time(time, FOLDS_IN_TIME)
    return [
        (np.flatnonzero(block < each), np.flatnonzero(block == each))
        for each in range(1, int(block.max()) + 1)
    ]


def _group(look: Look, name: str | None, rows: Rows, seed: int) -> NDArray[np.uint64] | None:
    if name is None:
        return None
    column = look.columns[name].take(rows)
    refuse_missing(column, Argument("group", name))
    return row_hashes({name: column}, seed)


def _time(look: Look, name: str | None, rows: Rows) -> NDArray[np.int64] | None:
    """Return the order of the rows in time, equal for equal times."""
    if name is None:
        return None
    column = look.columns[name].take(rows)
    refuse_missing(column, Argument("time", name))
    if column.kind == "category":
        raise ParameterError(
            Argument("time", name), " is text, which has no order in time. Name a column of dates "
            "or numbers, or name its kind: ", Argument("types", {name: "date"}), ".",
        )  # fmt: skip
    return np.asarray(np.unique(column.cells, return_inverse=True)[1], np.int64)


def refuse_missing(column: Column, what: Argument) -> None:
    """Refuse a group or a time that some rows do not have."""
    if (n_missing := int(column.missing_rows().sum())) > 0:
        raise DataError(
            what, f" is missing in {row_count(n_missing)}. Fill it in, or leave these rows out."
        )


def with_label(plan: Plan, request: Request) -> Plan:
    """Return a plan whose trees guess by the costs and have the probabilities that are wanted."""
    if not plan.task.has_classes:
        return plan
    # Costs are named for all classes, also those that no row to learn from has.
    classes = plan.target.labels.labels[0].classes
    matrix = read_costs(request.costs, classes)
    seen = plan.rows.labels.labels[0]
    kept = [classes.index(name) for name in seen.classes] if matrix else []
    label = replace(
        seen,
        costs=tuple(tuple(matrix[true][guess] for guess in kept) for true in kept),
        probability=request.label_probability,
    )
    labels = replace(plan.rows.labels, labels=(label,))
    return replace(plan, rows=replace(plan.rows, labels=labels))


def _check_groups(look: Look, request: Request, rows: Rows) -> None:
    """Refuse groups without a row that counts, and tables that share a group."""
    assert request.group is not None  # noqa: S101 - a ranking has groups
    rows = rows[~look.columns[request.group].missing_rows()[rows]]
    column = look.columns[request.group].take(rows)
    group = column.hashes()
    if request.weight is not None:
        weights = weights_of(look.columns[request.weight].take(rows), request.weight)
        check_weighed(group, weights, lambda row: _group_word(column, row))
    _refuse_shared(column, group, look.source_of(rows), [*request.tables])


def check_relevant(parts: Mapping[str, NDArray[np.floating]], n_relevant: int) -> None:
    """Refuse parts of the rows none of which is relevant, though `n_relevant` groups have such a row."""
    empty = [name for name, relevance in parts.items() if not np.any(relevance > 0)]
    if empty and n_relevant:
        raise DataError(
            f"The {empty[0]} have no group with a relevant row; there are {n_relevant:,} in all. Give "
            "more such groups, or split the rows differently: ",
            Argument("seed", ...), ", ", Argument("split", ...), ", or separate tables, ",
            Argument("dev", ...), " and ", Argument("test", ...),
        )  # fmt: skip


def _refuse_shared(
    column: Column, group: NDArray[np.uint64], source: NDArray[np.intp], tables: Sequence[str]
) -> None:
    """Refuse tables that share a group: it would be measured on rows that it was learnt from."""
    _, first, unit = np.unique(group, return_index=True, return_inverse=True)
    n_rows = np.zeros((len(first), len(tables)), np.intp)
    np.add.at(n_rows, (unit, source), 1)
    shared = np.flatnonzero(np.count_nonzero(n_rows, axis=1) > 1)
    if not len(shared):
        return
    words = sorted((_group_word(column, int(first[number])), number) for number in shared.tolist())
    name, number = words[0]
    one, other = np.flatnonzero(n_rows[number])[:2].tolist()
    others = "" if len(shared) == 1 else f"; {len(shared):,} groups are in more than one table"
    raise DataError(
        f"Group {name} has {row_count(int(n_rows[number, one]))} in the {tables[one]} table and "
        f"{n_rows[number, other]:,} in the {tables[other]} table{others}. Keep all rows of a group in "
        "one table: shared groups make the estimate too good."
    )


def _group_word(column: Column, row: int) -> str:
    """Return what messages call the group of a row."""
    value = column.value(row)
    return plain(repr(value)) if column.is_text else value_word(value)
