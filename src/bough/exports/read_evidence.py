"""The evidence in a model file, read back with every value checked."""

import re
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from math import inf, isfinite
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from bough.errors import ModelFormatError
from bough.evidence import Edit, Evidence, Stop
from bough.exports.check_evidence import refuse_other_columns, refuse_other_nodes
from bough.exports.strict_json import (
    entries,
    items,
    kind_of,
    plain_data,
    scalar,
    shortened,
    word,
)
from bough.exports.tree_arrays import read_tree
from bough.figure_kinds import FIGURES
from bough.loss_kinds import LOSSES
from bough.result_words import headline_loss
from bough.tree import Tree
from bough.tree_task import Task

Types = tuple[Any, ...]
Reader = Callable[[Types, object, str], Any]

SLACK = 1e-6  # of a share: rounding
MOST = 2**63  # no number of rows or of a node is greater
PARTS = ("train", "dev", "test")
_HASH = re.compile(r"[0-9a-f]{16}")


def read_evidence(data: object) -> Evidence:
    """Return the evidence that plain data holds, or refuse it.

    Examples
    --------
    >>> read_evidence({"task": "ranking"})
    Traceback (most recent call last):
        ...
    bough.errors.ModelFormatError: evidence has no 'target'.
    """
    evidence: Evidence = read_record(Evidence, data, "evidence")
    _check_sketches(evidence)
    for name, (least, most) in evidence.ranges.items():
        if least > most:
            raise ModelFormatError(f"evidence.ranges[{shortened(name)}] ends before it begins.")
    word(evidence.loss, "evidence.loss", LOSSES)
    _check_edits(evidence.edits, "evidence.edits")
    if len(evidence.learning) < 2:
        raise ModelFormatError("evidence.learning must have at least two entries.")
    return evidence


def _check_sketches(evidence: Evidence) -> None:
    if missing := [part for part in PARTS if part not in evidence.sketches]:
        raise ModelFormatError(f"evidence.sketches has no {missing[0]!r}.")
    for part, hashes in evidence.sketches.items():
        for each in hashes:
            if not _HASH.fullmatch(each):
                raise ModelFormatError(
                    f"evidence.sketches[{shortened(part)}] holds {shortened(each)}, "
                    "which is not 16 hexadecimal digits."
                )


def read_edits(data: object, where: str) -> tuple[Edit, ...]:
    """Return the edits by hand that plain data holds, or refuse it."""
    edits: tuple[Edit, ...] = read_record(tuple[Edit, ...], data, where)
    _check_edits(edits, where)
    return edits


def _check_edits(edits: tuple[Edit, ...], where: str) -> None:
    for place, each in enumerate(edits):
        if each.loss:
            word(each.loss, f"{where}[{place}].loss", LOSSES)


# What each entry may hold is said once, by the types in `bough.evidence`.


def read_record(wanted: Any, value: object, where: str) -> Any:
    """Return a record of some type that plain data holds, or refuse it."""
    read, types = _reader(wanted)
    return read(types, value, where)


@cache
def _reader(wanted: Any) -> tuple[Reader, Types]:
    if is_dataclass(wanted):
        return _record, (wanted,)
    return _READERS[get_origin(wanted) or wanted], get_args(wanted)


def _record(wanted_type: Types, value: object, where: str) -> Any:
    (wanted,) = wanted_type
    types, required, optional = _keys(wanted)
    found = entries(value, where, required, optional)
    return wanted(
        **{name: read_record(types[name], each, f"{where}.{name}") for name, each in found.items()}
    )


@cache
def _keys(wanted: Any) -> tuple[dict[str, Any], list[str], list[str]]:
    """Return the types of all entries, the names of those that must be there, and of the others."""
    types = get_type_hints(wanted)
    optional = [each.name for each in fields(wanted) if _has_default(each)]
    return types, [name for name in types if name not in optional], optional


def _has_default(each: Field[Any]) -> bool:
    return each.default is not MISSING or each.default_factory is not MISSING


def _text(_: Types, value: object, where: str) -> str:
    return str(scalar(value, where, str))


def _truth(_: Types, value: object, where: str) -> bool:
    return bool(scalar(value, where, bool))


def _count(_: Types, value: object, where: str) -> int:
    count: int = scalar(value, where, int)
    if count >= 2**63:
        raise ModelFormatError(f"{where} holds a number that is too large.")
    if count < 0:
        raise ModelFormatError(f"{where} is {count}; it must be 0 or more.")
    return count


def _number(_: Types, value: object, where: str) -> float:
    if type(value) not in (int, float):
        raise ModelFormatError(f"{where} must be a number, not {kind_of(value)}.")
    try:
        number = float(value)  # type: ignore[arg-type]
    except OverflowError:
        number = inf
    if not isfinite(number):
        raise ModelFormatError(f"{where} holds a number that is too large.")
    return number


def _task(_: Types, value: object, where: str) -> Task:
    return word(value, where, {str(each): each for each in Task})


def _or_none(types: Types, value: object, where: str) -> Any:
    return None if value is None else read_record(types[0], value, where)


def _tuple(types: Types, value: object, where: str) -> tuple[Any, ...]:
    given = list(value) if isinstance(value, tuple) else items(value, where)
    if types[1] is Ellipsis and types[0] in (int, float):
        return _numbers(types[0], given, where)
    if types[1] is Ellipsis:
        types = types[:1] * len(given)
    if len(given) != len(types):
        raise ModelFormatError(f"{where} must hold {len(types)} entries, not {len(given)}.")
    return tuple(
        read_record(wanted, each, f"{where}[{place}]")
        for place, (wanted, each) in enumerate(zip(types, given, strict=True))
    )


def _numbers(wanted: type, given: list[Any], where: str) -> tuple[Any, ...]:
    """Return a list of numbers, all looked at together; one that is wrong is named."""
    kinds = set(map(type, given))
    if wanted is int and kinds == {int} and min(given) >= 0 and max(given) < MOST:
        return tuple(given)
    if wanted is float and kinds == {float} and all(map(isfinite, given)):
        return tuple(given)
    return tuple(read_record(wanted, each, f"{where}[{place}]") for place, each in enumerate(given))


def _map(types: Types, value: object, where: str) -> dict[str, Any]:
    return {
        _text((), name, f"a key of {where}"): read_record(
            types[1], each, f"{where}[{shortened(name)}]"
        )
        for name, each in scalar(value, where, dict).items()
    }


def _one_of(words: Types, value: object, where: str) -> str:
    return str(word(value, where, dict.fromkeys(words, value)))


def _truth_or(types: Types, value: object, where: str) -> Any:
    return value if isinstance(value, bool) else read_record(types[1], value, where)


def _anything(_: Types, value: object, where: str) -> Any:
    return plain_data(value, where)


_READERS: dict[Any, Reader] = {
    str: _text,
    bool: _truth,
    int: _count,
    float: _number,
    tuple: _tuple,
    dict: _map,
    Task: _task,
    UnionType: _or_none,
    Union: _truth_or,
    Literal: _one_of,
    Any: _anything,
}


def evidence_about(tree: Tree, data: object) -> Evidence:
    """Return the evidence that plain data holds, or refuse what cannot be about this tree.

    A file may come from anybody, and a page is made of all that it holds.
    """
    evidence = read_evidence(data)
    if evidence.task != tree.schema.task:
        raise ModelFormatError(f"evidence is about {evidence.task}, but the tree is not.")
    if LOSSES[evidence.loss].task != evidence.task:
        raise ModelFormatError(
            f"evidence.loss is {shortened(evidence.loss)}, which is not a loss for {evidence.task}."
        )
    if not evidence.curve:
        raise ModelFormatError("evidence.curve is empty.")
    for part in ("train", "test", "baseline"):
        for name in (evidence.loss, headline_loss(evidence)):
            if name not in getattr(evidence, part):
                raise ModelFormatError(f"evidence.{part} has no {name!r}.")
    _refuse_impossible_shares(evidence)
    if _least_loss(evidence) < 0:
        raise ModelFormatError("evidence has a loss below 0.")
    _refuse_other_trees(evidence, tree)
    simpler_tree(evidence, tree)
    return evidence


def _refuse_impossible_shares(evidence: Evidence) -> None:
    parts = [evidence.train, evidence.dev, evidence.baseline, evidence.test]
    if evidence.simpler is not None:
        parts.append(evidence.simpler.test)
    for part in parts:
        for name, each in part.items():
            figure = FIGURES.get(name.partition(":")[0])
            if figure is not None and figure.is_bounded and not -SLACK <= each.value <= 1 + SLACK:
                raise ModelFormatError(f"evidence has {name!r} of {each.value}, beyond 0 to 1.")


def simpler_tree(evidence: Evidence, tree: Tree) -> Tree | None:
    """Return the simpler tree beside the one that predicts, or refuse it; None: it is not known."""
    found, where = evidence.simpler, "evidence.simpler"
    if found is None or found.tree is None:
        return None
    try:
        simpler = read_tree(tree.schema, found.tree, f"{where}.tree")
    except ModelFormatError as error:
        told = str(error)  # of arrays that are no tree it does not say which
        raise ModelFormatError(
            told if told.startswith(where) else f"{where}.tree: {told}"
        ) from None
    if simpler.n_leaves != found.n_leaves:
        raise ModelFormatError(f"{where}.n_leaves is not that of its tree.")
    for name in (evidence.loss, headline_loss(evidence)):
        if name not in found.test:
            raise ModelFormatError(f"{where}.test has no {name!r}.")
    _check_stops(found.stops, simpler, f"{where}.stops")
    refuse_other_nodes(found.nodes, simpler, f"{where}.nodes")
    return simpler


def _check_stops(stops: tuple[Stop, ...], tree: Tree, where: str) -> None:
    for place, stop in enumerate(stops):
        if stop.node >= len(tree) or len(stop.tally) not in (0, tree.tally.shape[2]):
            raise ModelFormatError(f"{where}[{place}] is about another tree.")
        if not stop.tally:  # too few rows to tell
            continue
        weights = stop.tally if tree.schema.has_classes else stop.tally[:1]
        if min(weights) < 0 or (sum(weights) == 0 and any(stop.tally)):
            raise ModelFormatError(f"{where}[{place}] has rows of no weight.")


def _least_loss(evidence: Evidence) -> float:
    estimates = [
        each
        for part in (evidence.train, evidence.test, evidence.baseline)
        for name, each in part.items()
        if name in LOSSES
    ]
    candidates = [evidence.chosen, *evidence.curve]
    return min(
        evidence.unavoidable or 0.0,
        *(loss for each in estimates for loss in (each.value, each.low, each.high)),
        *(loss for each in candidates for loss in (each.train, each.dev, each.dev_error)),
        *(loss for _, loss in evidence.learning),
    )


def _refuse_other_trees(evidence: Evidence, tree: Tree) -> None:
    """Refuse what names nodes or classes that the tree does not have."""
    _check_stops(() if evidence.edits else evidence.stops, tree, "evidence.stops")
    if not evidence.edits:
        refuse_other_nodes(evidence.nodes, tree, "evidence.nodes")
    found = evidence.calibration
    if found is not None and (
        not found.bins or (found.of_class or 0) >= len(tree.schema.labels[0].classes)
    ):
        raise ModelFormatError("evidence.calibration is about another tree.")
    n_classes = len(tree.schema.labels[0].classes)
    for place, (true, predicted, weight) in enumerate(evidence.confusion):
        if max(true, predicted) >= n_classes or weight < 0:
            raise ModelFormatError(f"evidence.confusion[{place}] is about another tree.")
    if evidence.thresholds is not None and (
        n_classes != 2
        or evidence.thresholds.of_class > 1
        or min(map(min, evidence.thresholds.levels), default=-1.0) < 0
        or max(each[0] for each in evidence.thresholds.levels) > 1
    ):
        raise ModelFormatError("evidence.thresholds is about another tree.")
    refuse_other_columns(evidence, tree)
