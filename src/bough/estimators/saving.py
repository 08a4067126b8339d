"""A fitted estimator as a model file: its tree, its settings and its parameters."""

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from functools import cache
from inspect import Parameter, signature
from typing import Any

import numpy as np

from bough.constraints import constraints_of
from bough.errors import Argument, BudgetError, ModelFormatError, ParameterError
from bough.evidence import Edit
from bough.exports.model_file import Model
from bough.exports.model_file_evidence import read_edits
from bough.predict import check_missing
from bough.schema import Value
from bough.settings import Settings

NOT_SAVED = {"n_jobs"}  # a model file holds nothing that may vary for one table


def grown_model_of(estimator: Any) -> Model:  # noqa: ANN401 - a fitted estimator
    """Return what a pickle of a fitted estimator holds beside its parameters."""
    check_missing(estimator.missing)
    return Model(
        tree=estimator.grown_tree_,
        settings={
            field.name: _saved_value(field.name, getattr(estimator.settings_, field.name))
            for field in fields(Settings)
        },
        evidence=_evidence_of(estimator),
        edits=() if estimator.evidence_ is not None else estimator.edits_,
    )


def model_of(estimator: Any) -> Model:  # noqa: ANN401 - a fitted estimator
    """Return what the model file of a fitted estimator holds."""
    model = grown_model_of(estimator)
    known = _known_class(type(estimator))
    parameters = {}
    for parameter in sorted(_parameters(known).keys() - NOT_SAVED):
        value = getattr(estimator, parameter)
        if parameter == "random_state" and not isinstance(value, int | np.integer | None):
            continue  # the settings have the seed that was drawn
        saved = _saved_value(parameter, value)
        if parameter not in model.settings or model.settings[parameter] != saved:
            parameters[parameter] = saved
    return replace(model, estimator={"class": known.__name__, "parameters": parameters})


def edits_of(model: Model) -> tuple[Edit, ...]:
    """Return what was changed by hand; evidence has a list of its own."""
    if model.evidence is None:
        return model.edits
    return read_edits(model.evidence.get("edits", []), "evidence.edits")


def _evidence_of(estimator: Any) -> dict[str, Any] | None:  # noqa: ANN401 - a fitted estimator
    """Return the evidence; it says so where missing values go elsewhere than when it was measured."""
    evidence: dict[str, Any] | None = estimator.evidence_
    if evidence is None or estimator._measured_with == estimator.missing:  # noqa: SLF001
        return evidence
    edit = Edit(f"missing values follow the rule {estimator.missing!r}")
    return {**evidence, "edits": [*evidence.get("edits", ()), asdict(edit)]}


def read_settings(model: Model, estimator: type, name: str) -> Settings:
    """Return the settings in a model file, checked; the usual ones if the file has none."""
    usual = _parameters(_known_class(estimator))["criterion"].default
    unknown = sorted(model.settings.keys() - {each.name for each in fields(Settings)})
    if unknown:
        raise ModelFormatError(
            f"{name!r} has the setting {unknown[0]!r}, which this version of bough does not know."
        )
    try:
        settings = Settings(**model.settings or {"criterion": usual})
        constraints_of(settings, model.tree.schema)
        _check_directions(settings, len(model.tree.schema.columns))
    except (ParameterError, BudgetError, TypeError) as error:
        raise ModelFormatError(f"{name!r} has settings that are not valid: {error}") from None
    return settings


def _check_directions(settings: Settings, n_columns: int) -> None:
    if settings.monotonic_cst is not None and len(settings.monotonic_cst) != n_columns:
        raise ParameterError(
            f"monotonic_cst has {len(settings.monotonic_cst)} entries, but there are {n_columns} "
            "columns."
        )


def refuse_other_task(model: Model, estimator: Any, name: str) -> None:  # noqa: ANN401 - a class
    """Refuse a tree that guesses numbers where classes are wanted, or the other way round."""
    if model.tree.schema.task != estimator.task:
        raise other_task(model, _known_class(estimator).__name__, name)


def other_task(model: Model, said: str, name: str) -> ModelFormatError:
    """Return the error of a model file that says it is an estimator of another task."""
    does = model.tree.schema.task.does
    return ModelFormatError(f"{name!r} holds a tree that {does}, but says it is a {said}.")


def read_parameters(model: Model, estimator: type, name: str) -> dict[str, Any]:
    """Return the parameters in a model file as the estimator takes them."""
    known = _parameters(estimator).keys() - NOT_SAVED
    saved = (model.estimator or {}).get("parameters", {})
    for parameter in saved:
        if parameter not in known:
            raise ModelFormatError(
                f"{name!r} has the parameter {parameter!r}, which {estimator.__name__} does not have."
            )
    found = {}
    for parameter, value in (model.settings | saved).items():
        try:
            found[parameter] = _read_value(value)
        except ValueError:
            raise ModelFormatError(
                f"{name!r} has a parameter {parameter} that is not valid."
            ) from None
    return {parameter: value for parameter, value in found.items() if parameter in known}


@cache  # of bough's three classes
def _parameters(estimator: type) -> Mapping[str, Parameter]:
    return signature(estimator).parameters


def _known_class(estimator: type) -> type:
    """Return the class of bough that an estimator's class is or extends.

    A subclass that a user writes is saved as this one, and may have other parameters.
    """
    return next(each for each in estimator.__mro__ if each.__module__.startswith("bough."))


def _saved_value(parameter: str, value: object) -> Any:  # noqa: ANN401 - any JSON
    """Return a value as JSON can hold it; a dict becomes its pairs, since keys may be numbers."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            pairs = [[_saved_value(parameter, part) for part in pair] for pair in value.items()]
            return {"pairs": pairs}
        case list() | tuple():
            return [_saved_value(parameter, each) for each in value]
        case object(tolist=tolist):  # of NumPy, or a column or index of pandas
            return _saved_value(parameter, tolist())
    raise ParameterError(Argument(parameter, value), " cannot be written to a model file.")


def _read_value(value: object) -> Any:  # noqa: ANN401 - any JSON
    match value:
        case {"pairs": [*pairs], **others} if not others:
            return dict(map(_read_pair, pairs))
        case list():
            return [_read_value(each) for each in value]
        case dict():
            raise ValueError("a dict is written as its pairs")
    return value


def _read_pair(pair: object) -> tuple[Value | tuple[Value, Value], Any]:
    match pair:
        case [(str() | bool() | int() | float()) as key, value]:
            return key, _read_value(value)
        case [
            [
                (str() | bool() | int() | float()) as true,
                (str() | bool() | int() | float()) as guess,
            ],
            value,
        ]:
            return (true, guess), _read_value(value)  # a cost
    raise ValueError("a pair is a list of two")
