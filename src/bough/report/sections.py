"""The sections of the page, one function each: a subject → what the template shows."""

from typing import Any

from bough.checks.notes import counted
from bough.chosen_words import grown, made_smaller, tried
from bough.drawing.plane_partition import is_map, named_features, partition, region_features
from bough.drawing.regions import regions
from bough.drawing.svg import on_paper
from bough.errors import ParameterError
from bough.explain import importances
from bough.loss_kinds import LOSSES
from bough.report.node_data import legend
from bough.report.subject import Subject
from bough.result_words import (
    rows_text,
    target_text,
    where_tried,
)
from bough.walk import depths
from bough.words import leaf_count, plain, share

MOST_BOXES = 31  # of a tree that are drawn on paper
WIDEST = 930  # pixels across A4, so that letters have at least 7 points
MOST_RULES = 300
MOST_IMPORTANT = 15  # columns that have a bar at once
MOST_UNUSED = 20  # columns that are named at once
FEWEST_REGIONS, MOST_REGIONS = 3, 1_000  # that are worth a picture
MOST_IN_CELL = 0.5  # of the rows, where the plane is worth one


def picture(subject: Subject) -> dict[str, Any]:
    """Return a drawing for paper and for browsers without scripts, and what the live one shows."""
    tree, digits = subject.tree, subject.digits
    still, drawn = on_paper(tree, WIDEST, max_nodes=MOST_BOXES, digits=digits)
    return {
        "svg": still,
        "n_nodes": len(tree),
        "n_more": len(tree) - drawn,
        "legend": legend(subject),
    }


def importance(subject: Subject) -> dict[str, Any]:
    """Return what each column has gained, and the columns that are never asked about."""
    shares = importances(subject.tree)
    used = sorted((name for name in shares if shares[name] > 0), key=lambda name: -shares[name])
    unused = [plain(name) for name in shares if shares[name] == 0]
    most = max(shares.values(), default=0.0)
    lines = [
        {"name": plain(name), "share": share(shares[name]), "width": 100 * shares[name] / most}
        for name in used
    ]
    return {
        "used": lines[:MOST_IMPORTANT],
        "more": lines[MOST_IMPORTANT:],
        "unused": unused,
        "is_long": len(unused) > MOST_UNUSED,
    }


def areas(subject: Subject) -> dict[str, Any] | None:
    """Return the plane of the two numbers that gained most; None if there is little to see."""
    tree, digits = subject.tree, subject.digits
    if region_features(tree) is None or len(tree.schema.labels) > 1:
        return None
    n_regions = len(partition(tree, named_features(tree, None)))
    if not FEWEST_REGIONS <= n_regions <= MOST_REGIONS:
        return None
    density = None if subject.evidence is None else subject.evidence.density
    if density is None or density.features != region_features(tree):
        return _without_density(subject)
    total = sum(map(sum, density.counts))
    if not total or max(map(max, density.counts)) > MOST_IN_CELL * total:
        return None
    return {
        "svg": regions(tree, density=density, digits=digits),
        "has_density": True,
        "is_map": is_map(density.features),
    }


def _without_density(subject: Subject) -> dict[str, Any] | None:
    ranges = None if subject.evidence is None else subject.ranges
    try:
        drawn = regions(subject.tree, ranges=ranges, digits=subject.digits)
    except ParameterError:  # a range that somebody has written into the file
        return None
    return {"svg": drawn, "has_density": False, "is_map": False}


def method(subject: Subject) -> dict[str, Any]:
    """Return how the rows were split, what was tried and how the tree was chosen."""
    evidence, tree = subject.evidence, subject.tree
    found: dict[str, Any] = {
        "target": target_text(tree) if len(tree.schema.labels) == 1 else "",
        "leaves": leaf_count(tree.n_leaves),
        "questions": counted(int(depths(tree).max()), "question") if len(tree) > 1 else "",
    }
    if evidence is None:
        return found
    settings = {each.setting for each in evidence.curve}
    return found | {
        "rows": rows_text(evidence),
        "n_settings": len(settings),
        "loss": LOSSES[evidence.loss].word,
        "grown": grown(evidence, tree),
        "cut": made_smaller(evidence),
        "among": tried(evidence),
        "choose": evidence.choose,
        "refit": evidence.refit,
        "where": where_tried(evidence),
    }
