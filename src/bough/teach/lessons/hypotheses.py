"""Lessons about what trees can say, and what they would rather say: parity, bias, the circle."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from bough.learn.rows import LabelledRows
from bough.predict import stops
from bough.pruning import at_depth
from bough.table import read
from bough.teach.lessons.lesson import Lesson, RegionPanel, RegionPicture, bars, panel
from bough.teach.lessons.trial_rows import (
    RADIUS,
    circle_rows,
    made_rows,
    mean_of,
    rows_of,
    tree_from,
    wrong,
)
from bough.tree import Tree
from bough.words import share as percent

BITS, PARITY_ROWS, PARITY_TRIALS = 10, 200, 20
NEW_ROWS = 1_000


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


def bias() -> Lesson:
    """Compare three trees without an error."""
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


CIRCLE_ROWS, FINE = 1_000, 24
CIRCLE_DEPTHS, DRAWN_DEPTHS = (1, 2, 3, 4, 6, 8, 10), (2, 4, 8)


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
