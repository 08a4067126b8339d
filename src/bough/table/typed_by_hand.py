"""What a person types for a feature → its value, as tables hold it."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import Argument, ParameterError, SchemaError, did_you_mean, listed
from bough.schema import Feature, Kind, Part, Schema
from bough.table.dates import moment_from_text, part_of
from bough.table.match_columns import LARGEST, all_missing

Values = dict[int, NDArray[Any]]  # one value for each feature, by number


def typed(features: Sequence[Feature], number: int, value: object) -> Values:
    """Return the value that was typed for a feature.

    Parameters
    ----------
    features
        The features of a tree.
    number
        Which of them is meant.
    value
        A number, a date, the name of a value, or any of these as text; None: it is missing.

    Returns
    -------
    dict
        An array of one value for the feature; for a date also for its weekday, month and hour.
    """
    feature = features[number]
    if feature.part is not Part.ITSELF:
        return {number: _read(feature, value)}
    same = [i for i, other in enumerate(features) if other.column == feature.column]
    if value is None:
        return {i: all_missing(features[i], 1) for i in same}
    read = {number: _read(feature, value)}
    if feature.kind is not Kind.DATE:
        return read
    return read | {i: part_of(read[number], features[i].part) for i in same if i != number}


def typed_values(schema: Schema, given: Mapping[str, object]) -> tuple[NDArray[Any], ...]:
    """Return the values of one row, from what was typed for some features; others are missing."""
    numbers = {feature.name: number for number, feature in enumerate(schema.features)}
    values = {i: all_missing(feature, 1) for i, feature in enumerate(schema.features)}
    for name, value in given.items():
        if name not in numbers:
            hint = did_you_mean(name, numbers)
            raise SchemaError(
                f"{name!r} is not a feature of the tree.{hint} It has {listed(numbers)}."
            )
        number = numbers[name]
        values |= typed(schema.features, number, as_in_file(schema, number, value))
    return tuple(values[i] for i in range(len(values)))


def as_in_file(schema: Schema, number: int, value: object) -> object:
    """Return what was typed for a feature as the file of the tree would have been read.

    A mark of missing values is None, and '$5,000' is 5000 where the column has such cells.
    """
    feature, reading = schema.features[number], schema.reading
    if reading is None or not isinstance(value, str) or feature.part is not Part.ITSELF:
        return value
    if value and value in reading.missing_marks:
        return None
    form = reading.columns.get(schema.columns[feature.column])
    if form is None or feature.kind.has_choices:
        return value
    from bough.table.file.forms import plainly

    return plainly(value, form)


def _read(feature: Feature, value: object) -> NDArray[Any]:
    if value is None:
        return all_missing(feature, 1)
    match feature.kind:
        case Kind.CHOICE | Kind.ORDERED:
            return np.array([_code(feature, value)], np.int32)
        case Kind.NUMBER:
            return np.array([_number(feature, value)])
        case Kind.INTEGER:
            return np.array([_integer(feature, value)], np.int64)
        case Kind.DATE:
            return np.array([_moment(feature, value)], np.int64)


def _code(feature: Feature, value: object) -> int:
    words = [str(choice) for choice in feature.choices]
    folded = [word.casefold() for word in words]
    text = str(value).strip()
    attempts: list[tuple[list[Any], object]] = [
        (list(feature.choices), value),
        (words, str(value)),
        (words, text),
        (folded, text.casefold()),
    ]
    for known, wanted in attempts:
        if known.count(wanted) == 1:
            return known.index(wanted)
    hint = did_you_mean(str(value), words)
    raise ParameterError(
        Argument(feature.name, value),
        f" is not a value that the tree knows.{hint} Known: {listed(feature.choices)}.",
    )


def _number(feature: Feature, value: object) -> float:
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        found = float("nan")
    if not isfinite(found):
        raise ParameterError(
            Argument(feature.name, value), " is not a number. Type one such as 31 or 2.5."
        )
    return found


def _integer(feature: Feature, value: object) -> int:
    try:
        found = int(value)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        found = LARGEST + 1
    if abs(found) > LARGEST:
        raise ParameterError(
            Argument(feature.name, value), " is not a whole number of 64 bits. Type one such as 31."
        )
    return int(found)


def _moment(feature: Feature, value: object) -> int:
    found = moment_from_text(str(value).strip())
    if found is None:
        raise ParameterError(
            Argument(feature.name, value),
            " is not a date. Type one such as 2024-02-29 or 2024-02-29 13:45.",
        )
    return found
