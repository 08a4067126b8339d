"""Gives a fitted estimator back from its model file."""

from pathlib import Path
from typing import TypeAlias

from bough.errors import ModelFormatError
from bough.estimators.classifier import DecisionTreeClassifier
from bough.estimators.regressor import DecisionTreeRegressor
from bough.estimators.saved import read_parameters, read_settings
from bough.export import json as model_file
from bough.export.json import Model

Estimator: TypeAlias = DecisionTreeClassifier | DecisionTreeRegressor


def load(path: str | Path) -> Estimator:
    """Read a model file and return the fitted estimator in it.

    Examples
    --------
    >>> import bough, tempfile
    >>> tree = bough.DecisionTreeClassifier(max_depth=1).fit([[1], [2]], ["a", "b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tree.save(f"{folder}/letters.bough.json")
    ...     bough.load(f"{folder}/letters.bough.json")
    DecisionTreeClassifier(max_depth=1)
    """
    return estimator_of(model_file.load(path), str(path))


def estimator_of(model: Model, name: str) -> Estimator:
    """Return the fitted estimator that a model file holds; `name` is what messages call it."""
    has_classes = model.tree.schema.has_classes
    fitting: type[Estimator] = DecisionTreeClassifier if has_classes else DecisionTreeRegressor
    saved_as = (model.estimator or {}).get("class", fitting.__name__)
    if saved_as != fitting.__name__:
        guesses = "classes" if has_classes else "numbers"
        raise ModelFormatError(
            f"{name!r} holds a tree that guesses {guesses}, but says it is a {saved_as}."
        )
    estimator = fitting(**read_parameters(model, fitting, name))
    estimator._take(model.tree, read_settings(model, fitting, name), model.evidence)  # noqa: SLF001
    return estimator
