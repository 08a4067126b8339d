"""A budget of memory: beyond it arrays lie in files, and the model is the same to the byte."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import bough
from bough import machine_limits
from bough.errors import BudgetError, ParameterError

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the budget is kept to on Linux only"
)
N_ROWS = 50_000  # so that a column of float64 is large enough for a file
SIZE = {"max_depth": 5, "criterion": ["gini"], "categorical": "group"}


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(18)
    size, kind = rng.normal(size=N_ROWS), rng.integers(0, 12, N_ROWS)
    amount = size + (kind % 3) + rng.normal(size=N_ROWS)
    return pd.DataFrame(
        {
            "size": np.where(rng.random(N_ROWS) < 0.1, np.nan, size),
            "kind": np.array([f"kind {each}" for each in range(12)])[kind],
            "count": rng.integers(0, 1000, N_ROWS),
            "weight": rng.integers(1, 4, N_ROWS),
            "class": np.where(amount > 1, "yes", "no"),
            "amount": amount.round(3),
        }
    )


@pytest.fixture
def tiny(monkeypatch):
    """Give the least budget that there can be, in which every file is large."""
    monkeypatch.setattr(machine_limits, "SPREAD", 10**9)
    parts = machine_limits.OF_FILES
    return lambda: (
        (machine_limits._anonymous() + machine_limits.KEPT_FREE) * parts // (parts - 1) + 2**22
    )


def nameless_files():
    return [line for line in Path("/proc/self/maps").read_text().splitlines() if "/#" in line]


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
@pytest.mark.parametrize(
    ("target", "others"), [("class", "amount"), ("amount", "class")], ids=["classes", "numbers"]
)
def test_the_model_is_the_same_to_the_byte(table, tmp_path, tiny, suffix, target, others):
    path, seen = tmp_path / f"rows.{suffix}", []
    table.to_parquet(path) if suffix == "parquet" else table.to_csv(path, index=False)
    asked = SIZE | {"criterion": None if target == "amount" else "gini"}
    asked |= {"weight": "weight", "ignore": [others]}
    usual = bough.fit(path, target, **asked)
    within = bough.fit(
        path, target, **asked, max_memory=tiny(),
        progress=lambda *_: seen.append(len(nameless_files())),
    )  # fmt: skip
    for number, result in enumerate((usual, within)):
        result.save(tmp_path / f"{number}.bough.json")
    assert (tmp_path / "0.bough.json").read_bytes() == (tmp_path / "1.bough.json").read_bytes()
    assert max(seen) > 5


def test_a_stream_that_can_be_read_once_gives_the_tree_of_the_table(table, tmp_path, tiny):
    X, y = table.drop(columns=["class", "amount"]), table["class"]
    whole = pa.Table.from_pandas(X, preserve_index=False)
    reader = pa.RecordBatchReader.from_batches(whole.schema, whole.to_batches(max_chunksize=999))
    bough.DecisionTreeClassifier(max_depth=5).fit(whole, y).save(tmp_path / "0.bough.json")
    with machine_limits.memory_budget(tiny()):
        streamed = bough.DecisionTreeClassifier(max_depth=5).fit(reader, y)
    streamed.save(tmp_path / "1.bough.json")
    assert (tmp_path / "0.bough.json").read_bytes() == (tmp_path / "1.bough.json").read_bytes()


def test_what_an_engine_holds_once_it_gave_the_rows_counts(monkeypatch):
    with machine_limits.memory_budget("64GB"):
        held, before = [np.ones(2**18)], len(nameless_files())
        monkeypatch.setattr(machine_limits, "_anonymous", lambda: 64 * 2**30)
        machine_limits.count_again()
        held.append(np.ones(2**18))
        assert len(nameless_files()) == before + 1


def test_too_small_a_budget_is_refused_before_anything_is_read():
    with pytest.raises(
        BudgetError, match=r"max_memory='50MB' is too little.*at least max_memory='"
    ):
        bough.fit("no such file.parquet", "class", max_memory="50MB")


def test_a_system_that_does_not_tell_its_memory_has_no_limit(monkeypatch):
    monkeypatch.setattr(machine_limits, "_kilobytes", lambda *_: 0)
    with machine_limits.memory_budget():
        assert machine_limits.reading_limit(2**40) is None


def test_more_rows_than_can_be_sorted_are_refused(tiny):
    with (
        machine_limits.memory_budget(tiny()),
        pytest.raises(BudgetError, match="for 100,000,000 rows"),
    ):
        machine_limits.refuse_too_many_rows(100_000_000)


def test_a_column_of_too_many_texts_is_refused(tmp_path, tiny, monkeypatch):
    monkeypatch.setattr("bough.table.file.cells.BYTES_PER_TEXT", 2**20)
    path = tmp_path / "rows.parquet"
    names = [f"name {each}" for each in range(3_000)]
    pd.DataFrame({"name": names, "x": range(3_000)}).to_parquet(path)
    with pytest.raises(BudgetError, match=r"Column 1 .* different texts.*at least max_memory='"):
        bough.fit(path, "x", max_memory=tiny())


@pytest.mark.parametrize("given", ["much", "3 XB", 0, -1, True, "0GB", 1.5])
def test_what_is_no_amount_of_memory_is_refused(given):
    with pytest.raises(ParameterError, match="is not an amount of memory"):
        bough.fit({"a": [1]}, "a", max_memory=given)


def test_a_folder_that_cannot_be_written_to_is_named(table, tiny, monkeypatch):
    monkeypatch.setattr(machine_limits, "_folder", lambda: "/no/such/folder")
    with pytest.raises(OSError, match=r"'/no/such/folder'.*TMPDIR"):
        bough.fit(table, "class", max_memory=tiny())


INTERRUPTED = """
import os, signal, sys
import bough
from bough import machine_limits
machine_limits.SPREAD = 10**9
stages = []
def interrupt(stage, share):
    stages.append(len(os.listdir(sys.argv[2])))
    if share > 0:
        os.kill(os.getpid(), signal.SIGINT)
try:
    bough.fit(sys.argv[1], "class", max_memory="300MB", progress=interrupt)
finally:
    print(max(stages))
"""


def test_ctrl_c_leaves_no_file(table, tmp_path):
    path, folder = tmp_path / "rows.parquet", tmp_path / "temporary"
    folder.mkdir()
    table.to_parquet(path)
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, path, folder],
        env={"TMPDIR": str(folder), "PYTHONPATH": str(Path(bough.__file__).parents[1])},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "KeyboardInterrupt" in done.stderr
    assert done.stdout == "1\n"  # while the file is read
    assert not list(folder.iterdir())
