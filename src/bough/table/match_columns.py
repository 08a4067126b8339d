"""Finds the values of a schema's features: in a new table, or in what a person types."""

import warnings
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import Argument, ParameterError, SchemaError, did_you_mean, listed
from bough.schema import MISSING, MISSING_INTEGER, UNSEEN, Feature, Kind, Part, Schema, what_are
from bough.table.column import Choices, Column, Numeric, Where, recoded, row_word
from bough.table.dates import moment_from_text, part_of
from bough.table.source import Source
from bough.table.value_hashes import TRUTHS

Values = dict[int, NDArray[Any]]  # one value for each feature, by number
LARGEST = 2**63 - 1


def matched(source: Source, schema: Schema, estimator: str, asked: Sequence[int]) -> Sequence[int]:
    """Return, for each column of the schema, its number in the table; -1 if it is not there.

    The columns of the features `asked`, given by number, must be there.
    """
    if source.named != schema.named:
        _warn(source, estimator)
    elif schema.named and schema.match_by_name:
        return _by_name(source, schema, asked)
    elif schema.named:
        _check_names(source.names, schema.columns)
    if len(source.names) != len(schema.columns):
        raise SchemaError(
            f"X has {len(source.names)} features, but {estimator} is expecting "
            f"{len(schema.columns)} features as input."
        )
    return range(len(schema.columns))


def _by_name(source: Source, schema: Schema, asked: Sequence[int]) -> list[int]:
    number_of = {name: number for number, name in enumerate(source.names)}
    numbers = sorted({schema.features[place].column for place in asked})
    needed = [schema.columns[number] for number in numbers]
    absent = [name for name in needed if name not in number_of]
    if absent:
        is_missing = (
            f"column {listed(absent)} is" if len(absent) == 1 else f"columns {listed(absent)} are"
        )
        hint = did_you_mean(absent[0], [name for name in source.names if name not in needed])
        raise SchemaError(
            f"{is_missing} missing. The tree asks about {listed(needed)}; "
            f"the table has {listed(source.names)}.{hint}"
        )
    return [number_of.get(name, -1) for name in schema.columns]


def _check_names(names: Sequence[str], known: Sequence[str]) -> None:
    """Check names as scikit-learn does, with its words, which its own checks look for."""
    if tuple(names) == tuple(known):
        return
    message = "The feature names should match those that were passed during fit.\n"
    unseen, missing = sorted(set(names) - set(known)), sorted(set(known) - set(names))
    if unseen:
        message += "Feature names unseen at fit time:\n" + _bullets(unseen)
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n" + _bullets(missing)
    if not unseen and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    raise SchemaError(message)


def _bullets(names: Sequence[str]) -> str:
    lines = [f"- {name}\n" for name in names[:5]]
    return "".join(lines) + ("- ...\n" if len(names) > 5 else "")


def _warn(source: Source, estimator: str) -> None:
    if source.named:
        message = f"X has feature names, but {estimator} was fitted without feature names"
    else:
        message = (
            f"X does not have valid feature names, but {estimator} was fitted with feature names"
        )
    warnings.warn(message, UserWarning, stacklevel=4)


def values_like(
    column: Column, feature: Feature, name: str, where: Where = row_word
) -> NDArray[Any]:
    """Return the values of a feature, read from a column of the same name."""
    had = "dates" if feature.is_about_dates else what_are(feature.choices)
    column = _as_booleans(column) if had == "booleans" else column
    if feature.kind.has_choices and not feature.choices:  # no values then, so any will do now
        return np.where(column.missing_rows(), np.int32(MISSING), np.int32(UNSEEN))
    if not _fits(column, feature, had):
        missing = column.missing_rows()
        if missing.all():
            return all_missing(feature, len(missing))
        raise _other_kind(column, had, name, int(np.argmin(missing)), where)
    if had == "dates":
        return part_of(column.as_moments(name, where).values, feature.part)
    if feature.kind.has_choices:
        return column.as_choices(name).positions(feature.choices, UNSEEN)
    given = column.as_numbers(name, where)
    if feature.kind is Kind.NUMBER:
        return given.as_they_lie()
    return _as_integers(given, name, where)


def _as_booleans(column: Column) -> Column:
    """Return a column of the words true and false, as files hold them, as booleans."""
    if not isinstance(column, Choices) or not set(column.values) <= TRUTHS.keys():
        return column
    positions = [int(TRUTHS[str(value)]) for value in column.values]
    return Choices((False, True), recoded(column.codes, positions))


def _fits(column: Column, feature: Feature, had: str) -> bool:
    if had == "dates" or column.holds == "dates":
        return column.holds == had or (feature.from_text and column.is_text)
    if feature.kind.has_choices:
        return column.is_text == (had == "text")
    return feature.from_text or not column.is_text


def _as_integers(column: Numeric, name: str, where: Where) -> NDArray[np.int64]:
    """Return whole numbers as integers; beyond 64 bits as the last ones, which answer alike."""
    column.refuse_infinity(name)
    missing, values = column.missing_rows(), column.values
    is_broken = ~missing & (values != np.floor(values)) if values.dtype.kind == "f" else missing[:0]
    if is_broken.any():
        row = int(np.argmax(is_broken))
        raise SchemaError(
            f"column {name!r} had integers when the tree was grown, but has {values[row]} in "
            f"{where(row)}. Give whole numbers."
        )
    below, above = ~missing & (values <= -LARGEST), ~missing & (values >= LARGEST)
    result = np.where(missing | below | above, 0, values).astype(np.int64)
    result[below], result[above], result[missing] = -LARGEST, LARGEST, MISSING_INTEGER
    return result


def all_missing(feature: Feature, n_rows: int) -> NDArray[Any]:
    """Return values of a feature that are all missing."""
    return np.full(n_rows, feature.kind.missing, feature.kind.dtype)


def _other_kind(column: Column, had: str, name: str, row: int, where: Where) -> SchemaError:
    value = column.value(row)
    word = value if column.holds in ("dates", "numbers") else repr(value)
    return SchemaError(
        f"column {name!r} had {had} when the tree was grown, but has the "
        f"{column.holds.removesuffix('s')} {word} in {where(row)}. Give {had}, as then."
    )


def typed(features: Sequence[Feature], number: int, value: object) -> Values:
    """Return the value that was typed for a feature, as arrays of one value by number; of a date also its parts.

    It is a number, a date, the name of a value, or any of these as text; None: it is missing.
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
    from bough.table.file.number_and_date_forms import plainly

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
