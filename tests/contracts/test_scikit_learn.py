"""scikit-learn's contract: its checks of estimators, and its own tests of trees."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sklearn.utils.estimator_checks import (
    check_dataframe_column_names_consistency,
    parametrize_with_checks,
)

import bough
from bough import DecisionTreeClassifier, DecisionTreeRanker, DecisionTreeRegressor

ESTIMATORS = [DecisionTreeClassifier(), DecisionTreeRegressor(), DecisionTreeRanker()]

TESTS = Path(__file__).parents[1]
DOCS = TESTS.parent / "docs" / "scikit-learn.md"
FILES = ("test_tree", "test_monotonic_tree")
AT_LEAST = 270 + 63

# The checks warn on purpose, and look at what came of it.
pytestmark = pytest.mark.filterwarnings("default")


@parametrize_with_checks(ESTIMATORS)
def test_the_checks_of_scikit_learn_pass(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_names_of_columns_are_checked_as_scikit_learn_does(estimator):
    check_dataframe_column_names_consistency(type(estimator).__name__, estimator)


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    """Run scikit-learn's tests of decision trees on bough's, in a process of their own."""
    folder = tmp_path_factory.mktemp("shim")
    (folder / "pytest.ini").write_text("[pytest]\n")
    report = folder / "report.json"
    environment = {name: each for name, each in os.environ.items() if "PYTEST" not in name}
    paths = [str(TESTS / "support"), str(Path(bough.__file__).parents[1])]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "sklearn_shim", "-p", "no:cacheprovider"]
    command += ["-c", "pytest.ini", "--rootdir", ".", f"--shim-report={report}", "--tb=line"]
    found = subprocess.run(
        [*command, "--pyargs", *(f"sklearn.tree.tests.{name}" for name in FILES)],
        cwd=folder,
        env=environment | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert report.exists(), found.stdout + found.stderr
    return json.loads(report.read_text("utf-8"))


@pytest.fixture
def applicable(cases):
    """Give the cases that grow trees of bough."""
    cython = listed("Not applicable")
    return {name: case for name, case in cases.items() if case["criteria"] and name not in cython}


def listed(heading):
    """Return the cases that the documentation lists under a heading."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", DOCS.read_text("utf-8"), re.M | re.S)
    return set(re.findall(r"`(test_[^`]*)`", section[1]))


def test_scikit_learns_own_tests_of_trees_pass(applicable):
    passed = [name for name, case in applicable.items() if case["passed"]]
    missed = {name: case["why"] for name, case in applicable.items() if not case["passed"]}
    assert len(passed) >= AT_LEAST, f"{len(passed)} of {len(applicable)}; missed: {missed}"


def test_most_cases_grow_trees_of_bough(applicable):
    assert len(applicable) >= AT_LEAST


def test_every_miss_is_listed_with_its_reason(applicable):
    missed = {name for name, case in applicable.items() if not case["passed"]}
    assert missed == listed("Misses")
