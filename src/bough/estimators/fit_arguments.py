"""Reads what `fit` is given beside X and y: weights, groups, least shares of a weight, and whether text in X holds numbers."""

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import ceil
from numbers import Real
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import _check_sample_weight

from bough.encode import Labels, n_rows_with_weight
from bough.errors import DataError, DataTypeError, ParameterError, listed
from bough.estimators.labels import is_missing
from bough.ranking import check_weighed
from bough.schema import Kind, NumberFeatures
from bough.settings import Settings, rows_needed
from bough.table import Table, TableLike
from bough.table.numbers import IN_PLACE
from bough.table.source import Types, wanted_types
from bough.words import row_count

Weights = NDArray[np.float64]
LARGEST = float(np.finfo(np.float64).max)
ClassWeight = Mapping[Any, float] | Sequence[Mapping[Any, float]] | str | None
FEW = 2  # of two values it does not matter what they are
NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?")


def read_weights(
    sample_weight: ArrayLike | None,
    n_rows: int,
    class_weights: Weights | None = None,
    *,
    may_be_0: bool = False,
) -> Weights | None:
    """Return one weight for each row, or None where all rows count the same."""
    weights = None if sample_weight is None else _checked(sample_weight, n_rows)
    if class_weights is not None:
        weights = class_weights if weights is None else _product(weights, class_weights)
    if weights is not None and not may_be_0 and not weights.any():
        raise DataError("Sample weights must contain at least one non-zero number.")
    return weights


def read_class_weights(class_weight: ClassWeight, y: NDArray[Any]) -> Weights | None:
    """Return the weight that each row has from its class; `y` is (rows, outputs)."""
    if class_weight is None:
        return None
    _check_class_weight(class_weight, n_outputs=y.shape[1])
    labels = y
    if y.shape[1] == 1:
        class_weight = class_weight[0] if isinstance(class_weight, list | tuple) else class_weight
        labels = y[:, 0]
    try:
        with np.errstate(over="ignore"):
            weights = np.asarray(compute_sample_weight(class_weight, labels), dtype=np.float64)
    except ValueError as error:
        raise ParameterError(str(error)) from None
    if not np.isfinite(weights).all():
        raise ParameterError(
            f"class_weight={class_weight!r} is too large: its products overflow. "
            "Scale the weights down."
        )
    return weights


def _check_class_weight(class_weight: object, n_outputs: int) -> None:
    if isinstance(class_weight, str) and class_weight == "balanced":
        return
    is_list = isinstance(class_weight, list | tuple)
    dicts: Sequence[Any] = class_weight if is_list else [class_weight]  # type: ignore[assignment]
    if not all(isinstance(each, Mapping) for each in dicts):
        raise ParameterError(
            f"class_weight={class_weight!r} is not valid. Give 'balanced', a dict with the weight of "
            "each class, or a list of dicts, one for each output."
        )
    if is_list and len(dicts) != n_outputs:
        # In scikit-learn's words, which its tests look for.
        raise ParameterError(
            "For multi-output, number of elements in class_weight should match number of outputs. "
            f"Got {len(dicts)} element(s) while having {n_outputs} outputs."
        )
    weights = [weight for each in dicts for weight in each.values()]
    if not all(isinstance(each, Real) and 0 <= each <= LARGEST for each in weights):  # type: ignore[operator]
        raise ParameterError(
            f"class_weight={class_weight!r} must give every class a finite weight, 0 or more."
        )


def _product(weights: Weights, class_weights: Weights) -> Weights:
    with np.errstate(over="ignore"):
        product = weights * class_weights
    if not np.isfinite(product).all():
        raise DataError(
            f"sample_weight times class_weight overflows in row "
            f"{int(np.isfinite(product).argmin())}. Scale one of them down."
        )
    return product


def _checked(sample_weight: ArrayLike, n_rows: int) -> Weights:
    if (plain := _plain(sample_weight, n_rows)) is not None:
        return plain
    numbers = _numbers(sample_weight)
    if numbers.ndim == 1 and len(numbers) != n_rows:
        raise DataError(
            f"sample_weight has {len(numbers):,} weights, but X has {n_rows:,} rows. "
            "Give one weight for each row."
        )
    try:
        weights: Weights = _check_sample_weight(
            _filled_weights(sample_weight), np.empty((n_rows, 1)), dtype=np.float64
        )
    except TypeError as error:
        raise DataTypeError(str(error)) from None
    except ValueError as error:
        raise DataError(str(error)) from None
    if np.isnan(weights).any():
        raise DataError("Input sample_weight contains NaN.")
    negative = np.flatnonzero(weights < 0)
    if len(negative):
        several = len(negative) > 1
        raise DataError(
            f"sample_weight has {len(negative):,} negative value{'s' if several else ''} "
            f"({'first in ' if several else ''}row {negative[0]}: {float(weights[negative[0]])!r}). "
            "A weight must be 0 or more; a row of weight 0 is left out."
        )
    return weights


def _plain(sample_weight: ArrayLike, n_rows: int) -> Weights | None:
    """Return the weights of an array that has nothing wrong with it: the way of ensembles."""
    if type(sample_weight) is not np.ndarray or sample_weight.shape != (n_rows,):
        return None
    if sample_weight.dtype not in IN_PLACE:
        return None
    weights: Weights = sample_weight.astype(np.float64, copy=False)
    least, most = weights.min(initial=0), weights.max(initial=0)
    is_right = least >= 0 and most <= LARGEST  # nan is neither
    return weights if is_right else None


def _numbers(sample_weight: ArrayLike) -> Weights:
    """Return weights as numbers; the first, if any, that is not a number is refused."""
    try:
        weights = np.asarray(sample_weight)
        if weights.dtype.kind not in "cmMSUV":
            return weights.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    for row, weight in enumerate(np.asarray(sample_weight, dtype=object).ravel()):
        if not isinstance(weight, Real | Decimal):
            raise DataError(
                f"sample_weight holds {weight!r} in row {row}, which is not a number. "
                "Give one number for each row."
            )
    raise DataError(
        "Input sample_weight contains infinity or a value too large for dtype('float64')."
    )


def _filled_weights(sample_weight: ArrayLike) -> ArrayLike:
    """Return masked weights as nan; scikit-learn would look behind the mask."""
    if isinstance(sample_weight, np.ma.MaskedArray):
        return np.asarray(np.ma.filled(sample_weight.astype(np.float64), np.nan))
    return sample_weight


def counted(settings: Settings, labels: Labels) -> Settings:
    """Return settings in which a least share of the weight is a least number of rows.

    Where all rows weigh the same, scikit-learn's trees take the share at its word:
    0.30000000000000004 of 30 rows is 10 rows. Weights that differ get the slack of 1e-12.
    """
    if settings.min_weight_fraction_leaf == 0 or not _weigh_the_same(labels):
        return settings
    return with_least_rows(settings, n_rows_with_weight(labels))


def with_least_rows(settings: Settings, n_rows: int) -> Settings:
    """Return settings in which a least share of the weight of so many rows is a number of rows."""
    share = Fraction(str(float(settings.min_weight_fraction_leaf)))
    least = rows_needed(settings.min_samples_leaf, n_rows, at_least=1)
    return replace(settings, min_samples_leaf=max(least, ceil(share * n_rows)))


def _weigh_the_same(labels: Labels) -> bool:
    if labels.labels[0].ranks:  # each row as much as its group says
        return False
    if labels.weights is None:
        return True
    weights = labels.weights[labels.weights > 0]
    return bool(np.all(weights == weights[0]))


def read_group(
    group: ArrayLike | None, n_rows: int, weights: NDArray[np.float64] | None = None
) -> NDArray[np.intp] | None:
    """Return a number for the group of each row, which is text or a number; None where all are of one.

    Every group must have a row that has a weight.
    """
    if group is None:
        return None
    names = _names(group, n_rows)
    if names.dtype.kind == "O" and len({isinstance(name, str) for name in names}) > 1:
        raise DataTypeError("group mixes text and numbers. Make them all text or all numbers.")
    try:
        codes = np.unique(names, return_inverse=True)[1]
    except TypeError:
        raise DataTypeError(
            "group has values that cannot be sorted. Make them all text or all numbers."
        ) from None
    if weights is not None:
        check_weighed(codes, weights, lambda row: repr(names[row : row + 1].tolist()[0]))
    return codes


def _names(group: ArrayLike, n_rows: int) -> NDArray[Any]:
    try:
        names = np.asarray(_filled_names(group))
    except ValueError:
        raise DataError("group holds lists. Give one number or text for each row.") from None
    if names.ndim != 1:
        raise DataError(
            f"group has {names.ndim} dimensions. Give the group of each row, as in group=frame['qid']."
        )
    if len(names) != n_rows:
        is_sizes = names.dtype.kind in "iu" and int(names.sum()) == n_rows
        hint = " If these are group sizes, use numpy.repeat(numpy.arange(len(group)), group)."
        raise DataError(
            f"group has {len(names):,} values, but X has {n_rows:,} rows. Give the group of each "
            f"row.{hint if is_sizes else ''}"
        )
    missing = np.array([is_missing(name) for name in names.tolist()])
    if missing.any():
        raise DataError(
            f"group is missing in {row_count(int(missing.sum()))} (first in row {int(missing.argmax())}). "
            "Fill it in, or leave these rows out."
        )
    return names


def _filled_names(group: ArrayLike) -> ArrayLike:
    """Return masked values as missing ones; NumPy would look behind the mask."""
    if isinstance(group, np.ma.MaskedArray):
        names = np.array(group.data, object)
        names[np.ma.getmaskarray(group)] = None
        return names
    return group


def warn_of_numbers(X: TableLike, table: Table, types: Types | None) -> None:
    """Warn of columns whose values are all numbers written as text; codes such as 007 are none.

    Columns that `types` names are left out, and those that the frame itself calls categories.
    """
    if isinstance(table.features, NumberFeatures):
        return
    told = wanted_types(types, table.columns, named=table.named)
    frame = nw.from_native(X, pass_through=True)
    kinds = dict(enumerate(frame.schema.dtypes())) if isinstance(frame, nw.DataFrame) else {}
    names = [
        feature.name
        for feature in table.features
        if feature.kind is Kind.CHOICE
        and len(feature.choices) > FEW
        and feature.column not in told
        and all(isinstance(each, str) and NUMBER.fullmatch(each) for each in feature.choices)
        and kinds.get(feature.column) not in (nw.Categorical, nw.Enum)
    ]
    if names:
        first = repr(names[0])
        hold = "columns hold" if len(names) > 1 else "column holds"
        warnings.warn(
            f"{len(names)} {hold} numbers as text, read as categories: {listed(names)}. To compare them as numbers, use types={{{first}: 'number'}}; "
            f"to keep them and hide this warning, types={{{first}: 'category'}}.",
            UserWarning,
            stacklevel=5,
        )
