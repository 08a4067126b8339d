"""The first screen: what is predicted, how well, what it finds, what drives it, what to check."""

import re
from collections.abc import Iterable
from typing import Any

import bough
from bough.checks.list_of_checks import is_information
from bough.errors import as_option
from bough.evidence import FEWEST, Evidence, Note
from bough.explain.importances_and_shap_values import importances
from bough.figure_words import alike_texts, rarer_class, value_text
from bough.loss_kinds import LOSSES
from bough.report.class_errors import precision, unsaid
from bough.report.subject import Subject, told_first
from bough.result_words import doubts, edits, expected, headline_loss, sentences
from bough.words import amount, guess_word, leaf_count, plain, share

MOST_CLASSES = 5  # that are all told of at once
WORST_CLASSES = 3  # of more, those that are
MOST_DRIVERS = 3  # columns that are named
MOST_WARNINGS = 3  # that are shown at once
OF_THE_TREE = ("B201", "B205", "B301", "B302")  # notes on the tree that predicts, not on the table
_SENTENCE = re.compile(r"(?<=[.?!]) (?=[A-Z])")
OF_NUMBERS = {
    "median_absolute_error": ("median error", ""),
    "absolute_error": ("mean error", ""),
    "rmse": ("RMSE", "large errors weigh more"),
    "r2": ("R²", "variation explained"),
}
OF_RANKINGS = {
    "ndcg": ("first 10 places", "NDCG@10"),
    "ndcg@5": ("first 5 places", "NDCG@5"),
    "ndcg@1": ("first place", "NDCG@1"),
    "mrr": ("first relevant row", "MRR"),
}


def facts(subject: Subject) -> dict[str, Any]:
    """Return what the page is about."""
    evidence = subject.evidence
    n_rows = int(subject.tree.n_rows[0])
    if evidence is not None:
        n_rows = evidence.n_train + evidence.n_dev + evidence.n_test
    return {
        "table": plain(subject.table),
        "target": ", ".join(plain(label.name) for label in subject.tree.schema.labels),
        "rows": f"{n_rows:,} rows",
        "version": bough.__version__,
    }


def headline(subject: Subject) -> dict[str, Any]:
    """Return the answer: what was learnt, and how good it is."""
    evidence, tree = subject.evidence, subject.tree
    found = {
        "leaves": _leaves(tree.n_leaves),
        "n_leaves": leaf_count(tree.n_leaves),
        "drivers": drivers(subject),
        "figures": figures(subject),
        "claim": _claim(subject),
    }
    if evidence is None:
        return found
    return found | {
        "expected": _expected(subject, evidence),
        "always": "" if evidence.task.ranks else _always(subject),
        "edits": [*map(plain, edits(evidence))],
        "doubts": doubts(evidence),
    }


def claim(subject: Subject) -> str:
    """Return the title of the page in words, of the tree that predicts."""
    target = facts(subject)["target"]
    found = _claim(subject)
    if len(found) == 3:
        return f"{' '.join(found)} {target}"
    return f" {target} ".join(found) or f"{_leaves(subject.tree.n_leaves)} predicts {target}"


def _expected(subject: Subject, evidence: Evidence) -> dict[str, str]:
    """Return the estimate in words: what the title says of it, its likely range, the baseline."""
    name, digits = told_first(evidence), subject.digits
    found = evidence.test[name]
    value, low, high, always = _texts(evidence, name, digits)
    words = {
        "accuracy": (f"Right for {value} of new rows.", f"scores {always}"),
        "median_absolute_error": (
            f"Half of the predictions are within {value}.",
            f"gets half within {always}",
        ),
    }
    what = f"Expected {expected(evidence).what} on new {LOSSES[evidence.loss].units}: {value}."
    said, compared = words.get(name, (what, f"gives {always}"))
    has_title = bool(_claim(subject)) and not doubts(evidence)
    if has_title and (name == "median_absolute_error" or found.value == 1):
        said = ""  # the title has said it
    return {
        "said": said,
        "interval": f"{low.removesuffix(' %')}–{high.removesuffix(' %')}",
        "unit": " %" if value.endswith("%") else "",
        "on": f"{found.n:,} {LOSSES[evidence.loss].units}",
        "compared": compared,
    }


def _what(evidence: Evidence, name: str) -> str:
    return "half within" if name == "median_absolute_error" else expected(evidence).what


def _claim(subject: Subject) -> list[str]:
    """Return what stands before and after the target in the title; empty: nothing can be said."""
    evidence = subject.evidence
    if evidence is None or subject.tree.n_leaves == 1 or evidence.edits:
        return []
    return (
        ["Check before use: the table may give", "away"]
        if doubts(evidence)
        else _merit(subject, evidence)
    )


def _merit(subject: Subject, evidence: Evidence) -> list[str]:
    """Return the same of a figure that nothing casts doubt on."""
    test, name = evidence.test, headline_loss(evidence)
    if evidence.task == "regression" and "median_absolute_error" in test:
        middle = value_text("rmse", test["median_absolute_error"].value, subject.digits)
        return ["Half of this tree’s predictions of", f"are within {middle}"]
    if evidence.task.ranks and evidence.group is not None:
        return ["This tree ranks the rows of each", plain(evidence.group), "by"]
    if name != "accuracy":
        return []
    if test[name].value == 1:
        return ["This tree got", f"right for all {test[name].n:,} test rows"]
    right = round(100 * test[name].value)
    return [
        "This tree gets",
        f"right for {f'about {right}' if right < 100 else 'more than 99'} rows in 100",
    ]


def figures(subject: Subject) -> dict[str, Any] | None:
    """Return how well single classes are found, or how far off numbers are; None: it is not known."""
    evidence, tree = subject.evidence, subject.tree
    if evidence is None or evidence.edits or tree.n_leaves == 1 or len(tree.schema.labels) > 1:
        return None
    if not evidence.task.has_classes:
        return _plain_figures(evidence, subject.digits)
    names = [guess_word(each) for each in tree.schema.labels[0].classes]
    shares = tree.shares[0, 0].tolist()
    lines = [
        _of_class(evidence, name, part)
        for name, part in zip(names, shares, strict=True)
        if f"recall:{name}" in evidence.test or f"precision:{name}" in evidence.test
    ]
    lines.sort(key=lambda line: -line["n"])
    if len(names) == 2:
        lines = [line for line in lines if line["name"] == plain(rarer_class(tree))]
    if not lines:  # no test row has the class, or is predicted to have it
        return None
    n_shown = WORST_CLASSES if len(lines) > MOST_CLASSES else MOST_CLASSES
    worst = sorted(lines, key=lambda line: (line["is_untold"], line["f1"]))[:n_shown]
    shown = [line for line in lines if line in worst]
    return {
        "kind": "one class" if len(names) == 2 else "classes",
        "lines": shown,
        "more": [line for line in lines if line not in worst],
        "n_classes": len(names),
        "n_known": len(lines) if len(names) > 2 else 2,
    }


def _of_class(evidence: Evidence, name: str, part: float) -> dict[str, Any]:
    test = evidence.test
    recall, f1 = test.get(f"recall:{name}"), test.get(f"f1:{name}")
    return {
        "name": plain(name),
        "n": recall.n if recall else 0,
        "f1": f1.value if f1 else 0.0,
        "is_untold": recall is None or (recall.n < FEWEST and f"precision:{name}" in evidence.test),
        "share": share(part),
        "finds": recall,
        "right": precision(evidence, name),
        "unsaid": unsaid(evidence, name),
    }


def _plain_figures(evidence: Evidence, digits: int) -> dict[str, Any]:
    words = OF_RANKINGS if evidence.task.ranks else OF_NUMBERS
    found = {name: evidence.test[name] for name in words if name in evidence.test}
    texts = {name: _texts(evidence, name, digits) for name in found}
    lines = [
        {
            "name": word,
            "about": about,
            "value": texts[name][0],
            "interval": "–".join(texts[name][1:3]),
            "baseline": "".join(texts[name][3:]),
        }
        for name, (word, about) in words.items()
        if name in found
    ]
    return {
        "kind": "figures",
        "lines": lines,
        "baseline": evidence.task.baseline if evidence.task.ranks else "baseline",
    }


def _texts(evidence: Evidence, name: str, digits: int) -> list[str]:
    """Return a figure, both ends of its interval and, where it is known, that of the baseline."""
    found = evidence.test[name]
    values = [found.value, found.low, found.high]
    if name in evidence.baseline:
        values.append(evidence.baseline[name].value)
    return alike_texts(name, values, digits)


def in_100(value: float) -> str:
    """Return a share as so many in 100."""
    return share(value).removesuffix(" %")


def drivers(subject: Subject) -> dict[str, Any]:
    """Return the columns that gained most, and how many others are asked about."""
    used = earned(subject)
    return {"lines": used[:MOST_DRIVERS], "n_more": len(used[MOST_DRIVERS:])}


def earned(subject: Subject) -> list[dict[str, Any]]:
    """Return the columns that are asked about with their shares of the gain, the greatest first."""
    shares = sorted(importances(subject.tree).items(), key=lambda each: -each[1])
    return [{"name": plain(name), "share": gained} for name, gained in shares if gained > 0]


def larger(subject: Subject) -> str:
    """Return what the tree that predicts has over the simpler one, in words; empty: there is none."""
    smaller, evidence = subject.smaller, subject.evidence
    if smaller is None or evidence is None or smaller.evidence is None:
        return ""
    names = [told_first(evidence)]
    found = figures(subject)
    if found is not None and found["kind"] == "one class":
        names += [f"recall:{rarer_class(subject.tree)}"]
    words = []
    for name in names:
        more, less = evidence.test.get(name), smaller.evidence.test.get(name)
        if more is not None and less is not None:
            kind, _, of_class = name.partition(":")
            what = _what(evidence, name) if not of_class else f"finds “{plain(of_class)}”"
            values = [value_text(kind, each.value, subject.digits) for each in (more, less)]
            if values[0] != values[1]:
                words.append(f"{what} {values[0]} instead of {values[1]}")
    return ", ".join(words)


def notes(subject: Subject) -> dict[str, Any]:
    """Return what to check: at most three warnings, and all else to unfold."""
    evidence = subject.evidence
    if evidence is None:
        return {"warnings": [], "others": [], "sentences": [], "n_more": 0}
    merged = _merged(evidence.notes)
    loud = sorted(
        (note for note in merged if not note["is_information"]),
        key=lambda note: not note["is_loud"],
    )
    quiet = [note for note in merged if note["is_information"]]
    others = [*loud[MOST_WARNINGS:], *quiet]
    return {
        "warnings": loud[:MOST_WARNINGS],
        "others": others,
        "n_more": len(others),
        "sentences": sentences(evidence, subject.digits, cli=True),
    }


def _merged(found: Iterable[Note]) -> list[dict[str, Any]]:
    """Return notes; those of one check, of which each asks for something or none does, are one."""
    merged: dict[tuple[str, bool], dict[str, Any]] = {}
    for note in found:
        first, *rest = _SENTENCE.split(plain(note.text), maxsplit=1)
        line = {"text": " ".join(rest), "fix": plain(as_option(note.fix))}
        key = note.code, is_information(note)
        if key in merged:
            merged[key]["more"].append(line | {"text": plain(note.text)})
            merged[key]["is_loud"] |= note.is_loud
            continue
        merged[key] = {
            "code": note.code,
            "is_information": key[1],
            "is_loud": note.is_loud,
            "is_of_tree": note.code in OF_THE_TREE,
            "first": first,
            **line,
            "more": [],
        }
    return [*merged.values()]


def _leaves(n_leaves: int) -> str:
    if n_leaves == 1:
        return "A single leaf"
    words = f"{n_leaves:,}"
    is_vowel = words[0] == "8" or words.partition(",")[0] in ("11", "18")
    return f"{'An' if is_vowel else 'A'} {words}-leaf tree"


def _always(subject: Subject) -> str:
    """Return what the baseline predicts."""
    guess = subject.tree[0].guess
    if isinstance(guess, float):
        return amount(guess, subject.digits)
    words = plain(guess_word(guess, subject.digits))
    return f"“{words}”" if subject.tree.schema.has_classes else words
