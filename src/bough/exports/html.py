"""The report of a model: what the model knows, as one page of HTML."""

from bough.errors import ModelFormatError
from bough.evidence import Evidence
from bough.exports.model_file import model_of
from bough.exports.read_evidence import read_evidence
from bough.exports.strict_json import shortened
from bough.losses import LOSSES
from bough.report import Subject, page
from bough.result_words import headline_loss
from bough.tree import Tree, TreeLike


def html(model: TreeLike, *, digits: int = 3) -> str:
    """Return the page; a result of `bough.fit` also tells of its table.

    Parameters
    ----------
    model
        A `Tree`, a fitted estimator, the content of a model file, or a result.
    digits
        How many significant digits numbers have at least.
    """
    if hasattr(model, "__bough_subject__"):
        return page(model.__bough_subject__(digits))
    saved = model_of(model)
    evidence = None if saved.evidence is None else evidence_about(saved.tree, saved.evidence)
    return page(Subject(saved.tree, evidence, missing=saved.missing, digits=digits))


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
    if _least_loss(evidence) < 0:
        raise ModelFormatError("evidence has a loss below 0.")
    _refuse_other_trees(evidence, tree)
    return evidence


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
    for place, stop in enumerate(() if evidence.edits else evidence.stops):
        if stop.node >= len(tree) or len(stop.tally) != tree.tally.shape[2]:
            raise ModelFormatError(f"evidence.stops[{place}] is about another tree.")
        weights = stop.tally if tree.schema.has_classes else stop.tally[:1]
        if min(weights) < 0 or (sum(weights) == 0 and any(stop.tally)):
            raise ModelFormatError(f"evidence.stops[{place}] has rows of no weight.")
    found = evidence.calibration
    if found is not None and (
        not found.bins or (found.of_class or 0) >= len(tree.schema.labels[0].classes)
    ):
        raise ModelFormatError("evidence.calibration is about another tree.")
    n_classes = len(tree.schema.labels[0].classes)
    for place, (true, predicted, weight) in enumerate(evidence.confusion):
        if max(true, predicted) >= n_classes or weight < 0:
            raise ModelFormatError(f"evidence.confusion[{place}] is about another tree.")
