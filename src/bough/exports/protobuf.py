"""The few messages of ONNX files, written without the package that reads them."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Part = int | str | bytes
TYPES = {"u1": 2, "i8": 7, "b1": 9, "f8": 11}
TEXT = 8


def message(*parts: tuple[int, Part]) -> bytes:
    """Return a message of fields: numbers, texts, and messages within it."""
    return b"".join(_field(number, part) for number, part in parts)


def node(
    op: str, given: Sequence[str], made: Sequence[str], domain: str = "", **attributes: Any
) -> bytes:
    """Return a node of a graph."""
    found = [(5, _attribute(name, value)) for name, value in attributes.items()]
    names = [*((1, each) for each in given), *((2, each) for each in made)]
    return message(*names, (4, op), *found, (7, domain))


def tensor(values: NDArray[Any] | Sequence[str], name: str = "") -> bytes:
    """Return an array; texts are a sequence."""
    if isinstance(values, np.ndarray):
        dims = [(1, size) for size in values.shape]
        raw = np.ascontiguousarray(values).tobytes()
        return message(*dims, (2, TYPES[values.dtype.str[1:]]), (8, name), (9, raw))
    return message((1, len(values)), (2, TEXT), *((6, each.encode()) for each in values), (8, name))


def value(name: str, kind: int, *shape: int | str) -> bytes:
    """Return an input or an output; a dimension is a size, or a name."""
    dims = [(1, message((1 if isinstance(size, int) else 2, size))) for size in shape]
    tensor_type = message((1, kind), (2, message(*dims)))
    return message((1, name), (2, message((1, tensor_type))))


def _attribute(name: str, given: Any) -> bytes:
    if isinstance(given, int):
        return message((1, name), (3, given), (20, 2))
    if isinstance(given, bytes):  # a tensor
        return message((1, name), (5, given), (20, 4))
    return message((1, name), (8, _packed(given)), (20, 7))


def _packed(numbers: Iterable[int]) -> bytes:
    return b"".join(map(_varint, numbers))


def _field(number: int, part: Part) -> bytes:
    if isinstance(part, int):
        return _varint(number << 3) + _varint(part)
    data = part.encode() if isinstance(part, str) else part
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(number: int) -> bytes:
    number &= 2**64 - 1
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    found.append(number)
    return bytes(found)
