"""Edits by hand: a branch becomes a leaf, or asks something else and grows again below."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.encode import n_rows_with_weight
from bough.errors import Argument, DataError, ParameterError, did_you_mean, listed
from bough.grow import filled, filled_by, graft, grown
from bough.grow.grow_branch import Ground
from bough.predict import stops
from bough.query_kinds import Below, EachValue, IsMissing, OneOf, Query, QueryKind
from bough.schema import Feature, Kind, Part, Schema
from bough.settings import is_whole
from bough.table.match_columns import typed
from bough.tree import TIE, Tree
from bough.tree.check import ARRAYS
from bough.walk import cut, is_below
from bough.words import plain, row_count

Pruned = Callable[[Tree], Tree]
"""A branch as it is pruned after it has grown."""
LARGEST_FLOAT = 2**53  # integers beyond are compared as integers


def stump_of(query: Query, ground: Ground) -> Tree | None:
    """Return the query as a tree of the rows at hand; None if an answer gets no rows.

    Missing rows go where the query says or, if it does not say, where they gain more.
    """
    found = [stump for each in _as_seen(query, ground) if (stump := _filled(each, ground))]
    if not found:
        return None
    enough = max(stump.gain[0] for stump in found) - TIE * found[0].impurity[0]
    return next(stump for stump in found if stump.gain[0] >= enough)


def _as_seen(query: Query, ground: Ground) -> Iterator[Query]:
    """Give the query about the values that the rows have, with missing ones at either answer."""
    table, labels = ground.own_rows[0], ground.own_searched
    number = table.features.index(query.feature)
    has_weight = slice(None) if labels.weights is None else labels.weights > 0
    missing = table.missing(number)[has_weight]
    has_missing = bool(missing.any())
    codes = np.unique(table.values[number][has_weight][~missing])
    match query:
        case EachValue():
            last = len(codes) if has_missing else None
            yield replace(query, codes=tuple(codes.tolist()), missing=last)
        case IsMissing():
            yield query
        case Below():
            yield from (replace(query, missing=side) for side in _sides(query, has_missing))
        case OneOf():
            is_one = np.isin(codes, query.codes)
            groups = tuple(codes[is_one].tolist()), tuple(codes[~is_one].tolist())
            # The first value is always among the first group.
            swapped = int(groups[0] > groups[1])
            one, others = groups[:: -1 if swapped else 1]
            for side in _sides(query, has_missing):
                goes_to = side if side is None or query.missing is None else side ^ swapped
                yield replace(query, codes=one, others=others, missing=goes_to)


def _sides(query: Below | OneOf, has_missing: bool) -> tuple[int | None, ...]:  # noqa: FBT001
    if not has_missing:
        return (None,)
    return (0, 1) if query.missing is None else (query.missing,)


def _filled(query: Query, ground: Ground) -> Tree | None:
    table, labels = ground.own_rows[0], ground.own_searched
    n_answers = len(query.answers)
    if not 1 < n_answers <= n_rows_with_weight(labels) or _is_out_of_range(query):
        return None
    stump = _asking(query, table.features.index(query.feature), ground.leaf())
    if isinstance(query, Below) and query.shown is not None and _is_shown(query, ground):
        stump = replace(stump, shown=np.append(query.shown, [np.nan] * n_answers))
    here = stops(stump, table, n_jobs=ground.n_jobs)
    if not _has_all_answers(query, here, ground):
        return None
    return filled_by(stump, here, labels, ground.settings, n_jobs=ground.n_jobs)


def _is_shown(query: Below, ground: Ground) -> bool:
    """Return whether what words give for the pivot parts the rows at hand as it does."""
    table, labels = ground.own_rows
    has_weight = slice(None) if labels.weights is None else labels.weights > 0
    values = table.values[table.features.index(query.feature)][has_weight]
    return np.array_equal(values < query.said, values < query.pivot)


def _has_all_answers(query: Query, here: NDArray[np.int32], ground: Ground) -> bool:
    """Return whether every answer gets a row, which missing ones alone are not for a pivot."""
    table, labels = ground.own_rows[0], ground.own_searched
    counts = np.ones(len(here), bool) if labels.weights is None else labels.weights > 0
    if isinstance(query, Below | OneOf):
        counts &= ~table.missing(table.features.index(query.feature))
    return len(np.unique(here[counts])) == len(query.answers)


def _is_out_of_range(query: Query) -> bool:
    match query:
        case Below(feature=feature, pivot=pivot):
            return feature.kind is Kind.ORDERED and not 0 < pivot < len(feature.choices)
        case OneOf(codes=codes, others=others):
            return not codes or not others
    return False


def _asking(query: Query, feature: int, leaf: Tree) -> Tree:
    """Return a tree that asks the query; what its nodes say of their rows is yet to be filled in."""
    n_answers, asked = len(query.answers), _StoredQuery.of(query)
    has_integer = asked.kind is QueryKind.BELOW and np.isnan(asked.pivot)
    arrays: dict[str, Any] = {
        "feature": [feature] + [-1] * n_answers,
        "query_kind": [asked.kind] + [0] * n_answers,
        "pivot": [asked.pivot] + [np.nan] * n_answers,
        "codes": asked.codes,
        "answers": asked.answers,
        "codes_start": [0] + [len(asked.codes)] * (n_answers + 1),
        "first_child": [1] + [-1] * n_answers,
        "n_children": [n_answers] + [0] * n_answers,
        "missing_child": [-1 if asked.missing is None else 1 + asked.missing] + [-1] * n_answers,
        "n_rows": [leaf.n_rows[0], leaf.n_rows[0] - n_answers + 1] + [1] * (n_answers - 1),
        **({"pivot_int": [asked.pivot_int] + [0] * n_answers} if has_integer else {}),
    }
    arrays = {name: np.array(values, ARRAYS[name]) for name, values in arrays.items()}
    for name in ("tally", "guess", "impurity", "gain"):
        says = getattr(leaf, name)
        arrays[name] = None if says is None else np.repeat(says, n_answers + 1, axis=0)
    return replace(leaf, **arrays)


class _StoredQuery(NamedTuple):
    """What stands in the arrays of a tree for a query."""

    kind: QueryKind
    pivot: float = np.nan
    pivot_int: int = 0
    codes: tuple[int, ...] = ()
    answers: tuple[int, ...] = ()
    missing: int | None = None

    @classmethod
    def of(cls, query: Query) -> "_StoredQuery":
        match query:
            case Below(pivot=int() as pivot, missing=missing):
                return cls(QueryKind.BELOW, pivot_int=pivot, missing=missing)
            case Below(pivot=pivot, missing=missing):
                return cls(QueryKind.BELOW, pivot, missing=missing)
            case EachValue(codes=codes, missing=missing):
                answers = tuple(range(len(codes)))
                return cls(QueryKind.EACH_VALUE, codes=codes, answers=answers, missing=missing)
            case OneOf(codes=one, others=others, missing=missing):
                codes = tuple(sorted(one + others))
                answers = tuple(int(code in others) for code in codes)
                return cls(QueryKind.ONE_OF, codes=codes, answers=answers, missing=missing)
            case IsMissing():
                return cls(QueryKind.IS_MISSING, missing=0)


@dataclass(frozen=True)
class Wanted:
    """What a node is to ask."""

    feature: Feature
    query: Query | None
    """None: the best one about the feature; about a date, also those about its parts."""

    def stump(self, ground: Ground) -> Tree | None:
        """Return the query and a leaf for each answer; None if it does not tell the rows apart.

        The best query about a column leaves two answers as many rows as the settings want, and one
        very query leaves each answer a row. Other stopping rules are overruled.
        """
        if self.query is not None:
            return stump_of(self.query, ground)
        overruled = replace(
            ground.settings, max_depth=None, min_samples_split=2, min_impurity_decrease=0.0
        )
        feature = self.feature
        stump = replace(ground, settings=overruled).stump(feature.column, feature.part)
        return stump if len(stump) > 1 else None


def read_wanted(
    schema: Schema,
    asked: str | int | Query,
    *,
    below: object = None,
    one_of: Sequence[object] | None = None,
    is_missing: bool = False,
) -> Wanted:
    """Return what is to be asked, as a user says it: a column or a query, and which one."""
    if (below is not None) + (one_of is not None) + is_missing > 1:
        raise ParameterError("below, one_of and is_missing cannot be combined. Give one of them.")
    if isinstance(asked, Query):
        if below is not None or one_of is not None or is_missing:
            raise ParameterError(
                "below, one_of and is_missing need the name of a column, but a query is given. Leave "
                "them out, or name the column."
            )
        return Wanted(_same_feature(schema, asked), asked)
    feature = _feature(schema, asked)
    if below is not None:
        return Wanted(feature, Below(feature, _pivot(feature, below)))
    if one_of is not None:
        return Wanted(feature, OneOf(feature, _codes(feature, one_of), ()))
    return Wanted(feature, IsMissing(feature) if is_missing else None)


def _same_feature(schema: Schema, query: Query) -> Feature:
    if query.feature not in schema.features:
        raise ParameterError(
            f"the query about {query.feature.name!r} belongs to another tree. Name the column "
            "instead."
        )
    return query.feature


def _feature(schema: Schema, asked: str | int) -> Feature:
    for feature in schema.features:
        is_number = not schema.named and feature.part is Part.ITSELF and is_whole(asked)
        if asked == (feature.column if is_number else feature.name):
            return feature
    names = [feature.name for feature in schema.features]
    raise ParameterError(
        f"{asked!r} is not a feature of the tree.{did_you_mean(str(asked), names)} "
        f"It has {listed(names)}."
    )


def _pivot(feature: Feature, below: object) -> float | int:
    if feature.kind is Kind.CHOICE:
        raise ParameterError(
            f"{feature.name!r} is a category without an order. Use one_of=[…], not below=…"
        )
    if feature.kind is Kind.INTEGER and isinstance(below, float) and abs(below) <= LARGEST_FLOAT:
        return below + 0.0  # never -0.0
    pivot: float | int = typed([feature], 0, below)[0][0].item()
    is_exact = feature.kind.is_integer and abs(pivot) > LARGEST_FLOAT
    return pivot if is_exact else float(pivot) + 0.0


def _codes(feature: Feature, values: Sequence[object]) -> tuple[int, ...]:
    if feature.kind is not Kind.CHOICE:
        raise ParameterError(
            f"{feature.name!r} is compared with a pivot. Use below=…, not one_of=[…]."
        )
    given = [values] if isinstance(values, str) or not isinstance(values, Iterable) else values
    return tuple(int(typed([feature], 0, value)[0][0]) for value in given)


def listed_nodes(tree: Tree, nodes: int | Sequence[int]) -> list[int]:
    """Return branches to cut, each once, as a user gives them: one, or a list."""
    given = list(nodes) if isinstance(nodes, Iterable) else [nodes]
    for node in given:
        check_node(tree, node)
        if tree[int(node)].is_leaf:
            raise ParameterError(f"node {node} is already a leaf. Give the number of a branch.")
    if not given:
        raise ParameterError(
            "the list of nodes to cut is empty. Give the number of at least one branch."
        )
    return sorted({int(node) for node in given})


def cut_nodes(tree: Tree, nodes: int | Sequence[int]) -> Tree:
    """Return the tree in which some branches are leaves; all other nodes stay as they are."""
    return cut(tree, np.isin(np.arange(len(tree)), listed_nodes(tree, nodes)))


def cut_words(nodes: Sequence[int]) -> str:
    """Return that some nodes have been cut.

    Examples
    --------
    >>> cut_words([7]), cut_words([3, 5])
    ('node 7 is a leaf', 'nodes 3, 5 are leaves')
    """
    if len(nodes) == 1:
        return f"node {nodes[0]} is a leaf"
    return f"nodes {', '.join(map(str, nodes))} are leaves"


def force_words(node: int, wanted: Wanted) -> str:
    """Return that a node asks something else."""
    return f"node {node} asks about {plain(wanted.feature.name)}"


def check_node(tree: Tree, node: object) -> None:
    """Refuse what is not the number of a node of the tree."""
    if not is_whole(node) or not 0 <= node < len(tree):  # type: ignore[operator]
        raise ParameterError(
            f"node={node!r} is not a node of the tree, whose nodes are 0 to {len(tree) - 1:,}."
        )


def force_query(tree: Tree, node: int, wanted: Wanted, ground: Ground, pruned: Pruned) -> Tree:
    """Return the tree in which a node asks what is wanted, and what grows below it then.

    All other nodes stay as they are, to the last bit.

    `ground` is what the tree was grown from; branches are `pruned` after they have grown.
    """
    check_node(tree, node)
    _refuse_what_cannot_be(wanted, ground)
    here = ground_at(ground, tree, node)
    branch = forced_branch(here, wanted, pruned)
    if branch is None:
        raise ParameterError(_why_not(wanted, node, n_rows_with_weight(here.own_searched)))
    # What nodes said may have come from other rows than the branch: honest leaves do.
    bare = filled(cut(tree, np.arange(len(tree)) == node), ground)
    return filled(graft(bare, {node: branch})[0], ground)


def forced_branch(ground: Ground, wanted: Wanted, pruned: Pruned) -> Tree | None:
    """Return a branch that asks first what is wanted; None if that does not tell the rows apart."""
    stump = wanted.stump(ground)
    if stump is None:
        return None
    table, _ = ground.own_rows
    pieces = {}
    for leaf, here in ground.at_each(stump, range(1, len(stump)), stops(stump, table)):
        pieces[leaf] = pruned(grown(here))
    return filled(graft(stump, pieces)[0], ground)


def ground_at(ground: Ground, tree: Tree, node: int) -> Ground:
    """Return the ground of a node of a tree: the rows that get there."""
    table, _ = ground.own_rows
    return ground.at(tree, node, rows_at(tree, node, stops(tree, table, n_jobs=ground.n_jobs)))


def rows_at(tree: Tree, node: int, stops: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return the rows that get to a node, from where each of them stops."""
    is_here = np.arange(len(tree)) == node
    return np.flatnonzero((is_here | is_below(tree, is_here))[stops])


def refuse_other_rows(tree: Tree, ground: Ground) -> None:
    """Refuse rows from which the tree was not grown."""
    table, labels = ground.own_rows
    here = stops(tree, table, n_jobs=ground.n_jobs)
    counted = here if labels.weights is None else here[labels.weights > 0]
    n_rows = np.bincount(counted, minlength=len(tree))
    is_same = np.array_equal(n_rows, np.where(tree.feature < 0, tree.n_rows, 0))
    if is_same and np.array_equal(filled(tree, ground).tally, tree.tally):
        return
    raise DataError(
        "these are not the rows that the tree was grown from. "
        f"Give the same {tree.n_rows[0]:,} rows, with the same labels and weights."
    )


def _refuse_what_cannot_be(wanted: Wanted, ground: Ground) -> None:
    settings = ground.settings
    if settings.max_leaf_nodes is not None:
        raise ParameterError(
            f"a tree with max_leaf_nodes={settings.max_leaf_nodes!r} cannot grow one branch again: the "
            "limit holds for the whole tree. Fit without it; max_depth and ccp_alpha also limit a tree."
        )
    if settings.is_monotonic:
        raise ParameterError(
            "a tree with ", Argument("monotonic_cst"), " cannot grow one branch again: the order of "
            "predictions holds for the whole tree. Fit without it.",
        )  # fmt: skip
    allowed = {ground.table.features[number].column for number in ground.constraints.allowed}
    if wanted.feature.column not in allowed:
        raise ParameterError(
            f"{wanted.feature.name!r} is forbidden: ",
            Argument("forbid", list(settings.forbid or ())), ". Ask about another column.",
        )  # fmt: skip


def _why_not(wanted: Wanted, node: int, n_rows: int) -> str:
    name = wanted.feature.name
    if wanted.query is None:
        return (
            f"node {node} cannot ask about {name!r}: no query about it splits the {row_count(n_rows)} "
            "there and respects min_samples_leaf and min_weight_fraction_leaf. Ask about another "
            "column."
        )
    return (
        f"node {node} cannot ask this about {name!r}: one answer would get none of the {n_rows:,} "
        "rows there. Choose another pivot or other values."
    )
