"""The estimators and `fit` of `bough.spark`, on a session of this machine."""

import sys
from shutil import which

import numpy as np
import pandas as pd
import pytest
from partitioned_tables import bytes_of
from sklearn.exceptions import NotFittedError

import bough
from bough.errors import DataError, ParameterError, SchemaError
from bough.exports import model_file
from bough.partitioned.parquet_files import stream_of_files

pytest.importorskip("pyspark")
if which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)

from pyspark.sql import SparkSession

import bough.spark

pytestmark = pytest.mark.filterwarnings("ignore")  # of Spark, about itself


@pytest.fixture(scope="module")
def session():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        session = (
            SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.ui.showConsoleProgress", "false").getOrCreate()
        )  # fmt: skip
        yield session
        session.stop()


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "number": rng.normal(size=400).round(2),
            "letter": rng.choice(list("xyz"), 400),
            "word": rng.choice(["p", "q", None], 400),
            "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 500, 400), "D"),
        }
    )
    frame["label"] = np.where(frame["number"] + rng.random(400) > 0.5, "yes", "no")
    return frame.assign(value=2 * frame["number"] + 1)


@pytest.fixture(scope="module")
def lazy(session, frame):
    return session.createDataFrame(frame).repartition(3)


@pytest.mark.parametrize("exact", [True, False])
def test_partitions_give_the_bytes_of_the_tree_in_memory(frame, lazy, exact):
    X = frame.drop(columns=["label", "value"])
    known = bough.DecisionTreeClassifier(max_depth=3, exact=exact).fit(X, frame["label"])
    tree = bough.spark.DecisionTreeClassifier(max_depth=3, exact=exact)
    tree.gather_rows = 300
    tree.fit(lazy.drop("value"), "label")
    assert bytes_of(tree) == bytes_of(known)
    said = tree.predict_proba(tree.predict(lazy)).toPandas()
    assert (said["prediction"] == known.predict(said[[*X]])).all()
    assert (np.stack(said["probability"]) == known.predict_proba(said[[*X]])).all()


def test_numbers_are_predicted(frame, lazy):
    known = bough.DecisionTreeRegressor(max_depth=2).fit(frame[["number"]], frame["value"])
    tree = bough.spark.DecisionTreeRegressor(max_depth=2).fit(
        lazy.select("number", "value"), "value"
    )
    assert bytes_of(tree) == bytes_of(known)
    said = tree.predict(lazy).toPandas()
    assert (said["prediction"] == known.predict(said[["number"]])).all()


def test_what_cannot_be_predicted_is_said_at_once(lazy):
    tree = bough.spark.DecisionTreeRegressor(max_depth=1).fit(
        lazy.select("number", "value"), "value"
    )
    with pytest.raises(SchemaError, match="lacks columns that were there during fit: 'number'"):
        tree.predict(lazy.drop("number"))
    with pytest.raises(DataError, match="has a column 'prediction' already"):
        tree.predict(tree.predict(lazy))


def test_arguments_of_another_kind_are_named(frame, lazy):
    tree = bough.spark.DecisionTreeClassifier()
    with pytest.raises(DataError, match=r"X is of type 'DataFrame'\. Give a Spark data frame"):
        tree.fit(frame, "label")
    with pytest.raises(ParameterError, match="y='lable' is not known as a column of X"):
        tree.fit(lazy, "lable")
    with pytest.raises(NotFittedError):
        tree.predict(lazy)
    assert not hasattr(bough.spark.DecisionTreeRegressor(), "predict_proba")


def test_what_went_wrong_is_told_and_not_where_spark_was():
    text = """An error occurred while calling o53.collectToPython.
    : org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 3.0 failed
    \tat org.apache.spark.util.SparkErrorUtils.tryWithSafeFinally$(SparkErrorUtils.scala:83)
    Caused by: org.apache.spark.api.python.PythonException: Traceback (most recent call last):
      File "part.py", line 1, in taken
    MemoryError: Unable to allocate 8 GiB
    \tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(x.scala:5)"""
    assert bough.spark._cause(text) == "MemoryError: Unable to allocate 8 GiB"
    plain = "[PATH_NOT_FOUND] Path does not exist: file:/none. SQLSTATE: 42K03"
    assert bough.spark._cause(plain) == plain


def test_parquet_files_give_the_model_of_one_file(session, frame, tmp_path):
    X = frame.drop(columns="value")
    pieces = [X[:0], X[:1], X[1:150], X[150:].assign(number=X["number"][150:].astype("float32"))]
    for number, piece in enumerate(pieces):
        piece.to_parquet(tmp_path / f"{number}.parquet")
    engine = bough.spark.SparkEngine(session.sparkContext)
    stream = stream_of_files(engine, f"{tmp_path}/*.parquet")
    streamed, in_memory = bough.fit(stream, "label"), bough.fit(pd.concat(pieces), "label")
    one, other = (model_file.dumps(each.__bough_model__()) for each in (streamed, in_memory))
    assert one == other


def test_the_whole_protocol_on_streamed_rows_gives_the_model_in_memory(frame, lazy):
    X = frame.drop(columns="value")
    streamed, in_memory = bough.spark.fit(lazy.drop("value"), "label"), bough.fit(X, "label")
    one, other = (model_file.dumps(each.__bough_model__()) for each in (streamed, in_memory))
    assert one == other
