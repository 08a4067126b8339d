"""The report of a model: what the model knows, as one page of HTML."""

from bough.exports.model_file import model_of
from bough.exports.read_evidence import evidence_about, simpler_tree
from bough.report import Subject, page
from bough.tree import TreeLike


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
    simpler = None if evidence is None else simpler_tree(evidence, saved.tree)
    subject = Subject(saved.tree, evidence, missing=saved.missing, digits=digits, simpler=simpler)
    return page(subject)
