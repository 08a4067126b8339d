"""The evidence in a model file, read back with every value checked, as what a tree can be told of."""

import re
from itertools import pairwise

from bough.drawing.style import COLORS
from bough.errors import ModelFormatError
from bough.evidence import ColumnSeen, Edit, Evidence, Stop
from bough.exports.model_file_parts import read_tree
from bough.exports.strict_json import read_record, shortened, word
from bough.figure_words import FIGURES
from bough.histograms import Bins, Density, Histogram, NodeRows
from bough.loss_kinds import LOSSES
from bough.result_words import headline_loss
from bough.schema import Feature
from bough.tree import Tree

SLACK = 1e-6  # of a share: rounding
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


def refuse_other_nodes(nodes: NodeRows, tree: Tree, where: str) -> None:
    """Refuse what is said of nodes that the tree does not have, or not in this form."""
    n_classes = min(len(tree.schema.labels[0].classes), len(COLORS)) or 1
    for name in ("asked", "labels"):
        for place, bins in enumerate(getattr(nodes, name)):
            n_bins = len(bins.places) // 2
            is_known = bins.node < len(tree) and (name == "labels" or tree.feature[bins.node] >= 0)
            is_whole = len(bins.places) == 2 * n_bins and len(bins.counts) == n_bins * n_classes
            is_whole &= len(bins.missing) in (0, n_classes) and len(bins.means) in (0, n_bins)
            if not (is_known and is_whole and _has_its_values(bins, tree, n_bins)):
                raise ModelFormatError(f"{where}.{name}[{place}] is about another tree.")
    for place, rival in enumerate(nodes.rivals):
        if rival.node >= len(tree) or tree.feature[rival.node] < 0 or not 0 < rival.chance <= 1:
            raise ModelFormatError(f"{where}.rivals[{place}] is about another tree.")


def _has_its_values(bins: Bins, tree: Tree, n_bins: int) -> bool:
    """Return whether bins lie on an axis, or have values that the column knows."""
    if bins.step > 0:
        return not bins.values
    choices = tree.schema.features[tree.feature[bins.node]].choices
    return len(bins.values) == n_bins and max(bins.values, default=-1) < len(choices)


def refuse_other_columns(evidence: Evidence, tree: Tree) -> None:
    """Refuse counts of columns that the tree does not have, or that do not fit together."""
    by_name = {feature.name: feature for feature in tree.schema.features}
    columns = {name: by_name[name] for name in tree.schema.columns if name in by_name}
    for place, column in enumerate(evidence.columns):
        _check_column(column, columns, f"evidence.columns[{place}]")
    label = tree.schema.labels[0]
    for name, found in (("labels", evidence.labels), ("off", evidence.off)):
        if found is not None:
            _check_histogram(found, len(label.classes), f"evidence.{name}")
    if evidence.density is not None:
        _check_density(evidence.density, by_name)


def _check_column(column: ColumnSeen, by_name: dict[str, Feature], where: str) -> None:
    if column.name not in by_name:
        raise ModelFormatError(
            f"{where} is {shortened(column.name)}, which is no column of the tree."
        )
    n_choices = len(by_name[column.name].choices)
    for name in ("rows", "test"):
        _check_histogram(getattr(column, name), n_choices, f"{where}.{name}")
    n_groups = len(column.test.counts)
    if len(column.errors) not in (0, n_groups, n_groups + 1):
        raise ModelFormatError(f"{where}.errors must have an entry for each group.")


def _check_histogram(found: Histogram, n_choices: int, where: str) -> None:
    n_bins = len(found.counts)
    if n_choices:
        is_right = not found.edges and len(found.codes) in (n_bins, n_bins - 1)
    else:
        is_right = not found.codes and len(found.edges) == max(n_bins - 1, 0)
    if not is_right or not _rises(found.edges) or any(each >= n_choices for each in found.codes):
        raise ModelFormatError(f"{where} has bins that are about other values.")


def _check_density(density: Density, by_name: dict[str, Feature]) -> None:
    where = "evidence.density"
    for name in density.features:
        if name not in by_name or by_name[name].kind.has_choices:
            raise ModelFormatError(f"{where} is about {shortened(name)}, which is no number.")
    sizes = {len(line) for line in density.counts}
    shape = len(density.upwards) - 1, {len(density.across) - 1}
    if (len(density.counts), sizes) != shape or not all(
        len(each) > 1 and _rises(each) for each in (density.across, density.upwards)
    ):
        raise ModelFormatError(f"{where} has cells that do not fit its edges.")


def _rises(edges: tuple[float, ...]) -> bool:
    return all(low < high for low, high in pairwise(edges))
