"""What the steps of a pipeline do to single columns, so that a tree can ask about these instead."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.imports.build import Asked, Floats
from bough.schema import Value

Scaling = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Encoded:
    """A column that a step gives, and the one that it was before all steps."""

    column: int
    scalings: tuple[Scaling, ...] = ()
    choices: tuple[Value, ...] = ()
    """The categories, by code; none: it is a number."""
    numbers: tuple[float, ...] = ()
    """What each category became."""
    fill: Any = None
    """What a missing value is replaced by; None: it is not."""
    of_missing: float = nan
    """What a missing value became where categories became numbers; nan: it stays missing."""

    def encoded(self, numbers: Floats) -> Floats:
        """Return what numbers became."""
        for scaling in self.scalings:
            numbers = scaling(numbers)
        return numbers

    def asked(
        self, feature: int, threshold: float, pivot: float, node: int, *, missing_left: bool
    ) -> Asked:
        """Return what a node asks that wants to know whether this column is at most a threshold."""
        if self.choices:
            of_missing = float(self.encoded(np.array([self.of_missing]))[0])
            is_left = self.encoded(np.array(self.numbers)).astype(np.float32) <= threshold
            left = frozenset(np.flatnonzero(is_left).tolist())
            to_left = (
                missing_left if isnan(of_missing) else bool(np.float32(of_missing) <= threshold)
            )
            if not 0 < len(left) < len(self.choices):
                return self._asked_missing(feature, node, to_left=to_left, all_left=bool(left))
            return Asked(feature, left=left, n_codes=len(self.choices), missing_left=to_left)
        if not np.isfinite(threshold):  # only what is missing goes right
            return Asked(feature, asks_missing=True, missing_left=False)
        if self.fill is not None:
            missing_left = bool(float(self.fill) < pivot)
        return Asked(feature, pivot, missing_left=missing_left)

    def _asked_missing(self, feature: int, node: int, *, to_left: bool, all_left: bool) -> Asked:
        if all_left != to_left:
            return Asked(feature, asks_missing=True, missing_left=to_left)
        raise ParameterError(
            f"Node {node} sends all categories one way, which bough cannot express."
        )


def columns_before(
    steps: Sequence[tuple[str, Any]], n_columns: int, names: list[Any] | None
) -> list[Encoded]:
    """Return the columns that come out of some steps, by those that went in."""
    columns = [Encoded(number) for number in range(n_columns)]
    for name, step in steps:
        columns = _after(step, name, columns, names)
        names = None  # they are those of the table, and of no step after the first
    return columns


def _after(step: Any, name: str, columns: list[Encoded], names: list[Any] | None) -> list[Encoded]:  # noqa: ANN401
    kind = type(step).__name__
    if _does_nothing(step):
        return columns
    if kind == "Pipeline":
        for inner_name, inner in step.steps:
            columns, names = _after(inner, inner_name, columns, names), None
        return columns
    if kind == "ColumnTransformer":
        return _side_by_side(step, columns, names)
    if kind in _STEPS:
        return _STEPS[kind](step, name, columns)
    raise ParameterError(
        f"The step {name!r} is a {kind}, whose columns bough cannot trace back to those of the table. It "
        f"can for {', '.join(_STEPS)}, ColumnTransformer and Pipeline."
    )


def _does_nothing(step: Any) -> bool:  # noqa: ANN401
    if type(step).__name__ == "FunctionTransformer":  # what "passthrough" becomes
        return step.func is None
    return step is None or (isinstance(step, str) and step == "passthrough")


def _side_by_side(step: Any, columns: list[Encoded], names: list[Any] | None) -> list[Encoded]:  # noqa: ANN401
    found = []
    for part, inner, chosen in step.transformers_:
        if not (isinstance(inner, str) and inner == "drop"):
            given = [columns[number] for number in _numbers(chosen, names, len(columns))]
            found += _after(inner, part, given, None)
    return found


def _numbers(chosen: Any, names: list[Any] | None, n_columns: int) -> list[int]:  # noqa: ANN401
    if isinstance(chosen, slice) or (np.ndim(chosen) == 1 and np.asarray(chosen).dtype == bool):
        if isinstance(chosen, slice) and any(
            isinstance(end, str) for end in (chosen.start, chosen.stop)
        ):
            raise ParameterError(
                "A ColumnTransformer names its columns by a range of names, not by a list."
            )
        return [int(n) for n in np.arange(n_columns)[chosen]]
    listed = [chosen] if isinstance(chosen, str | int) else list(chosen)
    if listed and isinstance(listed[0], str):
        if names is None:
            raise ParameterError(
                "A ColumnTransformer after the first step names columns by name, not by number."
            )
        return [names.index(each) for each in listed]
    return [int(each) % n_columns for each in listed]


def _scaled(step: Any, place: int, column: Encoded) -> Encoded:  # noqa: ANN401
    n_columns = step.n_features_in_

    def scale(numbers: Floats) -> Floats:
        rows = np.zeros((len(numbers), n_columns))
        rows[:, place] = numbers
        return np.asarray(_unnamed(step).transform(rows)[:, place])

    return replace(column, scalings=(*column.scalings, scale))


def _unnamed(step: Any) -> Any:  # noqa: ANN401
    """Return a scaler that takes arrays although it was fitted with names of columns."""
    from copy import copy

    bare = copy(step)
    vars(bare).pop("feature_names_in_", None)
    return bare.set_output(transform="default") if hasattr(bare, "set_output") else bare


def _imputed(step: Any, name: str, columns: list[Encoded]) -> list[Encoded]:  # noqa: ANN401
    marks = step.missing_values
    is_usual = marks is None or (isinstance(marks, float) and isnan(marks)) or str(marks) == "<NA>"
    kept = [not (isinstance(each, float) and isnan(each)) for each in step.statistics_]
    if not is_usual or step.add_indicator or not all(kept):
        raise ParameterError(
            f"The step {name!r} replaces {marks!r}, adds columns or drops some, which bough cannot trace."
        )
    if any(column.scalings or column.choices for column in columns):
        raise ParameterError(
            f"The step {name!r} fills in columns that were scaled or encoded before."
        )
    return [
        column if column.fill is not None else replace(column, fill=fill)
        for column, fill in zip(columns, step.statistics_, strict=True)
    ]


def _check_encoder(step: Any, name: str, columns: list[Encoded]) -> None:  # noqa: ANN401
    if getattr(step, "_infrequent_enabled", False):
        raise ParameterError(
            f"The step {name!r} puts rare categories together, which bough cannot trace."
        )
    if any(column.scalings or column.choices for column in columns):
        raise ParameterError(
            f"The step {name!r} encodes columns that were scaled or encoded before."
        )


def _known(categories: Any) -> tuple[tuple[Value, ...], list[int], int | None]:  # noqa: ANN401
    """Return the categories that are values, their places, and that of the missing one if there is."""
    listed = categories.tolist()
    is_value = [each is not None and each == each for each in listed]  # noqa: PLR0124
    places = [place for place, value in enumerate(is_value) if value]
    missing = next((place for place, value in enumerate(is_value) if not value), None)
    return tuple(listed[place] for place in places), places, missing


def _of_missing(
    column: Encoded, choices: tuple[Value, ...], numbers: list[float], absent: float
) -> float:
    if column.fill is None:
        return absent
    fill = column.fill.item() if isinstance(column.fill, np.generic) else column.fill
    return numbers[choices.index(fill)] if fill in choices else absent


def _one_hot(step: Any, name: str, columns: list[Encoded]) -> list[Encoded]:  # noqa: ANN401
    _check_encoder(step, name, columns)
    dropped = [None] * len(columns) if step.drop_idx_ is None else step.drop_idx_.tolist()
    found = []
    for column, categories, drop in zip(columns, step.categories_, dropped, strict=True):
        choices, places, missing = _known(categories)
        for place in range(len(categories)):
            if place == drop:
                continue
            numbers = [float(each == place) for each in places]
            absent = _of_missing(column, choices, numbers, float(place == missing))
            found.append(
                replace(
                    column, choices=choices, numbers=tuple(numbers), of_missing=absent, fill=None
                )
            )
    return found


def _ordinal(step: Any, name: str, columns: list[Encoded]) -> list[Encoded]:  # noqa: ANN401
    _check_encoder(step, name, columns)
    found = []
    for column, categories in zip(columns, step.categories_, strict=True):
        choices, places, _ = _known(categories)
        numbers = [float(place) for place in places]
        absent = _of_missing(column, choices, numbers, float(step.encoded_missing_value))
        found.append(
            replace(column, choices=choices, numbers=tuple(numbers), of_missing=absent, fill=None)
        )
    return found


def _rescaled(step: Any, name: str, columns: list[Encoded]) -> list[Encoded]:  # noqa: ANN401, ARG001
    return [_scaled(step, place, column) for place, column in enumerate(columns)]


_STEPS: dict[str, Callable[[Any, str, list[Encoded]], list[Encoded]]] = {
    **dict.fromkeys(("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler"), _rescaled),
    "OneHotEncoder": _one_hot,
    "OrdinalEncoder": _ordinal,
    "SimpleImputer": _imputed,
}
