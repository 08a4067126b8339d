"""What constrains a tree: the columns to ask about first, and those that are left to ask about.

And `monotonic_cst`: along which columns guesses may go one way only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bough.encode import Labels
from bough.errors import Argument, ParameterError, listed
from bough.schema import Feature, Kind, Part, Schema
from bough.settings import Settings
from bough.table import Table
from bough.table.source import column_number

MonotonicCst = ArrayLike | Mapping[str | int, int] | None
MOST_SHOWN = 3  # values that a message lists


@dataclass(frozen=True)
class Constraints:
    """What may be asked about."""

    first: tuple[int, ...]
    """The columns to ask about first, by number, in their order."""
    allowed: Sequence[int]
    """The features that may be asked about, by number."""


def constraints_of(settings: Settings, table: Table | Schema) -> Constraints:
    """Return what the settings say about the columns of a table, or refuse it."""
    first, forbidden = (_numbers(name, settings, table) for name in ("first", "forbid"))
    has_features = {feature.column for feature in table.features} if first else set()
    if ignored := [table.columns[number] for number in first if number not in has_features]:
        raise ParameterError(
            Argument("first"), f" names {listed(ignored)}, which is ignored. "
            "Leave it out, or do not ignore it.",
        )  # fmt: skip
    if both := [table.columns[number] for number in first if number in forbidden]:
        raise ParameterError(
            Argument("first"), " and ", Argument("forbid"), f" both name {listed(both)}. Leave it "
            "out of one of them.",
        )  # fmt: skip
    if not forbidden:
        return Constraints(tuple(first), range(len(table.features)))
    allowed = [number for number, each in enumerate(table.features) if each.column not in forbidden]
    if not allowed:
        raise ParameterError(
            Argument("forbid"),
            " names every usable column. Leave at least one out.",
        )
    return Constraints(tuple(first), tuple(allowed))


def _numbers(parameter: str, settings: Settings, table: Table | Schema) -> list[int]:
    names = getattr(settings, parameter) or ()
    numbers = [
        column_number(name, table.columns, named=table.named, parameter=parameter) for name in names
    ]
    if twice := [table.columns[each] for each in set(numbers) if numbers.count(each) > 1]:
        raise ParameterError(
            f"{parameter} names {listed(sorted(twice))} twice. Name each column once."
        )
    return numbers


def read_directions(given: object, table: Table, labels: Labels) -> tuple[int, ...] | None:
    """Return a direction for each column, from a list in their order or a dict by name.

    1: where the value of the column grows and all others stay, guesses may not fall; -1: they may
    not rise; 0: they may do both. Of two classes the share of the second is meant.

    Examples
    --------
    >>> from bough.estimators.labels import read_numbers
    >>> from bough.table import read
    >>> table = read({"age": [30, 40, 50], "size": [3, 1, 2]})
    >>> found, numbers = read_numbers([1, 2, 4])
    >>> read_directions({"age": 1}, table, Labels(found, None, numbers))
    (1, 0)
    """
    if given is None:
        return None
    if len(labels.labels) > 1:
        raise ParameterError(
            "Monotonicity constraints are not supported with multiple outputs. Grow a tree for "
            "each output, or leave ", Argument("monotonic_cst"), " out.",
        )  # fmt: skip
    found = _by_name(given, table) if isinstance(given, Mapping) else _in_order(given, table)
    if (n_classes := len(labels.labels[0].classes)) > 2:
        raise ParameterError(
            "Monotonicity constraints are not supported with multiclass classification: there are "
            f"{n_classes} classes. Predict one class against all others, or leave ",
            Argument("monotonic_cst"), " out.",
        )  # fmt: skip
    for number, direction in enumerate(found):
        if direction != 0:
            _refuse_unordered(table, number)
    return found


def refuse_other_shares(given: object, probability: str) -> None:
    """Refuse probabilities that are not the shares that a growth has put in order."""
    values = list(given.values()) if isinstance(given, Mapping) else given
    wants_any = given is not None and bool(np.any(np.asarray(values, object) != 0))
    if wants_any and probability != "raw":
        raise ParameterError(
            Argument("probability", probability), " smooths leaf values after growing, which can break "
            "the monotonic constraint. Use ",
            Argument("probability", "raw"), ", or leave ", Argument("monotonic_cst"), " out.",
        )  # fmt: skip


def feature_directions(directions: Sequence[int] | None, features: Sequence[Feature]) -> list[int]:
    """Return the direction of each feature, none if there is no constraint.

    That of a date is not that of its weekday, its month or its hour.
    """
    if directions is None or not any(directions):
        return []
    return [
        directions[feature.column] if feature.part is Part.ITSELF else 0 for feature in features
    ]


def _in_order(given: object, table: Table) -> tuple[int, ...]:
    try:
        values = list(given)  # type: ignore[call-overload]
    except TypeError:
        raise _wrong_values([given]) from None
    if len(values) != len(table.columns):
        raise ParameterError(
            Argument("monotonic_cst"), f" has shape {len(values)} but the input data X has "
            f"{len(table.columns)} features. Give -1, 0 or 1 for each, or name those that matter: ",
            Argument("monotonic_cst", {table.columns[0]: 1}), ".",
        )  # fmt: skip
    if wrong := [value for value in values if not _is_direction(value)]:
        raise _wrong_values(wrong)
    return tuple(int(value) for value in values)


def _wrong_values(values: list[object]) -> ParameterError:
    # In scikit-learn's words, which its tests look for.
    shown = ", ".join(map(str, values[:MOST_SHOWN]))
    return ParameterError(
        Argument("monotonic_cst"),
        f" must be None or an array-like of -1, 0 or 1, but got [{shown}].",
    )


def _by_name(given: Mapping[str | int, Any], table: Table) -> tuple[int, ...]:
    found: dict[int, int] = {}
    for key, direction in given.items():
        number = column_number(key, table.columns, named=table.named, parameter="monotonic_cst")
        if number in found:
            raise ParameterError(
                Argument("monotonic_cst"), f" has the column {table.columns[number]!r} twice, by "
                "name and by number. Leave one of them out.",
            )  # fmt: skip
        if not _is_direction(direction):
            raise ParameterError(
                Argument("monotonic_cst"), f" has {direction!r} for the column {key!r}. Give 1 "
                "if predictions must not fall as it grows, -1 if they must not rise, or 0.",
            )  # fmt: skip
        found[number] = int(direction)
    return tuple(found.get(number, 0) for number in range(len(table.columns)))


def _is_direction(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and value in (-1, 0, 1)


def _refuse_unordered(table: Table, number: int) -> None:
    name = table.columns[number]
    whole = [f for f in table.features if f.column == number and f.part is Part.ITSELF]
    if not whole:
        raise ParameterError(
            Argument("monotonic_cst"), f" has the column {name!r}, which ", Argument("types"), " "
            "ignores. Remove one of the two.",
        )  # fmt: skip
    if whole[0].kind is Kind.CHOICE:
        shown = [*whole[0].choices[:MOST_SHOWN]]
        if len(whole[0].choices) > MOST_SHOWN:
            shown.append("…")
        raise ParameterError(
            Argument("monotonic_cst"), f" has the column {name!r}, a category without an order. "
            "Give the order, as in ", Argument("types", {name: shown}), ", or leave the column out.",
        )  # fmt: skip
