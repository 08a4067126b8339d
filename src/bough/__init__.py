"""Learn one exact decision tree from a table and read it."""

from importlib import import_module

__all__ = [
    "BoughDeprecationWarning",
    "BoughError",
    "BudgetError",
    "DataError",
    "DataTypeError",
    "DecisionTreeClassifier",
    "DecisionTreeRanker",
    "DecisionTreeRegressor",
    "DistributedError",
    "ExportError",
    "ModelFormatError",
    "ParameterError",
    "Result",
    "SchemaError",
    "__version__",
    "check",
    "compare",
    "datasets",
    "draw",
    "evaluate",
    "export",
    "fit",
    "from_lightgbm",
    "from_sklearn",
    "from_xgboost",
    "load",
    "losses",
    "prune",
    "read_file",
    "score",
    "teach",
]

# Where each public name is found. It is imported when it is first used, so that `import bough`
# loads no other package. The types are in `__init__.pyi`.
_HOMES = {
    "BoughDeprecationWarning": "bough.errors",
    "BoughError": "bough.errors",
    "BudgetError": "bough.errors",
    "DataError": "bough.errors",
    "DataTypeError": "bough.errors",
    "DecisionTreeClassifier": "bough.estimators",
    "DecisionTreeRanker": "bough.estimators",
    "DecisionTreeRegressor": "bough.estimators",
    "DistributedError": "bough.errors",
    "ExportError": "bough.errors",
    "ModelFormatError": "bough.errors",
    "ParameterError": "bough.errors",
    "Result": "bough.learn",
    "SchemaError": "bough.errors",
    "check": "bough.learn.check",
    "compare": "bough.learn.compare",
    "draw": "bough.drawing",
    "evaluate": "bough.learn.evaluate",
    "export": "bough.exports",
    "fit": "bough.learn",
    "from_lightgbm": "bough.imports",
    "from_sklearn": "bough.imports",
    "from_xgboost": "bough.imports",
    "load": "bough.estimators",
    "prune": "bough.pruning",
    "read_file": "bough.table.file",
    "score": "bough.learn.score",
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("bough")
        except PackageNotFoundError:  # run from a folder that is not installed
            return "unknown"
    if name in ("datasets", "losses", "teach"):
        return import_module(f"bough.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'bough' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
