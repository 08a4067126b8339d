"""Reads `y`: the labels of the rows, checked and numbered."""

from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets

from bough import _core
from bough.errors import DataError, DataTypeError
from bough.schema import Label
from bough.table.array import bytes_of
from bough.table.column import Codes, recoded
from bough.table.numbers import EXACT
from bough.table.objects import nearest, shortened

KNOWN_TYPES = (str, bool, int, float)
MOST_COUNTED = 2**16  # whole numbers this far apart are counted rather than sorted


Numbered = tuple[NDArray[Any], Codes]


class Classes(NamedTuple):
    """The labels of a classification."""

    labels: tuple[Label, ...]
    codes: NDArray[np.int32]  # (outputs, rows): the number of each row's class
    cells: NDArray[Any]  # (rows, outputs): the classes as they were given


def read_classes(y: ArrayLike, n_rows: int) -> Classes:
    """Return the classes of each output, numbered in sorted order."""
    table = read_labels(y, n_rows)
    found = [_numbered(column) for column in table.T]
    labels = tuple(
        Label(name, tuple(classes.tolist()), _dtype(classes))
        for name, (classes, _) in zip(_names(y, table.shape[1]), found, strict=True)
    )
    return Classes(labels, np.stack([codes for _, codes in found], dtype=np.int32), table)


def code_classes(y: ArrayLike, n_rows: int, labels: tuple[Label, ...]) -> NDArray[np.intp]:
    """Return, as (rows, outputs), the number that each class of `y` has in `labels`; -1: none."""
    table = read_labels(y, n_rows)
    if table.shape[1] != len(labels):
        raise DataError(f"y has {table.shape[1]} outputs, but the tree predicts {len(labels)}.")
    codes = np.empty(table.shape, dtype=np.intp)
    for output, label in enumerate(labels):
        number = {value: code for code, value in enumerate(label.classes)}
        classes, places = _numbered(table[:, output])
        known = np.array([number.get(value, -1) for value in classes.tolist()])
        codes[:, output] = known[places]
    return codes


def read_numbers(
    y: ArrayLike, n_rows: int | None = None, *, does: str = "A regressor predicts numbers"
) -> tuple[tuple[Label, ...], NDArray[np.float64]]:
    """Return what the outputs are and, as (outputs, rows), the number to guess in each row.

    Without `n_rows` there may be any number of them. `does` says in messages what they are for.
    """
    table = read_labels(y, n_rows)
    if table.dtype.kind in "OU":
        _refuse_text(table, does)
    numbers = _nearest(table)
    _refuse_unbounded(numbers)
    _refuse_rounded(table, numbers)
    numbers = np.ascontiguousarray(numbers.T)
    return tuple(Label(name) for name in _names(y, len(numbers))), numbers


def read_labels(y: ArrayLike, n_rows: int | None) -> NDArray[Any]:
    """Return `y` as (rows, outputs), one label in each row and none of them missing."""
    table = _array(y)
    if table.ndim == 0:
        raise DataError(
            f"y must hold one label for each row, but it is of type {type(y).__name__!r}. "
            "Give a list, an array or a column of a data frame, such as frame['target']."
        )
    if table.ndim > 2:
        raise DataError(
            f"y has {table.ndim} dimensions. Give one label for each row, "
            "or one column of labels for each output."
        )
    if n_rows is not None and len(table) != n_rows:
        raise DataError(
            "Found input variables with inconsistent numbers of samples: "
            f"X has {n_rows:,} rows, y has {len(table):,}. Give one label for each row."
        )
    table = table.reshape(len(table), -1)
    if table.shape[1] == 0:
        raise DataError("y has no columns. Give one column of labels for each output.")
    _refuse_missing(table)
    return np.asarray(table)  # of a masked array the data: nothing is masked


def class_array(label: Label) -> NDArray[Any]:
    """Return the classes of a label as scikit-learn shows them in `classes_`."""
    return np.array(label.classes, dtype=np.dtype(label.dtype))


def _array(y: ArrayLike | None) -> NDArray[Any]:
    if y is None:
        raise DataError("fit requires y to be passed, but the target y is None.")
    if hasattr(y, "toarray"):
        raise DataTypeError("y is sparse. Sparse labels are not supported; pass y.toarray().")
    if hasattr(y, "dtype") or hasattr(y, "__array__"):
        array = np.ma.asarray(y) if isinstance(y, np.ma.MaskedArray) else np.asarray(y)
    else:
        array = _array_of_list(y)
    if array.dtype.kind == "c":
        raise DataError("Complex data not supported: y holds complex numbers.")
    if array.dtype.kind == "S":
        raise DataError("y holds bytes. Decode them to text first: numpy.char.decode(y).")
    if array.dtype.kind in "mMV":
        raise DataError(f"y holds {array.dtype}. Labels are text, numbers or booleans.")
    if array.dtype.kind == "f" and array.itemsize > 8:
        return array.astype(np.float64)
    return array.astype(object) if array.dtype.kind == "T" else array


def _array_of_list(y: ArrayLike) -> NDArray[Any]:
    try:
        cells, array = np.asarray(y, dtype=object), np.asarray(y)
    except ValueError:
        raise DataError(
            "the rows of y have different lengths. Give every row the same number of labels."
        ) from None
    if array.dtype.kind == "U":
        # NumPy would turn [1, "a"] and ["a", nan] into text, and "a\0" into "a", without a word.
        is_kept = all(isinstance(cell, str) and cell[-1:] != "\0" for cell in cells.flat)
    else:  # … and 2**63 beside a smaller number into a float
        is_kept = array.dtype.kind != "f" or not any(map(_is_large, cells.flat))
    return array if is_kept else cells


def _is_large(cell: object) -> bool:
    return isinstance(cell, int | np.integer) and abs(int(cell)) > EXACT


def _names(y: object, n_outputs: int) -> list[str]:
    columns = getattr(y, "columns", None)
    if columns is not None and len(columns) == n_outputs:
        return [str(column) for column in columns]
    name = getattr(y, "name", None)
    first = name if isinstance(name, str) else "y"
    return [first] if n_outputs == 1 else [f"{first}{output}" for output in range(n_outputs)]


def _numbered(column: NDArray[Any]) -> Numbered:
    """Return the classes of a column, sorted, and the number of each row's class."""
    if column.dtype.kind == "O":
        if (text := _text(column)) is not None:
            return _in_order(*text)
        _refuse_mixture(column)
        if isinstance(column[0], str):  # enums and other kinds of str may hash as they like
            classes, places = np.unique(column, return_inverse=True)
            return classes, places.astype(np.int32)
        column = _plain_numbers(column)
    if column.dtype.kind in "biu":
        return _numbered_whole(column)
    if column.dtype.kind == "f":
        column = column + 0.0  # never -0, which is 0 in other bytes
    first, numbers = _core.distinct(bytes_of(column))
    classes, codes = _in_order(column[first], numbers)
    if classes.dtype.kind == "f" and np.any(classes != np.floor(classes)):
        try:
            check_classification_targets(column)
        except ValueError as error:
            raise DataError(str(error)) from None
    return classes, codes


def _text(column: NDArray[np.object_]) -> Numbered | None:
    """Return the distinct texts and the number of each row's, if every cell is text."""
    found = _core.number_objects(column)
    if found is None or int(found[1].min()) < 0:
        return None
    return np.array(found[0], object), found[1]


def _in_order(classes: NDArray[Any], codes: Codes) -> Numbered:
    """Return classes sorted, and the codes that rows have then."""
    ordered, order = np.unique(classes, return_inverse=True)
    return ordered, recoded(codes, order.tolist())


def _plain_numbers(cells: NDArray[Any]) -> NDArray[Any]:
    """Return numbers as an array of the type that holds them; whole ones lose no digit."""
    numbers = np.array(cells.tolist())
    if numbers.dtype.kind in "biu" or not any(map(_is_large, cells)):
        return numbers
    whole = [int(cell) for cell in cells if isinstance(cell, int | np.integer)]
    if len(whole) == len(cells) and min(whole) >= 0 and max(whole) < 2**64:
        return np.array(whole, dtype=np.uint64)
    row = next(row for row, cell in enumerate(cells) if _is_large(cell))
    raise DataError(
        f"y holds {shortened(int(cells[row]))} in row {row}, and no 64-bit type holds it beside the "
        "other labels. Give the labels as text."
    )


def _numbered_whole(column: NDArray[Any]) -> Numbered:
    """Return classes and numbers of whole labels: those close together are counted, not sorted."""
    low, high = int(column.min()), int(column.max())
    if high - low > MOST_COUNTED or high > np.iinfo(np.intp).max:
        classes, codes = np.unique(column, return_inverse=True)
        return classes, codes.astype(np.int32)
    places = column.astype(np.intp, copy=False)
    if low < 0 or high > MOST_COUNTED:
        places = places - low
    else:
        low = 0
    is_class = _core.occurring(places, high - low + 1)[1:]
    number = np.cumsum(is_class, dtype=np.int32) - 1
    classes = (np.flatnonzero(is_class) + low).astype(column.dtype)
    return classes, recoded(places, number.tolist())


def _refuse_mixture(cells: NDArray[Any]) -> None:
    for row, cell in enumerate(cells):
        if not isinstance(cell, (*KNOWN_TYPES, np.number, np.bool_)):
            raise DataError(f"y holds {cell!r} in row {row}. Labels are text, numbers or booleans.")
        if isinstance(cell, str) != isinstance(cells[0], str):
            raise DataError(
                f"y mixes kinds of labels (row 0: {cells[0]!r}, row {row}: {cell!r}). "
                "Make them all text or all numbers."
            )


def _dtype(classes: NDArray[Any]) -> str:
    if classes.dtype.kind == "U":
        return f"<U{max(1, *map(len, classes))}"
    return classes.dtype.name


def _refuse_missing(table: NDArray[Any]) -> None:
    if isinstance(table, np.ma.MaskedArray):
        missing = np.ma.getmaskarray(table).any(axis=1)
    elif table.dtype.kind == "O":
        if all(_text(column) is not None for column in table.T):
            return
        if set(map(type, table.flat)) <= {str, int, bool}:
            return
        missing = np.array([any(map(is_missing, row)) for row in table])
    else:
        if table.dtype.kind == "f":
            _refuse_unbounded(table)
        return
    if n_missing := int(missing.sum()):
        rest = "it in or leave the row" if n_missing == 1 else "them in or leave these rows"
        raise DataError(
            f"y has {n_missing:,} missing label{'s' if n_missing > 1 else ''} "
            f"(first in row {int(missing.argmax())}). Fill {rest} out."
        )


def is_missing(cell: object) -> bool:
    """Return whether a cell holds no value."""
    # Only a missing value differs from itself; pandas.NA will not even say whether it does.
    if isinstance(cell, Decimal):
        return cell.is_nan()
    return cell is None or type(cell).__name__ == "NAType" or bool(cell != cell)  # noqa: PLR0124


def _refuse_unbounded(numbers: NDArray[Any]) -> None:
    if np.isfinite(numbers).all():
        return
    if np.isnan(numbers).any():
        raise DataError("Input y contains NaN.")
    raise DataError("Input y contains infinity or a value too large for dtype('float64').")


def _refuse_text(table: NDArray[Any], does: str) -> None:
    for row, cells in enumerate(table):
        for cell in cells:
            if not isinstance(cell, (Real, Decimal, np.bool_)):
                found = cell.item() if isinstance(cell, np.generic) else cell
                raise DataError(
                    f"y holds {found!r} in row {row}, which is not a number. "
                    f"{does}; use DecisionTreeClassifier for classes."
                )


def _nearest(table: NDArray[Any]) -> NDArray[np.float64]:
    """Return labels as the nearest float64; infinity where one is beyond the largest."""
    if table.dtype.kind != "O":
        return np.asarray(table, dtype=np.float64)
    return np.array([[nearest(cell) for cell in row] for row in table])


def _refuse_rounded(table: NDArray[Any], numbers: NDArray[np.float64]) -> None:
    """Refuse the first whole label, if any, that a float64 cannot hold."""
    if table.dtype.kind not in "iuO" or table.itemsize < 8:
        return
    for row, output in np.argwhere(np.abs(numbers) >= EXACT).tolist():
        label = table[row, output]
        if isinstance(label, int | np.integer) and int(numbers[row, output]) != int(label):
            raise DataError(
                f"y holds {shortened(int(label))} in row {row}, which loses digits as a float64. "
                "Give the labels as floats, rounded as you like."
            )
