"""The rules of docs/architecture.md that a machine can check."""

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from bough.table.column import Column, Numeric

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "bough"
MODULES = sorted(SOURCE.rglob("*.py"))
CORE = sorted((ROOT / "core").glob("*.[ch]pp"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
MOST_LINES = 400
MOST_LINES_OF_A_FUNCTION = 40

FOLLOW_LINKS = {"tree", "walk.py", "reference.py", "grow"}

KINDS_OF_COLUMNS = {
    each.__name__ for each in (Numeric, *Column.__subclasses__(), *Numeric.__subclasses__())
}


TEXTS = {path: path.read_text("utf-8") for path in (*MODULES, *CORE, *TESTS)}
PARSED = {module: ast.parse(TEXTS[module]) for module in MODULES}


def those(paths, *, are):
    """Return the names of the files of which something is true."""
    return [str(path.relative_to(ROOT)) for path in paths if are(path)]


def found_in(module, kind):
    return [node for node in ast.walk(PARSED[module]) if isinstance(node, kind)]


def n_lines(function):
    """Count the lines of a function without its docstring and its parameters, each on a line."""
    first = function.body[0]
    start = first.lineno if ast.get_docstring(function) is None else first.end_lineno + 1
    return function.end_lineno - start + 1


def test_only_walk_follows_the_links_between_nodes():
    def follows(module):
        return re.search(r"\.(children|first_child|n_children)\b", TEXTS[module])

    others = [each for each in MODULES if each.relative_to(SOURCE).parts[0] not in FOLLOW_LINKS]
    # Use walk, fold, trail, parents or depths from bough.walk.
    assert those(others, are=follows) == []


def test_the_page_names_every_part_of_the_package_and_of_the_core():
    parts = [
        path for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    ]
    known = set(re.findall(r"\w+", (ROOT / "docs" / "architecture.md").read_text("utf-8")))
    unnamed = {path.stem for path in [*parts, *CORE]} - known
    assert unnamed == {"__init__", "__main__"}


def test_a_file_has_a_job_and_is_named_for_it():
    nameless = {"utils", "common", "helpers", "misc", "base"}
    assert those([*MODULES, *CORE], are=lambda path: path.stem in nameless) == []


def test_a_file_is_short():
    assert those(TEXTS, are=lambda path: len(TEXTS[path].splitlines()) > MOST_LINES) == []


def test_a_function_is_short():
    long = [
        (module.name, each.name)
        for module in MODULES
        for each in found_in(module, ast.FunctionDef | ast.AsyncFunctionDef)
        if n_lines(each) > MOST_LINES_OF_A_FUNCTION
    ]
    assert long == []


def test_only_tables_know_the_kinds_of_columns():
    def knows(module):
        imports = found_in(module, ast.ImportFrom)
        named = (each for each in imports if each.module == "bough.table.column")
        return {name.name for each in named for name in each.names} & KINDS_OF_COLUMNS

    others = [each for each in MODULES if not each.is_relative_to(SOURCE / "table")]
    assert those(others, are=knows) == []  # give Column a method, so that a new kind is one class


def test_no_two_classes_have_one_name():
    # The reference is the package once more, in its own words; the estimators of an engine are
    # those in memory once more, and have their names.
    once_more = ("reference", "dask", "spark")
    others = [module for module in MODULES if not module.stem.startswith(once_more)]
    names = Counter(each.name for module in others for each in found_in(module, ast.ClassDef))
    assert [name for name, count in names.items() if count > 1] == []


def test_no_constant_is_given_two_values():
    def given(module):
        assigned = (each for each in PARSED[module].body if isinstance(each, ast.Assign))
        targets = (target for each in assigned for target in each.targets)
        return Counter(
            name.id for each in targets for name in ast.walk(each) if isinstance(name, ast.Name)
        )

    assert those(MODULES, are=lambda module: max(given(module).values(), default=0) > 1) == []


def test_no_block_hides_an_import_from_the_contract():
    assert those(MODULES, are=lambda module: "TYPE_CHECKING" in TEXTS[module]) == []


def test_data_flows_one_way():
    found = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr
