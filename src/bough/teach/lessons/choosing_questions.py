"""Lessons about questions: how to compare them, in which order to ask, how many trees there are."""

from collections.abc import Sequence
from math import log2
from statistics import fmean
from typing import Any

import numpy as np

from bough.datasets import Cell, Teaching, load
from bough.errors import ParameterError
from bough.grow import grow
from bough.learn.score import score
from bough.settings import Settings
from bough.table import TableLike
from bough.teach.lessons.lesson import Lesson, bars
from bough.teach.walkthrough import TaughtTable, read_taught
from bough.tree import Tree
from bough.walk import depths

SEEDS = 200


def number() -> Lesson:
    """Guess a number from 1 to 100."""
    table = {"number": list(range(1, 101)), "it": [f"{n:03d}" for n in range(1, 101)]}
    taught = read_taught(table, "it", task="classification", ignore="B103")
    found = {each: _shape(_tree(taught, each)) for each in ("entropy", "gini", "error")}
    rows = tuple((name, depth, questions) for name, (_, depth, questions) in found.items())
    return Lesson(
        "number",
        "Guess a number",
        "Seven yes/no questions find a number from 1 to 100, if each halves what is left. Entropy "
        "finds that out. To Gini and the error rate all first questions look alike, so they ask about "
        "one number after the other.",
        ("criterion", "depth", "questions on average"),
        rows,
        bars("questions on average", list(found), {"questions": [row[2] for row in rows]}),
        "Why does every first question look the same to the error rate?",
        "Whatever is asked, two of 100 numbers are predicted right afterwards instead of one.",
        {name: {"depth": depth, "questions": mean} for name, depth, mean in rows},
    )


def histograms(table: TableLike | None = None, target: str | None = None) -> Lesson:
    """Count the labels behind each answer."""
    given = load("course_ratings") if table is None else table
    if not score(given, target).classes:
        raise ParameterError("This lesson counts labels: it needs a target with classes.")
    scores = score(given, target, criterion="error")
    named = [str(each) for each in scores.classes]
    rows: list[tuple[Any, ...]] = [
        (each.feature, answer.words.removeprefix("= "), *map(int, answer.tally), answer.n_rows)
        for each in scores.features
        for answer in each.answers
    ]
    right = {each.feature: each.n_right or 0 for each in scores.features}
    best = max(right, key=lambda name: right[name])
    return Lesson(
        "histograms",
        "Which question first?",
        f"A good question leaves answers that agree. After asking about {best}, the most common "
        f"label of each answer is right for {right[best]} of {scores.n_rows} rows.",
        ("ask", "answer", *named, "rows"),
        tuple(rows),
        bars(f"right of {scores.n_rows}", list(right), {"right": list(right.values())}),
        "How many rows are right without any question?",
        f"{max(map(int, scores.tally))} of {scores.n_rows}: those of the most common label.",
        {"n_rows": scores.n_rows, "right": right},
    )


def criteria() -> Lesson:
    """Compare error rate, Gini and entropy."""
    eight = load("eight_rows")
    by_error = {e.feature: e for e in score(eight, criterion="error").features}
    by_entropy = {e.feature: e for e in score(eight, criterion="entropy").features}
    shares = [0.0, 0.125, 0.25, 0.375, 0.5]
    curves = [(p, min(p, 1 - p), 2 * p * (1 - p), _entropy(p)) for p in shares]
    names = list(by_error)
    wrong = [8 - (by_error[name].n_right or 0) for name in names]
    gains = [by_entropy[name].gain for name in names]
    return Lesson(
        "criteria",
        "Three ways to be mixed",
        "All three are 0 where labels agree and greatest at one half. Gini and entropy are curved, so "
        "they reward a question that makes one answer pure, where the error rate sees no difference: on "
        f"eight rows both questions leave {wrong[0]} of 8 wrong, but x1 gains 0 bit and x2 "
        f"{gains[1]:.3f}.",
        ("share of one class", "error", "gini", "entropy"),
        tuple(curves),
        bars(
            "impurity by the share of one class",
            shares,
            {
                "error": [row[1] for row in curves],
                "gini": [row[2] for row in curves],
                "entropy": [row[3] for row in curves],
            },
        ),
        "Which of the three is greatest at one half?",
        "Entropy, with 1 bit; error rate and Gini are both 0.5.",
        {
            "curves": [dict(zip(("p", "error", "gini", "entropy"), row, strict=True)) for row in curves],
            "eight_rows": {"wrong": dict(zip(names, wrong, strict=True)),
                           "gain": dict(zip(names, gains, strict=True))},
        },
    )  # fmt: skip


def order() -> Lesson:
    """Ask the same questions in another order."""
    rooms = load("office_rooms")
    fixed = ("size", "department", "floor")
    ways = (
        ("status, then floor", *_asked(rooms, ("status", "floor"))),
        ("size, department, status", *_asked(rooms, ("size", "department", "status"))),
        ("size, department, floor", *_asked(rooms, fixed)),
        ("… stop only at equal labels", *_asked(rooms, fixed, skips=False)),
        ("… every question, always", *_asked(rooms, fixed, skips=False, stops=False)),
    )
    return Lesson(
        "order",
        "The order matters",
        "The tree that asks the most telling question first needs 1.375 questions on average. Other "
        "orders need more, up to 3, and some stay wrong.",
        ("asked", "questions on average", "wrong of 8"),
        ways,
        bars(
            "questions on average",
            [way[0] for way in ways],
            {"questions": [way[1] for way in ways]},
        ),
        "Which rooms does the order size, department, floor get wrong, and why?",
        "Some rooms agree in all three and differ in status, which decides.",
        {"ways": [{"asked": a, "questions": q, "wrong": w} for a, q, w in ways]},
    )


def trees() -> Lesson:
    """Count the trees, and let chance ask."""
    counts = [1]
    for n_questions in range(2, 6):
        counts.append(n_questions * counts[-1] ** 2)
    taught = read_taught(load("play_tennis"))
    chosen, *_ = _shape(_tree(taught, "entropy"))
    by_chance = [
        _shape(_tree(taught, "entropy", max_features=1, random_state=seed))[0]
        for seed in range(SEEDS)
    ]
    mean = fmean(by_chance)
    return Lesson(
        "trees",
        "Too many trees to try",
        f"Five yes/no questions can be asked in {counts[-1]:,} orders, since each branch may go on "
        "differently. So trees are grown greedily. On play tennis, chosen questions give "
        f"{chosen} leaves, and random ones {mean:.1f} on average.",
        ("questions", "full trees"),
        tuple((f"{n}", f"{count:,}") for n, count in enumerate(counts, start=1)),
        bars("leaves on play tennis", ["chosen", "by chance"], {"leaves": [chosen, mean]}),
        "How many full trees are there for six questions?",
        f"6 × {counts[-1]:,}², about {6 * counts[-1] ** 2:.1e}.",
        {"orders": counts, "chosen": chosen, "by_chance": mean, "seeds": SEEDS},
    )


def _tree(taught: TaughtTable, criterion: str, **settings: int) -> Tree:
    wanted = Settings(criterion=criterion, **settings)  # type: ignore[arg-type]
    return grow(taught.exact.table, taught.exact.labels, wanted)


def _shape(tree: Tree) -> tuple[int, int, float]:
    """Return the leaves and the depth of a tree, and how many questions it asks on average."""
    depth, is_leaf = depths(tree), tree.feature < 0
    asked = float((tree.n_rows * depth)[is_leaf].sum() / tree.n_rows[0])
    return tree.n_leaves, int(np.max(depth)), asked


def _entropy(p: float) -> float:
    return abs(sum(q * log2(q) for q in (p, 1 - p) if q > 0))


def _asked(
    table: Teaching, columns: Sequence[str], *, stops: bool = True, skips: bool = True
) -> tuple[float, int]:
    """Return how many questions an order takes on average, and how many rows are wrong.

    `stops` at equal labels; `skips` a question that does not tell the rows apart.
    """
    total, wrong = _below(table, list(range(len(table.labels))), columns, stops=stops, skips=skips)
    return total / len(table.labels), wrong


def _below(
    table: Teaching, rows: list[int], columns: Sequence[str], *, stops: bool, skips: bool
) -> tuple[int, int]:
    labels = [table.labels[row] for row in rows]
    if not columns or (stops and len(set(labels)) == 1):
        return 0, len(rows) - max(map(labels.count, labels))
    first, *others = columns
    parts: dict[Cell, list[int]] = {}
    for row in rows:
        parts.setdefault(table[first][row], []).append(row)
    found = [_below(table, part, others, stops=stops, skips=skips) for part in parts.values()]
    asked = 0 if skips and len(parts) == 1 else len(rows)
    return asked + sum(total for total, _ in found), sum(wrong for _, wrong in found)
