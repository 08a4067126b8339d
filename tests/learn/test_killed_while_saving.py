"""`kill -9` while a model is saved: the old one or the new one can be read, always."""

import os
import signal
import time

import made_tables as made
import numpy as np
import pytest

import bough
from bough.exports.model_file import dumps, load

N_KILLS = int(os.environ.get("BOUGH_KILLS", "60"))  # `make kills`: 1,000
OLD = bough.fit(made.classes(), "label", n_jobs=1)
NEW = bough.fit(made.classes(seed=1), "label", criterion="entropy", n_jobs=1)


def save_for_ever(path, models):
    while True:
        for model in models:
            model.save(path)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # a fork of a process with threads
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_kill_at_any_moment_leaves_a_model_that_can_be_read(tmp_path):
    path = tmp_path / "label.bough.json"
    OLD.save(path)
    rng = np.random.default_rng(0)
    found = set()
    for kill in range(N_KILLS):
        before = path.stat().st_ino
        child = os.fork()
        if child == 0:
            save_for_ever(path, (OLD, NEW) if kill % 2 else (NEW, OLD))
        give_up = time.monotonic() + 10
        while path.stat().st_ino == before and time.monotonic() < give_up:
            time.sleep(0.001)  # until it has saved once
        time.sleep(rng.uniform(0, 0.03))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        found.add(dumps(load(path)))
    assert found == {dumps(OLD.saved), dumps(NEW.saved)}
