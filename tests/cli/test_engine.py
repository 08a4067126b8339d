"""`bough fit --engine`: what is typed, what is missing, and a table that Dask reads."""

import socket
import sys

import numpy as np
import pandas as pd
import pytest


@pytest.mark.parametrize("engine", ["dask", "ray://local", "dask://host", "spark://host:many"])
def test_an_unknown_engine_is_refused(run, engine):
    found = run("fit", "rows.parquet", "-t", "label", "--engine", engine)
    assert found.status == 2
    assert f"--engine {engine!r} is not known" in found.err


def test_options_of_text_files_are_refused(run):
    found = run("fit", "a.csv", "-t", "b", "--engine", "dask://local", "--delimiter", ";")
    assert (found.status, "Parquet files only" in found.err) == (2, True)


@pytest.mark.parametrize(("engine", "package"), [("dask", "Dask"), ("spark", "Spark")])
def test_a_missing_library_is_named(run, monkeypatch, engine, package):
    monkeypatch.setitem(sys.modules, {"dask": "dask", "spark": "pyspark"}[engine], None)
    monkeypatch.delitem(sys.modules, f"bough.{engine}", raising=False)
    found = run("fit", "rows.parquet", "-t", "label", "--engine", f"{engine}://local")
    assert found.status == 2
    assert f"needs {package}" in found.err
    assert f"pip install 'bough[{engine}]'" in found.err


@pytest.mark.parametrize("engine", ["dask", "spark"])
def test_an_engine_that_does_not_answer_is_named(run, engine):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"{engine}://127.0.0.1:{free.getsockname()[1]}"
    found = run("fit", "rows.parquet", "-t", "label", "--engine", address)
    assert found.status == 2
    assert f"Nothing answers at {address}" in found.err
    assert "Traceback" not in found.err


def test_many_files_without_an_engine_are_told_of_it(run, tmp_path):
    for name in ("a.parquet", "b.parquet"):
        (tmp_path / name).touch()
    for words in (["*.parquet"], ["."]):
        found = run("fit", *words, "-t", "label")
        assert (found.status, "add --engine dask://local" in found.err) == (2, True)
    found = run("fit", "a.parquet", "b.parquet", "-t", "label", "--engine", "dask://local")
    assert (found.status, "For --engine, quote a pattern" in found.err) == (2, True)


def test_folders_and_words_that_an_engine_does_not_help_with_are_not_sent_there(run, tmp_path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "a.csv").touch()
    (tmp_path / "a.parquet").touch()
    for words in (["tables"], ["no*.parquet"], ["x" * 300], ["a.parquet", "x" * 300]):
        found = run("fit", *words, "-t", "label")
        assert (found.status, "engine" in found.err, "Traceback" in found.err) == (2, False, False)


def test_dask_reads_many_files(run, tmp_path):
    pytest.importorskip("dask.dataframe")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"number": rng.normal(size=400), "letter": rng.choice(list("xyz"), 400)})
    frame["label"] = np.where(frame["number"] + rng.normal(size=400) > 0, "yes", "no")
    frame.to_parquet("whole.parquet")
    for number, rows in enumerate(np.array_split(np.arange(400), 3)):
        frame.iloc[rows].to_parquet(tmp_path / f"part{number}.parquet")
    words = ["-t", "label", "--no-report"]
    assert run("fit", "whole.parquet", "-o", "one.json", *words).status == 0
    many = run(
        "fit", tmp_path / "part*.parquet", "-o", "many.json", *words, "--engine", "dask://local"
    )
    assert many.status == 0
    assert (tmp_path / "many.json").read_bytes() == (tmp_path / "one.json").read_bytes()
    missing = run("fit", "no*.parquet", *words, "--engine", "dask://local")
    assert (missing.status, "cannot read 'no*.parquet'" in missing.err) == (2, True)
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    other = run("fit", "table.csv", *words, "--engine", "dask://local")
    assert (other.status, "table.csv is not a Parquet file" in other.err) == (2, True)
