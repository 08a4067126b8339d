"""`import bough`: what it offers, and what it costs."""

import ast
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import pytest

import bough
from bough import errors

STUB = Path(bough.__file__).with_suffix(".pyi")
MEASURE = """
import sys, time
before = set(sys.modules)
start = time.process_time()
import bough
seconds = time.process_time() - start
print(seconds, *({name.partition(".")[0] for name in set(sys.modules) - before} - {"bough"}))
"""


def measured():
    """Import bough in a new process: the seconds of its processor, and the packages that came with it."""
    found = subprocess.run(
        [sys.executable, "-c", MEASURE], capture_output=True, text=True, check=True
    )
    seconds, *packages = found.stdout.split()
    return float(seconds), set(packages)


def test_import_loads_no_third_party_package():
    _, packages = measured()
    assert packages <= sys.stdlib_module_names


def test_import_takes_less_than_a_tenth_of_a_second():
    assert min(measured()[0] for _ in range(3)) < 0.1


@pytest.mark.parametrize("name", bough.__all__)
def test_every_public_name_is_there(name):
    assert getattr(bough, name) is not None


def test_the_stub_names_what_the_package_offers():
    named = set()
    for statement in ast.parse(STUB.read_text("utf-8")).body:
        if isinstance(statement, ast.ImportFrom):
            named |= {alias.asname for alias in statement.names}
        else:
            named.add(statement.target.id)
    assert named == set(bough.__all__)


def test_dir_lists_the_public_names():
    assert dir(bough) == sorted(bough.__all__)


def test_every_error_is_public():
    kinds = {
        name
        for name, each in vars(errors).items()
        if isinstance(each, type) and issubclass(each, errors.BoughError)
    }
    assert kinds <= set(bough.__all__)


def test_no_module_has_the_name_of_a_function():
    modules = {each.name for each in pkgutil.iter_modules(bough.__path__)}
    functions = {name for name in bough.__all__ if isinstance(getattr(bough, name), FunctionType)}
    assert not modules & functions


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError) as error:
        _ = bough.grwo
    assert str(error.value) == "module 'bough' has no attribute 'grwo'"
