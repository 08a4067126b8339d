"""Lessons about questions and what trees can say: how to compare them, in which order to ask, parity, bias, the circle."""

from collections.abc import Sequence
from itertools import combinations
from math import log2
from statistics import fmean
from typing import Any

import numpy as np

from bough.datasets import Cell, Teaching, load
from bough.errors import ParameterError
from bough.grow import grow
from bough.learn.labelled_rows import LabelledRows
from bough.learn.score_columns import score
from bough.predict import stops
from bough.pruning.ways import at_depth
from bough.settings import Settings
from bough.table import TableLike, read
from bough.teach.lessons.lesson_parts import (
    RADIUS,
    Lesson,
    RegionPanel,
    RegionPicture,
    bars,
    circle_rows,
    made_rows,
    mean_of,
    panel,
    rows_of,
    tree_from,
    wrong,
)
from bough.teach.walkthrough import TaughtTable, read_taught
from bough.tree import Tree
from bough.walk import depths
from bough.words import share as percent

SEEDS = 200
BITS, PARITY_ROWS, PARITY_TRIALS = 10, 200, 20
NEW_ROWS = 1_000
BIRDS: dict[str, list[str]] = {
    "feet": ["webbed"] * 5 + ["clawed"] * 5,
    "beak": ["flat"] * 5 + ["pointed"] * 5,
    "nest": ["reeds"] * 5 + ["tree"] * 5,
    "size": ["small", "large", "large", "small", "large", "small", "small", "large", "small", "large"],
    "swims": ["yes"] * 5 + ["no"] * 5,
}  # fmt: skip
NEW_BIRDS: dict[str, list[str]] = {
    "feet": ["webbed", "webbed", "webbed", "clawed", "clawed", "clawed"],
    "beak": ["flat", "pointed", "pointed", "flat", "flat", "pointed"],
    "nest": ["tree", "reeds", "tree", "reeds", "tree", "reeds"],
    "size": ["small", "large", "small", "large", "small", "large"],
}
CIRCLE_ROWS, FINE = 1_000, 24
CIRCLE_DEPTHS, DRAWN_DEPTHS = (1, 2, 3, 4, 6, 8, 10), (2, 4, 8)


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
    """Count the trees, and ask at random."""
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


def parity() -> Lesson:
    """Learn whether the number of ones is odd."""
    found = {n: _parity(n) for n in (1, 2, 3, 4, 5, 10)}
    means = [mean_of(each) for each in found.values()]
    names = ["one bit decides", *(f"parity of {n}" for n in found if n > 1)]
    return Lesson(
        "parity",
        "What greedy growth cannot see",
        f"{PARITY_ROWS} rows of {BITS} bits. Where one bit decides, a tree knows it at once. Whether 2, 3, 4 "
        "or 5 bits have an odd number of ones it learns ever worse, because no single bit tells anything, "
        f"and of all 10 it learns nothing: {percent(means[-1].mean)} of new rows are wrong.",
        ("label", "wrong on new rows"),
        tuple((name, each.mean) for name, each in zip(names, means, strict=True)),
        bars("share of wrong predictions", names, {"new rows": [each.mean for each in means]}),
        "Could a tree say whether all 10 bits have an odd number of ones? How many leaves would it have?",
        f"Yes, with {2**BITS:,} leaves, one for each row that there is. {PARITY_ROWS} rows cannot fill them.",
        {
            "wrong": {n: each.mean for n, each in zip(found, means, strict=True)},
            "wrong_error": {n: each.error for n, each in zip(found, means, strict=True)},
            "trials": PARITY_TRIALS,
        },
    )


def _parity(n_bits: int) -> list[float]:
    found = []
    for seed in range(PARITY_TRIALS):
        bits = np.random.default_rng(seed).integers(0, 2, (PARITY_ROWS + NEW_ROWS, BITS))
        is_odd = bits[:, :n_bits].sum(axis=1) % 2
        seen, new = slice(PARITY_ROWS), slice(PARITY_ROWS, None)
        tree = tree_from(made_rows(bits[seen], is_odd[seen]))
        found.append(wrong(tree, made_rows(bits[new], is_odd[new])))
    return found


def bias() -> Lesson:
    """Three trees with no training error."""
    asked = ("feet", "beak", "nest")
    birds = rows_of(BIRDS, "swims")
    trees = {name: tree_from(birds, first=(name,)) for name in asked}
    errors = {name: round(wrong(tree, birds) * len(birds)) for name, tree in trees.items()}
    said = {name: _swims(tree) for name, tree in trees.items()}
    rows: list[tuple[Any, ...]] = [
        (*(NEW_BIRDS[name][row] for name in asked), *(said[name][row] for name in asked))
        for row in range(len(NEW_BIRDS["feet"]))
    ]
    sets = [*combinations(asked, 2), asked]
    agree = {" and ".join(some): _n_alike([said[name] for name in some]) for some in sets}
    disagree = len(rows) - agree[" and ".join(asked)]
    return Lesson(
        "bias",
        "The rows do not decide alone",
        f"Ten birds are learnt without an error by three trees: one asks about the feet, one about the beak, "
        f"one about the nest. They disagree on {disagree} of {len(rows)} new birds. Which one is grown depends on "
        "what the method prefers, its inductive bias; bough takes the earliest of equal columns.",
        ("feet", "beak", "nest", "by feet", "by beak", "by nest"),
        tuple(rows),
        bars("new birds for which trees agree, of 6", list(agree), {"agree": list(agree.values())}),
        "Can any of the ten birds tell which tree is right?",
        "No: all three predict each of them right. Only other birds, or knowledge about birds, can.",
        {"training_errors": errors, "predictions": said, "agree": agree, "disagree": disagree},
    )  # fmt: skip


def _n_alike(predictions: Sequence[Sequence[str]]) -> int:
    return sum(len(set(each)) == 1 for each in zip(*predictions, strict=True))


def _swims(tree: Tree) -> list[str]:
    table = read(NEW_BIRDS)
    codes = tree.class_guess[stops(tree, table), 0].tolist()
    return [str(tree.schema.labels[0].classes[code]) for code in codes]


def circle() -> Lesson:
    """Square the circle."""
    chance = np.random.default_rng(0)
    rows, new = circle_rows(chance, CIRCLE_ROWS), circle_rows(chance, 10 * CIRCLE_ROWS)
    tree = tree_from(rows)
    cuts = {depth: at_depth(tree, depth) for depth in CIRCLE_DEPTHS}
    found = [(depth, each.n_leaves, wrong(each, new)) for depth, each in cuts.items()]
    return Lesson(
        "circle",
        "Squaring the circle",
        f"A tree asks about one number at a time, so its regions are rectangles. With {found[0][1]} regions "
        f"{percent(found[0][2])} of new points are wrong, with {found[-1][1]} regions "
        f"{percent(found[-1][2])}: more and more of them square the circle.",
        ("depth", "regions", "wrong on new points"),
        tuple(found),
        RegionPicture(
            "where the tree predicts 'inside'",
            tuple(_panel(cuts[each], each) for each in DRAWN_DEPTHS),
            radius=RADIUS / 2,
        ),
        "Which column, worked out from x and y, would make one question enough?",
        "The distance from the centre, or its square, x² + y². A good column saves many questions.",
        {
            "regions": {depth: leaves for depth, leaves, _ in found},
            "wrong": {depth: error for depth, _, error in found},
        },
    )  # fmt: skip


def _panel(tree: Tree, depth: int) -> RegionPanel:
    middles = (np.arange(FINE) + 0.5) / FINE * 2 - 1
    points = np.array([(x, y) for y in middles[::-1] for x in middles])
    rows: LabelledRows = made_rows(points, np.zeros(len(points)))
    labels = tree.class_guess[stops(tree, rows.table), 0].tolist()
    return panel(f"depth {depth}", labels, FINE)
