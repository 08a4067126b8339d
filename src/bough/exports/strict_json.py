"""Reads bytes as JSON, and JSON as records, and takes nothing for granted: no byte can do more than be refused."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, partial
from math import inf, isfinite
from types import UnionType
from typing import Any, Literal, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from bough.errors import ModelFormatError, did_you_mean, listed
from bough.schema import Task

T = TypeVar("T")
Reader = Callable[[object, str], Any]

NO_DEFAULT = (MISSING, MISSING)
DEEPEST = 32  # levels of brackets within brackets
MOST = 2**63  # no number of rows or of a node is greater

_ESCAPED = re.compile(rb"\\.", re.DOTALL)
_START = re.compile(rb"[ \t\r\n]*+\{")
_OPENING, _CLOSING = b"[{", b"]}"
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in _OPENING + _CLOSING)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_LOOKS_LIKE = {  # the first bytes of files that are taken for models
    b"\x80": "a Python pickle; bough does not open pickles here",
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip file; unpack it first",
    b"\x89HDF": "an HDF5 file",
    b"PAR1": "a Parquet file",
    b"\xff\xfe": "text in UTF-16; a model file is in UTF-8",
    b"\xfe\xff": "text in UTF-16; a model file is in UTF-8",
    b"\xef\xbb\xbf": "text with a byte order mark; a model file has none",
}
_WHOLE = frozenset({int})
_REAL = frozenset({int, float, type(None)})
_SIMPLE = frozenset({int, bool, str, type(None)})
_NAMES = {
    dict: "an object",
    list: "a list",
    str: "text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    type(None): "null",
}


def read_document(data: bytes, name: str) -> dict[str, Any]:
    """Return the JSON object that the bytes hold, or refuse them.

    Refused are bytes that are not UTF-8, NaN and infinity, a key that appears twice, more than
    32 levels of brackets, and text that is no text (half a surrogate pair).
    """
    if not _START.match(data):
        raise ModelFormatError(_says_what_else(data, name))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ModelFormatError(f"{name!r} is damaged: byte {error.start:,} is not UTF-8.") from None
    if _depth(data) > DEEPEST:  # before the parser, which calls itself for each level
        raise ModelFormatError(
            f"{name!r} is damaged: brackets are nested more than {DEEPEST} deep."
        )
    try:
        document: dict[str, Any] = _DECODER.decode(text)
    except ModelFormatError as error:
        raise ModelFormatError(f"{name!r} is damaged: {error}") from None
    except json.JSONDecodeError as error:
        raise ModelFormatError(_says_where(error, data, name)) from None
    except ValueError:  # Python does not read whole numbers of thousands of digits
        raise ModelFormatError(f"{name!r} is damaged: a number is too long.") from None
    if _SURROGATE.search(text) and not _is_text(document):
        raise ModelFormatError(f"{name!r} is damaged: it holds half a surrogate pair as text.")
    return document


def entries(
    value: object, where: str, required: Sequence[str], optional: Sequence[str] = ()
) -> dict[str, Any]:
    """Return an object that has all required keys and no unknown one, without its x-… keys."""
    if not isinstance(value, dict):
        raise ModelFormatError(f"{where} must be an object, not {kind_of(value)}.")
    for key in required:
        if key not in value:
            raise ModelFormatError(f"{where} has no {key!r}.")
    known = [*required, *optional]
    found = {key: value[key] for key in known if key in value}
    if len(found) < len(value):
        for key in map(str, value):  # data of Python's may have other keys
            if key not in found and not key.startswith("x-"):
                hint = did_you_mean(key, known)
                raise ModelFormatError(f"{where} has the unknown key {shortened(key)}.{hint}")
    return found


def items(value: object, where: str) -> list[Any]:
    """Return a list."""
    if not isinstance(value, list):
        raise ModelFormatError(f"{where} must be a list, not {kind_of(value)}.")
    return value


def scalar(value: object, where: str, wanted: type) -> Any:
    """Return a value of exactly this type; a boolean is not a number."""
    if type(value) is not wanted:
        raise ModelFormatError(f"{where} must be {_NAMES[wanted]}, not {kind_of(value)}.")
    return value


def word(value: object, where: str, known: Mapping[str, T]) -> T:
    """Return what one of the known words stands for."""
    found = scalar(value, where, str)
    if found not in known:
        raise ModelFormatError(f"{where} is {shortened(found)}; it must be one of {listed(known)}.")
    return known[found]


def plain_data(value: object, where: str) -> Any:
    """Return data of any form that JSON can hold: its numbers are finite."""
    waiting: list[Iterable[Any]] = [[value]]
    while waiting:
        for each in waiting.pop():
            if type(each) in _SIMPLE:  # nearly all
                continue
            if isinstance(each, dict):
                waiting += [each.keys(), each.values()]
            elif isinstance(each, list | tuple):
                waiting.append(each)
            elif not isinstance(each, int | float | str):
                raise ModelFormatError(f"{where} cannot hold {kind_of(each)}.")
            elif isinstance(each, float) and not isfinite(each):
                raise ModelFormatError(f"{where} holds a number that is not finite.")
    return value


def numbers(value: object, where: str, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Return a list of numbers as an array; null stands for nan."""
    cells = items(value, where)
    known = _WHOLE if dtype.kind in "iu" else _REAL
    if not known.issuperset(map(type, cells)):
        wrong = next(cell for cell in cells if type(cell) not in known)
        raise ModelFormatError(f"{where} must hold numbers, not {kind_of(wrong)}.")
    try:
        array = np.array(cells, dtype=np.float64 if dtype.kind == "f" else np.int64)
    except OverflowError:
        raise ModelFormatError(f"{where} holds a number that is too large.") from None
    if dtype.kind == "f":
        if np.count_nonzero(np.isinf(array)):
            raise ModelFormatError(f"{where} holds a number that is too large.")
        return array
    narrow = array.astype(dtype)
    if np.count_nonzero(narrow != array):
        raise ModelFormatError(f"{where} holds a number that is too large.")
    return narrow


def kind_of(value: object) -> str:
    """Return what a value is, in words."""
    return _NAMES.get(type(value), f"a {type(value).__name__}")


def shortened(text: str) -> str:
    """Return text in quotes, at most a line of it."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _depth(data: bytes) -> int:
    # A backslash outside of a string ends the parser, so what follows it may be misread here.
    outside_strings = _ESCAPED.sub(b"", data).split(b'"')[::2]
    brackets = b"".join(outside_strings).translate(None, _NO_BRACKETS)
    # The codes of [ and { are 91 and 123, those of ] and } are 93 and 125.
    steps = 1 - ((np.frombuffer(brackets, np.uint8) & 4) >> 1).astype(np.int8)
    return int(np.cumsum(steps, dtype=np.int32).max(initial=0))


def _says_what_else(data: bytes, name: str) -> str:
    if not data.strip():
        return f"{name!r} is empty."
    for start, what in _LOOKS_LIKE.items():
        if data.startswith(start):
            return f"{name!r} is not a bough model: it looks like {what}."
    return f"{name!r} is not a bough model: it does not start with a {{."


def _says_where(error: json.JSONDecodeError, data: bytes, name: str) -> str:
    if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated"):
        return f"{name!r} ends early, after {len(data):,} bytes; the file is damaged."
    return f"{name!r} is damaged: line {error.lineno}, column {error.colno} is not JSON."


def _is_text(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _distinct_keys(pairs: Sequence[tuple[str, Any]]) -> Mapping[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ModelFormatError(f"the key {shortened(twice)} appears twice.")
    return found


def _refuse_constant(word: str) -> NoReturn:
    raise ModelFormatError(f"{word} is not a number in JSON.")


_DECODER = json.JSONDecoder(object_pairs_hook=_distinct_keys, parse_constant=_refuse_constant)


def read_record(wanted: Any, value: object, where: str) -> Any:
    """Return a record that plain data holds, or refuse it: its type says what each entry may hold."""
    return _reader(wanted)(value, where)


@cache
def _reader(wanted: Any) -> Reader:
    if is_dataclass(wanted):
        return _record(wanted)
    kind, types = get_origin(wanted) or wanted, get_args(wanted)
    return _READERS[kind] if kind in _READERS else _READERS_OF[kind](*types)


def _record(wanted: Any) -> Reader:
    types = get_type_hints(wanted)
    optional = [
        each.name for each in fields(wanted) if (each.default, each.default_factory) != NO_DEFAULT
    ]
    required = [name for name in types if name not in optional]
    readers = {name: _reader(each) for name, each in types.items()}

    def read(value: object, where: str) -> Any:
        found = entries(value, where, required, optional)
        return wanted(
            **{name: readers[name](each, f"{where}.{name}") for name, each in found.items()}
        )

    return read


def _count(value: object, where: str) -> int:
    count: int = scalar(value, where, int)
    if count >= MOST:
        raise ModelFormatError(f"{where} holds a number that is too large.")
    if count < 0:
        raise ModelFormatError(f"{where} is {count}; it must be 0 or more.")
    return count


def _number(value: object, where: str) -> float:
    if type(value) not in (int, float):
        raise ModelFormatError(f"{where} must be a number, not {kind_of(value)}.")
    try:
        number = float(value)  # type: ignore[arg-type]
    except OverflowError:
        number = inf
    if not isfinite(number):
        raise ModelFormatError(f"{where} holds a number that is too large.")
    return number


def _or_none(wanted: Any, _: Any) -> Reader:
    inner = _reader(wanted)
    return lambda value, where: None if value is None else inner(value, where)


def _tuple(*types: Any) -> Reader:
    if types[1] is Ellipsis:
        return _list(types[0])
    readers = [_reader(each) for each in types]

    def read(value: object, where: str) -> tuple[Any, ...]:
        given = _items(value, where)
        if len(given) != len(types):
            raise ModelFormatError(f"{where} must hold {len(types)} entries, not {len(given)}.")
        return tuple(
            inner(each, f"{where}[{place}]")
            for place, (inner, each) in enumerate(zip(readers, given, strict=True))
        )

    return read


def _list(wanted: Any) -> Reader:
    inner = _reader(wanted)

    def read(value: object, where: str) -> tuple[Any, ...]:
        given = _items(value, where)
        if wanted in (int, float) and _are_right(wanted, given):
            return tuple(given)
        return tuple(inner(each, f"{where}[{place}]") for place, each in enumerate(given))

    return read


def _items(value: object, where: str) -> Sequence[Any]:
    return value if isinstance(value, tuple) else items(value, where)


def _are_right(wanted: type, given: Sequence[Any]) -> bool:
    """Return whether all of these are such numbers, looked at together."""
    kinds = set(map(type, given))
    if wanted is int:
        return kinds == {int} and min(given) >= 0 and max(given) < MOST
    return kinds == {float} and all(map(isfinite, given))


def _map(_: Any, wanted: Any) -> Reader:
    inner = _reader(wanted)

    def read(value: object, where: str) -> dict[str, Any]:
        return {
            scalar(name, f"a key of {where}", str): inner(each, f"{where}[{shortened(name)}]")
            for name, each in scalar(value, where, dict).items()
        }

    return read


def _one_of(*words: str) -> Reader:
    known = {each: each for each in words}
    return lambda value, where: word(value, where, known)


def _truth_or(_: Any, wanted: Any) -> Reader:
    inner = _reader(wanted)
    return lambda value, where: value if isinstance(value, bool) else inner(value, where)


_READERS: dict[Any, Reader] = {
    str: partial(scalar, wanted=str),
    bool: partial(scalar, wanted=bool),
    int: _count,
    float: _number,
    Task: partial(word, known={str(each): each for each in Task}),
    Any: plain_data,
}
_READERS_OF: dict[Any, Callable[..., Reader]] = {
    tuple: _tuple,
    dict: _map,
    UnionType: _or_none,
    Union: _truth_or,
    Literal: _one_of,
}
