"""The lesson about predicting: a dialogue of questions and answers."""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from bough.datasets import load
from bough.errors import ParameterError
from bough.predict import stops
from bough.query import EachValue, IsMissing, Query
from bough.table import TableLike
from bough.teach.lessons.lesson import Lesson, bars
from bough.teach.lessons.trial_rows import rows_of, tree_from
from bough.tree import Tree
from bough.walk import depths, trail
from bough.words import value_word


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


LESSONS: dict[str, Callable[..., Lesson]] = {"dialogue": dialogue}
