"""The arrays of a tree in a model file: written, and read back with every value checked."""

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.exports.strict_json import entries, numbers
from bough.schema import Schema
from bough.tree import ARRAYS, OPTIONAL, Tree


def read_tree(schema: Schema, value: object, where: str) -> Tree:
    """Return the tree whose arrays plain data holds, or refuse it."""
    required = [name for name in ARRAYS if name not in OPTIONAL]
    found = entries(value, where, required, OPTIONAL)
    arrays: dict[str, Any] = dict.fromkeys(OPTIONAL)
    for name, cells in found.items():
        is_array = isinstance(cells, np.ndarray)  # of a pickle: a tree checks its arrays itself
        arrays[name] = (
            np.asarray(cells) if is_array else numbers(cells, f"{where}.{name}", ARRAYS[name])
        )
    n_outputs = len(schema.labels)
    width = max((len(label.classes) for label in schema.labels), default=0) or 3
    arrays["tally"] = _folded(arrays["tally"], (n_outputs, width))
    if arrays["guess"] is not None:
        arrays["guess"] = _folded(arrays["guess"], (n_outputs,))
    return Tree(schema, **arrays)


def _folded(array: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Return the entries as (nodes, …); the tree refuses what does not come out even."""
    size = prod(shape)
    is_flat = array.ndim == 1
    return array.reshape(-1, *shape) if is_flat and size and len(array) % size == 0 else array


def plain_arrays(tree: Tree) -> dict[str, Any]:
    """Return the arrays of a tree as JSON can hold them."""
    arrays = {name: getattr(tree, name) for name in ARRAYS}
    plain = {name: array.ravel().tolist() for name, array in arrays.items() if array is not None}
    for name in {"pivot", "shown"} & plain.keys():
        plain[name] = [None if each != each else each for each in plain[name]]  # noqa: PLR0124
    return plain
