"""The evidence in a model file, read back with every value checked."""

import re
from collections.abc import Callable, Sequence
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

Reader = Callable[[object, str], Any]

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
    return _reader(wanted)(value, where)


@cache
def _reader(wanted: Any) -> Reader:
    if is_dataclass(wanted):
        return _record(wanted)
    kind, types = get_origin(wanted) or wanted, get_args(wanted)
    return _SIMPLE[kind] if kind in _SIMPLE else _OF_TYPES[kind](*types)


def _record(wanted: Any) -> Reader:
    types = get_type_hints(wanted)
    optional = [each.name for each in fields(wanted) if _has_default(each)]
    required = [name for name in types if name not in optional]
    readers = {name: _reader(each) for name, each in types.items()}

    def read(value: object, where: str) -> Any:
        found = entries(value, where, required, optional)
        return wanted(
            **{name: readers[name](each, f"{where}.{name}") for name, each in found.items()}
        )

    return read


def _has_default(each: Field[Any]) -> bool:
    return each.default is not MISSING or each.default_factory is not MISSING


def _text(value: object, where: str) -> str:
    return str(scalar(value, where, str))


def _truth(value: object, where: str) -> bool:
    return bool(scalar(value, where, bool))


def _count(value: object, where: str) -> int:
    count: int = scalar(value, where, int)
    if count >= MOST:
        raise ModelFormatError(f"{where} holds a number that is too large.")
    if count < 0:
        raise ModelFormatError(f"{where} is {count}; it must be 0 or more.")
    return count


def _number(value: object, where: str) -> float:
    if type(value) not in (int, float):
        raise ModelFormatError(f"{where} must be a number, not {kind_of(value)}.")
    try:
        number = float(value)  # type: ignore[arg-type]
    except OverflowError:
        number = inf
    if not isfinite(number):
        raise ModelFormatError(f"{where} holds a number that is too large.")
    return number


def _task(value: object, where: str) -> Task:
    return word(value, where, {str(each): each for each in Task})


def _or_none(wanted: Any, _: Any) -> Reader:
    inner = _reader(wanted)
    return lambda value, where: None if value is None else inner(value, where)


def _tuple(*types: Any) -> Reader:
    if types[1] is Ellipsis:
        return _list(types[0])
    readers = [_reader(each) for each in types]

    def read(value: object, where: str) -> tuple[Any, ...]:
        given = _items(value, where)
        if len(given) != len(types):
            raise ModelFormatError(f"{where} must hold {len(types)} entries, not {len(given)}.")
        return tuple(
            inner(each, f"{where}[{place}]")
            for place, (inner, each) in enumerate(zip(readers, given, strict=True))
        )

    return read


def _list(wanted: Any) -> Reader:
    inner = _reader(wanted)

    def read(value: object, where: str) -> tuple[Any, ...]:
        given = _items(value, where)
        if wanted in (int, float) and _are_right(wanted, given):
            return tuple(given)
        return tuple(inner(each, f"{where}[{place}]") for place, each in enumerate(given))

    return read


def _items(value: object, where: str) -> Sequence[Any]:
    return value if isinstance(value, tuple) else items(value, where)


def _are_right(wanted: type, given: Sequence[Any]) -> bool:
    """Return whether all of these are such numbers, looked at together."""
    kinds = set(map(type, given))
    if wanted is int:
        return kinds == {int} and min(given) >= 0 and max(given) < MOST
    return kinds == {float} and all(map(isfinite, given))


def _map(_: Any, wanted: Any) -> Reader:
    inner = _reader(wanted)

    def read(value: object, where: str) -> dict[str, Any]:
        return {
            _text(name, f"a key of {where}"): inner(each, f"{where}[{shortened(name)}]")
            for name, each in scalar(value, where, dict).items()
        }

    return read


def _one_of(*words: str) -> Reader:
    known = {each: each for each in words}
    return lambda value, where: word(value, where, known)


def _truth_or(_: Any, wanted: Any) -> Reader:
    inner = _reader(wanted)
    return lambda value, where: value if isinstance(value, bool) else inner(value, where)


_SIMPLE: dict[Any, Reader] = {
    str: _text,
    bool: _truth,
    int: _count,
    float: _number,
    Task: _task,
    Any: plain_data,
}
_OF_TYPES: dict[Any, Callable[..., Reader]] = {
    tuple: _tuple,
    dict: _map,
    UnionType: _or_none,
    Union: _truth_or,
    Literal: _one_of,
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
