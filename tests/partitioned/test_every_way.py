"""One tree, grown in every way from any number of parts in another order: the model file has the same bytes."""

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from shutil import which

import numpy as np
import pyarrow as pa
import pytest
from partitioned_tables import bytes_of, grown

from bough import DecisionTreeClassifier, DecisionTreeRegressor, machine_limits
from bough.partitioned.read_parts import RawPart

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from engines import made, shuffled

TREES = {"class": DecisionTreeClassifier, "value": DecisionTreeRegressor}
GATHERED = 400  # so that the nodes above are searched from sums
FRAME = made(900)
FEATURES = [name for name in FRAME if name not in ("class", "value", "weight")]


def tree_of(target, module=None):
    kind = TREES[target] if module is None else getattr(module, TREES[target].__name__)
    tree = kind(max_depth=6)
    tree.gather_rows = GATHERED
    return tree


@pytest.fixture(scope="module")
def in_memory():
    return {
        target: bytes_of(tree_of(target).fit(FRAME[FEATURES], FRAME[target], sample_weight=FRAME["weight"]))
        for target in TREES
    }  # fmt: skip


def pieces(frame, n_parts):
    return [frame.iloc[rows] for rows in np.array_split(np.arange(len(frame)), n_parts)]


def from_a_stream(target, frame, n_parts):
    """Read batches once, into a file."""
    batches = [
        batch for piece in pieces(frame[FEATURES], n_parts)
        for batch in pa.Table.from_pandas(piece, preserve_index=False).to_batches()
    ]  # fmt: skip
    reader = pa.RecordBatchReader.from_batches(batches[0].schema, batches)
    with pytest.MonkeyPatch.context() as patch, machine_limits.memory_budget("64GB"):
        patch.setattr(machine_limits, "SPREAD", 10**9)  # every stream is a large one
        return tree_of(target).fit(reader, frame[target], sample_weight=frame["weight"])


def in_process(target, frame, n_parts):
    parts = [
        RawPart(number, piece[FEATURES], piece[target], piece["weight"].to_numpy())
        for number, piece in enumerate(pieces(frame, n_parts))
    ]
    tree = tree_of(target)
    grown(tree, parts, GATHERED)
    return tree


def on_dask(target, frame, n_parts):
    pytest.importorskip("dask.dataframe")
    import dask
    import dask.dataframe

    import bough.dask

    with dask.config.set(scheduler="synchronous"):
        lazy = dask.dataframe.from_pandas(
            frame[[*FEATURES, target, "weight"]], npartitions=n_parts, sort=False
        )
        return tree_of(target, bough.dask).fit(lazy, target, "weight")


def on_spark(target, frame, n_parts):
    pytest.importorskip("pyspark")
    if which("java") is None or not os.environ.get("BOUGH_THOROUGH"):
        pytest.skip("Spark needs Java and minutes: `make engines` has both")
    import bough.spark

    with a_session() as session:
        lazy = session.createDataFrame(frame[[*FEATURES, target, "weight"]]).repartition(n_parts)
        return tree_of(target, bough.spark).fit(lazy, target, "weight")


@contextmanager
def a_session():
    """Give the session of this process; Spark stops it with the process."""
    from pyspark.sql import SparkSession

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        yield (
            SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.ui.showConsoleProgress", "false").getOrCreate()
        )  # fmt: skip


@pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::FutureWarning"
)
@pytest.mark.parametrize("target", TREES)
@pytest.mark.parametrize("n_parts", [1, 3, 7, 40])
@pytest.mark.parametrize(
    "way", [from_a_stream, in_process, on_dask, on_spark], ids=lambda way: way.__name__
)
def test_every_way_gives_the_bytes_of_the_tree_in_memory(in_memory, way, n_parts, target):
    tree = way(target, shuffled(FRAME, n_parts), n_parts)
    assert len(tree.grown_tree_) > 20
    assert bytes_of(tree) == in_memory[target]
