"""The report of a model: what the model knows, as one page of HTML."""

from bough.draw import tree_of
from bough.export.evidence import evidence_about
from bough.report import Subject, page


def html(model: object, *, digits: int = 3) -> str:
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
    tree = tree_of(model)
    saved = model.__bough_model__().evidence if hasattr(model, "__bough_model__") else None
    evidence = None if saved is None else evidence_about(tree, saved)
    return page(Subject(tree, evidence, digits=digits))
