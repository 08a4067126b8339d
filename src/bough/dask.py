"""The same tree on a Dask cluster: `DecisionTreeClassifier`, `DecisionTreeRegressor` and `fit`.

Needs Dask: pip install 'bough[dask]'.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bough import estimators
from bough.errors import DataError, DistributedError, refuse_unknown
from bough.learn import fit as fit_streamed
from bough.learn.result import Result
from bough.partitioned import Function, Message, added, raised
from bough.partitioned.fit import FitsParts
from bough.partitioned.read_parts import RawPart

try:
    import dask
    import dask.array
    import dask.dataframe
    import pyarrow as pa
except ImportError as error:  # pragma: no cover - the tests have it or skip
    raise ImportError("bough.dask needs Dask. Install it: pip install 'bough[dask]'") from error

DaskTable = Any  # a data frame, a series or an array
Fitted = Any  # an estimator of this module
FAN_IN = 8  # pieces that one task adds up
AHEAD = 1  # partitions that are worked out while another one is read


class DaskEngine:
    """Runs functions as plain tasks of whichever scheduler Dask uses; what is lost it works out again."""

    def map(
        self, function: Function, parts: Sequence[Any], *shared: Message, keep: bool = False
    ) -> list[Any]:
        task = dask.delayed(function, pure=False)
        mapped = [task(part, *shared) for part in parts]
        with told():
            return list(dask.persist(*mapped)) if keep else mapped

    def reduce(self, add: Function, parts: Sequence[Any], n: int, then: Function) -> list[Any]:
        sum_up = dask.delayed(added, pure=False)
        finish = dask.delayed(then, pure=False)
        values = []
        for number in range(n):
            # Of many pieces only one is moved; a task more for each of one piece would cost time.
            take = dask.delayed(_pieces, pure=False)
            size = FAN_IN if n == 1 else 1
            starts = range(0, len(parts), size)
            pieces = [take(add, number, parts[start : start + size]) for start in starts]
            while len(pieces) > 1:
                groups = range(0, len(pieces), FAN_IN)
                pieces = [sum_up(add, pieces[start : start + FAN_IN]) for start in groups]
            values.append(finish(number, pieces[0]))
        with told():
            return list(dask.compute(*values))

    def share(self, value: Message) -> Message:
        return dask.delayed(value, traverse=False)

    def parts(self, values: Sequence[Any]) -> list[Any]:
        return [dask.delayed(value, traverse=False) for value in values]

    def in_turn(self, parts: Sequence[Any]) -> Iterator[Any]:
        ahead: deque[Any] = deque()
        with told():
            for part in parts:
                ahead += dask.persist(part)
                if len(ahead) > AHEAD:
                    yield ahead.popleft().compute()
            while ahead:
                yield ahead.popleft().compute()


def _pieces(add: Function, number: int, parts: Sequence[Sequence[Any]]) -> Message:
    return added(add, [part[number] for part in parts])


@contextmanager
def told() -> Iterator[None]:
    """Say what has happened where the cluster could not finish."""
    try:
        yield
    except Exception as error:
        name = type(error).__name__
        lost = {
            "KilledWorker": "a task was lost again and again with the worker that ran it, most likely "
            "for want of memory. Use more workers, more partitions, or a lower gather_rows",
            "CommClosedError": "the connection to the Dask scheduler was lost. Start it again",
            "FutureCancelledError": "the connection to the Dask scheduler was lost. Start it again",
            "CancelledError": "the tasks were cancelled, or the Dask scheduler was lost. Start it again",
        }
        if name not in lost:
            raise
        raise DistributedError(f"Dask could not finish: {lost[name]}.") from error


def _raw_parts(X: DaskTable, y: DaskTable, weight: DaskTable) -> list[Any]:
    """Return delayed parts of the table, with their labels and weights."""
    _refuse_other(X, "X")
    for name, given in (("y", y), ("sample_weight", weight)):
        if isinstance(given, str) and not hasattr(X, "columns"):
            raise DataError(
                f"{name}={given!r} names a column, but X is an array. Give {name} as an array, too."
            )
    if isinstance(y, str):
        refuse_unknown("y", y, map(str, X.columns), " as a column of X")
        X, y = X.drop(columns=y), X[y]
    if isinstance(weight, str):
        refuse_unknown("sample_weight", weight, map(str, X.columns), " as a column of X")
        X, weight = X.drop(columns=weight), X[weight]
    pieces = _delayed(X, "X")
    labels = _delayed(y, "y")
    weights = [None] * len(pieces) if weight is None else _delayed(weight, "sample_weight")
    for name, each in (("y", labels), ("sample_weight", weights)):
        if len(each) != len(pieces):
            raise DataError(
                f"{name} has {len(each)} partitions, but X has {len(pieces)}. Give both the same "
                "partitions."
            )
    make = dask.delayed(RawPart, pure=False)
    numbered = enumerate(zip(pieces, labels, weights, strict=True))
    return [make(number, *each) for number, each in numbered]


def _delayed(given: DaskTable, name: str) -> list[Any]:
    _refuse_other(given, name)
    if isinstance(given, dask.array.Array):
        if given.ndim > 1:
            given = given.rechunk({1: -1})
        return list(given.to_delayed().ravel())
    return list(given.to_delayed())


def _refuse_other(given: DaskTable, name: str) -> None:
    kinds = (dask.array.Array, dask.dataframe.DataFrame, dask.dataframe.Series)
    if not isinstance(given, kinds):
        or_name = "" if name == "X" else ", or the name of a column of X"
        raise DataError(
            f"{name} is of type {type(given).__name__!r}. Give a Dask data frame or array{or_name}. The "
            "estimators of bough take tables in memory."
        )


class _OnDask(FitsParts):
    """`fit` and lazy predictions on Dask data frames and arrays."""

    def fit(self, X: DaskTable, y: DaskTable, sample_weight: DaskTable = None) -> Self:
        """Grow the tree that the rows of all partitions together would grow in memory.

        Parameters
        ----------
        X : Dask data frame or array
            The table. Partitions may be of any size, and empty.
        y : Dask series or array with the same partitions, or the name of a column of X
            The labels; a data frame of several outputs.
        sample_weight : Dask series or array with the same partitions, or the name of a column of X
            Weight of each row; None: all the same.
        """
        return self._fit_parts(DaskEngine(), _raw_parts(X, y, sample_weight))

    def predict(self, X: DaskTable, check_input: bool = True) -> DaskTable:  # noqa: FBT001, FBT002
        """Return the prediction for each row, lazily where X is of Dask."""
        if not _is_dask(X):
            return super().predict(X, check_input)  # type: ignore[misc]
        return _lazily(X, self, "predict")


class DecisionTreeClassifier(_OnDask, estimators.DecisionTreeClassifier):  # type: ignore[misc]
    """`bough.DecisionTreeClassifier` on Dask: the same arguments, the same tree, lazy predictions."""

    def predict_proba(self, X: DaskTable, check_input: bool = True) -> DaskTable:  # noqa: FBT001, FBT002
        """Return the probability of each class for each row, lazily where X is of Dask."""
        if not _is_dask(X):
            return super().predict_proba(X, check_input)
        return _lazily(X, self, "predict_proba")


class DecisionTreeRegressor(_OnDask, estimators.DecisionTreeRegressor):  # type: ignore[misc]
    """`bough.DecisionTreeRegressor` on Dask: the same arguments, the same tree, lazy predictions."""


def _is_dask(X: object) -> bool:
    return isinstance(X, dask.array.Array | dask.dataframe.DataFrame)


def _lazily(X: DaskTable, estimator: Fitted, method: str) -> DaskTable:
    """Return what a method says of each partition, as an array of Dask."""
    check_is_fitted(estimator)
    none = _said_of_none(estimator, method)
    if isinstance(X, dask.dataframe.DataFrame):
        return X.map_partitions(_said, estimator, method, none, meta=none)
    X = X.rechunk({1: -1})
    if none.ndim == 1:
        return X.map_blocks(_said, estimator, method, none, drop_axis=1, dtype=none.dtype)
    chunks = (X.chunks[0], (none.shape[1],))
    return X.map_blocks(_said, estimator, method, none, chunks=chunks, dtype=none.dtype)


def _said_of_none(estimator: Fitted, method: str) -> Message:
    """Return what a method says of no rows."""
    several = estimator.n_outputs_ > 1
    if method == "predict_proba":
        if several:
            raise DataError(
                "predict_proba gives an array for each of several outputs, which is no array of Dask. "
                "Ask for one partition: tree.predict_proba(X.partitions[0].compute())."
            )
        return np.empty((0, estimator.n_classes_))
    classes = getattr(estimator, "classes_", np.empty(0))
    all_classes = classes if isinstance(classes, list) else [classes]
    kind = np.result_type(*(each.dtype for each in all_classes))
    return np.empty((0, estimator.n_outputs_) if several else 0, kind)


def _said(X: DaskTable, estimator: Fitted, method: str, none: Message) -> Message:
    return getattr(estimator, method)(X) if X.shape[0] else none


def streamed(X: DaskTable) -> pa.RecordBatchReader:
    """Return the rows of a Dask data frame as a stream, which holds few partitions at a time."""
    if not isinstance(X, dask.dataframe.DataFrame):
        raise DataError(
            f"The table is of type {type(X).__name__!r}. Give a Dask data frame, or use bough.fit for "
            "tables in memory."
        )
    with told():
        unknown = [
            name for name, kind in X.dtypes.items() if kind == "category" and not X[name].cat.known
        ]
        X = X.categorize(unknown, index=False) if unknown else X
        schema = _arrow_schema(X)
    as_batch = dask.delayed(_as_batch, pure=False)
    parts = [as_batch(part, number, schema) for number, part in enumerate(X.to_delayed())]
    return pa.RecordBatchReader.from_batches(schema, map(raised, DaskEngine().in_turn(parts)))


def _arrow_schema(X: DaskTable) -> pa.Schema:
    """Return the types of all columns; what is in those of Python's objects, the partitions say."""
    schema = pa.Schema.from_pandas(X._meta, preserve_index=False)  # noqa: SLF001
    unsaid = [field.name for field in schema if pa.types.is_null(field.type)]
    if not unsaid:
        return schema
    find = dask.delayed(pa.Schema.from_pandas)
    found = dask.compute(*(find(part, preserve_index=False) for part in X[unsaid].to_delayed()))
    said = pa.unify_schemas(found, promote_options="permissive")
    for name in unsaid:
        schema = schema.set(schema.get_field_index(name), said.field(name))
    return schema.remove_metadata()


def _as_batch(part: Message, number: int, schema: pa.Schema) -> pa.RecordBatch | DataError:
    try:
        return pa.RecordBatch.from_pandas(part, schema, preserve_index=False)
    except (pa.ArrowException, KeyError) as error:
        return DataError(f"partition {number} of the table: {error}")


def fit(X: DaskTable, *args: Any, **options: Any) -> Result:  # noqa: ANN401
    """Run the whole protocol of `bough.fit` on a Dask data frame, and `dev` and `test` if they are given.

    The rows are streamed to this process, which learns from them within `max_memory`: what does not
    fit lies in temporary files. The estimators of this module leave the rows where they are.
    """
    tables = {name: streamed(each) for name, each in options.items() if isinstance(each, type(X))}
    return fit_streamed(streamed(X), *args, **(options | tables))
