"""Lessons about predictions: what to predict, what no tree can know, the two extremes, and a dialogue."""

from collections import Counter
from itertools import pairwise
from statistics import fmean, median, mode
from typing import Any

from bough.datasets import load
from bough.errors import ParameterError
from bough.predict import stops
from bough.query_kinds import EachValue, IsMissing, Query
from bough.table import TableLike
from bough.teach.lessons.lesson_parts import NEEDS_CLASSES, Lesson, bars, rows_of, tree_from
from bough.teach.walkthrough import TaughtTable, read_taught
from bough.tree import Tree
from bough.walk import depths, trail
from bough.words import value_word

RATINGS = (2, 2, 2, 2, 1, 1, 0, -1, -2, -2)
SEEN = 0.1  # the share of new rows that were seen before


def guessing() -> Lesson:
    """Guess without looking at the row."""
    common, rare = 0.8, 0.2
    ways = {
        "toss a coin": 0.5,
        "guess in proportion": 2 * common * rare,
        "always the most common": rare,
    }
    return Lesson(
        "guessing",
        "Guessing 80 to 20",
        "If 80 of 100 rows have one label, always predicting it is wrong least often. Guessing it 80 "
        "times in 100 is worse.",
        ("guess", "wrong"),
        tuple(ways.items()),
        bars("share of wrong predictions", list(ways), {"wrong": list(ways.values())}),
        "When is guessing in proportion as good as the most common label?",
        "At 50 to 50, where both are wrong half the time, and at 100 to 0.",
        {"wrong": ways},
    )


def losses() -> Lesson:
    """Predict one number for all rows."""
    centre = {"mode": mode(RATINGS), "median": median(RATINGS), "mean": fmean(RATINGS)}
    found = {
        name: {
            "zero/one": fmean(rating != guess for rating in RATINGS),
            "absolute": fmean(abs(rating - guess) for rating in RATINGS),
            "squared": fmean((rating - guess) ** 2 for rating in RATINGS),
        }
        for name, guess in centre.items()
    }
    rows: tuple[tuple[Any, ...], ...] = tuple(
        (name, centre[name], *found[name].values()) for name in centre
    )
    return Lesson(
        "losses",
        "What to predict depends on the loss",
        "The most common rating is wrong least often, the median has the least absolute error, and "
        "the mean the least squared error.",
        ("predict", "rating", "zero/one", "absolute", "squared"),
        rows,
        bars(
            "mean loss",
            list(centre),
            {name: [each[name] for each in found.values()] for name in found["mode"]},
        ),
        "Which of the three moves if one rating of 2 becomes 100?",
        "Only the mean.",
        {"ratings": list(RATINGS), "predict": centre, "loss": found},
    )


def features() -> Lesson:
    """Leave out a column that matters."""
    tennis = load("play_tennis")
    kept = [name for name in tennis.features if name != "outlook"]
    groups: dict[tuple[object, ...], list[object]] = {}
    for row, label in enumerate(tennis.labels):
        groups.setdefault(tuple(tennis[name][row] for name in kept), []).append(label)
    mixed = {key: labels for key, labels in groups.items() if len(set(labels)) > 1}
    floor = sum(len(labels) - max(map(labels.count, labels)) for labels in groups.values())
    rows: tuple[tuple[Any, ...], ...] = tuple(
        (*map(str, key), labels.count("No"), labels.count("Yes")) for key, labels in mixed.items()
    )
    n_rows = len(tennis.labels)
    return Lesson(
        "features",
        "No tree knows what it is not told",
        f"Without outlook, {sum(map(len, mixed.values()))} days look like another day with the other "
        f"label. Whatever tree is grown, {floor} of {n_rows} stay wrong.",
        (*kept, "No", "Yes"),
        rows,
        bars(f"wrong of {n_rows}", ["with outlook", "without"], {"wrong": [0, floor]}),
        "Would more days like these help?",
        "No: equal rows with different labels stay. Another column would help.",
        {"floor": floor, "n_rows": n_rows, "contradicting": sum(map(len, mixed.values()))},
    )


def extremes(table: TableLike | None = None, target: str | None = None) -> Lesson:
    """Compare no question with all questions."""
    taught = read_taught(load("course_ratings") if table is None else table, target)
    if not taught.exact.classes:
        raise ParameterError(NEEDS_CLASSES)
    empty, full = _wrong(taught, 0), _wrong(taught, None)
    n_rows, chance = taught.exact.table.n_rows, 1 - 1 / len(taught.exact.classes)
    on_new = {"empty": empty / n_rows, "full": SEEN * full / n_rows + (1 - SEEN) * chance}
    return Lesson(
        "extremes",
        "Neither nothing nor everything",
        f"The empty tree is wrong for {empty} of {n_rows} rows, the full tree for {full}. But suppose "
        "that it only remembers rows: if one new row in ten was seen before and the others are guessed "
        f"at random, it is wrong for {100 * on_new['full']:.0f} % of them, and the empty one for "
        f"{100 * on_new['empty']:.0f} %.",
        ("tree", "wrong in training", "wrong on new rows"),
        (("empty", empty / n_rows, on_new["empty"]), ("full", full / n_rows, on_new["full"])),
        bars("share of wrong predictions", ["empty", "full"],
             {"training": [empty / n_rows, full / n_rows], "new rows": list(on_new.values())}),
        "From which share of rows seen before on is the full tree better?",
        f"Where the others, wrong for {100 * chance:.0f} %, are so few that they cost less than the empty "
        f"tree: from {100 * max(0.0, 1 - empty / n_rows / chance):.0f} % on.",
        {"n_rows": n_rows, "wrong": {"empty": empty, "full": full}, "on_new_rows": on_new},
    )  # fmt: skip


def _wrong(taught: TaughtTable, max_depth: int | None) -> int:
    growth = taught.walkthrough(taught.manner(max_depth=max_depth))
    return int(growth.losses[-1])


def dialogue(
    table: TableLike | None = None, target: str | None = None, row: int | None = None
) -> Lesson:
    """Let the tree ask about one row."""
    rows = rows_of(load("course_ratings") if table is None else table, target)
    if row is not None and not 1 <= row <= len(rows):
        raise ParameterError(f"row={row}: the rows with a label are 1 to {len(rows):,}.")
    place = (row or 1) - 1
    tree = tree_from(rows)
    classes, name = tree.schema.labels[0].classes, tree.schema.labels[0].name
    here = stops(tree, rows.table)
    asked = depths(tree)[here]
    said = _questions(tree, int(here[place]))
    guess, truth = (
        value_word(classes[code])
        for code in (tree.class_guess[here[place], 0], rows.answers[place])
    )
    said.append(("You", f"I predict {name} = {guess}."))
    said.append(("Me", "Right." if guess == truth else f"Wrong: it is {truth}."))
    counts, mean = Counter(asked.tolist()), float(asked.mean())
    return Lesson(
        "dialogue",
        "You ask, I answer",
        f"A tree is a dialogue: each answer decides the next question. Row {place + 1:,} takes "
        f"{int(asked[place])}, and rows take {mean:.2f} on average.",
        ("", "says"),
        tuple(said),
        bars("rows by the number of questions", sorted(counts), {"rows": [counts[n] for n in sorted(counts)]}),
        "Which rows take the fewest questions, and why?",
        f"Those that stop after {min(counts)}: there the labels agree, or nothing is left to ask.",
        {
            "row": place + 1,
            "dialogue": [{"who": who, "says": words} for who, words in said],
            "questions": int(asked[place]),
            "mean_questions": mean,
            "rows_by_questions": dict(sorted(counts.items())),
        },
    )  # fmt: skip


def _questions(tree: Tree, node: int) -> list[tuple[str, str]]:
    """Return what is asked and answered on the way to a node."""
    steps = trail(tree, node)
    found = []
    for before, after in pairwise(steps):
        query = before.node.query
        assert query is not None  # noqa: S101 - it has a child
        found += [("You", _asked(query)), ("Me", _answered(query, after.answer))]
    return found


def _asked(query: Query) -> str:
    if _is_yes_or_no(query):
        return f"{query.feature.name}?"
    if isinstance(query, EachValue):
        return f"What is {query.feature.name}?"
    if isinstance(query, IsMissing):
        return f"Is {query.feature.name} missing?"
    return f"Is {query.feature.name} {query.answers[0]}?"


def _answered(query: Query, answer: str) -> str:
    if isinstance(query, EachValue):
        value = answer.removeprefix("= ")
        return f"{value.capitalize() if _is_yes_or_no(query) else value}."
    return "Yes." if answer == query.answers[0] else "No."


def _is_yes_or_no(query: Query) -> bool:
    said = {answer.removeprefix("= ").lower() for answer in query.answers}
    return isinstance(query, EachValue) and said == {"yes", "no"}
