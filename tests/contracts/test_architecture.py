"""The rules of docs/architecture.md that a machine can check."""

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from bough.table.column import Column, Numeric

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "bough"
MODULES = sorted(SOURCE.rglob("*.py"))
CORE = sorted((ROOT / "core").glob("*.[ch]pp"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
MOST_LINES = 400
MOST_LINES_OF_A_FUNCTION = 40

# `predict` and the model file hand the arrays on as a whole; they follow no link.
FOLLOW_LINKS = {"tree", "walk.py", "graft.py", "reference.py"}
HAND_ON = {"predict.py", "grow"}

KINDS_OF_COLUMNS = {
    each.__name__ for each in (Numeric, *Column.__subclasses__(), *Numeric.__subclasses__())
}


def name_of(path):
    return str(path.relative_to(ROOT))


def functions(module):
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def n_lines(function):
    """Count the lines of a function without its docstring and its parameters, each on a line."""
    first = function.body[0]
    start = first.lineno if ast.get_docstring(function) is None else first.end_lineno + 1
    return function.end_lineno - start + 1


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_only_walk_follows_the_links_between_nodes(module):
    if {module.relative_to(SOURCE).parts[0]} & (FOLLOW_LINKS | HAND_ON):
        return
    found = re.findall(r"\.(children|first_child|n_children)\b", module.read_text("utf-8"))
    assert not found, "use walk, fold, trail, parents or depths from bough.walk"


def test_the_page_names_every_part_of_the_package_and_of_the_core():
    parts = [
        path for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    ]
    known = set(re.findall(r"\w+", (ROOT / "docs" / "architecture.md").read_text("utf-8")))
    unnamed = {path.stem for path in [*parts, *CORE]} - known
    assert unnamed == {"__init__", "__main__"}


@pytest.mark.parametrize("path", [*MODULES, *CORE], ids=name_of)
def test_a_file_has_a_job_and_is_named_for_it(path):
    assert path.stem not in {"utils", "common", "helpers", "misc", "base"}


@pytest.mark.parametrize("path", [*MODULES, *CORE, *TESTS], ids=name_of)
def test_a_file_is_short(path):
    assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_a_function_is_short(module):
    long = [each.name for each in functions(module) if n_lines(each) > MOST_LINES_OF_A_FUNCTION]
    assert long == []


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_only_tables_know_the_kinds_of_columns(module):
    if module.is_relative_to(SOURCE / "table"):
        return
    imports = [
        each
        for each in ast.walk(ast.parse(module.read_text("utf-8")))
        if isinstance(each, ast.ImportFrom) and each.module == "bough.table.column"
    ]
    known = {name.name for each in imports for name in each.names}
    assert not known & KINDS_OF_COLUMNS, "give Column a method, so that a new kind is one class"


def test_no_two_classes_have_one_name():
    # The reference is the package once more, in its own words; the estimators of an engine are
    # those in memory once more, and have their names.
    once_more = ("reference", "dask", "spark")
    others = [module for module in MODULES if not module.stem.startswith(once_more)]
    trees = [ast.parse(module.read_text("utf-8")) for module in others]
    names = Counter(
        node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_no_block_hides_an_import_from_the_contract(module):
    assert "TYPE_CHECKING" not in module.read_text("utf-8")


def test_data_flows_one_way():
    found = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr
