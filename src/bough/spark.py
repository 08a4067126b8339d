"""The same tree on Spark: `DecisionTreeClassifier`, `DecisionTreeRegressor` and `fit`.

Needs Spark: pip install 'bough[spark]', and Java.
"""

import pickle
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any, Self

from sklearn.utils.validation import check_is_fitted

from bough import estimators
from bough.errors import (
    BoughError,
    DataError,
    DistributedError,
    SchemaError,
    listed,
    refuse_unknown,
)
from bough.learn import fit as fit_streamed
from bough.learn.result import Result
from bough.partitioned import Function, Message, Parts, as_it_is
from bough.partitioned.fit import FitsParts
from bough.partitioned.read_parts import RawPart

try:
    import pyarrow as pa
    import pyspark
    from pyspark.errors import PySparkException
    from pyspark.sql import types
except ImportError as error:  # pragma: no cover - the tests have it or skip
    raise ImportError("bough.spark needs Spark. Install it: pip install 'bough[spark]'") from error

SparkTable = Any  # a data frame
Fitted = Any  # an estimator of this module
AN_ERROR = re.compile(r"(Caused by: )?[\w.$]*(Error|Exception)(: |$)")


class SparkEngine:
    """Runs functions on a data set whose every partition holds one part, or none."""

    def __init__(self, context: Any) -> None:  # noqa: ANN401 - of PySpark
        self.context = context

    def map(self, function: Function, parts: Parts, *shared: Message, keep: bool = False) -> Parts:
        mapped = parts.map(partial(_applied, function, shared))
        return mapped.persist(pyspark.StorageLevel.MEMORY_AND_DISK) if keep else mapped

    def reduce(self, add: Function, parts: Parts, n: int, then: Function) -> list[Any]:
        plus = partial(_plus, add)
        with told():
            if n == 1 and then is as_it_is:
                return [parts.map(_first).treeAggregate(None, plus, plus)]
            found = dict.fromkeys(range(n))
            sums = parts.flatMap(_numbered).reduceByKey(plus, min(n, 4 * parts.getNumPartitions()))
            found |= dict(sums.map(partial(_finished, then)).collect())
            return list(found.values())

    def share(self, value: Message) -> Message:
        return self.context.broadcast(value)

    def parts(self, values: Sequence[Message]) -> Parts:
        return self.context.parallelize(values, max(len(values), 1))

    def in_turn(self, parts: Parts) -> Iterator[Any]:
        with told():
            yield from parts.toLocalIterator(prefetchPartitions=True)


def _applied(function: Function, shared: tuple[Any, ...], part: Message) -> Message:
    return function(part, *(each.value for each in shared))


def _first(pieces: list[Any]) -> Message:
    return pieces[0]


def _plus(add: Function, one: Message, other: Message) -> Message:
    if one is None or other is None:
        return other if one is None else one
    return add(one, other)


def _numbered(pieces: list[Any]) -> list[tuple[int, Any]]:
    return [(number, piece) for number, piece in enumerate(pieces) if piece is not None]


def _finished(then: Function, numbered: tuple[int, Any]) -> tuple[int, Any]:
    return numbered[0], then(*numbered)


@contextmanager
def told() -> Iterator[None]:
    """Say what has happened where Spark could not finish."""
    try:
        yield
    except BoughError:
        raise
    except Exception as error:
        if not isinstance(error, PySparkException) and not type(error).__name__.startswith("Py4J"):
            raise
        said = _cause(str(error)) or type(error).__name__
        if said.startswith("ModuleNotFoundError"):
            said += (
                ". The workers of Spark run another Python. Install bough there, or name one that has "
                "it in PYSPARK_PYTHON before the session starts."
            )
        raise DistributedError(f"Spark could not finish: {said}") from error


def _cause(text: str) -> str:
    """Return the line that says what went wrong first: Spark puts that last, among its own calls."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    causes = [line.removeprefix("Caused by: ") for line in lines if AN_ERROR.match(line)]
    return next((line for line in reversed(causes) if "Traceback" not in line), "".join(lines[:1]))


def _packed(
    y: str, weight: str | None, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    some = list(batches)
    if not some:
        return
    table = pa.Table.from_batches(some)
    labels = table.column(y).to_pandas().rename(y)
    weights = None if weight is None else table.column(weight).to_numpy()
    others = [name for name in (y, weight) if name is not None]
    context = pyspark.TaskContext.get()
    number = 0 if context is None else context.partitionId()
    part = RawPart(number, table.drop_columns(others), labels, weights)
    yield pa.RecordBatch.from_arrays([pa.array([pickle.dumps(part)], pa.binary())], ["part"])


def _unpacked(row: Message) -> RawPart:
    part: RawPart = pickle.loads(row.part)  # noqa: S301 - which this module has packed
    return part


class _OnSpark(FitsParts):
    """`fit` and predictions on Spark data frames."""

    def fit(self, X: SparkTable, y: str, sample_weight: str | None = None) -> Self:
        """Grow the tree that the rows of all partitions together would grow in memory.

        Parameters
        ----------
        X : Spark data frame
            The table, with its labels and weights.
        y : str
            The column of the labels.
        sample_weight : str, default=None
            The column of weights; None: all the same.
        """
        _refuse_other(X)
        with told():
            refuse_unknown("y", y, X.columns, " as a column of X")
            if sample_weight is not None:
                refuse_unknown("sample_weight", sample_weight, X.columns, " as a column of X")
            packed = X.mapInArrow(partial(_packed, y, sample_weight), "part binary")
            return self._fit_parts(
                SparkEngine(X.sparkSession.sparkContext), packed.rdd.map(_unpacked)
            )

    def predict(self, X: SparkTable, check_input: bool = True) -> SparkTable:  # noqa: FBT001, FBT002
        """Return X with a column `prediction`, worked out when Spark needs it; of other tables, an array."""
        if not hasattr(X, "mapInArrow"):
            return super().predict(X, check_input)  # type: ignore[misc]
        return _lazily(X, self, "predict", "prediction")


class DecisionTreeClassifier(_OnSpark, estimators.DecisionTreeClassifier):  # type: ignore[misc]
    """`bough.DecisionTreeClassifier` on Spark: the same arguments, the same tree."""

    def predict_proba(self, X: SparkTable, check_input: bool = True) -> SparkTable:  # noqa: FBT001, FBT002
        """Return X with a column `probability` of lists, in the order of `classes_`."""
        if not hasattr(X, "mapInArrow"):
            return super().predict_proba(X, check_input)
        return _lazily(X, self, "predict_proba", "probability")


class DecisionTreeRegressor(_OnSpark, estimators.DecisionTreeRegressor):  # type: ignore[misc]
    """`bough.DecisionTreeRegressor` on Spark: the same arguments, the same tree."""


def _lazily(X: SparkTable, estimator: Fitted, method: str, name: str) -> SparkTable:
    check_is_fitted(estimator)
    schema = estimator.grown_tree_.schema
    if lacking := [column for column in schema.columns if column not in X.columns]:
        raise SchemaError(f"X lacks columns that were there during fit: {listed(lacking)}.")
    if name in X.columns:
        raise DataError(f"X has a column {name!r} already. Rename it, or leave it out.")
    kind: types.DataType = types.DoubleType()
    if method == "predict_proba":
        kind = types.ArrayType(types.DoubleType())
    elif schema.has_classes:
        kinds = {bool: types.BooleanType(), int: types.LongType(), str: types.StringType()}
        kind = kinds.get(type(schema.labels[0].classes[0]), kind)
    wanted = types.StructType([*X.schema.fields, types.StructField(name, kind)])
    said = partial(_said, estimator, method, name, list(schema.columns))
    return X.mapInArrow(said, wanted)


def _said(
    estimator: Fitted, method: str, name: str, columns: list[str], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        if batch.num_rows:
            table = pa.Table.from_batches([batch])
            found = getattr(estimator, method)(table.select(columns)).tolist()
            yield from table.append_column(name, [found]).to_batches()


def _refuse_other(X: SparkTable) -> None:
    if not hasattr(X, "mapInArrow"):
        raise DataError(
            f"X is of type {type(X).__name__!r}. Give a Spark data frame; bough.fit and the estimators of "
            "bough take tables in memory."
        )


def streamed(X: SparkTable) -> pa.RecordBatchReader:
    """Return the rows of a Spark data frame as a stream, which holds few partitions at a time."""
    _refuse_other(X)
    packed = X.mapInArrow(_as_messages, "rows binary")
    with told():
        rows = iter(packed.toLocalIterator(prefetchPartitions=True))
        first = next(rows, None)
    if first is None:
        raise DataError("no partition of the table has any rows.")
    schema = pa.ipc.open_stream(first.rows).schema
    return pa.RecordBatchReader.from_batches(schema, _from_messages(chain([first], rows)))


def _as_messages(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        with pa.ipc.new_stream(sink := pa.BufferOutputStream(), batch.schema) as file:
            file.write_batch(batch)
        message = pa.array([sink.getvalue().to_pybytes()], pa.binary())
        yield pa.RecordBatch.from_arrays([message], ["rows"])


def _from_messages(rows: Iterable[Any]) -> Iterator[pa.RecordBatch]:
    with told():
        for row in rows:
            yield from pa.ipc.open_stream(row.rows)


def fit(X: SparkTable, *args: Any, **options: Any) -> Result:  # noqa: ANN401
    """Run the whole protocol of `bough.fit` on a Spark data frame, and `dev` and `test` if they are given.

    The rows are streamed to this process, which learns from them within `max_memory`: what does not
    fit lies in temporary files. The estimators of this module leave the rows where they are.
    """
    tables = {name: streamed(each) for name, each in options.items() if isinstance(each, type(X))}
    return fit_streamed(streamed(X), *args, **(options | tables))
