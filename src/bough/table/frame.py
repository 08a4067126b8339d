"""Reads data frames of any make through narwhals, plain dicts of lists, and streams of Arrow."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Sized
from collections.abc import Set as AbstractSet
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.errors import DataError, DataTypeError, listed
from bough.machine_limits import count_again, reading_limit, temporary_folder
from bough.schema import MISSING, DefaultNames
from bough.table.array import check_shape, read_vector
from bough.table.column import Choices, Column, Integers, Moments, Numbers, recoded
from bough.table.dates import as_microseconds
from bough.table.numbers import FLOATS
from bough.table.objects import Family, read_cells, refused
from bough.table.source import Source


def as_frame(X: object) -> nw.DataFrame[Any] | None:
    """Return X as a narwhals data frame, or None if it is no frame."""
    try:
        frame = nw.from_native(X, pass_through=True, allow_series=True)
        if isinstance(frame, nw.Series):
            raise DataError(
                "X is a series, but a table has rows and columns. Reshape your data: a column "
                "becomes a table by X.to_frame(), a row by a slice of its table, such as df[4:5]."
            )
        if isinstance(frame, nw.DataFrame):
            return frame
        if hasattr(X, "__arrow_c_stream__"):
            return read_stream(X)
        return frame.collect() if isinstance(frame, nw.LazyFrame) else None
    except nw.exceptions.DuplicateError as error:
        names = getattr(getattr(X, "schema", None), "names", getattr(X, "columns", ()))
        raise _repeated(list(names)) from error
    except ModuleNotFoundError as error:
        raise DataError(
            f"X is a {type(X).__name__} of {type(X).__module__.split('.')[0]}, which is read through "
            f"{error.name}, and that is not installed. Install it: pip install {error.name}."
        ) from error


def read_frame(frame: nw.DataFrame[Any]) -> Source:
    """Return the columns of a narwhals data frame."""
    check_shape(frame.shape, frame)
    names, named = _names(frame.columns)
    columns = list(frame.iter_columns())
    return Source(
        names, named, len(frame), lambda number: read_series(columns[number], names[number])
    )


def read_dict(X: Mapping[Any, Any]) -> Source:
    """Return the columns of a dict from names to lists or arrays."""
    names, named = _names(list(X))
    columns = [_sized(column, name) for name, column in zip(names, X.values(), strict=True)]
    lengths = [len(column) for column in columns]
    for name, length in zip(names, lengths, strict=True):
        if length != lengths[0]:
            raise DataError(
                f"column {name!r} has length {length:,}, but column {names[0]!r} has length "
                f"{lengths[0]:,}. Give all columns the same number of rows."
            )
    check_shape((lengths[0] if lengths else 0, len(columns)), X)
    return Source(names, named, lengths[0], lambda number: _read(columns[number], names[number]))


def read_series(series: nw.Series[Any], name: str) -> Column:
    """Return the column that a narwhals series makes."""
    if (plain := _plain(series)) is not None:
        return read_vector(plain, name)
    dtype = series.dtype
    if dtype == nw.String:
        return _text(series) or read_cells(_cells(series, dtype), name)
    return _other_column(series, dtype, name)


def _other_column(series: nw.Series[Any], dtype: nw.dtypes.DType, name: str) -> Column:
    if dtype.is_float():
        values = _array(series)
        return Numbers(values if values.dtype in FLOATS else values.astype(np.float64))
    if dtype.is_integer() and dtype not in (nw.Int128, nw.UInt128):
        return _integers(series)
    if dtype == nw.Boolean:
        codes = series.fill_null(value=False).to_numpy().astype(np.int32)
        codes[series.is_null().to_numpy()] = MISSING
        return Choices((False, True), codes)
    if dtype in (nw.Categorical, nw.Enum):
        return _categories(series, name)
    if dtype in (nw.Date, nw.Datetime):
        values = _array(series)
        if values.dtype.kind == "M":
            return Moments(as_microseconds(values, name))
    if (family := _family(dtype)) is not None:
        raise refused(family, name, f"the type {dtype}")
    return read_cells(_cells(series, dtype), name)


def _plain(series: nw.Series[Any]) -> NDArray[Any] | None:
    """Return a column of pandas that is an array of NumPy's: what a single row has to ask least of."""
    native = series.to_native()
    dtype = getattr(native, "dtype", None)
    if not isinstance(dtype, np.dtype) or not series.implementation.is_pandas():
        return None
    is_plain = dtype in FLOATS or dtype.kind in "iubM"
    return np.asarray(native) if is_plain else None


def _array(series: nw.Series[Any]) -> NDArray[Any]:
    """Return a column as one array, which NumPy makes: what Arrow makes no budget knows of."""
    if not series.implementation.is_pyarrow() or series.to_native().num_chunks < 2:
        return series.to_numpy()
    chunks = series.to_native().chunks
    return np.concatenate([chunk.to_numpy(zero_copy_only=False) for chunk in chunks])


def _text(series: nw.Series[Any]) -> Choices | None:
    """Return a column of text that its maker shares by Arrow, where no cell is an object."""
    native = series.to_native()
    dtype = getattr(native, "dtype", None)  # pandas' type of text says how it is stored
    holds_objects = dtype == np.object_ or getattr(dtype, "storage", "") == "python"
    if holds_objects or not hasattr(native, "__arrow_c_stream__"):
        return None
    if series.implementation.is_pandas():  # which looks at the version of pyarrow for each stream
        native = native.array.__arrow_array__()
    text = _core.number_arrow(native)
    return None if text is None else Choices(tuple(text[0]), text[1])


def _cells(series: nw.Series[Any], dtype: nw.dtypes.DType) -> list[Any] | NDArray[np.object_]:
    """Return the cells of a column as they are: pandas holds them in an array."""
    if series.implementation.is_pandas() and dtype in (nw.String, nw.Object):
        return np.asarray(series.to_native(), dtype=object)
    return series.to_list()


def _integers(series: nw.Series[Any]) -> Integers:
    missing = series.is_null().to_numpy()
    if not missing.any():
        return Integers(_array(series))
    return Integers(series.fill_null(0).to_numpy(), missing)


def _categories(series: nw.Series[Any], name: str) -> Choices:
    native = series.to_native()
    if series.implementation.is_polars():  # whose Enum is a category too
        physical = nw.from_native(native.to_physical(), series_only=True)
        codes = physical.cast(nw.Int32).fill_null(MISSING).to_numpy()
        rows = np.full(codes.max() + 2, MISSING)
        rows[codes] = np.arange(len(codes))  # a row of each value, and of none at the end
        occurs = rows[:-1] >= 0
        positions = np.where(occurs, np.cumsum(occurs) - 1, MISSING)
        values = native.gather(rows[:-1][occurs]).to_list()
        return Choices(tuple(values), recoded(codes, positions.tolist()))
    if hasattr(native, "cat"):
        declared, is_ordered = native.cat.categories.tolist(), native.cat.ordered
        codes = native.cat.codes.to_numpy()
    else:
        arrow = _in_one_piece(series, name)
        declared, is_ordered = arrow.dictionary.to_pylist(), arrow.type.ordered
        codes = arrow.indices.cast("int32").fill_null(MISSING).to_numpy()
    try:
        known = read_cells(declared, name).as_choices(name)
    except DataError:  # perhaps about a value that no row has: look at the rows
        return read_cells(series.to_list(), name).as_choices(name)
    if not np.array_equal(known.codes, np.arange(len(known.values))):
        codes = recoded(codes, known.codes.tolist())
    choices = Choices(known.values, codes)
    return choices.in_order(declared, name) if is_ordered else choices


def _in_one_piece(series: nw.Series[Any], name: str) -> Any:  # noqa: ANN401
    """Return categories as Arrow has them, of which each piece of a stream may number its own."""
    import pyarrow as pa

    if not series.implementation.is_pyarrow():
        return series.to_arrow()
    arrow = series.to_native()
    orders = {tuple(piece.dictionary.to_pylist()) for piece in arrow.chunks if arrow.type.ordered}
    if len(orders - {()}) > 1:
        one, other = sorted(orders - {()}, key=str)[:2]
        raise DataError(
            f"column {name!r} has its categories in the order {listed(one)} in some rows, but "
            f"{listed(other)} in others. Give all rows one order."
        )
    wide = pa.dictionary(pa.int32(), arrow.type.value_type, arrow.type.ordered)
    return arrow.cast(wide).combine_chunks()


def _family(dtype: nw.dtypes.DType) -> Family | None:
    if dtype in (nw.Time, nw.Duration):
        return Family.DURATION
    if dtype == nw.Binary:
        return Family.BYTES
    return Family.NESTED if dtype in (nw.List, nw.Array, nw.Struct) else None


def _names(given: Sequence[Any]) -> tuple[Sequence[str], bool]:
    """Return the names of the columns, and whether they are the user's own."""
    types = sorted({type(name).__name__ for name in given if not isinstance(name, str)})
    if not types:
        return tuple(str(name) for name in given), True
    if any(isinstance(name, str) for name in given):
        raise DataTypeError(
            f"the names of the columns of X are partly strings and partly of type {listed(types)}. "
            "Make all of them strings: X.columns = X.columns.astype(str)."
        )
    return DefaultNames(len(given)), False


def _repeated(names: Sequence[Any]) -> DataError:
    repeated = [name for name, count in Counter(names).items() if count > 1]
    name, *others = repeated
    places = [number for number, other in enumerate(names) if other == name]
    also = f"; so do {listed(others)}" if others else ""
    return DataError(
        f"column {name!r} appears {len(places)} times (columns {listed(places)}){also}. "
        "Give every column a name of its own."
    )


def _sized(column: object, name: str) -> Sized:
    is_flat = len(getattr(column, "shape", (0,))) == 1
    if (
        is_flat
        and isinstance(column, Sized)
        and not isinstance(column, str | bytes | AbstractSet | Mapping)
    ):
        return column
    raise DataError(
        f"column {name!r} of the dict X is of type {type(column).__name__!r}. "
        "Give a list with one cell per row."
    )


def _read(column: Sized, name: str) -> Column:
    if isinstance(column, list | tuple):
        return read_cells(column, name)
    series = nw.from_native(column, pass_through=True, allow_series=True)
    if isinstance(series, nw.Series):
        return read_series(series, name)
    mask = np.ma.getmaskarray(column) if isinstance(column, np.ma.MaskedArray) else None
    return read_vector(np.asarray(column), name, mask)


def read_stream(stream: object) -> nw.DataFrame[Any]:
    """Return the rows of a stream as a data frame; if they are many, it lies in a file without a name."""
    if find_spec("pyarrow") is None and find_spec("polars") is not None:
        return nw.from_arrow(stream, backend="polars")
    import pyarrow as pa

    reader: Any = stream  # whose own errors reach the user as they are
    if not isinstance(stream, pa.RecordBatchReader):
        reader = pa.RecordBatchReader.from_stream(stream)
    held, n_bytes = [], 0
    for batch in reader:
        held.append(batch)
        n_bytes += batch.nbytes
        if reading_limit(n_bytes) is not None:
            return nw.from_native(_spooled(reader.schema, chain(held, reader)), eager_only=True)
    return nw.from_native(pa.Table.from_batches(held, reader.schema), eager_only=True)


def _spooled(schema: Any, batches: Iterator[Any]) -> Any:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa

    with temporary_folder() as folder:
        path = str(Path(folder, "rows"))
        with pa.ipc.new_stream(path, schema) as file:
            for batch in batches:
                file.write_batch(batch)
        pa.default_memory_pool().release_unused()
        count_again()
        # The pages of the file stay until the table goes, although its name goes first.
        return pa.ipc.open_stream(pa.memory_map(path)).read_all()
