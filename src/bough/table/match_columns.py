"""Finds the columns of a schema in a new table."""

import warnings
from collections.abc import Sequence

from bough.errors import SchemaError, did_you_mean, listed
from bough.schema import Schema
from bough.table.lazy_table import Source


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
