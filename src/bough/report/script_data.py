"""What the drawing and the scripts of the page know of the tree and of each node, as compact plain data."""

from collections.abc import Iterable, Sequence
from operator import add
from typing import Any

import numpy as np

from bough.drawing.style import COLORS, colored_classes, hex_of
from bough.drawing.svg.elements import class_keys
from bough.explain.condition_sql import where
from bough.explain.rules_and_conditions import Condition
from bough.histograms import Bins, NodeRows, Rival
from bough.losses.intervals import wilson
from bough.node_words import Verdict, meaning_of_guesses, verdict_of
from bough.predict import ROUTES
from bough.report.subject import Subject
from bough.schema import Feature, Part
from bough.text_layout import shortened_condition
from bough.tree import Tree
from bough.walk import answer_numbers, walk
from bough.words import amount, cell_word, guess_word, plain, row_count, share, value_word

MOST_COUNTED = 12  # classes of a node that are counted one by one
ENDS_OF_LINE = "\N{NO-BREAK SPACE}"
_ROUTING = tuple(name for name in ROUTES if not name.startswith("pivot"))  # `_pivots` has those
_STEPS = (1, 2, 5)  # of the numbers of rows by which nodes can be hidden, times powers of ten
LONGEST = 200  # signs of an answer; the whole of it is in its SQL


def drawn_data(subject: Subject) -> dict[str, Any]:
    """Return what cards are drawn from."""
    tree, told = subject.tree, _told(subject)
    found: dict[str, Any] = {
        "title": "Decision tree for " + ", ".join(plain(each.name) for each in tree.schema.labels),
        "asked": {each.node: _plain_bins(each) for each in told.asked},
        "rivals": _rivals(subject, told),
        "leaf": [_on_card(subject, node.id) if node.is_leaf else "" for node in tree],
        "colors": [],
    }
    if len(tree.schema.labels) > 1:
        return found
    if tree.guess is not None:
        guesses = tree.guess[:, 0].tolist()
        found["range"] = [min(guesses), max(guesses)]
        if told.labels:
            root = told.labels[0]
            places = [each.places for each in told.labels]
            end = max(max(map(add, each[::2], each[1::2])) for each in places)
            found["axis"] = {"first": root.first, "step": root.step, "end": end}
            found["bins"] = {each.node: _plain_bins(each) for each in told.labels}
            if tree.relevance is not None:
                found["middles"] = [_short(each) for each in tree.relevance.tolist()]
        return found
    n_classes, colored = len(tree.schema.labels[0].classes), colored_classes(tree)
    rest = len(COLORS) - 1
    place = [colored.index(each) if each in colored else rest for each in range(n_classes)]
    return found | {
        "colors": [hex_of(each) for each in COLORS[: min(n_classes, len(COLORS))]],
        "place": place,
        "said": tree.class_guess[:, 0].tolist(),
        "counts": [_counts(each) for each in tree.tally[:, 0].tolist()],
    }


def legend(subject: Subject) -> list[tuple[str, str]]:
    """Return what the drawing means: a colour, or none, and words."""
    tree, told = subject.tree, _told(subject)
    keys = [(key.color or "", key.words) for key in class_keys(tree)]
    signs = meaning_of_guesses(tree.schema)
    if told.asked:
        signs.append("columns: the rows by what is asked, ▲ where it splits")
        if not tree.schema.has_classes:
            signs.append(f"darker: higher {plain(tree.schema.labels[0].name)}")
    if told.labels:
        middle = "prediction" if tree.relevance is None else "mean"
        signs.append(f"lower columns: the rows by {plain(tree.schema.labels[0].name)}, ▲ {middle}")
    if share_interval(subject, 0) is not None:
        signs.append("range: 95 % interval of the share")
    if subject.stops is not None and tree.schema.has_classes:
        signs.append("test: rows kept aside that the leaf got right")
    if _rivals(subject, told):
        signs.append("⚠ chance may have decided the question")
    return [*keys, *(("", sign) for sign in [*signs, "n: rows", "line width: rows"])]


def _told(subject: Subject) -> NodeRows:
    """Return what is known of the rows of nodes; nothing, if the tree was edited since."""
    evidence = subject.evidence
    return NodeRows() if evidence is None or evidence.edits else evidence.nodes


def _counts(tally: list[float]) -> list[float]:
    """Return the commonest classes, each with its weight; if there are more, −1, how many, and all."""
    order = sorted((code for code, n in enumerate(tally) if n > 0), key=lambda code: -tally[code])
    kept = order[:MOST_COUNTED]
    flat = [each for code in kept for each in (code, _short(tally[code]))]
    more = len(order) - len(kept)
    return [*flat, -1, more, _short(sum(tally))] if more else flat


def _short(value: float) -> float:
    return int(value) if value.is_integer() else float(f"{value:.4g}")


def _plain_bins(bins: Bins) -> list[Any]:
    """Return bins without their names; 0 stands for what there is not, and for single places."""
    each_one = tuple(each for place in range(len(bins.places) // 2) for each in (place, 1))
    return [
        bins.mark,
        bins.step,
        bins.first,
        0 if bins.places == each_one else bins.places,
        bins.counts,
        bins.means or 0,
        bins.values or 0,
        bins.missing or 0,
    ]


def _rivals(subject: Subject, told: NodeRows) -> dict[int, str]:
    """Return for each question that chance may have decided what else might have been asked."""
    found = {each.node: _rival_words(each) for each in told.rivals}
    evidence = subject.evidence
    for note in () if evidence is None or evidence.edits else evidence.notes:
        root = subject.tree[0].query
        if note.code == "B301" and root and root.feature.name in note.columns[:1]:
            found[0] = plain(note.text)
    return found


def _rival_words(rival: Rival) -> str:
    column = plain(rival.column)
    if rival.chance == 1:
        return f"A toss-up: {column} tells these rows apart just as well"
    often = max(round(1 / rival.chance), 2)
    return (
        f"Unstable: on another sample of this size, {column} would be asked here about 1 time in "
        f"{often}"
    )


def _on_card(subject: Subject, node: int) -> str:
    """Return the interval of a leaf's share, and what the test rows said of it."""
    tree, stops, words = subject.tree, subject.stops, []
    interval = share_interval(subject, node)
    if interval is not None:
        words.append(f"{interval[0]}–{interval[1]} %".replace(" ", ENDS_OF_LINE))
    if stops is not None:
        n_rows, right = int(stops.n_reached[node]), stops.right(node)
        if right is not None and float(stops.reached[node].sum()) == n_rows:
            words.append(f"test: {round(right * n_rows):,} of {n_rows:,}")
        elif right is not None:
            words.append(f"test: {round(100 * right)} % of {n_rows:,}")
        elif stops.n_told[node] and not tree.schema.has_classes:
            words.append(f"test: mean {amount(stops.mean(node), subject.digits)}, n {n_rows:,}")
        else:
            words.append(f"test: {row_count(n_rows)}" if n_rows else "no test rows")
    return " · ".join(words)


def share_interval(subject: Subject, node: int) -> tuple[str, str] | None:
    """Return between which percentages the share of the predicted class may lie (Wilson).

    None where rows have weights or belong together, so that it is not known how many count.
    """
    tree, evidence = subject.tree, subject.evidence
    if not tree.schema.has_classes or len(tree.schema.labels) > 1 or tree.share is not None:
        return None
    if (evidence is not None and evidence.group) or tree.weight[node] != tree.n_rows[node]:
        return None
    low, high = wilson(
        float(tree.shares[node, 0, tree.class_guess[node, 0]]), float(tree.n_rows[node])
    )
    if round(100 * low) == round(100 * high):
        return f"{100 * low:.1f}", f"{100 * high:.1f}"
    return f"{100 * low:.0f}", f"{100 * high:.0f}"


def script_data(subject: Subject) -> dict[str, Any]:
    """Return what the scripts read."""
    tree, digits, stops = subject.tree, subject.digits, subject.stops
    asked = sorted(set(tree.feature[tree.feature >= 0].tolist()))
    nodes = range(len(tree))
    verdicts = [verdict_of(tree, node, digits) for node in nodes]
    found: Iterable[int] = (step * 10**power for power in range(19) for step in _STEPS)
    return {
        "tree": {
            **{name: getattr(tree, name).tolist() for name in _ROUTING},
            "pivot": _pivots(tree),
            "flow": tree.flow.tolist(),
            "missing": subject.missing,
        },
        "features": _features(subject, asked),
        "fields": _fields(tree, asked),
        "answer": _answers(tree),
        "says": [str(verdict) for verdict in verdicts],
        "rows": tree.n_rows.tolist(),
        "supports": [0, *(each for each in found if each <= int(tree.n_rows[0]))],
        "tests": _tests(subject),
        **_labels(tree, verdicts),
        "sql": _sql(tree),
        "test": [None if stops is None else stops.words(node, digits) for node in nodes],
        **drawn_data(subject),
    }


def _labels(tree: Tree, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return what nodes know of one label: the shares of its classes, or guesses of a number."""
    if len(tree.schema.labels) > 1:
        return {}
    label = tree.schema.labels[0]
    if tree.guess is not None:
        guess = tree.guess[:, 0].tolist()
        found: dict[str, Any] = {"guess": guess}
        if tree.schema.task == "regression":
            found["spread"] = [each.spread and _in_nine_digits(each.spread) for each in verdicts]
        return found
    classes = [plain(guess_word(each)) for each in label.classes]
    most = max(map(max, label.costs), default=1.0)
    costs = [[cost / most for cost in row] for row in label.costs]
    found = {"classes": classes, "costs": costs or None}
    if len(classes) > MOST_COUNTED:
        return found | {"tallies": [_tally(node) for node in tree.tally[:, 0].tolist()]}
    shares = tree.shares[:, 0].tolist()
    return found | {"shares": [[_in_nine_digits(each) for each in node] for node in shares]}


def _tally(of_classes: list[float]) -> list[float]:
    """Return the tally of the classes that there are, each after its number."""
    there = [(code, each) for code, each in enumerate(of_classes) if each]
    return [
        part
        for code, n in there
        for part in (code, int(n) if n.is_integer() else _in_nine_digits(n))
    ]


def _tests(subject: Subject) -> list[list[Any]] | None:
    """Return for each node of how many test rows labels are told, how many are right, and it in words.

    Where there are too few to tell: how many came, and nothing more.
    """
    stops, digits = subject.stops, subject.digits
    if stops is None:
        return None
    found: list[list[Any]] = []
    for node in range(len(subject.tree)):
        n_rows, right, error = int(stops.n_told[node]), stops.right(node), stops.error(node)
        if not n_rows:
            found.append([int(stops.n_reached[node]), None, ""])
        elif right is not None:
            found.append([n_rows, round(right * n_rows), share(right)])
        else:
            found.append([n_rows, 0, "" if error is None else f"± {amount(error, digits)}"])
    return found


def _sql(tree: Tree) -> list[str | None]:
    """Return the answer that leads to each node, as SQL."""
    found: list[str | None] = [None] * len(tree)
    numbers = answer_numbers(tree).tolist()
    for node, _, parent, _ in walk(tree):
        if parent is not None and (query := parent.query) is not None:
            condition = Condition(query.feature).narrowed(query, numbers[node.id])
            found[node.id] = where([condition], tree.schema)
    return found


def _pivots(tree: Tree) -> list[float | str | None]:
    """Return the pivots; integers that a double does not hold are texts."""
    pivots: list[float | str | None] = [
        None if pivot != pivot else pivot  # noqa: PLR0124
        for pivot in tree.pivot.tolist()
    ]
    for node in np.flatnonzero(tree.has_integer_pivot).tolist():
        assert tree.pivot_int is not None  # noqa: S101 - checked when a tree is made
        pivots[node] = str(int(tree.pivot_int[node]))
    return pivots


def _features(subject: Subject, asked: list[int]) -> list[dict[str, Any] | None]:
    """Return what is asked about, by number; None: never asked."""
    features = subject.tree.schema.features
    return [
        _feature(feature, subject.ranges.get(feature.name)) if number in asked else None
        for number, feature in enumerate(features)
    ]


def _feature(feature: Feature, ends: tuple[float, float] | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": plain(feature.name),
        "kind": feature.kind.value,
        "part": feature.part.value,
        "column": feature.column,
    }
    if feature.kind.has_choices:
        found["choices"] = [plain(value_word(choice)) for choice in feature.choices]
    elif ends is not None:
        found |= {"range": ends, "ends": [cell_word(feature, end) for end in ends]}
    return found


def _fields(tree: Tree, asked: list[int]) -> list[int]:
    """Return the features that have a field; the parts of a date that has one follow from it."""
    features = tree.schema.features
    whole = {features[number].column for number in asked if features[number].part is Part.ITSELF}
    return [
        number
        for number in asked
        if features[number].part is Part.ITSELF or features[number].column not in whole
    ]


def _answers(tree: Tree) -> list[str]:
    """Return the answer that leads to each node, in words."""
    found = [""] * len(tree)
    for step in walk(tree):
        if step.parent is not None and (query := step.parent.query) is not None:
            words = plain(f"{query.feature.name} {step.answer}")
            found[step.node.id] = shortened_condition(words, LONGEST, "…")
    return found


def _in_nine_digits(value: float) -> float:
    """Return a number with as many digits as words made of it can show."""
    return float(f"{value:.9g}")
