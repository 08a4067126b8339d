"""The columns: their values, what is missing, what each is worth, and which of their values the tree serves badly."""

from collections.abc import Callable, Collection
from itertools import pairwise
from math import floor, log10, sqrt
from typing import Any, NamedTuple

import numpy as np

from bough.evidence import ColumnLook, ColumnSeen, Estimate, Evidence
from bough.explain.importances_and_shap_values import importances
from bough.figure_words import estimate_texts, value_text
from bough.histograms import Histogram
from bough.loss_kinds import LOSSES, signed
from bough.report.chart import bars, reach
from bough.report.subject import Subject
from bough.schema import Feature, Kind, date
from bough.words import amount, cell_word, number, ordered_answers, plain, share, value_word

MOST_GROUPS = 8
CLEARLY = (
    2.0  # times as far from all rows as its interval reaches: about 1 group in 10,000 by chance
)
MOST_VALUES = 3  # of a column that are named
MOST_NODES = 6  # that ask about a column, and are linked
LEAST_WITH_DECIMALS, MOST_WITH_DECIMALS = 1e-9, 1e15  # changes that are told without an exponent
LONGEST_PLAIN = 10_000  # below it thousands are not separated: it may be years
_EMPTY: dict[str, Any] = {
    "kind": "", "missing": "", "picture": "", "values": "", "role": "", "remarks": "", "nodes": [],
    "n_nodes": 0,
}  # fmt: skip


class Group(NamedTuple):
    """Test rows with some values of a column."""

    column: str
    words: str
    error: Estimate

    def excess(self, overall: float) -> float:
        """Return how much worse it clearly does than all rows; 0 if it does not."""
        above = self.error.value - overall
        return above if above > CLEARLY * (self.error.value - self.error.low) else 0.0


def served(subject: Subject, evidence: Evidence) -> dict[str, Any] | None:
    """Return the groups that clearly have more errors, and all groups of all columns."""
    loss = "error" if evidence.task.has_classes else "absolute_error"
    if loss not in evidence.test or not any(each.errors for each in evidence.columns):
        return None
    overall = evidence.test[loss]
    columns = {each.name: groups_of(subject, each) for each in evidence.columns if each.errors}
    everyone = [group for groups in columns.values() for group in groups]
    highest = max(group.error.high for group in everyone)
    worst = sorted(everyone, key=lambda group: -group.excess(overall.value) * group.error.n)
    worst = [group for group in worst if group.excess(overall.value) > 0][:MOST_GROUPS]

    def line(group: Group) -> dict[str, Any]:
        value, interval = estimate_texts(loss, group.error, subject.digits)
        return {
            "column": group.column,
            "words": group.words,
            "rows": f"{group.error.n:,}",
            "value": value,
            "interval": interval,
            "picture": reach(group.error, highest, overall.value),
            "is_worse": group.excess(overall.value) > 0,
        }

    return {
        "what": "wrong" if loss == "error" else "off on average",
        "overall": value_text(loss, overall.value, subject.digits),
        "worst": [line(group) for group in worst],
        "columns": [[line(group) for group in groups] for groups in columns.values()],
    }


def groups_of(subject: Subject, column: ColumnSeen) -> list[Group]:
    """Return the groups of test rows of a column."""
    (feature, *_) = [each for each in subject.tree.schema.features if each.name == column.name]
    words = bin_words(feature, column.test)
    words += ["missing"] * (len(column.errors) - len(words))
    return [
        Group(plain(column.name), told, error)
        for told, error in zip(words, column.errors, strict=True)
    ]


def bin_words(feature: Feature, found: Histogram) -> list[str]:
    """Return what the bins of a column hold."""
    if feature.choices:
        named = [plain(value_word(feature.choices[code])) for code in found.codes]
        return named + ["other values"] * (len(found.counts) - len(named))
    if not found.edges:
        return ["all values"] * len(found.counts)
    first, last = (
        ordered_answers(feature, found.edges[0])[0],
        ordered_answers(feature, found.edges[-1])[1],
    )
    inner = [
        f"{cell_word(feature, low)} to {cell_word(feature, high)}"
        for low, high in pairwise(found.edges)
    ]
    return [first, *inner, last]


def label_words(found: Histogram, classes: tuple[Any, ...]) -> list[str]:
    """Return what the bins of the labels hold."""
    if classes:
        named = [plain(value_word(classes[code])) for code in found.codes]
        return named + ["other classes"] * (len(found.counts) - len(named))
    edges = edge_words(found)
    if not edges:
        return ["all values"] * len(found.counts)
    inner = [f"{low} to {high}" for low, high in pairwise(edges)]
    return [f"< {edges[0]}", *inner, f"≥ {edges[-1]}"]


def edge_words(found: Histogram) -> list[str]:
    """Return what lies between bins of labels, with all digits: what is said of rows is true."""
    return [amount(edge, None) for edge in found.edges]


def data(subject: Subject) -> dict[str, Any]:
    """Return the target and the columns: their kind, their values, whether they are used."""
    known = {column.name: column for column in subject.columns}
    seen = (
        {} if subject.evidence is None else {each.name: each for each in subject.evidence.columns}
    )
    names = list(known) or list(subject.tree.schema.columns)
    earned = importances(subject.tree)
    lines = [_line(subject, name, known.get(name), seen.get(name), earned) for name in names]
    target = _target(subject)
    if target is not None:
        lines = [{**line, **target} if line["name"] == target["name"] else line for line in lines]
        lines.sort(key=lambda line: line["name"] != target["name"])
        if all(line["name"] != target["name"] for line in lines):
            lines.insert(0, {**_EMPTY, **target})
    return {
        "lines": lines,
        "is_whole": bool(known) or bool(seen),
        "has_pictures": any(line["picture"] for line in lines),
        "has_remarks": any(line["remarks"] for line in lines),
        "command": plain(subject.command),
    }


def _line(
    subject: Subject,
    name: str,
    column: ColumnLook | None,
    seen: ColumnSeen | None,
    earned: dict[str, float],
) -> dict[str, Any]:
    features = _features(subject, name)
    nodes = _asking(subject, features)
    return _EMPTY | {
        "name": plain(name),
        "kind": column.kind if column else features[0].kind.word if features else "",
        "missing": _missing(subject, column, seen),
        "picture": bars(seen.rows, bin_words(features[0], seen.rows)) if seen and features else "",
        "values": _values(subject, features[0], seen) if features else "",
        "role": _role(column, features, is_used=earned.get(name, 0.0) > 0),
        "remarks": "" if column is None else "; ".join(note.code for note in column.notes),
        "nodes": nodes[:MOST_NODES],
        "n_nodes": len(nodes),
    }


def _role(column: ColumnLook | None, features: list[Feature], *, is_used: bool) -> str:
    role = "feature" if column is None else column.role
    if role == "feature" and features:
        return "used" if is_used else "not used"
    return "left out" if column is None else role  # a column of the schema that has no feature


def _missing(subject: Subject, column: ColumnLook | None, seen: ColumnSeen | None) -> str:
    n_missing = column.n_missing if column else seen.n_missing if seen else None
    if n_missing is None:
        return ""
    evidence = subject.evidence
    n_rows = evidence.n_train + evidence.n_dev + evidence.n_test if evidence else 0
    return share(min(n_missing / n_rows, 1.0)) if n_missing and n_rows else f"{n_missing:,}"


def _target(subject: Subject) -> dict[str, Any] | None:
    """Return the line of the target; None if its labels are not known."""
    evidence = subject.evidence
    if evidence is None or evidence.labels is None or len(subject.tree.schema.labels) > 1:
        return None
    label, found = subject.tree.schema.labels[0], evidence.labels
    words = label_words(found, label.classes)
    total = sum(found.counts)
    named = (
        [f"{each} {share(n / total)}" for each, n in zip(words, found.counts, strict=True)]
        if label.classes
        else []
    )
    more = len(named) - MOST_VALUES
    told = ", ".join(named[:MOST_VALUES]) + (f", … {more:,} more" if more > 0 else "")
    if not label.classes and found.edges:
        below, beyond = (share(found.counts[end] / total) for end in (0, -1))
        edges = edge_words(found)
        told = f"{below} are below {edges[0]}, {beyond} are {edges[-1]} or more"
    return {
        "name": plain(label.name),
        "picture": bars(found, words),
        "values": told,
        "role": "target",
    }


def _features(subject: Subject, name: str) -> list[Feature]:
    """Return the features of a column, if it is one that queries may ask about."""
    schema = subject.tree.schema
    if name not in schema.columns:
        return []
    column = schema.columns.index(name)
    return [feature for feature in schema.features if feature.column == column]


def _asking(subject: Subject, features: list[Feature]) -> list[int]:
    """Return the questions about a column, those of most rows first."""
    tree = subject.tree
    numbers = [tree.schema.features.index(feature) for feature in features]
    nodes = np.flatnonzero(np.isin(tree.feature, numbers) & (tree.feature >= 0))
    return [int(each) for each in nodes[np.argsort(-tree.n_rows[nodes], kind="stable")]]


def _values(subject: Subject, feature: Feature, seen: ColumnSeen | None) -> str:
    """Return the values of a feature in short: the commonest ones, or from where to where."""
    if feature.choices:
        codes = seen.rows.codes if seen else range(len(feature.choices))
        named = [plain(value_word(feature.choices[code])) for code in codes[:MOST_VALUES]]
        more = len(feature.choices) - len(named)
        return ", ".join(named) + (f", … {more:,} more" if more else "")
    if feature.name not in subject.ranges:
        return ""
    ends = subject.ranges[feature.name]
    if feature.kind is Kind.DATE:
        return " to ".join(map(date, ends))
    is_short = max(map(abs, ends)) < LONGEST_PLAIN
    return " to ".join((number if is_short else amount)(end, subject.digits) for end in ends)


def shuffled(subject: Subject) -> dict[str, Any] | None:
    """Return how much worse predictions are with a column shuffled, the worst first; None: not known."""
    evidence = subject.evidence
    found = {} if evidence is None or evidence.edits else _worth(evidence)
    if evidence is None or not found:
        return None
    highest = max(each.high for each in found.values())
    lowest = min(0.0, *(each.low for each in found.values()))
    words = _changes(evidence, found.values())
    shares = importances(subject.tree)
    return {
        "what": _what(evidence),
        "lines": [
            {
                "name": plain(name),
                "picture": reach(found[name], highest, 0.0, lowest),
                "worth": words(found[name].value),
                "interval": f"{words(found[name].low)} to {words(found[name].high)}",
                "share": share(shares[name]),
            }
            for name in sorted(found, key=lambda name: -found[name].value)
        ],
    }


def _worth(evidence: Evidence) -> dict[str, Estimate]:
    """Return what shuffling costs, in the unit of the labels."""
    found = {each.name: each.importance for each in evidence.columns if each.importance is not None}
    if evidence.loss != "squared_error":
        return found
    before = evidence.test["squared_error"].value

    def root(change: float) -> float:
        return sqrt(max(before + change, 0.0)) - sqrt(before)

    return {
        name: Estimate(root(each.value), root(each.low), root(each.high), each.n, each.method)
        for name, each in found.items()
    }


def _what(evidence: Evidence) -> str:
    if evidence.loss == "error":
        return "more wrong in 100 test rows"
    if evidence.loss == "squared_error":
        return "higher root-mean-square error"
    figure = LOSSES[evidence.loss].figure_word
    return f"{figure} lost" if evidence.task.ranks else f"higher {figure}"


def _changes(evidence: Evidence, found: Collection[Estimate]) -> Callable[[float], str]:
    """Return what says a change; all have one form, and the greatest three digits.

    Of a ranking, what is lost of a figure has no sign.
    """
    factor, decimals, is_error = 1, 0, evidence.loss == "error"
    most = max(abs(each.value) for each in found)
    ends = max(most, *(max(abs(each.low), abs(each.high)) for each in found))
    most = most if most >= LEAST_WITH_DECIMALS else ends
    has_exponent = not (is_error or LEAST_WITH_DECIMALS <= most <= ends < MOST_WITH_DECIMALS)
    if is_error:
        factor, decimals = 100, 1
    elif not has_exponent:
        decimals = max(2 - floor(log10(most)), 0)

    def words(change: float) -> str:
        if has_exponent:
            rounded, told = change, f"{abs(change):.2e}" if change else "0"
        else:
            rounded = round(factor * change, decimals)
            told = f"{abs(rounded):,.{decimals}f}"
        is_plain = not rounded or (evidence.task.ranks and rounded > 0)
        return told if is_plain else signed(told, rounded)

    return words
