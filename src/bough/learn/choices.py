"""Tables whose features have other choices: only those that occur, or those of another table."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.schema import Feature, Kind
from bough.table import UNSEEN, Table
from bough.table.column import recoded


def seen_features(table: Table) -> tuple[Feature, ...]:
    """Return the features of a table, with only those choices that occur in its rows."""
    return tuple(
        _seen(feature, values) for feature, values in zip(table.features, table.values, strict=True)
    )


def with_features(table: Table, features: tuple[Feature, ...]) -> Table:
    """Return a table read with the choices of other features; a value not among them is unseen."""
    if features == table.features:
        return table
    values = tuple(
        _recoded(values, old, new)
        for values, old, new in zip(table.values, table.features, features, strict=True)
    )
    return replace(table, features=features, values=values)


def _seen(feature: Feature, codes: NDArray[Any]) -> Feature:
    if feature.kind is not Kind.CHOICE:
        return feature
    counts = np.bincount(codes + 1, minlength=len(feature.choices) + 1)[1:]  # but missing ones
    choices = tuple(feature.choices[code] for code in np.flatnonzero(counts).tolist())
    return replace(feature, choices=choices)


def _recoded(values: NDArray[Any], old: Feature, new: Feature) -> NDArray[Any]:
    if old.choices == new.choices:
        return values
    position = {choice: number for number, choice in enumerate(new.choices)}
    return recoded(values, [position.get(choice, UNSEEN) for choice in old.choices])
