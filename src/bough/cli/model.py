"""Reads the model file that a command is given."""

from dataclasses import replace
from pathlib import Path

from bough.errors import did_you_mean
from bough.export.json import Model, load


def read_model(path: Path) -> Model:
    """Return the model in a file; if there is no such file, say which one may be meant."""
    try:
        return load(path)
    except FileNotFoundError as error:
        beside = [each.name for each in path.absolute().parent.glob("*.json")]
        error.args = (f"{error}{did_you_mean(path.name, beside)}",)
        raise


def by_name(model: Model) -> Model:
    """Return a model that finds the columns of a file by name, in any order and among others."""
    tree = model.tree
    if tree.schema.match_by_name or not tree.schema.named:
        return model
    return replace(model, tree=replace(tree, schema=replace(tree.schema, match_by_name=True)))
