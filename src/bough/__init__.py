"""Learn one exact decision tree from a table and read it."""

import sys
from importlib import import_module
from types import ModuleType

__all__ = [
    "BoughError",
    "BudgetError",
    "DataError",
    "DataTypeError",
    "DecisionTreeClassifier",
    "DecisionTreeRanker",
    "DecisionTreeRegressor",
    "DistributedError",
    "ModelFormatError",
    "ParameterError",
    "Result",
    "SchemaError",
    "__version__",
    "compare",
    "datasets",
    "draw",
    "export",
    "fit",
    "load",
    "prune",
]

# Where each public name is found. It is imported when it is first used, so that `import bough`
# loads no other package. The types are in `__init__.pyi`.
_HOMES = {
    "BoughError": "bough.errors",
    "BudgetError": "bough.errors",
    "DataError": "bough.errors",
    "DataTypeError": "bough.errors",
    "DecisionTreeClassifier": "bough.estimators",
    "DecisionTreeRanker": "bough.estimators",
    "DecisionTreeRegressor": "bough.estimators",
    "DistributedError": "bough.errors",
    "ModelFormatError": "bough.errors",
    "ParameterError": "bough.errors",
    "Result": "bough.learn",
    "SchemaError": "bough.errors",
    "compare": "bough.learn.compare",
    "draw": "bough.draw",
    "export": "bough.export",
    "fit": "bough.learn",
    "load": "bough.estimators",
    "prune": "bough.prune",
}
_FOLDERS = {"draw", "export", "prune"}  # functions whose folder bears the same name


class _Package(ModuleType):
    """The package, in which such functions stay functions when their folders are imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in _FOLDERS and isinstance(value, ModuleType):
            value = getattr(value, name)
        super().__setattr__(name, value)


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("bough")
        except PackageNotFoundError:  # run from a folder that is not installed
            return "unknown"
    if name == "datasets":
        return import_module("bough.datasets")
    if name not in _HOMES:
        raise AttributeError(f"module 'bough' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


sys.modules[__name__].__class__ = _Package
