"""The schema, how a file was read and the arrays of a tree, in a model file: written, and read back checked."""

import re
from collections.abc import Container
from dataclasses import asdict
from math import isfinite, prod
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from bough.errors import ModelFormatError, ParameterError
from bough.exports.strict_json import (
    entries,
    items,
    kind_of,
    numbers,
    read_record,
    scalar,
    shortened,
    word,
)
from bough.file_options import DECIMALS, FOUND, THOUSANDS, FileReading, Form
from bough.schema import Feature, Kind, Label, Part, Probability, Schema, Value
from bough.table.dates import PARTS
from bough.tree import Tree
from bough.tree.check import ARRAYS, OPTIONAL

_DTYPE = re.compile(r"bool|u?int(8|16|32|64)|float(16|32|64)|object|<U[0-9]+")
_TYPES = {str, bool, int, float}
_KINDS = {kind.value: kind for kind in Kind}
_PROBABILITIES: dict[str, Probability] = {each: each for each in get_args(Probability)}
_PARTS = {part.value: part for part in Part}
_OF_PARTS = {part: (kind, len(choices)) for part, (kind, choices) in PARTS.items()}


def plain_schema(schema: Schema) -> dict[str, Any]:
    """Return a schema as JSON can hold it; what has its usual value is left out."""
    plain = {
        "columns": list(schema.columns),
        "named": schema.named,
        "match_by_name": schema.match_by_name,
        "features": [_plain_feature(feature) for feature in schema.features],
        "labels": [_plain_label(label) for label in schema.labels],
    }
    return plain if schema.reading is None else {**plain, "reading": plain_reading(schema.reading)}


def _plain_feature(feature: Feature) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "name": feature.name,
        "kind": str(feature.kind),
        "column": feature.column,
    }
    if feature.part is not Part.ITSELF:
        plain["part"] = str(feature.part)
    if feature.from_text:
        plain["from_text"] = True
    if feature.choices:
        plain["choices"] = list(feature.choices)
    return plain


def _plain_label(label: Label) -> dict[str, Any]:
    plain: dict[str, Any] = {"name": label.name, "dtype": label.dtype}
    if label.ranks:
        plain["ranks"] = True
    if label.classes:
        plain["classes"] = list(label.classes)
        if label.dtype.startswith("<U"):  # as wide as its classes, however wide the labels came
            plain["dtype"] = f"<U{_width(label.classes)}"
    if label.costs:
        plain["costs"] = [list(each) for each in label.costs]
    if label.probability != "raw":
        plain["probability"] = label.probability
    return plain


def read_schema(value: object) -> Schema:
    """Return the schema that plain data holds, or refuse it."""
    required = ("columns", "named", "match_by_name", "features", "labels")
    found = entries(value, "schema", required, ("reading",))
    columns = tuple(
        scalar(name, "a name in schema.columns", str)
        for name in items(found["columns"], "schema.columns")
    )
    if len(set(columns)) < len(columns):
        raise ModelFormatError("schema.columns holds a name twice.")
    features = tuple(
        _feature(each, f"schema.features[{number}]", len(columns))
        for number, each in enumerate(items(found["features"], "schema.features"))
    )
    if len({(feature.column, feature.part) for feature in features}) < len(features):
        raise ModelFormatError("schema.features reads the same part of a column twice.")
    labels = tuple(
        _label(each, f"schema.labels[{number}]")
        for number, each in enumerate(items(found["labels"], "schema.labels"))
    )
    if len(labels) > 1 and any(label.costs for label in labels):
        raise ModelFormatError("schema.labels has costs, which only a single label can have.")
    return Schema(
        columns=columns,
        features=features,
        labels=labels,
        named=scalar(found["named"], "schema.named", bool),
        match_by_name=scalar(found["match_by_name"], "schema.match_by_name", bool),
        reading=read_reading(found["reading"], "schema.reading") if "reading" in found else None,
    )


def _feature(value: object, where: str, n_columns: int) -> Feature:
    found = entries(value, where, ("name", "kind", "column"), ("part", "from_text", "choices"))
    kind = word(found["kind"], f"{where}.kind", _KINDS)
    part = word(found.get("part", "itself"), f"{where}.part", _PARTS)
    column = scalar(found["column"], f"{where}.column", int)
    if not 0 <= column < n_columns:
        raise ModelFormatError(f"{where} reads column {column}, but there are {n_columns}.")
    choices = _values(found.get("choices", []), f"{where}.choices")
    if choices and not kind.has_choices:
        raise ModelFormatError(f"{where} has choices, but its kind is {kind.value!r}.")
    if _OF_PARTS.get(part, (kind, len(choices))) != (kind, len(choices)):
        raise ModelFormatError(
            f"{where} is the {part.value} of a date, but of kind {kind.value!r} "
            f"with {len(choices)} choices."
        )
    return Feature(
        name=scalar(found["name"], f"{where}.name", str),
        kind=kind,
        column=column,
        part=part,
        choices=choices,
        from_text=scalar(found.get("from_text", False), f"{where}.from_text", bool),
    )


def _label(value: object, where: str) -> Label:
    optional = ("classes", "ranks", "costs", "probability")
    found = entries(value, where, ("name", "dtype"), optional)
    dtype = scalar(found["dtype"], f"{where}.dtype", str)
    classes = _values(found.get("classes", []), f"{where}.classes")
    if not _holds(dtype, classes):
        raise ModelFormatError(f"{where} cannot give its predictions as {shortened(dtype)}.")
    for key in ("costs", "probability"):
        if key in found and not classes:
            raise ModelFormatError(f"{where} has {key}, but no classes.")
    ranks = scalar(found.get("ranks", False), f"{where}.ranks", bool)
    if ranks and classes:
        raise ModelFormatError(f"{where} has classes, but rows are ranked by numbers.")
    return Label(
        name=scalar(found["name"], f"{where}.name", str),
        classes=classes,
        dtype=dtype,
        ranks=ranks,
        costs=_costs(found["costs"], f"{where}.costs", len(classes)) if "costs" in found else (),
        probability=word(found.get("probability", "raw"), f"{where}.probability", _PROBABILITIES),
    )


def _costs(value: object, where: str, n_classes: int) -> tuple[tuple[float, ...], ...]:
    rows = [numbers(each, where, np.dtype(np.float64)) for each in items(value, where)]
    if [len(row) for row in rows] != [n_classes] * n_classes:
        raise ModelFormatError(f"{where} must hold {n_classes} lists of {n_classes} numbers.")
    matrix = np.array(rows)
    if not (np.isfinite(matrix) & (matrix >= 0)).all():
        raise ModelFormatError(f"{where} must hold finite numbers, 0 or more.")
    return tuple(map(tuple, matrix.tolist()))


def _holds(dtype: str, classes: tuple[Value, ...]) -> bool:
    """Tell whether an array of this type can hold the classes, or numbers if there are none."""
    if not _DTYPE.fullmatch(dtype):
        return False
    if not classes:
        return dtype.startswith("float")
    if dtype.startswith("<U"):  # a file cannot ask for arrays wider than its classes
        return isinstance(classes[0], str) and dtype == f"<U{_width(classes)}"
    try:
        return tuple(np.array(classes, dtype=dtype).tolist()) == classes
    except (ValueError, OverflowError):
        return False


def _width(classes: tuple[Value, ...]) -> int:
    return max(1, *(len(str(each)) for each in classes))


def _values(value: object, where: str) -> tuple[Value, ...]:
    values = tuple(items(value, where))
    types = set(map(type, values))
    if not types <= _TYPES:
        other = next(each for each in values if type(each) not in _TYPES)
        raise ModelFormatError(f"{where} must hold text or numbers, not {kind_of(other)}.")
    if str in types and len(types) > 1:
        raise ModelFormatError(f"{where} mixes text and numbers.")
    if len(set(values)) < len(values):
        raise ModelFormatError(f"{where} holds a value twice.")
    if float in types and not all(map(isfinite, values)):
        raise ModelFormatError(f"{where} holds a number that is not finite.")
    return values


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


def plain_reading(reading: FileReading) -> dict[str, Any]:
    """Return how a file was read as JSON can hold it; what has its usual value is left out."""
    plain = _without_usual(asdict(reading), asdict(FileReading()))
    if reading.columns:
        plain["columns"] = {
            name: _without_usual(asdict(form), asdict(Form()))
            for name, form in reading.columns.items()
        }
    if reading.strays:
        plain["strays"] = {name: list(texts) for name, texts in reading.strays.items()}
    return plain


def _without_usual(given: dict[str, Any], usual: dict[str, Any]) -> dict[str, Any]:
    found = {name: value for name, value in given.items() if value != usual[name]}
    return {name: list(each) if isinstance(each, tuple) else each for name, each in found.items()}


def read_reading(value: object, where: str) -> FileReading:
    """Return how a file was read, or refuse it."""
    try:
        reading: FileReading = read_record(FileReading, value, where)
        for name, form in reading.columns.items():
            _check(form, f"{where}.columns[{name!r}]")
            FileReading(date_format=form.dates)
    except ParameterError as error:
        raise ModelFormatError(f"{where}: {error}") from None
    return reading


def refuse_unused_columns(reading: FileReading | None, known: Container[str]) -> None:
    """Refuse what a reading says of columns that the model does not use."""
    for part in FOUND:
        for name in getattr(reading, part, ()):
            if name not in known:
                raise ModelFormatError(
                    f"schema.reading.{part} has {shortened(name)}, a column that the model does not use."
                )


def _check(form: Form, where: str) -> None:
    if form.decimal not in DECIMALS or form.thousands not in THOUSANDS:
        raise ModelFormatError(f"{where} has an unknown sign between digits.")
    if form.decimal == form.thousands:
        raise ModelFormatError(f"{where} has the same sign before decimals and between thousands.")
    for each in (*([form.before] if form.before else []), *form.after):
        if not each.strip() or any(map(str.isdigit, each)):
            raise ModelFormatError(f"{where} has {each!r} beside numbers, which is no unit.")
