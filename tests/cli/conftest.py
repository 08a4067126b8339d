"""Runs command lines inside this process."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

import bough
from bough.cli import main
from bough.exports.model_file import Model, load, save
from bough.pruning.ways import at_depth

TABLES = Path(bough.__file__).parent / "tables"
GOLDEN = Path(__file__).parents[1] / "golden"


class Run(NamedTuple):
    """What a command line gave."""

    status: int
    out: str
    err: str

    @property
    def document(self):
        return json.loads(self.out)


@pytest.fixture
def run(capsysbinary, monkeypatch, tmp_path):
    """Give a function that runs `bough WORDS` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def run(*words):
        status = main([str(word) for word in words])
        captured = capsysbinary.readouterr()
        return Run(status, captured.out.decode(), captured.err.decode())

    return run


@pytest.fixture
def table(tmp_path):
    """Give a file with the table of play tennis."""
    path = tmp_path / "tennis.csv"
    path.write_text((TABLES / "play_tennis.csv").read_text().replace("play_tennis", "play"))
    return path


@pytest.fixture
def tennis():
    """Give the model file of play tennis."""
    return GOLDEN / "play_tennis.bough.json"


@pytest.fixture
def stump(tmp_path, tennis):
    """Give a smaller model of play tennis, which asks about the outlook alone."""
    path = tmp_path / "stump.bough.json"
    save(Model(at_depth(load(tennis).tree, 1), {}), path)
    return path


@pytest.fixture
def learnt(run):
    """Give what is known about a model of penguins, `birds.json`."""
    return run(
        "fit", TABLES / "penguins.csv", "-t", "species", "-o", "birds.json", "--json"
    ).document
