"""Learn one exact decision tree from a table and read it."""

from importlib import import_module

# Where each public name is found. It is imported when it is first used, so that `import bough`
# loads no other package. The types are in `__init__.pyi`.
_NAMES = {
    "bough.drawing": ("draw",),
    "bough.errors": (
        *("BoughDeprecationWarning", "BoughError", "BudgetError", "DataError", "DataTypeError"),
        *("DistributedError", "ExportError", "ModelFormatError", "ParameterError", "SchemaError"),
    ),
    "bough.estimators": (
        *("DecisionTreeClassifier", "DecisionTreeRanker", "DecisionTreeRegressor"),
        "load",
    ),
    "bough.exports": ("export",),
    "bough.imports.boosters": ("from_lightgbm", "from_xgboost"),
    "bough.imports.scikit_learn": ("from_sklearn",),
    "bough.learn": ("fit",),
    "bough.learn.check_table": ("check",),
    "bough.learn.compare": ("compare",),
    "bough.learn.evaluate": ("evaluate",),
    "bough.learn.result": ("Result",),
    "bough.learn.score_columns": ("score",),
    "bough.pruning": ("prune",),
    "bough.table.file": ("read_file",),
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names}
_MODULES = ("datasets", "losses", "teach")

__all__ = ["__version__", *_HOMES, *_MODULES]  # noqa: PLE0604 - they are names


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("bough")
        except PackageNotFoundError:  # run from a folder that is not installed
            found = "unknown"
        globals()[name] = found
        return found
    if name in _MODULES:
        return import_module(f"bough.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'bough' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
