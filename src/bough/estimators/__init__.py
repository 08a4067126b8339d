"""The scikit-learn face: three estimators, and a fitted one back from its model file."""

from pathlib import Path
from typing import TypeAlias

from bough.estimators.classifier import DecisionTreeClassifier
from bough.estimators.ranker import DecisionTreeRanker
from bough.estimators.regressor import DecisionTreeRegressor
from bough.estimators.saving import edits_of, other_task, read_parameters, read_settings
from bough.exports import model_file
from bough.exports.model_file import Model
from bough.schema import Task

__all__ = ["DecisionTreeClassifier", "DecisionTreeRanker", "DecisionTreeRegressor", "load"]

Estimator: TypeAlias = DecisionTreeClassifier | DecisionTreeRegressor | DecisionTreeRanker
ESTIMATORS: dict[Task, type[Estimator]] = {
    each.task: each for each in (DecisionTreeClassifier, DecisionTreeRegressor, DecisionTreeRanker)
}


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
    fitting = ESTIMATORS[model.tree.schema.task]
    saved_as = (model.estimator or {}).get("class", fitting.__name__)
    if saved_as != fitting.__name__:
        raise other_task(model, saved_as, name)
    estimator = fitting(**read_parameters(model, fitting, name))
    settings = read_settings(model, fitting, name)
    estimator._take(model.tree, settings, model.evidence, edits_of(model))  # noqa: SLF001
    return estimator
