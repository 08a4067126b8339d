"""What must be true of a tree's arrays, so that nothing that reads them can go wrong."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import ModelFormatError
from bough.query import QueryKind
from bough.schema import Kind, Schema

ARRAYS = {  # the arrays of a tree and the types of their entries
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
    "n_rows": np.dtype(np.int64),
    "impurity": np.dtype(np.float64),
    "gain": np.dtype(np.float64),
}
OPTIONAL = ("pivot_int", "guess")

Arrays = Mapping[str, Any]


def taken_over(name: str, array: Any) -> Any:  # noqa: ANN401 - it may be anything
    """Return an array of a tree that nobody can write to, or refuse what it is given."""
    if array is None and name in OPTIONAL:
        return None
    if not isinstance(array, np.ndarray) or array.dtype != ARRAYS[name]:
        found = getattr(array, "dtype", type(array).__name__)
        raise ModelFormatError(f"{name} holds {found}; it must be an array of {ARRAYS[name]}.")
    if not (array.flags.owndata and array.flags.c_contiguous):
        array = array.copy()
    array.flags.writeable = False
    return array


def check(schema: Schema, arrays: Arrays) -> None:
    """Refuse arrays that are not a tree over the schema, naming the first wrong node.

    Everything is looked at all nodes together, in time and memory linear in the arrays.
    """
    _check_shapes(schema, arrays)
    _check_links(arrays)
    _check_rows(arrays)
    _check_queries(schema, arrays)
    _check_pivots(schema, arrays)
    _check_codes(schema, arrays)
    _check_missing(arrays)
    _check_tally(schema, arrays)
    _check_numbers(arrays)


def _refuse(is_wrong: NDArray[np.bool_], says: Callable[[int], str]) -> None:
    if is_wrong.any():
        node = int(is_wrong.argmax())
        raise ModelFormatError(f"node {node}: {says(node)}.")


def _check_shapes(schema: Schema, arrays: Arrays) -> None:
    n_nodes, n_outputs = len(arrays["feature"]), len(schema.labels)
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
        ~is_branch & (first != -1), lambda i: f"first_child is {first[i]} at a leaf; it must be -1"
    )
    _refuse(
        is_branch & (first <= np.arange(n_nodes)),
        lambda i: f"child {first[i]} is not after its parent; the tree has a loop",
    )
    last = np.add(first, count - np.int64(1))
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
    rows, branches = arrays["n_rows"], np.flatnonzero(arrays["n_children"])
    _refuse(rows < 1, lambda i: f"n_rows is {rows[i]}; every node has at least one row")
    if len(branches):
        below = np.add.reduceat(rows, arrays["first_child"][branches])
        if (is_wrong := below != rows[branches]).any():
            at = int(is_wrong.argmax())
            node = branches[at]
            raise ModelFormatError(
                f"node {node}: n_rows is {rows[node]}, but its children have {below[at]} rows."
            )


def _check_queries(schema: Schema, arrays: Arrays) -> None:
    feature, kind, count = arrays["feature"], arrays["query_kind"], arrays["n_children"]
    is_branch, n_features = count > 0, len(schema.features)
    _refuse(
        ~is_branch & ((feature != -1) | (kind != 0)),
        lambda i: f"feature {feature[i]} and query_kind {kind[i]} at a leaf; they must be -1 and 0",
    )
    _refuse(
        is_branch & ((feature < 0) | (feature >= n_features)),
        lambda i: f"feature {feature[i]}, but there are {n_features}",
    )
    _refuse(
        kind > max(QueryKind), lambda i: f"query_kind {kind[i]} is not known; it is 0, 1, 2 or 3"
    )
    is_choice = np.array([each.kind is Kind.CHOICE for each in schema.features] + [False])[feature]
    asks_values = (kind == QueryKind.EACH_VALUE) | (kind == QueryKind.ONE_OF)
    _refuse(
        is_branch & (kind != QueryKind.IS_MISSING) & (is_choice != asks_values),
        lambda i: (
            f"a query of kind {QueryKind(kind[i]).name} cannot ask about "
            f"{schema.features[feature[i]].name!r}, a feature of kind "
            f"{schema.features[feature[i]].kind.name}"
        ),
    )
    _refuse(
        is_branch & (kind != QueryKind.EACH_VALUE) & (count != 2),
        lambda i: (
            f"n_children is {count[i]}; a query of kind {QueryKind(kind[i]).name} has two answers"
        ),
    )


def _check_pivots(schema: Schema, arrays: Arrays) -> None:
    feature, pivot, whole = arrays["feature"], arrays["pivot"], arrays["pivot_int"]
    is_below = (feature >= 0) & (arrays["query_kind"] == QueryKind.BELOW)
    has_none = np.isnan(pivot)
    _refuse(~(is_below | has_none), lambda i: f"pivot is {pivot[i]}, but the query has none")
    is_integer = np.array([each.kind.is_integer for each in schema.features] + [False])[feature]
    in_whole = is_below & has_none
    if whole is not None:
        if not in_whole.any():
            raise ModelFormatError("pivot_int is given, but no node needs it.")
        _refuse(~in_whole & (whole != 0), lambda i: f"pivot_int is {whole[i]}; it must be 0 here")
        in_whole = in_whole & ~is_integer
    _refuse((is_below & np.isinf(pivot)) | in_whole, lambda _: "pivot is not a finite number")
    n_choices = np.array(
        [len(each.choices) if each.kind is Kind.ORDERED else np.inf for each in schema.features]
        + [np.inf]
    )[feature]
    _refuse(
        is_below & np.isfinite(n_choices) & ~((pivot > 0) & (pivot <= n_choices - 1)),
        lambda i: f"pivot {pivot[i]} does not lie among {n_choices[i]:.0f} ordered values",
    )


def _check_codes(schema: Schema, arrays: Arrays) -> None:
    codes, start, kind = arrays["codes"], arrays["codes_start"], arrays["query_kind"]
    if start[0] != 0 or start[-1] != len(codes):
        raise ModelFormatError(
            f"codes_start goes from {start[0]} to {start[-1]}; it must go from 0 to {len(codes)}."
        )
    _refuse(
        start[1:] < start[:-1], lambda i: f"codes_start falls from {start[i]} to {start[i + 1]}"
    )
    n_codes = np.diff(start)
    asks_values = (kind == QueryKind.EACH_VALUE) | (kind == QueryKind.ONE_OF)
    _refuse(
        asks_values != (n_codes > 0),
        lambda i: (
            f"{n_codes[i]} codes, but the query asks for {'some' if asks_values[i] else 'none'}"
        ),
    )
    if len(codes) == 0:
        return
    owner = np.repeat(np.arange(len(kind)), n_codes)
    n_choices = np.array([len(each.choices) for each in schema.features])[arrays["feature"][owner]]
    _refuse_code(
        (codes < 0) | (codes >= n_choices),
        owner,
        lambda at: f"code {codes[at]}, but its feature has {n_choices[at]} values",
    )
    falls = np.append(False, (codes[1:] <= codes[:-1]) & (owner[1:] == owner[:-1]))
    _refuse_code(falls, owner, lambda at: f"code {codes[at]} does not come after {codes[at - 1]}")
    _check_answers(arrays, owner)


def _check_answers(arrays: Arrays, owner: NDArray[np.intp]) -> None:
    answers, start, kind = arrays["answers"], arrays["codes_start"], arrays["query_kind"]
    place = np.arange(len(owner)) - start[owner]
    is_each = kind[owner] == QueryKind.EACH_VALUE
    _refuse_code(
        is_each & (answers != place),
        owner,
        lambda at: f"answer {answers[at]} of its value number {place[at]}; they must be equal",
    )
    _refuse_code(
        ~is_each & ((answers < 0) | (answers > (place > 0))),
        owner,
        lambda at: f"answer {answers[at]}; it must be 0 or 1, and 0 for the first value",
    )
    n_others = np.bincount(owner, weights=answers, minlength=len(kind))
    _refuse((kind == QueryKind.ONE_OF) & (n_others == 0), lambda _: "no value has answer 1")


def _refuse_code(
    is_wrong: NDArray[np.bool_], owner: NDArray[np.intp], says: Callable[[int], str]
) -> None:
    if is_wrong.any():
        at = int(is_wrong.argmax())
        raise ModelFormatError(f"node {owner[at]}: {says(at)}.")


def _check_missing(arrays: Arrays) -> None:
    missing, first, count = arrays["missing_child"], arrays["first_child"], arrays["n_children"]
    kind = arrays["query_kind"]
    goes_on = missing != -1
    _refuse(
        goes_on & ((missing < first) | (missing >= first + count)),
        lambda i: f"missing_child {missing[i]} is not one of its children",
    )
    _refuse(
        (kind == QueryKind.IS_MISSING) & (missing != first),
        lambda i: f"missing_child is {missing[i]}; it must be the first child, {first[i]}",
    )
    is_each, n_codes = kind == QueryKind.EACH_VALUE, np.diff(arrays["codes_start"])
    _refuse(
        is_each & (count != n_codes + goes_on),
        lambda i: (
            f"n_children is {count[i]}, but {n_codes[i]} values have an answer each"
            f"{' and missing has one' if goes_on[i] else ''}"
        ),
    )
    _refuse(
        is_each & goes_on & (missing != first + n_codes),
        lambda i: (
            f"missing_child is {missing[i]}; it must be the last child, {first[i] + n_codes[i]}"
        ),
    )


def _check_tally(schema: Schema, arrays: Arrays) -> None:
    tally = arrays["tally"]
    _refuse_any(~np.isfinite(tally), "tally is not finite")
    if arrays["guess"] is not None:
        _refuse_any(tally[:, :, 0] <= 0, "the weight in its tally is not above 0")
        _refuse_any(tally[:, :, 2] < 0, "the sum of squares in its tally is negative")
        _refuse_any(~np.isfinite(arrays["guess"]), "guess is not finite")
        return
    _refuse_any(tally < 0, "its tally has a negative weight")
    _refuse_any(tally.max(axis=2) == 0, "its tally is empty")
    n_classes = [len(label.classes) for label in schema.labels]
    if min(n_classes) < tally.shape[2]:
        is_class = np.arange(tally.shape[2]) < np.array(n_classes)[:, np.newaxis]
        _refuse_any((tally > 0) & ~is_class, "its tally has a weight where the label has no class")


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


def _refuse_any(is_wrong: NDArray[np.bool_], says: str) -> None:
    if is_wrong.any():
        raise ModelFormatError(f"node {int(np.argwhere(is_wrong)[0, 0])}: {says}.")
