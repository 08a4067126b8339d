"""Every example in a docstring runs."""

import doctest
import pkgutil
from importlib import import_module

import handmade
import numpy as np
import pytest

import bough

MODULES = sorted(
    each.name
    for each in pkgutil.walk_packages(bough.__path__, "bough.")
    if each.name not in ("bough._core", "bough.__main__")
)


ENGINES = {"bough.dask": "dask", "bough.spark": "pyspark"}  # what only these modules need


@pytest.mark.parametrize("name", ["bough", *MODULES])
def test_the_examples_of_a_module_run(name, tmp_path, monkeypatch):
    if name in ENGINES:
        pytest.importorskip(ENGINES[name])
    monkeypatch.chdir(tmp_path)
    ready = {"play_tennis_tree": handmade.play_tennis(), "np": np, "bough": bough}
    assert doctest.testmod(import_module(name), extraglobs=ready).failed == 0
