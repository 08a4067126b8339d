"""Reads the weights of rows: `sample_weight` and `class_weight`."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import _check_sample_weight

from bough.errors import DataError, ParameterError

Weights = NDArray[np.float64]
ClassWeight = Mapping[Any, float] | Sequence[Mapping[Any, float]] | str | None


def read_weights(
    sample_weight: ArrayLike | None, n_rows: int, class_weights: Weights | None = None
) -> Weights | None:
    """Return one weight for each row, or None where all rows count the same."""
    weights = None if sample_weight is None else _checked(sample_weight, n_rows)
    if class_weights is not None:
        weights = class_weights if weights is None else _product(weights, class_weights)
    if weights is not None and not weights.any():
        raise DataError("Sample weights must contain at least one non-zero number.")
    return weights


def read_class_weights(class_weight: ClassWeight, y: NDArray[Any]) -> Weights | None:
    """Return the weight that each row has from its class; `y` is (rows, outputs)."""
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight != "balanced":
        raise ParameterError(
            f"class_weight={class_weight!r} is not known. Known: 'balanced', a dict with the weight "
            "of each class, or a list of dicts, one for each output."
        )
    labels = y if y.shape[1] > 1 else y[:, 0]
    try:
        weights = np.asarray(compute_sample_weight(class_weight, labels), dtype=np.float64)
    except ValueError as error:
        raise ParameterError(str(error)) from None
    if not np.isfinite(weights).all() or weights.min() < 0:
        raise ParameterError(
            f"class_weight={class_weight!r} must give every class a finite weight, 0 or more."
        )
    return weights


def _product(weights: Weights, class_weights: Weights) -> Weights:
    with np.errstate(over="ignore"):
        product = weights * class_weights
    if not np.isfinite(product).all():
        raise DataError(
            f"sample_weight times class_weight is beyond the largest number in row "
            f"{int(np.isfinite(product).argmin())}. Scale one of them down."
        )
    return product


def _checked(sample_weight: ArrayLike, n_rows: int) -> Weights:
    try:
        weights: Weights = _check_sample_weight(
            sample_weight, np.empty((n_rows, 1)), dtype=np.float64
        )
    except ValueError as error:
        raise DataError(str(error)) from None
    negative = np.flatnonzero(weights < 0)
    if len(negative):
        several = len(negative) > 1
        raise DataError(
            f"sample_weight has {len(negative):,} negative value{'s' if several else ''} "
            f"({'first in ' if several else ''}row {negative[0]}: {float(weights[negative[0]])!r}). "
            "A weight must be 0 or more; a row of weight 0 is left out."
        )
    return weights
