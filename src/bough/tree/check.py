"""What must be true of a tree's arrays, so that nothing that reads them can go wrong."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.errors import ModelFormatError
from bough.query_kinds import QueryKind
from bough.schema import Feature, Schema

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

Arrays = Mapping[str, Any]
OF_NO_NODE = {"codes_start", "pivot_int is not needed", "shown is not needed"}


def taken_over(name: str, array: Any) -> Any:  # noqa: ANN401 - it may be anything
    """Return an array of a tree that nobody can write to, or refuse what it is given."""
    if array is None and name in OPTIONAL:
        return None
    if not isinstance(array, np.ndarray) or array.dtype != ARRAYS[name]:
        found = getattr(array, "dtype", type(array).__name__)
        raise ModelFormatError(f"{name} holds {found}; it must be an array of {ARRAYS[name]}.")
    if not (array.flags.c_contiguous and (array.flags.owndata or _is_nobody_elses(array))):
        array = array.copy()
    array.flags.writeable = False
    return array


def _is_nobody_elses(array: NDArray[Any]) -> bool:
    """Return whether the core or a pickle has made an array, which then nobody else can write to."""
    owner = getattr(array.base, "obj", array.base)
    return type(owner) is bytes or type(owner).__module__ == "nanobind"


def greatest_weight(tally: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weight of the commonest class of each node and output, along an axis of length 1."""
    # NumPy is slow along a short axis, except where it is the outer one.
    few_classes = 16
    in_order = np.asfortranarray(tally) if tally.shape[2] <= few_classes else tally
    return np.asarray(in_order.max(axis=2, keepdims=True))


def check_arrays(schema: Schema, arrays: Arrays) -> None:
    """Refuse arrays that are not a tree over the schema, naming the first wrong node."""
    _check_shapes(schema, arrays)
    _refuse_broken(_core.first_broken, schema, arrays)


def check_shown(schema: Schema, arrays: Arrays) -> None:
    """Refuse a tree that would print another number than a rounding of the pivot it goes by."""
    _refuse_broken(_core.first_broken_shown, schema, arrays)


def _refuse_broken(
    find: Callable[[dict[str, Any], Sequence[int]], tuple[str, int, int] | None],
    schema: Schema,
    arrays: Arrays,
) -> None:
    n_classes = [len(label.classes) for label in schema.labels]
    found = find({name: arrays[name] for name in ARRAYS} | schema.core_features, n_classes)
    if found is None:
        return
    rule, node, at = found
    says = RULES[rule](_Node(schema, arrays, node, at))
    raise ModelFormatError(f"{says}." if rule in OF_NO_NODE else f"node {node}: {says}.")


class _Node:
    """A node that breaks a rule, for what is said of it: its entry of each array, by name."""

    def __init__(self, schema: Schema, arrays: Arrays, node: int, at: int) -> None:
        self.schema, self.arrays, self.id, self.at = schema, arrays, node, at

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        array = self.arrays[name]
        return array[self.at if name in {"codes", "answers"} else self.id]

    @property
    def asked(self) -> Feature:
        feature: Feature = self.schema.features[self.feature]
        return feature

    @property
    def kind(self) -> str:
        return QueryKind(self.query_kind).name

    @property
    def begin(self) -> int:
        return int(self.codes_start)

    @property
    def end(self) -> int:
        return int(self.arrays["codes_start"][self.id + 1])

    @property
    def next_child(self) -> int:
        return 1 + int(self.arrays["n_children"][: self.id].sum(dtype=np.int64))

    @property
    def rows_below(self) -> int:
        first = int(self.first_child)
        return int(self.arrays["n_rows"][first : first + self.n_children].sum())

    @property
    def goes_on(self) -> bool:
        return bool(self.missing_child != -1)


# What is said of a node that breaks a rule of `core/check_tree.cpp` or `core/check_shown.cpp`.
RULES: dict[str, Callable[[_Node], str]] = {
    "n_children": lambda i: (
        f"n_children is {i.n_children}; a branch has two children or more, a leaf none"
    ),
    "first_child at a leaf": lambda i: f"first_child is {i.first_child} at a leaf; it must be -1",
    "loop": lambda i: f"child {i.first_child} is not after its parent; the tree has a loop",
    "child beyond": lambda i: (
        f"child {int(i.first_child) + int(i.n_children) - 1}, but there are {len(i.arrays['feature'])} nodes"
    ),
    "first_child": lambda i: (
        f"first_child is {i.first_child}, but node {i.next_child} is the next without a parent"
    ),
    "child of no node": lambda _: "it is the child of no node",
    "no rows": lambda i: f"n_rows is {i.n_rows}; every node has at least one row",
    "rows of children": lambda i: (
        f"n_rows is {i.n_rows}, but its children have {i.rows_below} rows"
    ),
    "query at a leaf": lambda i: (
        f"feature {i.feature} and query_kind {i.query_kind} at a leaf; they must be -1 and 0"
    ),
    "feature": lambda i: f"feature {i.feature}, but there are {len(i.schema.features)}",
    "query_kind": lambda i: f"query_kind {i.query_kind} is not known; it is 0, 1, 2 or 3",
    "kind of feature": lambda i: (
        f"a query of kind {i.kind} cannot ask about {i.asked.name!r}, a feature of kind "
        f"{i.asked.kind.name}"
    ),
    "two answers": lambda i: (
        f"n_children is {i.n_children}; a query of kind {i.kind} has two answers"
    ),
    "pivot of no query": lambda i: f"pivot is {i.pivot}, but the query has none",
    "pivot_int is not needed": lambda _: "pivot_int is given, but no node needs it",
    "pivot_int": lambda i: f"pivot_int is {i.pivot_int}; it must be 0 here",
    "pivot": lambda _: "pivot is not a finite number",
    "ordered pivot": lambda i: (
        f"pivot {i.pivot} does not lie among {len(i.asked.choices)} ordered values"
    ),
    "shown is not needed": lambda _: "shown is given, but no node needs it",
    "shown": lambda i: f"shown is {i.shown}, but the query has no such pivot",
    "shown is infinite": lambda _: "shown is not a finite number",
    "rounding": lambda i: f"shown is {i.shown}, which is not its pivot {i.pivot} rounded",
    "trail": lambda i: (
        f"its pivot {i.pivot}, shown as {i.pivot if np.isnan(i.shown) else i.shown}, contradicts "
        "what is asked above it"
    ),
    "codes_start": lambda i: (
        f"codes_start goes from {i.arrays['codes_start'][0]} to {i.arrays['codes_start'][-1]}; it "
        f"must go from 0 to {len(i.arrays['codes'])}"
    ),
    "codes_start falls": lambda i: f"codes_start falls from {i.begin} to {i.end}",
    "number of codes": lambda i: (
        f"{i.end - i.begin} codes, but its query needs {'none' if i.end > i.begin else 'some'}"
    ),
    "code": lambda i: f"code {i.codes}, but its feature has {len(i.asked.choices)} values",
    "order of codes": lambda i: f"code {i.codes} does not come after {i.arrays['codes'][i.at - 1]}",
    "answer of each": lambda i: (
        f"value number {i.at - i.begin} has answer {i.answers}; they must be equal"
    ),
    "answer of two": lambda i: f"answer {i.answers}; it must be 0 or 1, and 0 for the first value",
    "one answer": lambda _: "no value has answer 1",
    "missing_child": lambda i: f"missing_child {i.missing_child} is not one of its children",
    "missing first": lambda i: (
        f"missing_child is {i.missing_child}; it must be the first child, {i.first_child}"
    ),
    "children of each": lambda i: (
        f"n_children is {i.n_children}, but {i.end - i.begin} values have an answer each"
        f"{' and missing has one' if i.goes_on else ''}"
    ),
    "missing last": lambda i: (
        f"missing_child is {i.missing_child}; it must be the last child, "
        f"{i.first_child + i.end - i.begin}"
    ),
    "tally": lambda _: "its tally is not finite",
    "weight": lambda _: "the weight in its tally is not above 0",
    "squares": lambda _: "the sum of squares in its tally is negative",
    "guess": lambda _: "its guess is not finite",
    "negative weight": lambda _: "its tally has a negative weight",
    "empty tally": lambda _: "its tally is empty",
    "weight of no class": lambda _: "its tally has a weight where the label has no class",
    "share": lambda i: f"share is {i.share}; it must lie between 0 and 1",
    "impurity": lambda i: f"impurity is {i.impurity}; it must be a finite number, 0 or more",
    "gain": lambda i: f"gain is {i.gain}; it must be a finite number",
    "gain at a leaf": lambda i: f"gain is {i.gain} at a leaf; it must be 0",
    "relevance": lambda i: f"relevance is {i.relevance}; it must be a finite number, 0 or more",
}


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
    if arrays["share"] is not None and widths != [2]:
        raise ModelFormatError(
            "a tree has a share where its label has two classes, and only there."
        )
    if arrays["relevance"] is not None and not schema.labels[0].ranks:
        raise ModelFormatError(
            "a tree has a relevance where its label is ranked by, and only there."
        )
