"""Lessons about fitting too much: depth, noise, coincidence, and the loss that is expected."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from bough.datasets import load
from bough.learn.labelled_rows import LabelledRows
from bough.table import TableLike
from bough.teach.lessons.lesson_parts import (
    Floats,
    Lesson,
    Numbers,
    bars,
    circle_rows,
    made_rows,
    mean_of,
    n_trials,
    parted,
    rows_of,
    rows_to_split,
    tree_from,
    wrong_at_depths,
    wrong_rows_at_depths,
)
from bough.tree import Tree
from bough.words import share as percent

DEEPEST = 12  # that is shown
CIRCLE_ROWS, CIRCLE_NOISE, CIRCLE_TRIALS = 300, 0.2, 100
NEW_ROWS = 1_000
LABEL_NOISE = (0.0, 0.05, 0.1, 0.2, 0.3)
FEATURE_NOISE = (0.05, 0.1, 0.2)
NOISE_ROWS, NOISE_TRIALS = 500, 20
N_COLUMNS = (1, 10, 100, 1_000)
COINCIDENCE_ROWS, COINCIDENCE_NEW, COINCIDENCE_TRIALS = 20, 100, 100
ASKED = ("seminar", "graphics", "systems", "proofs", "late")
COURSES = (np.arange(32)[:, np.newaxis] >> np.arange(5)) & 1
SAMPLED = 80


def depth(table: TableLike | None = None, target: str | None = None) -> Lesson:
    """Ask one question more, and another."""
    pairs = _circles() if table is None else _halves(rows_to_split(table, target))
    training, new = map(np.array, zip(*map(_curves, pairs), strict=True))
    on_training, on_new = training.mean(axis=0), new.mean(axis=0)
    best = int(np.argmin(on_new))
    told = "points of a circle, one label in five wrong" if table is None else "this table"
    return Lesson(
        "depth",
        "Where to stop",
        f"On {told}: on the training rows a deeper tree is wrong less often, {percent(on_training[0])} "
        f"at depth 0 and {percent(on_training[-1])} at depth {DEEPEST}. On new rows it is best at "
        f"depth {best}, with {percent(on_new[best])} wrong, and {percent(on_new[-1])} are wrong at "
        f"depth {DEEPEST}.",
        ("depth", "wrong in training", "wrong on new rows", "overfitting"),
        tuple(zip(range(DEEPEST + 1), on_training, on_new, on_new - on_training, strict=True)),
        bars("share of wrong predictions by depth", range(DEEPEST + 1),
             {"training": on_training, "new rows": on_new}),
        "Which of the two curves can you see when you have only training rows?",
        "The first, which always falls. So some rows must be kept aside to choose the depth.",
        {
            "training": on_training.tolist(),
            "new_rows": on_new.tolist(),
            "best_depth": best,
            "mean_best_depth": float(np.argmin(new, axis=1).mean()),
            "trials": len(new),
        },
    )  # fmt: skip


def _circles() -> Iterator[tuple[LabelledRows, LabelledRows]]:
    for seed in range(CIRCLE_TRIALS):
        chance = np.random.default_rng(seed)
        yield (
            circle_rows(chance, CIRCLE_ROWS, label_noise=CIRCLE_NOISE),
            circle_rows(chance, NEW_ROWS, label_noise=CIRCLE_NOISE),
        )


def _halves(rows: LabelledRows) -> Iterator[tuple[LabelledRows, ...]]:
    for seed in range(n_trials(rows)):
        yield parted(rows, np.random.default_rng(seed), 0.5)


def _curves(pair: tuple[LabelledRows, ...]) -> tuple[Floats, Floats]:
    training, new = pair
    tree = tree_from(training)
    return wrong_at_depths(tree, training, DEEPEST), wrong_at_depths(tree, new, DEEPEST)


def noise() -> Lesson:
    """Add errors to labels and numbers."""
    found = {f"{percent(each)} of labels": _noisy(label_noise=each) for each in LABEL_NOISE}
    found |= {f"numbers by ±{size:g}": _noisy(feature_noise=size) for size in FEATURE_NOISE}
    tennis = {name: tree_from(rows_of(load(name), None)).n_leaves
              for name in ("play_tennis", "play_tennis_d15")}  # fmt: skip
    worst = found["30 % of labels"]
    return Lesson(
        "noise",
        "A full tree learns the noise",
        f"If 30 % of the training labels of a circle are wrong, the full tree is wrong for "
        f"{percent(worst[0])} of new points, and one cut at the best depth for {percent(worst[1])}. "
        "The new points have no noise. One wrong day makes the tree of play tennis grow from "
        f"{tennis['play_tennis']} to {tennis['play_tennis_d15']} leaves.",
        ("wrong in training", "full tree", "best depth", "at depth"),
        tuple((name, *each) for name, each in found.items()),
        bars("wrong on new points", list(found),
             {"full tree": [each[0] for each in found.values()],
              "best depth": [each[1] for each in found.values()]}),
        "Why is the full tree wrong for about as many new points as labels are wrong?",
        "Each of its leaves repeats a single row, and so repeats its wrong label.",
        {
            "wrong": {
                name: {"full": full, "best": best, "depth": at}
                for name, (full, best, at) in found.items()
            },
            "leaves": tennis,
            "trials": NOISE_TRIALS,
        },
    )  # fmt: skip


def _noisy(**noises: float) -> tuple[float, float, int]:
    """Return how often the full tree and that of the best depth are wrong, and this depth."""
    curves = []
    for seed in range(NOISE_TRIALS):
        chance = np.random.default_rng(seed)
        tree = tree_from(circle_rows(chance, NOISE_ROWS, **noises))
        curves.append(wrong_at_depths(tree, circle_rows(chance, NEW_ROWS), 40))
    curve = np.mean(curves, axis=0)
    return float(curve[-1]), float(curve.min()), int(np.argmin(curve))


def coincidence() -> Lesson:
    """Ask the best of a thousand random questions."""
    found = {n: _best_stumps(n) for n in N_COLUMNS}
    seen = {n: mean_of(right[0]) for n, right in found.items()}
    new = {n: mean_of(right[1]) for n, right in found.items()}
    rows = [(f"{n:,}", seen[n].mean, new[n].mean) for n in N_COLUMNS]
    return Lesson(
        "coincidence",
        "Something always fits",
        "The labels of 20 rows are tossed with a coin, and so are all columns. The best of 1,000 columns "
        f"still gets {seen[1_000].mean:.1f} of the 20 right, and half of new rows, as any guess does.",
        ("columns", "right of 20", "of 20 new rows"),
        tuple(rows),
        bars("right of 20", [row[0] for row in rows],
             {"training": [row[1] for row in rows], "new rows": [row[2] for row in rows]}),
        "You ask 1,000 questions about 20 rows, and one of them gets 17 right. What do you conclude?",
        "Nothing: coins do as well. Try that question on rows that had no part in finding it.",
        {
            "right": {n: each.mean for n, each in seen.items()},
            "right_error": {n: each.error for n, each in seen.items()},
            "right_of_new": {n: each.mean for n, each in new.items()},
            "right_of_new_error": {n: each.error for n, each in new.items()},
            "trials": COINCIDENCE_TRIALS,
        },
    )  # fmt: skip


def _best_stumps(n_columns: int) -> tuple[list[float], list[float]]:
    """Return how many rows the best question gets right, of those it was found by and of others."""
    seen, new = [], []
    chance = np.random.default_rng(n_columns)
    for _ in range(COINCIDENCE_TRIALS):
        coins = chance.integers(0, 2, (COINCIDENCE_ROWS + COINCIDENCE_NEW, n_columns + 1))
        column, guesses = best_stump(coins[:COINCIDENCE_ROWS, 1:], coins[:COINCIDENCE_ROWS, 0])
        is_right = guesses[coins[:, 1 + column]] == coins[:, 0]
        seen.append(COINCIDENCE_ROWS * float(is_right[:COINCIDENCE_ROWS].mean()))
        new.append(COINCIDENCE_ROWS * float(is_right[COINCIDENCE_ROWS:].mean()))
    return seen, new


def best_stump(bits: Numbers, labels: Numbers) -> tuple[int, Numbers]:
    """Return the column whose question has fewest errors, and what its two answers predict.

    A tree of depth 1 says the same, and takes a hundred times as long for a thousand columns.
    """
    ones, both = bits.sum(axis=0), labels @ bits
    sizes = np.array([len(bits) - ones, ones])
    counts = np.array([labels.sum() - both, both])  # of label 1 behind each answer
    right = np.maximum(counts, sizes - counts).sum(axis=0)
    pure = ((counts**2 + (sizes - counts) ** 2) / np.maximum(sizes, 1)).sum(axis=0)
    best = int(np.argmax(right + pure.round(9) / (2 * len(bits))))  # the Gini gain decides ties
    guesses = np.where(sizes, 2 * counts > sizes, 2 * labels.sum() > len(labels))
    return best, guesses[:, best].astype(np.intp)


def expected() -> Lesson:
    """Work out the loss from known probabilities."""
    likes = _probability_of_liking()
    bayes = float(np.minimum(likes, 1 - likes).mean())
    chance = np.random.default_rng(1)
    drawn = chance.integers(0, 32, SAMPLED)
    labels = chance.random(SAMPLED) < likes[drawn]
    rows = made_rows(COURSES[drawn], labels)
    tree = tree_from(rows)
    training = wrong_at_depths(tree, rows)
    n_drawn = np.bincount(drawn, minlength=32)
    n_liked = np.bincount(drawn, labels, minlength=32)
    under_sample = _expected(tree, n_drawn / SAMPLED, n_liked / np.maximum(n_drawn, 1))
    losses = _expected(tree, np.full(32, 1 / 32), likes)
    best = int(np.argmin(losses))
    table: tuple[tuple[Any, ...], ...] = tuple(
        zip(range(len(losses)), training, losses, strict=True)
    )
    return Lesson(
        "expected",
        "The loss that is expected",
        f"There are 32 kinds of courses, and how likely each is to be liked is known. Whoever knows that is "
        f"wrong for {percent(bayes)}, and no tree is better. A tree from {SAMPLED} opinions expects "
        f"{percent(losses[best])} at depth {best} and {percent(losses[-1])} at depth "
        f"{len(losses) - 1}, where its training error is {percent(training[-1])}.",
        ("depth", "training error", "expected loss"),
        table,
        bars("loss by depth", range(len(losses)), {"training": training.tolist(), "expected": losses.tolist()}),
        "Whose expected loss is the training error?",
        "That of a world in which only the rows of the sample occur, each as often as it does there.",
        {
            "bayes_error": bayes,
            "training": training.tolist(),
            "under_the_sample": under_sample.tolist(),
            "expected": losses.tolist(),
            "n_rows": SAMPLED,
        },
    )  # fmt: skip


def _probability_of_liking() -> Floats:
    """Return how likely each course is liked: opinions on late ones differ more."""
    seminar, _, systems, proofs, late = COURSES.T.astype(bool)
    is_liked = np.where(systems, seminar & ~proofs, ~proofs | seminar)
    exception = np.where(late, 0.25, 0.05)
    return np.where(is_liked, 1 - exception, exception)


def _expected(tree: Tree, share: Floats, likes: Floats) -> Floats:
    """Return what a tree loses at each depth if courses and labels have these probabilities."""
    disliked, liked = (
        wrong_rows_at_depths(tree, made_rows(COURSES, np.full(len(COURSES), label)))
        for label in (0, 1)
    )
    return np.asarray((disliked * (1 - likes) + liked * likes) @ share)
