"""Errors by the values of columns: which groups of rows the tree serves badly."""

from itertools import pairwise
from typing import Any, NamedTuple

from bough.evidence import ColumnSeen, Estimate, Evidence
from bough.figure_words import interval_text, value_text
from bough.report.inline_bars import reach
from bough.report.subject import Subject
from bough.rows_counted import Histogram
from bough.schema import Feature
from bough.words import amount, cell_word, ordered_answers, plain, value_word

MOST_GROUPS = 8
CLEARLY = (
    2.0  # times as far from all rows as its interval reaches: about 1 group in 10,000 by chance
)


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
        return {
            "column": group.column,
            "words": group.words,
            "rows": f"{group.error.n:,}",
            "value": value_text(loss, group.error.value, subject.digits),
            "interval": interval_text(loss, group.error, subject.digits),
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
