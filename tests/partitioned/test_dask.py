"""The estimators of `bough.dask`, on Dask's own threads."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.errors import BoughError, DataError, ParameterError
from bough.exports import model_file

pytest.importorskip("dask.dataframe")

import dask
import dask.array
import dask.dataframe
from partitioned_tables import bytes_of, frame_of, labels_of, weights_of

import bough.dask


@pytest.fixture(autouse=True)
def _in_this_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def frame_with_labels():
    X = frame_of(200)
    return X.assign(label=labels_of(X)[0], weight=weights_of(200))


def test_partitions_of_a_frame_give_the_bytes_of_the_tree_in_memory():
    frame = frame_with_labels()
    X = frame.drop(columns=["label", "weight"])
    known = DecisionTreeClassifier(max_depth=4)
    known.fit(X, frame["label"], sample_weight=frame["weight"])
    lazy = dask.dataframe.from_pandas(
        frame.sample(frac=1, random_state=0), npartitions=3, sort=False
    )
    tree = bough.dask.DecisionTreeClassifier(max_depth=4)
    tree.gather_rows = 60
    tree.fit(lazy, "label", "weight")
    assert bytes_of(tree) == bytes_of(known)
    others = dask.dataframe.from_pandas(X, npartitions=2)
    assert (tree.predict(others).compute() == known.predict(X)).all()
    assert (tree.predict_proba(others).compute() == known.predict_proba(X)).all()


@pytest.mark.parametrize("exact", [True, False])
def test_blocks_of_an_array(exact):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 4)), rng.normal(size=300)
    known = DecisionTreeRegressor(max_depth=4, exact=exact).fit(X, y)
    lazy = dask.array.from_array(X, chunks=(70, 3))
    tree = bough.dask.DecisionTreeRegressor(max_depth=4, exact=exact)
    tree.gather_rows = 50
    tree.fit(lazy, dask.array.from_array(y, chunks=70))
    assert bytes_of(tree) == bytes_of(known)
    assert (tree.predict(lazy).compute() == known.predict(X)).all()


def test_other_partitions_of_y_are_refused():
    X, y = dask.array.zeros((6, 2), chunks=2), dask.array.zeros(6, chunks=3)
    with pytest.raises(DataError, match="y has 2 partitions, but X has 3"):
        bough.dask.DecisionTreeRegressor().fit(X, y)


@pytest.mark.parametrize(
    ("message", "given"),
    [
        ("X is of type 'list'", {"X": [[1], [2]]}),
        ("y is of type 'list'.*or the name of a column of X", {"y": ["a", "b"]}),
        ("y='lable' is not known as a column of X. Did you mean 'label'", {"y": "lable"}),
        ("sample_weight='w' is not known as a column of X", {"sample_weight": "w"}),
    ],
    ids=str,
)
def test_arguments_of_another_kind_are_named(message, given):
    lazy = dask.dataframe.from_pandas(frame_with_labels(), npartitions=2)
    with pytest.raises(BoughError, match=message):
        bough.dask.DecisionTreeClassifier().fit(**{"X": lazy, "y": "label", **given})


@pytest.mark.parametrize("name", ["y", "sample_weight"])
def test_an_array_has_no_column_of_a_name(name):
    lazy = dask.array.zeros((4, 2), chunks=(2, 2))
    given = {"y": dask.array.zeros(4, chunks=2), name: "late"}
    with pytest.raises(DataError, match=f"{name}='late' names a column, but X is an array"):
        bough.dask.DecisionTreeClassifier().fit(lazy, **given)


def test_how_many_rows_a_worker_takes_is_a_number():
    tree = bough.dask.DecisionTreeClassifier()
    tree.gather_rows = "all"
    lazy = dask.dataframe.from_pandas(frame_with_labels(), npartitions=2)
    with pytest.raises(ParameterError, match="gather_rows='all' must be a whole number of rows"):
        tree.fit(lazy, "label")


def test_predictions_before_fit_are_refused_as_in_memory():
    with pytest.raises(NotFittedError):
        bough.dask.DecisionTreeClassifier().predict(dask.array.zeros((4, 2)))


def test_a_table_in_memory_is_sent_to_what_takes_it():
    with pytest.raises(DataError, match=r"or use bough\.fit for tables in memory"):
        bough.dask.fit(frame_with_labels(), "label")


def test_several_outputs_are_predicted():
    frame = frame_with_labels()
    X, y = frame[["number", "count"]], frame[["label", "letter"]]
    in_memory = DecisionTreeClassifier(max_depth=3).fit(X, y)
    lazy = [dask.dataframe.from_pandas(each, npartitions=3) for each in (X, y)]
    tree = bough.dask.DecisionTreeClassifier(max_depth=3).fit(*lazy)
    assert (tree.predict(lazy[0]).compute() == in_memory.predict(X)).all()
    with pytest.raises(DataError, match="predict_proba gives an array for each of several"):
        tree.predict_proba(lazy[0])


def saved(result):
    return model_file.dumps(result.__bough_model__())


def test_the_whole_protocol_on_streamed_rows_gives_the_model_in_memory():
    frame = frame_with_labels().drop(columns="weight")
    letters = sorted(frame["letter"].unique(), reverse=True)
    frame["rank"] = pd.Categorical(frame["letter"], letters, ordered=True)
    frame["group"] = frame["letter"].astype("category")
    frame["flag"] = np.where(frame["count"] < 3, None, frame["count"] > 9)
    with dask.config.set({"dataframe.convert-string": False}):  # it would make texts of flags
        lazy = dask.dataframe.from_pandas(frame.sort_values("count"), npartitions=3, sort=False)
        lazy["group"] = lazy["group"].cat.as_unknown()
    assert saved(bough.dask.fit(lazy, "label")) == saved(bough.fit(frame, "label"))


def test_development_and_test_rows_are_streamed_too():
    frame = frame_with_labels().drop(columns="weight")
    pieces = [frame.iloc[:120], frame.iloc[120:160], frame.iloc[160:]]
    train, dev, test = (dask.dataframe.from_pandas(each, npartitions=2) for each in pieces)
    in_memory = bough.fit(pieces[0], "label", dev=pieces[1], test=pieces[2])
    assert saved(bough.dask.fit(train, "label", dev=dev, test=test)) == saved(in_memory)


def test_a_partition_of_another_type_is_named_in_a_stream():
    frame = pd.DataFrame({"a": np.arange(8.0), "label": list("xyxyxyxy")})
    lazy = dask.dataframe.from_pandas(frame, npartitions=2)
    lazy = lazy.map_partitions(
        lambda part: part.assign(a="?") if part.index[0] else part, meta=frame.iloc[:0]
    )
    with pytest.raises(DataError, match="partition 1 of the table"):
        bough.dask.fit(lazy, "label")
