"""A pytest plugin: run scikit-learn's own tests of its decision trees on bough's.

    pytest -p sklearn_shim --pyargs sklearn.tree.tests.test_tree --shim-report=report.json

The two classes are replaced before the test file is read, so the file needs no change. The report
says for each case how it went and with which criteria it grew trees of bough; a case that grew
none says nothing about bough.
"""

import json
from functools import wraps
from pathlib import Path

import pytest
import sklearn.ensemble  # forests are built on scikit-learn's trees and keep them
import sklearn.tree
from sklearn.ensemble import _bagging, _weight_boosting

import bough

CLASSES = ("DecisionTreeClassifier", "DecisionTreeRegressor")
GROWING = ("fit", "cost_complexity_pruning_path")
DEFAULTS = (_bagging, _weight_boosting)  # where trees are what ensembles grow by themselves


class Report:
    """What came of each case."""

    def __init__(self, path):
        self.path = path
        self.cases = {}
        self.criteria = set()

    def watch(self, estimator):
        """Note the criterion whenever an estimator grows a tree."""
        for name in GROWING:
            setattr(estimator, name, self._noting(getattr(estimator, name)))

    def _noting(self, method):
        @wraps(method)
        def noting(estimator, *args, **options):
            self.criteria.add(str(estimator.criterion))
            return method(estimator, *args, **options)

        return noting

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        self.criteria.clear()
        found = yield
        case = self.cases[item.nodeid.split("::", 1)[1]]
        case["criteria"] = sorted(self.criteria)
        return found

    def pytest_runtest_logreport(self, report):
        case = self.cases.setdefault(report.nodeid.split("::", 1)[1], {"passed": True})
        case["passed"] &= report.passed
        if report.failed:
            case["why"] = report.longreprtext.splitlines()[-1]

    def pytest_sessionfinish(self):
        Path(self.path).write_text(json.dumps(self.cases, indent=1), encoding="utf-8")


def pytest_addoption(parser):
    parser.addoption("--shim-report", required=True, help="where to write what came of each case")
    parser.addoption("--shim-swap", default="yes", help="no: run the tests as they are")


def pytest_configure(config):
    report = Report(config.getoption("--shim-report"))
    config.pluginmanager.register(report)
    if config.getoption("--shim-swap") == "no":
        return
    for name in CLASSES:
        estimator = getattr(bough, name)
        report.watch(estimator)
        for module in (sklearn.tree, *DEFAULTS):
            if hasattr(module, name):
                setattr(module, name, estimator)
