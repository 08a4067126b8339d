"""Reads tables of any make into named columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Protocol, TypeAlias, TypeGuard, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bough.datasets import Teaching
from bough.errors import Argument, DataError, ParameterError
from bough.file_options import FileOptions, FileReading, reading_of
from bough.schema import MISSING, DefaultNames, Feature, Kind, NumberFeatures, Part, Schema, Value
from bough.table.array import Sparse, is_sparse, read_array, read_asked_of, read_rows, read_sparse
from bough.table.column import Choices, Column, Integers, Moments, Numbers
from bough.table.match_columns import matched, typed_values, values_like
from bough.table.numbers import IN_PLACE, SparseNumbers, finite, floats
from bough.table.objects import read_cells
from bough.table.source import AS_TEXT, IGNORE, Source, Types, retyped, wanted_types

_NO_VALUES = np.empty(0)  # until a column is read


class ArrowStream(Protocol):
    """A table of any make that speaks Arrow, as polars, pyarrow and DuckDB do."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


TableLike: TypeAlias = ArrayLike | Mapping[str, Any] | PathLike[str] | ArrowStream | Sparse | Source
"""An array, rows, a data frame of any make, a dict of columns, a sparse matrix, or a path."""


@dataclass(frozen=True, eq=False)
class Table:
    """A table as one array of values for each feature: the rows of a matrix, or a sequence.

    Values of a NUMBER are floats, nan where missing, or integers that are all there, of any type
    `IN_PLACE`, and in a table to grow from within ±2^53; those of an INTEGER or DATE int64,
    `MISSING_INTEGER` where missing; those of a CHOICE or ORDERED feature positions in its choices
    in any width, `MISSING` or, in a table to predict, `UNSEEN`. Numbers may be infinite: the core
    sees it when it reads them, and then `refuse_infinity` says where.
    """

    columns: Sequence[str]
    named: bool
    features: Sequence[Feature]
    values: NDArray[Any] | tuple[NDArray[Any], ...] | SparseNumbers
    n_rows: int
    reading: FileReading | None = None  # how the file was read that it comes from

    def rows(self, rows: NDArray[np.intp]) -> "Table":
        """Return the table of some of the rows; the choices of its features stay."""
        if isinstance(self.values, np.ndarray):
            return replace(self, values=self.values[:, rows], n_rows=len(rows))
        if isinstance(self.values, SparseNumbers):
            return replace(self, values=self.values.rows(rows), n_rows=len(rows))
        return replace(self, values=tuple(each[rows] for each in self.values), n_rows=len(rows))

    def only(self, features: Sequence[int]) -> "Table":
        """Return the table with some of its features, given by number; all columns keep theirs."""
        if len(features) == len(self.features):
            return self
        kept = tuple(self.features[number] for number in features)
        if isinstance(self.values, SparseNumbers):
            return replace(self, features=kept, values=self.values.only(features))
        return replace(
            self, features=kept, values=tuple(self.values[number] for number in features)
        )

    def dense(self) -> "Table":
        """Return the table with all its zeros, for whoever reads single cells."""
        if isinstance(self.values, SparseNumbers):
            return replace(self, values=tuple(self.values))
        return self

    def missing(self, feature: int) -> NDArray[np.bool_]:
        """Return which rows have no value in a feature, given by its number."""
        values, kind = self.values[feature], self.features[feature].kind
        return np.asarray(np.isnan(values) if kind is Kind.NUMBER else values == kind.missing)

    def columns_asked(self) -> dict[str, Column]:
        """Return the features as columns by name; parts of dates are not columns."""
        return {
            feature.name: column_of(values, feature.kind, feature.choices)
            for feature, values in zip(self.features, self.values, strict=True)
            if feature.part is Part.ITSELF
        }


def column_of(values: NDArray[Any], kind: Kind, choices: tuple[Value, ...] = ()) -> Column:
    """Return values that a table holds as a column; a choice that is not known is missing."""
    match kind:
        case Kind.NUMBER:
            return Numbers(floats(values))
        case Kind.INTEGER:
            return Integers(values, values == kind.missing)
        case Kind.DATE:
            return Moments(values)
        case Kind.ORDERED | Kind.CHOICE:
            return Choices(choices, np.maximum(values, MISSING), kind is Kind.ORDERED)


def read(X: TableLike, *, types: Types | None = None) -> Table:
    """Return a table to grow a tree from; the kind of each column is found out.

    Given is an array, a list of rows, a sparse matrix, a data frame, a dict of lists, the path of a
    file, or a source that `read_file` gave. `types` names the kinds of some columns, by name or,
    where they have none, by number: "category", "number", "date", "ignore", or a list of values in
    order.

    Examples
    --------
    >>> table = read({"size": ["S", "L"], "age": [3, None]}, types={"size": ["S", "M", "L"]})
    >>> [(feature.name, str(feature.kind)) for feature in table.features]
    [('size', 'ordered'), ('age', 'number')]
    >>> table.values
    (array([0, 2], dtype=int8), array([ 3., nan]))
    """
    if types is None and _is_clean(X) and X.dtype.kind == "f":
        names = DefaultNames(X.shape[1])
        return Table(names, named=False, features=NumberFeatures(names), values=X.T, n_rows=len(X))
    source = open_source(_features_of(X))
    whole = source.sparse if source.matrix is None else source.matrix.T
    if whole is not None and types is None:
        numbers = NumberFeatures(source.names)
        return Table(source.names, source.named, numbers, whole, source.n_rows)
    wanted = wanted_types(types, source.names, named=source.named)
    found = []
    for number in range(len(source.names)):
        kind = wanted.get(number)
        if kind == IGNORE:
            continue
        column, from_text = column_as(source, number, kind)
        found += column.features(number, source.names, from_text=from_text)
    if not found:
        raise DataError("types ignores every column of X. Keep at least one.")
    features, values = zip(*found, strict=True)
    return Table(source.names, source.named, features, values, source.n_rows)


def read_like(
    X: TableLike,
    schema: Schema,
    *,
    estimator: str = "the tree",
    asked: Sequence[int] | None = None,
) -> Table:
    """Return a table to predict, read as the table that the tree was grown from.

    `estimator` is what messages call the tree. Of columns that are found by name, only those of the
    features that are `asked`, by number, are looked at, and the values of others are missing; None:
    all.
    """
    columns, named, features = schema.columns, schema.named, schema.features
    if schema.is_matrix and not named and _is_clean(X) and X.shape[1] == len(columns):
        return Table(columns, named, features, X.T, len(X))
    if asked is not None and schema.is_matrix and not named and is_sparse(X):
        sparse = read_asked_of(X, asked) if X.shape[1:] == (len(columns),) and X.shape[0] else None
        if sparse is not None:
            return Table(columns, named, features, sparse, sparse.n_rows)
    source = open_source(_features_of(X), like=schema.reading)
    if asked is None or not schema.match_by_name:
        asked = range(len(features))
    numbers = matched(source, schema, estimator, asked)
    if source.sparse is not None and schema.is_matrix and numbers == range(len(columns)):
        return Table(columns, named, features, source.sparse, source.n_rows)
    read_columns: dict[int, Column] = {}
    others = {feature.kind for feature in features} if len(asked) < len(features) else ()
    none = {kind: np.full(source.n_rows, kind.missing, kind.dtype) for kind in others}
    values = [none.get(feature.kind, _NO_VALUES) for feature in features]
    for place in asked:
        feature = features[place]
        if feature.column not in read_columns:
            had = feature.choices if feature.part is Part.ITSELF else ()
            read_columns[feature.column] = column_like(source, numbers[feature.column], had)
        # In a text file, numbers and dates are text that says them.
        wanted = feature if source.text is None else replace(feature, from_text=True)
        name = columns[feature.column]
        values[place] = values_like(read_columns[feature.column], wanted, name, source.where)
    return Table(columns, named, features, tuple(values), source.n_rows, schema.reading)


def typed_row(given: Mapping[str, object], schema: Schema) -> Table:
    """Return a table of one row, from what a person typed for some features; others are missing.

    Examples
    --------
    >>> typed_row({"wind": "weak"}, play_tennis_tree.schema).values
    (array([-1], dtype=int32), array([-1], dtype=int32), array([-1], dtype=int32), array([1], dtype=int32))
    """
    values = typed_values(schema, given)
    return Table(schema.columns, schema.named, schema.features, values, 1)


def refuse_infinity(table: Table) -> None:
    """Refuse the first infinite number of a table, by columns."""
    for feature, values in zip(table.features, table.values, strict=True):
        if feature.kind is Kind.NUMBER:
            finite(values, table.columns[feature.column])


def _is_clean(X: object) -> TypeGuard[NDArray[Any]]:
    """Return whether X is an array that can be taken as it is: the way of single rows."""
    return type(X) is np.ndarray and X.ndim == 2 and X.size > 0 and X.dtype in IN_PLACE


def column_as(
    source: Source, number: int, kind: str | Sequence[Value] | None
) -> tuple[Column, bool]:
    """Return a column as the kind that the user wants, and whether that was read from text."""
    column = _asked_for(source, number, kind)
    from_text = kind in ("number", "date") and column.is_text
    return retyped(column, kind, source.names[number], source.where), from_text


def _asked_for(source: Source, number: int, kind: object) -> Column:
    """Return a column; as a category it keeps its cells as they stand, where they say more."""
    name = source.names[number]
    is_odd = any(each.code in AS_TEXT and each.column == name for each in source.remarks)
    if kind == "category" and source.text is not None and is_odd:
        return source.text(number)
    return source.column(number)


def column_like(source: Source, number: int, values: Sequence[Value]) -> Column:
    """Return a column of a new table: text where it had text, even if its cells look like numbers."""
    if source.text is not None and any(isinstance(value, str) for value in values):
        return source.text(number)
    return source.column(number)


def open_source(
    X: TableLike, *, like: FileReading | None = None, **options: Unpack[FileOptions]
) -> Source:
    """Return the columns of a table of any make, before they have a kind.

    `like` is how the file of a model was read: another file is read so, or refused. Of the options
    of a file, `missing_marks` is about other tables, too.
    """
    said = reading_of(options)
    if isinstance(X, Source):
        _refuse_options(options, " comes too late: the file is read already. Give it to read_file.")
        return X.like(like)
    if isinstance(X, str | PathLike):
        from bough.table.file import read_file

        return read_file(X, like=like, **options)
    if isinstance(X, Teaching):
        _refuse_options(options, " does not go with a teaching table. Leave it out.")
        return _open_teaching(X)
    others = [name for name in options if name != "missing_marks"]
    kind = type(X).__name__
    _refuse_options(others, f" is about files, but the table is of type {kind!r}. Leave it out.")
    source = _open_rows(X) if isinstance(X, np.ndarray | list | tuple) else _open_columns(X)
    marks = said.like(like).missing_marks
    texts = set(marks) - {""}
    if not texts:
        return source
    return replace(
        source,
        column=lambda number: source.column(number).without(texts),
        reading=FileReading(missing_marks=marks),
    )


def _refuse_options(options: Iterable[str], why: str) -> None:
    """Refuse what a user says about a file, where the table is none."""
    for name in options:
        raise ParameterError(Argument(name), why)


def _open_teaching(X: Teaching) -> Source:
    """Return the columns of a teaching table, which needs no package for data frames."""
    names, cells = tuple(X.columns), list(X.columns.values())
    return Source(
        names,
        named=True,
        n_rows=len(cells[0]),
        column=lambda number: read_cells(cells[number], names[number]),
        teaching=X,
    )


def _features_of(X: TableLike) -> TableLike:
    """Return what queries may ask about: of a teaching table, all but the target and names of rows."""
    return X.features if isinstance(X, Teaching) else X


def _open_rows(X: NDArray[Any] | list[Any] | tuple[Any, ...]) -> Source:
    if not isinstance(X, np.ndarray) and all(isinstance(row, list | tuple) for row in X):
        return read_rows(X)
    return read_array(X)


def _open_columns(X: object) -> Source:
    if is_sparse(X):
        return read_sparse(X)
    from bough.table.frame import as_frame, read_dict, read_frame

    if isinstance(X, Mapping):
        return read_dict(X)
    frame = as_frame(X)
    return read_array(X) if frame is None else read_frame(frame)
