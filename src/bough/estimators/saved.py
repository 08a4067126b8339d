"""A fitted estimator as a model file: its tree, its settings and its parameters."""

from collections.abc import Mapping
from dataclasses import asdict
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np

from bough.errors import ModelFormatError, ParameterError
from bough.export import json as model_file
from bough.export.json import Model
from bough.settings import Settings
from bough.tree import Tree

NOT_SAVED = {"n_jobs"}  # a model file holds nothing that may vary for one table


def dumps(estimator: Any) -> bytes:
    """Return the bytes of the model file of a fitted estimator."""
    return model_file.dumps(_model(estimator))


def save(estimator: Any, path: str | Path) -> None:
    """Write the model file of a fitted estimator."""
    model_file.save(_model(estimator), path)


def loads(data: bytes) -> tuple[Tree, Settings]:
    """Return the tree in the bytes of a model file, and the settings it was grown with."""
    model = model_file.loads(data, "the pickle")
    return model.tree, read_settings(model, "the pickle")


def read_settings(model: Model, name: str) -> Settings:
    """Return the settings in a model file, checked."""
    try:
        return Settings(**model.settings)
    except (ParameterError, TypeError) as error:
        raise ModelFormatError(f"{name!r} has settings that are not valid: {error}") from None


def read_parameters(model: Model, estimator: type, name: str) -> dict[str, Any]:
    """Return the parameters in a model file as the estimator takes them."""
    known = set(signature(estimator).parameters) - NOT_SAVED
    saved = (model.estimator or {}).get("parameters", {})
    for parameter in saved:
        if parameter not in known:
            raise ModelFormatError(
                f"{name!r} has the parameter {parameter!r}, which {estimator.__name__} has not."
            )
    return {
        parameter: _read_value(value)
        for parameter, value in (model.settings | saved).items()
        if parameter in known
    }


def _model(estimator: Any) -> Model:
    settings = asdict(estimator.settings_)
    # Subclasses that users write are read back as the class of bough that they extend.
    known = next(each for each in type(estimator).__mro__ if each.__module__.startswith("bough."))
    parameters = {}
    for parameter in sorted(set(signature(known).parameters) - NOT_SAVED):
        value = getattr(estimator, parameter)
        if parameter == "random_state" and not isinstance(value, int | np.integer | None):
            continue  # the settings have the seed that was drawn
        saved = _saved_value(parameter, value)
        if parameter not in settings or settings[parameter] != saved:
            parameters[parameter] = saved
    return Model(
        tree=estimator.grown_tree_,
        settings=settings,
        estimator={"class": known.__name__, "parameters": parameters},
        evidence=None,
    )


def _saved_value(parameter: str, value: Any) -> Any:
    """Return a value as JSON can hold it; a dict becomes its pairs, since keys may be numbers."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case np.generic() | np.ndarray():
            return _saved_value(parameter, value.tolist())
        case Mapping():
            pairs = [[_saved_value(parameter, part) for part in pair] for pair in value.items()]
            return {"pairs": pairs}
        case list() | tuple():
            return [_saved_value(parameter, each) for each in value]
    raise ParameterError(f"{parameter}={value!r} cannot be written to a model file.")


def _read_value(value: Any) -> Any:
    match value:
        case {"pairs": pairs}:
            return {_read_value(key): _read_value(each) for key, each in pairs}
        case list():
            return [_read_value(each) for each in value]
    return value
