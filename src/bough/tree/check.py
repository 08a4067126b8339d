"""What must be true of a tree's arrays, so that nothing that reads them can go wrong."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import ModelFormatError
from bough.query import QueryKind
from bough.schema import Kind, Schema

ARRAYS: dict[str, np.dtype[Any]] = {  # the arrays of a tree and the types of their entries
    "feature": np.dtype(np.int32),
    "query_kind": np.dtype(np.uint8),
    "pivot": np.dtype(np.float64),
    "pivot_int": np.dtype(np.int64),
    "codes": np.dtype(np.int32),
    "answers": np.dtype(np.int32),
    "codes_start": np.dtype(np.int32),
    "first_child": np.dtype(np.int32),
    "n_children": np.dtype(np.int32),
    "missing_child": np.dtype(np.int32),
    "tally": np.dtype(np.float64),
    "guess": np.dtype(np.float64),
    "share": np.dtype(np.float64),
    "n_rows": np.dtype(np.int64),
    "impurity": np.dtype(np.float64),
    "gain": np.dtype(np.float64),
    "relevance": np.dtype(np.float64),
    "shown": np.dtype(np.float64),
}
OPTIONAL = ("pivot_int", "guess", "share", "relevance", "shown")
_BELOW, _EACH_VALUE, _ONE_OF, _IS_MISSING = map(int, QueryKind)  # NumPy compares numbers faster

Arrays = Mapping[str, Any]


def taken_over(name: str, array: Any) -> Any:  # noqa: ANN401 - it may be anything
    """Return an array of a tree that nobody can write to, or refuse what it is given."""
    if array is None and name in OPTIONAL:
        return None
    if not isinstance(array, np.ndarray) or array.dtype != ARRAYS[name]:
        found = getattr(array, "dtype", type(array).__name__)
        raise ModelFormatError(f"{name} holds {found}; it must be an array of {ARRAYS[name]}.")
    if not ((array.flags.owndata or _is_from_core(array)) and array.flags.c_contiguous):
        array = array.copy()
    array.flags.writeable = False
    return array


def _is_from_core(array: NDArray[Any]) -> bool:
    """Return whether the core has made an array, which then nobody else can write to."""
    owner = getattr(array.base, "obj", array.base)
    return type(owner).__module__ == "nanobind"


def greatest_weight(tally: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weight of the commonest class of each node and output, along an axis of length 1."""
    # NumPy is slow along a short axis, except where it is the outer one.
    few_classes = 16
    in_order = np.asfortranarray(tally) if tally.shape[2] <= few_classes else tally
    return np.asarray(in_order.max(axis=2, keepdims=True))


def check(schema: Schema, arrays: Arrays) -> None:
    """Refuse arrays that are not a tree over the schema, naming the first wrong node.

    All nodes are looked at together, in time and memory linear in the arrays.
    """
    _check_shapes(schema, arrays)
    _check_links(arrays)
    _check_rows(arrays)
    asked = _check_queries(schema, arrays)
    _check_pivots(arrays, asked)
    _check_codes(arrays, asked)
    _check_missing(arrays, asked)
    _check_tally(schema, arrays)
    _check_share(schema, arrays["share"])
    _check_numbers(arrays)
    _check_relevance(schema, arrays["relevance"])


class _Asked:
    """What each node asks: the kind of its query, and the feature that it is about."""

    def __init__(self, schema: Schema, arrays: Arrays) -> None:
        kind, feature = arrays["query_kind"], arrays["feature"]
        self.is_branch = arrays["n_children"] > 0
        self.is_below = self.is_branch & (kind == _BELOW)
        self.is_each = kind == _EACH_VALUE
        self.is_one_of = kind == _ONE_OF
        self.is_missing = kind == _IS_MISSING
        self.asks_values = self.is_each | self.is_one_of
        # A leaf has feature -1 and so reads the last entry.
        self.feature_kind = np.array([*(each.kind.core for each in schema.features), -1])[feature]
        self.n_choices = np.array([*(len(each.choices) for each in schema.features), 0])[feature]


def _check_shapes(schema: Schema, arrays: Arrays) -> None:
    n_nodes, n_outputs = arrays["feature"].size, len(schema.labels)
    if n_nodes == 0 or n_outputs == 0:
        raise ModelFormatError("a tree has at least one node and one label.")
    widths = [len(label.classes) for label in schema.labels]
    if (arrays["guess"] is None) != all(widths) or any(widths) != all(widths):
        raise ModelFormatError(
            "either all labels have classes and the tree no guesses, "
            "or no label has classes and the tree has guesses."
        )
    shapes: dict[str, tuple[int, ...]] = {
        "codes": (arrays["codes"].size,),
        "answers": (arrays["codes"].size,),
        "codes_start": (n_nodes + 1,),
        "tally": (n_nodes, n_outputs, max(widths) or 3),
        "guess": (n_nodes, n_outputs),
    }
    one_per_node = (n_nodes,)
    for name in ARRAYS:
        array, shape = arrays[name], shapes.get(name, one_per_node)
        if array is not None and array.shape != shape:
            raise ModelFormatError(f"{name} has the shape {array.shape}; it must be {shape}.")


def _check_links(arrays: Arrays) -> None:
    first, count = arrays["first_child"], arrays["n_children"]
    n_nodes = len(first)
    _refuse(
        (count < 0) | (count == 1),
        lambda i: f"n_children is {count[i]}; a branch has two children or more, a leaf none",
    )
    is_branch = count > 0
    _refuse(
        (first != -1) > is_branch, lambda i: f"first_child is {first[i]} at a leaf; it must be -1"
    )
    _refuse(
        is_branch & (first <= np.arange(n_nodes)),
        lambda i: f"child {first[i]} is not after its parent; the tree has a loop",
    )
    last = first + (count - np.int64(1))
    _refuse(last >= n_nodes, lambda i: f"child {last[i]}, but there are {n_nodes} nodes")
    # Breadth first, the children of a branch follow those of the branch before. So siblings lie
    # side by side, and every node but the root has one parent.
    expected = 1 + np.cumsum(count, dtype=np.int64) - count
    _refuse(
        is_branch & (first != expected),
        lambda i: f"first_child is {first[i]}, but node {expected[i]} is the next without a parent",
    )
    if (reached := int(expected[-1])) < n_nodes:
        raise ModelFormatError(f"node {reached}: it is the child of no node.")


def _check_rows(arrays: Arrays) -> None:
    rows, branches = arrays["n_rows"], arrays["n_children"].nonzero()[0]
    _refuse(rows < 1, lambda i: f"n_rows is {rows[i]}; every node has at least one row")
    if len(branches):
        below = np.add.reduceat(rows, arrays["first_child"][branches])
        _refuse_at(
            below != rows[branches],
            branches,
            lambda at: f"n_rows is {rows[branches[at]]}, but its children have {below[at]} rows",
        )


def _check_queries(schema: Schema, arrays: Arrays) -> _Asked:
    feature, kind, count = arrays["feature"], arrays["query_kind"], arrays["n_children"]
    is_leaf, n_features = count == 0, len(schema.features)
    _refuse(
        is_leaf & ((feature != -1) | (kind != 0)),
        lambda i: f"feature {feature[i]} and query_kind {kind[i]} at a leaf; they must be -1 and 0",
    )
    _refuse(
        ((feature < 0) > is_leaf) | (feature >= n_features),
        lambda i: f"feature {feature[i]}, but there are {n_features}",
    )
    _refuse(kind > _IS_MISSING, lambda i: f"query_kind {kind[i]} is not known; it is 0, 1, 2 or 3")
    asked = _Asked(schema, arrays)
    is_choice = asked.feature_kind == Kind.CHOICE.core
    _refuse(
        (is_choice != asked.asks_values) > asked.is_missing,
        lambda i: (
            f"a query of kind {QueryKind(kind[i]).name} cannot ask about "
            f"{schema.features[feature[i]].name!r}, a feature of kind "
            f"{schema.features[feature[i]].kind.name}"
        ),
    )
    _refuse(
        (count != 2) > (asked.is_each | is_leaf),
        lambda i: (
            f"n_children is {count[i]}; a query of kind {QueryKind(kind[i]).name} has two answers"
        ),
    )
    return asked


def _check_pivots(arrays: Arrays, asked: _Asked) -> None:
    pivot, whole, is_below = arrays["pivot"], arrays["pivot_int"], asked.is_below
    has_none = np.isnan(pivot)
    _refuse(~(is_below | has_none), lambda i: f"pivot is {pivot[i]}, but the query has none")
    is_wrong = is_below & ~np.isfinite(pivot)
    if whole is not None:
        in_whole = is_below & has_none
        if not in_whole.any():
            raise ModelFormatError("pivot_int is given, but no node needs it.")
        _refuse((whole != 0) > in_whole, lambda i: f"pivot_int is {whole[i]}; it must be 0 here")
        is_wrong &= ~(in_whole & (asked.feature_kind == Kind.INTEGER.core))  # or a date
    _refuse(is_wrong, lambda _: "pivot is not a finite number")
    n_choices = asked.n_choices
    _refuse(
        is_below
        & (asked.feature_kind == Kind.ORDERED.core)
        & ~((pivot > 0) & (pivot <= n_choices - 1)),
        lambda i: f"pivot {pivot[i]} does not lie among {n_choices[i]} ordered values",
    )
    _check_shown(arrays["shown"], ~has_none & (n_choices == 0))


def _check_shown(shown: NDArray[np.float64] | None, may_have: NDArray[np.bool_]) -> None:
    if shown is None:
        return
    has_any = ~np.isnan(shown)
    if not has_any.any():
        raise ModelFormatError("shown is given, but no node needs it.")
    _refuse(has_any > may_have, lambda i: f"shown is {shown[i]}, but the query has no such pivot")
    _refuse(np.isinf(shown), lambda _: "shown is not a finite number")


def _check_codes(arrays: Arrays, asked: _Asked) -> None:
    codes, start, asks_values = arrays["codes"], arrays["codes_start"], asked.asks_values
    if start[0] != 0 or start[-1] != len(codes):
        raise ModelFormatError(
            f"codes_start goes from {start[0]} to {start[-1]}; it must go from 0 to {len(codes)}."
        )
    n_codes = start[1:].astype(np.int64) - start[:-1]
    _refuse(n_codes < 0, lambda i: f"codes_start falls from {start[i]} to {start[i + 1]}")
    _refuse(
        asks_values != (n_codes > 0),
        lambda i: f"{n_codes[i]} codes, but its query needs {'some' if asks_values[i] else 'none'}",
    )
    if len(codes) == 0:
        return
    owner = np.arange(len(n_codes)).repeat(n_codes)
    n_choices = asked.n_choices[owner]
    _refuse_at(
        (codes < 0) | (codes >= n_choices),
        owner,
        lambda at: f"code {codes[at]}, but its feature has {n_choices[at]} values",
    )
    _refuse_at(
        (codes[1:] <= codes[:-1]) & (owner[1:] == owner[:-1]),
        owner,
        lambda at: f"code {codes[at + 1]} does not come after {codes[at]}",
    )
    _check_answers(arrays, asked, owner)


def _check_answers(arrays: Arrays, asked: _Asked, owner: NDArray[np.int64]) -> None:
    answers = arrays["answers"]
    place = np.arange(len(owner)) - arrays["codes_start"][owner]
    is_each = asked.is_each[owner]
    _refuse_at(
        is_each & (answers != place),
        owner,
        lambda at: f"value number {place[at]} has answer {answers[at]}; they must be equal",
    )
    _refuse_at(
        ((answers < 0) | (answers > (place > 0))) > is_each,
        owner,
        lambda at: f"answer {answers[at]}; it must be 0 or 1, and 0 for the first value",
    )
    if asked.is_one_of.any():
        n_others = np.bincount(owner, weights=answers, minlength=len(asked.is_one_of))
        _refuse(asked.is_one_of & (n_others == 0), lambda _: "no value has answer 1")


def _check_missing(arrays: Arrays, asked: _Asked) -> None:
    missing, first, count = arrays["missing_child"], arrays["first_child"], arrays["n_children"]
    goes_on = missing != -1
    answer = missing - first.astype(np.int64)
    _refuse(
        goes_on & ((answer < 0) | (answer >= count)),
        lambda i: f"missing_child {missing[i]} is not one of its children",
    )
    _refuse(
        asked.is_missing & (answer != 0),
        lambda i: f"missing_child is {missing[i]}; it must be the first child, {first[i]}",
    )
    n_codes = arrays["codes_start"][1:] - arrays["codes_start"][:-1]
    _refuse(
        asked.is_each & (count != n_codes + goes_on),
        lambda i: (
            f"n_children is {count[i]}, but {n_codes[i]} values have an answer each"
            f"{' and missing has one' if goes_on[i] else ''}"
        ),
    )
    _refuse(
        asked.is_each & goes_on & (answer != n_codes),
        lambda i: (
            f"missing_child is {missing[i]}; it must be the last child, {first[i] + n_codes[i]}"
        ),
    )


def _check_tally(schema: Schema, arrays: Arrays) -> None:
    tally = arrays["tally"]
    _refuse_any(~np.isfinite(tally), "its tally is not finite")
    if arrays["guess"] is not None:
        _refuse_any(tally[:, :, 0] <= 0, "the weight in its tally is not above 0")
        _refuse_any(tally[:, :, 2] < 0, "the sum of squares in its tally is negative")
        _refuse_any(~np.isfinite(arrays["guess"]), "its guess is not finite")
        return
    _refuse_any(tally < 0, "its tally has a negative weight")
    _refuse_any(greatest_weight(tally)[:, :, 0] == 0, "its tally is empty")
    n_classes = [len(label.classes) for label in schema.labels]
    if min(n_classes) < tally.shape[2]:
        is_class = np.arange(tally.shape[2]) < np.array(n_classes)[:, np.newaxis]
        _refuse_any((tally > 0) & ~is_class, "its tally has a weight where the label has no class")


def _check_share(schema: Schema, share: NDArray[np.float64] | None) -> None:
    if share is None:
        return
    if [len(label.classes) for label in schema.labels] != [2]:
        raise ModelFormatError(
            "a tree has a share where its label has two classes, and only there."
        )
    _refuse(
        ~((share >= 0) & (share <= 1)),
        lambda i: f"share is {share[i]}; it must lie between 0 and 1",
    )


def _check_numbers(arrays: Arrays) -> None:
    impurity, gain = arrays["impurity"], arrays["gain"]
    _refuse(
        ~(np.isfinite(impurity) & (impurity >= 0)),
        lambda i: f"impurity is {impurity[i]}; it must be a finite number, 0 or more",
    )
    _refuse(~np.isfinite(gain), lambda i: f"gain is {gain[i]}; it must be a finite number")
    _refuse(
        (arrays["n_children"] == 0) & (gain != 0),
        lambda i: f"gain is {gain[i]} at a leaf; it must be 0",
    )


def _check_relevance(schema: Schema, relevance: NDArray[np.float64] | None) -> None:
    if relevance is None:
        return
    if not schema.labels[0].ranks:
        raise ModelFormatError(
            "a tree has a relevance where its label is ranked by, and only there."
        )
    _refuse(
        ~(np.isfinite(relevance) & (relevance >= 0)),
        lambda i: f"relevance is {relevance[i]}; it must be a finite number, 0 or more",
    )


def _refuse(is_wrong: NDArray[np.bool_], says: Callable[[int], str]) -> None:
    if np.count_nonzero(is_wrong):  # the quickest way to ask for any
        node = int(is_wrong.argmax())
        raise ModelFormatError(f"node {node}: {says(node)}.")


def _refuse_at(
    is_wrong: NDArray[np.bool_], node_ids: NDArray[np.int64], says: Callable[[int], str]
) -> None:
    if np.count_nonzero(is_wrong):
        at = int(is_wrong.argmax())
        raise ModelFormatError(f"node {node_ids[at]}: {says(at)}.")


def _refuse_any(is_wrong: NDArray[np.bool_], says: str) -> None:
    if np.count_nonzero(is_wrong):
        raise ModelFormatError(f"node {int(np.argwhere(is_wrong)[0, 0])}: {says}.")
