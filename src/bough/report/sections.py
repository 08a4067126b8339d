"""The sections of the page, one function each: a subject → what the template shows."""

from typing import Any

import bough
from bough.argument_names import as_option
from bough.checks.note_words import counted, is_information
from bough.choice_words import grown, made_smaller, tried
from bough.drawing.colors import color_of, colored_classes
from bough.drawing.plane_partition import is_map, named_features, partition, region_features
from bough.drawing.regions import regions
from bough.drawing.shown_nodes import drawn_nodes
from bough.drawing.svg import svg
from bough.errors import ParameterError
from bough.explain import importances
from bough.explain.rules import trail_conditions
from bough.loss_kinds import LOSSES
from bough.node_words import verdict_of
from bough.report.subject import Subject
from bough.result_words import (
    doubts,
    edits,
    expected,
    headline_loss,
    rows_text,
    rule_words,
    sentences,
    target_text,
    where_tried,
)
from bough.walk import depths
from bough.words import guess_word, leaf_count, number, plain, share

MOST_BOXES = 100  # of a large tree that are drawn
MOST_RULES = 300
MOST_IMPORTANT = 15  # columns that have a bar at once
MOST_UNUSED = 20  # columns that are named at once
FEWEST_REGIONS = 3  # that are worth a picture
MOST_IN_CELL = 0.5  # of the rows, where the plane is worth one


def headline(subject: Subject) -> dict[str, Any]:
    """Return the answer: what was learnt, and how good it is."""
    tree, evidence, digits = subject.tree, subject.evidence, subject.digits
    found: dict[str, Any] = {
        "table": plain(subject.table),
        "target": ", ".join(plain(label.name) for label in tree.schema.labels),
        "rows": f"{_n_rows(subject):,} rows",
        "version": bough.__version__,
        "leaves": _leaves(tree.n_leaves),
        "right": _right_in_100(subject),
    }
    if evidence is None:
        return found
    return found | {
        "seed": evidence.seed,
        "expected": expected(evidence, digits),
        "always": "" if evidence.task.ranks else _always(subject),
        "edits": [*map(plain, edits(evidence))],
        "doubts": doubts(evidence),
        "sentences": sentences(evidence, digits, cli=True),
    }


def notes(subject: Subject) -> list[dict[str, Any]]:
    """Return what the checks saw, and what to type."""
    if subject.evidence is None:
        return []
    return [
        {
            "code": note.code,
            "text": plain(note.text),
            "fix": plain(as_option(note.fix)),
            "is_loud": note.is_loud,
            "is_information": is_information(note),
        }
        for note in subject.evidence.notes
    ]


def picture(subject: Subject) -> dict[str, Any]:
    """Return the drawing, and which nodes are in it."""
    tree, digits = subject.tree, subject.digits
    drawn = drawn_nodes(tree, None, MOST_BOXES)
    nodes = {each.node.id for each in drawn if each.node is not None}
    return {
        "svg": svg(tree, max_nodes=MOST_BOXES, digits=digits),
        "nodes": nodes,
        "n_more": len(tree) - len(nodes),
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
    if len(partition(tree, named_features(tree, None))) < FEWEST_REGIONS:
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
    ranges = None if subject.evidence is None else subject.evidence.ranges
    try:
        drawn = regions(subject.tree, ranges=ranges, digits=subject.digits)
    except ParameterError:  # a range that somebody has written into the file
        return None
    return {"svg": drawn, "has_density": False, "is_map": False}


def rules(subject: Subject) -> dict[str, Any]:
    """Return the leaves as sentences, those of most rows first."""
    tree, digits, stops = subject.tree, subject.digits, subject.stops
    leaves = {node.id: conditions for node, conditions in trail_conditions(tree) if node.is_leaf}
    order = sorted(leaves, key=lambda node: -int(tree.n_rows[node]))
    colored = colored_classes(tree)
    lines = []
    for node in order[:MOST_RULES]:
        verdict = verdict_of(tree, node, digits)
        line = {
            "conditions": rule_words(leaves[node]),
            "guess": plain(verdict.guess_word),
            "certainty": verdict.certainty,
            "n_rows": verdict.n_rows,
            "color": color_of(int(tree.class_guess[node, 0]), colored) if colored else "",
        }
        if stops is not None:
            line |= {"n_test": int(stops.n_reached[node]), "test": _on_test_rows(subject, node)}
        lines.append(line)
    return {
        "lines": lines,
        "n_more": len(leaves) - len(lines),
        "certainty": _certainty(subject),
        "on_test": "mean relevance" if tree.schema.task.ranks else "on test rows",
        "has_test": stops is not None,
    }


def _certainty(subject: Subject) -> str:
    """Return how leaves say how sure they are; "": they do not."""
    schema = subject.tree.schema
    if len(schema.labels) > 1 or schema.task.ranks:
        return ""
    return "share" if schema.has_classes else "spread"


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


def _leaves(n_leaves: int) -> str:
    if n_leaves == 1:
        return "A single leaf"
    words = f"{n_leaves:,}"
    is_vowel = words[0] == "8" or words.partition(",")[0] in ("11", "18")
    return f"{'An' if is_vowel else 'A'} {words}-leaf tree"


def _always(subject: Subject) -> str:
    """Return what the baseline predicts."""
    words = plain(guess_word(subject.tree[0].guess, subject.digits))
    return f"“{words}”" if subject.tree.schema.has_classes else words


def _right_in_100(subject: Subject) -> int:
    """Return how many rows of 100 are right; 0: no such claim can head the page."""
    evidence, is_leaf = subject.evidence, subject.tree.n_leaves == 1
    if evidence is None or is_leaf or evidence.edits or doubts(evidence):
        return 0
    right = (
        round(100 * evidence.test["accuracy"].value) if headline_loss(evidence) == "accuracy" else 0
    )
    return right if right < 100 else 0


def _n_rows(subject: Subject) -> int:
    evidence = subject.evidence
    if evidence is None:
        return int(subject.tree.n_rows[0])
    return evidence.n_train + evidence.n_dev + evidence.n_test


def _on_test_rows(subject: Subject, node: int) -> str:
    """Return what the test rows say of a leaf: the share that is right, the error, the relevance."""
    stops, digits = subject.stops, subject.digits
    assert stops is not None  # noqa: S101 - who calls has looked
    right, error = stops.right(node), stops.error(node)
    if right is not None:
        return share(right)
    if subject.tree.schema.task.ranks and stops.reached[node, 0]:
        return number(stops.mean(node), digits)
    return "" if error is None else f"± {number(error, digits)}"
