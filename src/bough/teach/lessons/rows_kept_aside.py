"""Lessons about rows kept aside: what they are for, how many, and what spoils them."""

from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from bough.errors import ParameterError
from bough.learn.labelled_rows import LabelledRows
from bough.predict import stops
from bough.pruning.ways import pessimistic, reduced_error
from bough.schema import Feature, Kind
from bough.table import TableLike
from bough.teach.lessons.lesson_parts import (
    Lesson,
    Mean,
    Numbers,
    bars,
    mean_of,
    n_trials,
    parted,
    rows_to_split,
    tree_from,
    wrong,
    wrong_at_depths,
    wrong_rows_at_depths,
)
from bough.words import share as percent

MOST_TRAINING, MOST_KEPT = 500, 100  # rows of `peek`: few, so that chance shows
PEEKS = 50
WAYS = (  # the rows that choose the depth, and those that the claim is read on
    ("training rows", "training rows"),
    ("development rows", "development rows"),
    ("test rows", "test rows"),
    ("development rows", "test rows"),
)
SHORT = ("training rows", "development rows", "test rows", "development, test")
SIZES = (1 / 16, 1 / 8, 1 / 4, 1 / 2)
MOST_VALUES, LEAST_SHARE = 6, 0.05


def peek(table: TableLike | None = None, target: str | None = None) -> Lesson:
    """Choose the depth by rows, and believe their error."""
    rows = rows_to_split(table, target, "island")
    tried = np.array([_claims(rows, seed) for seed in range(PEEKS)])
    means = [mean_of(tried[:, way, 0] - tried[:, way, 1]) for way in range(len(WAYS))]
    lines = [
        (chosen, read, *tried[:, way].mean(axis=0), means[way].mean)
        for way, (chosen, read) in enumerate(WAYS)
    ]
    return Lesson(
        "peek",
        "Do not look at the test rows",
        "Rows that have chosen the depth flatter the tree. The error that they claim differs from the true "
        f"one by {_points(means[0])} percentage points (training rows), {_points(means[1])} (development) "
        f"and {_points(means[2])} (test). Chosen by development rows and read on test rows, it differs by "
        f"{_points(means[3])}, give or take {100 * means[3].error:.1f}.",
        ("depth chosen by", "error read on", "claimed", "true", "difference"),
        tuple(lines),
        bars("error, by the rows that chose the depth and were read", list(SHORT),
             {"claimed": [line[2] for line in lines], "true": [line[3] for line in lines]}),
        "You test ten models on the test rows and report the best figure. What is wrong with it?",
        "The test rows have chosen, so they are development rows now. Measure on rows that none has seen.",
        {
            "difference": dict(zip(SHORT, (each.mean for each in means), strict=True)),
            "difference_error": dict(zip(SHORT, (each.error for each in means), strict=True)),
            "seeds": PEEKS,
            "n_rows": len(rows),
        },
    )  # fmt: skip


def _points(off: Mean) -> str:
    return f"{100 * off.mean:+.1f}".replace("-", "−")


def _claims(rows: LabelledRows, seed: int) -> list[tuple[float, float]]:
    """Return for each way the claimed error and that on rows that took no part."""
    n_training = min(MOST_TRAINING, len(rows) // 2)
    n_kept = min(MOST_KEPT, len(rows) // 6)
    shares = [n / len(rows) for n in (n_training, n_kept, n_kept)]
    parts = parted(rows, np.random.default_rng(seed), *shares)
    tree = tree_from(parts[0])
    names = ("training rows", "development rows", "test rows", "new rows")
    curves = {name: wrong_at_depths(tree, part) for name, part in zip(names, parts, strict=True)}
    best = [int(np.argmin(curves[chosen])) for chosen, _ in WAYS]
    return [
        (float(curves[read][at]), float(curves["new rows"][at]))
        for at, (_, read) in zip(best, WAYS, strict=True)
    ]


def rows(table: TableLike | None = None, target: str | None = None) -> Lesson:
    """Learn from more rows."""
    known = rows_to_split(table, target)
    found: dict[int, list[tuple[float, float]]] = {}
    for seed in range(n_trials(known)):
        order = np.random.default_rng(seed).permutation(len(known))
        new = known.take(order[len(known) // 2 :])
        for size in SIZES:
            some = known.take(order[: max(2, round(size * len(known)))])
            tree = tree_from(some)
            found.setdefault(len(some), []).append((wrong(tree, some), wrong(tree, new)))
    means = {n: np.mean(each, axis=0).tolist() for n, each in found.items()}
    few, next_few, *_ = means
    many, twice = max(means), means[next_few][1] / (means[few][1] or 1.0)
    return Lesson(
        "rows",
        "More rows",
        f"From {few:,} rows a full tree is wrong for {percent(means[few][1])} of new rows, from {many:,} "
        f"for {percent(means[many][1])}. Of its {many:,} training rows {percent(means[many][0])} are wrong.",
        ("training rows", "wrong in training", "wrong on new rows"),
        tuple((n, *each) for n, each in means.items()),
        bars("wrong on new rows", [f"{n:,} rows" for n in means],
             {"new rows": [each[1] for each in means.values()]}),
        "Does twice as many rows halve the error?",
        f"No: with twice as many rows as {few:,} it is {percent(twice)} of what it was.",
        {"wrong": {n: each[1] for n, each in means.items()},
         "training": {n: each[0] for n, each in means.items()},
         "trials": n_trials(known)},
    )  # fmt: skip


def refit(table: TableLike | None = None, target: str | None = None) -> Lesson:
    """Refit with the development rows."""
    known = rows_to_split(table, target, "sex")
    found = np.array([_refitted(known, seed) for seed in range(4 * n_trials(known))])
    before, after = found.mean(axis=0).tolist()
    saved = mean_of(found[:, 0] - found[:, 1])
    helps = saved.mean > 2 * saved.error
    return Lesson(
        "refit",
        "Use the development rows twice",
        f"A depth is chosen by development rows. Growing again to that depth from these rows, too, "
        f"changes the error on test rows from {100 * before:.1f} % to {100 * after:.1f} %"
        + (": more rows, the same depth." if helps else ", which may be chance here."),
        ("grown from", "wrong on test rows"),
        (("training rows", before), ("development rows, too", after)),
        bars(
            "wrong on test rows",
            ["training rows", "development rows, too"],
            {"wrong": [before, after]},
        ),
        "May the test rows be learnt from, too, once they have been used?",
        "Yes, for the tree that you use. Its estimate is still that of the tree before.",
        {
            "before": before,
            "after": after,
            "saved": saved.mean,
            "saved_error": saved.error,
            "trials": len(found),
        },
    )


def _refitted(known: LabelledRows, seed: int) -> tuple[float, float]:
    order = np.random.default_rng(seed).permutation(len(known))
    training, dev, test = np.split(order, [len(known) // 3, len(known) * 2 // 3])
    wrong_rows = wrong_rows_at_depths(tree_from(known.take(training)), known)
    best = int(np.argmin(wrong_rows[:, dev].mean(axis=1)))
    again = tree_from(known.take(np.append(training, dev)), max_depth=best)
    return float(wrong_rows[best, test].mean()), wrong(again, known.take(test))


def prune(table: TableLike | None = None, target: str | None = None) -> Lesson:
    """Cut off branches again."""
    known = rows_to_split(table, target, "sex")
    found = [_pruned(known, seed) for seed in range(n_trials(known))]
    names = ("full tree", "pessimistic", "by development rows")
    leaves = {name: fmean(each[place][0] for each in found) for place, name in enumerate(names)}
    wrongs = {name: fmean(each[place][1] for each in found) for place, name in enumerate(names)}
    full, pruned = names[0], names[-1]
    return Lesson(
        "prune",
        "Grow it, then cut it back",
        f"The full tree has {leaves[full]:.0f} leaves and is wrong for {100 * wrongs[full]:.1f} % of test "
        f"rows. Where branches that do not help on development rows are cut, {leaves[pruned]:.0f} leaves are "
        f"left, and {100 * wrongs[pruned]:.1f} % are wrong.",
        ("tree", "leaves", "wrong on test rows"),
        tuple((name, leaves[name], wrongs[name]) for name in names),
        bars("leaves", names, {"leaves": list(leaves.values())}),
        "Why not stop growing as soon as a question does not help?",
        "It may help with the question after it: the first question of XOR gains nothing.",
        {"leaves": leaves, "wrong": wrongs, "trials": len(found)},
    )


def _pruned(known: LabelledRows, seed: int) -> list[tuple[int, float]]:
    training, dev, test = parted(known, np.random.default_rng(seed), 0.4, 0.2)
    tree = tree_from(training)
    guess = tree.class_guess[:, 0]
    by_dev = reduced_error(
        tree,
        stops(tree, dev.table),
        lambda of_rows, nodes: (guess[nodes] != dev.answers[of_rows]).astype(np.float64),
    )
    return [(each.n_leaves, wrong(each, test)) for each in (tree, pessimistic(tree), by_dev)]


def shift(table: TableLike | None = None, target: str | None = None) -> Lesson:
    """Predict rows that are different."""
    known = rows_to_split(table, target)
    feature, kinds = _kinds(known)
    others = known.without([feature.name])
    if not len(others.table.features):
        raise ParameterError(
            f"This lesson sets the column {feature.name} aside: it needs another one to learn from."
        )
    found = {name: _shifted(others, np.flatnonzero(is_kind)) for name, is_kind in kinds.items()}
    usual, shifted = (float(np.mean([each[place] for each in found.values()])) for place in (0, 1))
    worst = max(found, key=lambda name: found[name][1] - found[name][0])
    return Lesson(
        "shift",
        "New rows that are different",
        f"A tree that has seen rows of every {feature.name} is wrong for {percent(found[worst][0])} of those "
        f"with {worst}. One that has learnt from the others only is wrong for {percent(found[worst][1])}. "
        "An error holds for new rows that come as the old ones did.",
        ("tested on", "all kinds seen", "this kind not seen"),
        tuple((name, *each) for name, each in found.items()),
        bars("wrong on test rows", list(found),
             {"seen": [each[0] for each in found.values()],
              "not seen": [each[1] for each in found.values()]}),
        "A tree is learnt from one hospital and used in another. Which of the two columns is its error?",
        "The second. Keep whole hospitals aside to measure that.",
        {"column": feature.name, "usual": usual, "shifted": shifted, "wrong": found},
    )  # fmt: skip


def _kinds(known: LabelledRows) -> tuple[Feature, dict[str, NDArray[np.bool_]]]:
    """Return a column that parts the rows, and the rows of each part: few values, or a number."""
    table = known.table
    for place, feature in enumerate(table.features):
        if feature.kind is Kind.CHOICE and 2 <= len(feature.choices) <= MOST_VALUES:
            codes = np.asarray(table.values[place])
            parts = {f"{feature.name} = {name}": codes == code
                     for code, name in enumerate(feature.choices)}  # fmt: skip
            if min(each.mean() for each in parts.values()) >= LEAST_SHARE:
                return feature, parts
    for place, feature in enumerate(table.features):
        if feature.kind.is_compared:
            values = np.asarray(table.values[place], np.float64)
            is_low = values < np.nanmedian(values)
            if min(is_low.mean(), 1 - is_low.mean()) >= LEAST_SHARE:
                return feature, {f"low {feature.name}": is_low, f"high {feature.name}": ~is_low}
    raise ParameterError(
        "This lesson needs a column that parts the rows in kinds, each of many rows."
    )


def _shifted(known: LabelledRows, kind: Numbers) -> tuple[float, float]:
    """Return how often half of a kind is wrong if the other half is learnt from, and if none is."""
    rest = np.setdiff1d(np.arange(len(known)), kind)
    found = []
    for seed in range(n_trials(known)):
        chance = np.random.default_rng(seed)
        seen, test = np.array_split(chance.permutation(kind), 2)
        mixed = chance.permutation(np.append(rest, seen))[: len(rest)]  # as many rows to learn from
        trees = [tree_from(known.take(each)) for each in (mixed, rest)]
        found.append([wrong(tree, known.take(test)) for tree in trees])
    usual, shifted = np.mean(found, axis=0).tolist()
    return usual, shifted
