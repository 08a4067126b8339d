"""Trees made by hand, so that a tree can be read before one can be grown."""

from dataclasses import dataclass

import numpy as np

from bough.query_kinds import Below, EachValue, IsMissing, OneOf, Query, QueryKind
from bough.schema import Feature, Kind, Label, Part, Schema
from bough.table.dates import WEEKDAYS
from bough.tree import Tree
from bough.tree.check import ARRAYS

KINDS = {
    Below: QueryKind.BELOW,
    EachValue: QueryKind.EACH_VALUE,
    OneOf: QueryKind.ONE_OF,
    IsMissing: QueryKind.IS_MISSING,
}


@dataclass
class Sprout:
    """A node before it has a number: the labels of its rows, or a query and what lies below."""

    labels: tuple = ()
    query: Query | None = None
    below: tuple["Sprout", ...] = ()

    def __post_init__(self):
        for child in self.below:
            self.labels += child.labels


def leaf(*labels):
    """Make a leaf from the labels of its rows: class numbers, numbers, or tuples of several."""
    return Sprout(labels)


def branch(query, *below):
    return Sprout(query=query, below=below)


def make_tree(schema, root):
    """Number the nodes breadth first and fill in the arrays of a tree."""
    sprouts, first_child = [root], []
    for sprout in sprouts:  # grows while it is read
        first_child.append(len(sprouts) if sprout.below else -1)
        sprouts.extend(sprout.below)
    entries = [
        _entry(schema, sprout, first) for sprout, first in zip(sprouts, first_child, strict=True)
    ]
    arrays = {
        name: np.array([entry[name] for entry in entries], dtype)
        for name, dtype in ARRAYS.items()
        if name not in ("codes", "answers", "codes_start", "relevance", "share", "shown")
    }
    codes = [entry["codes"] for entry in entries]
    arrays["codes"] = np.array([code for of_node in codes for code in of_node], np.int32)
    answers = [answer for entry in entries for answer in entry["answers"]]
    arrays["answers"] = np.array(answers, np.int32)
    arrays["codes_start"] = np.cumsum([0, *map(len, codes)]).astype(np.int32)
    if not arrays["pivot_int"].any():
        arrays["pivot_int"] = None
    if schema.has_classes:
        arrays["guess"] = None
    return Tree(schema, **arrays)


def _entry(schema, sprout, first):
    entry = {
        "feature": -1,
        "query_kind": 0,
        "pivot": np.nan,
        "pivot_int": 0,
        "codes": [],
        "answers": [],
        "first_child": first,
        "n_children": len(sprout.below),
        "missing_child": -1,
        "n_rows": len(sprout.labels),
        "gain": 0.0,
    }
    entry["tally"], entry["guess"], entry["impurity"] = _summary(schema, sprout.labels)
    if sprout.query is not None:
        _ask(entry, schema, sprout.query)
        remainder = sum(
            len(child.labels) * _summary(schema, child.labels)[2] for child in sprout.below
        )
        entry["gain"] = entry["impurity"] - remainder / len(sprout.labels)
    return entry


def _ask(entry, schema, query):
    entry["feature"] = schema.features.index(query.feature)
    entry["query_kind"] = KINDS[type(query)]
    missing = 0 if isinstance(query, IsMissing) else query.missing
    if missing is not None:
        entry["missing_child"] = entry["first_child"] + missing
    match query:
        case Below(pivot=int() as pivot):
            entry["pivot_int"] = pivot
        case Below(pivot=pivot):
            entry["pivot"] = pivot
        case EachValue(codes=codes):
            entry["codes"], entry["answers"] = codes, range(len(codes))
        case OneOf(codes=codes, others=others):
            entry["codes"] = sorted(codes + others)
            entry["answers"] = [int(code in others) for code in entry["codes"]]


def _summary(schema, labels):
    """Return the tally, the guess and the impurity (Gini or variance, the mean over outputs)."""
    columns = np.array(labels, float).reshape(len(labels), len(schema.labels)).T
    if schema.has_classes:
        width = max(len(label.classes) for label in schema.labels)
        tally = [np.bincount(column.astype(int), minlength=width) for column in columns]
        impurity = np.mean([1 - np.sum((counts / len(labels)) ** 2) for counts in tally])
        return tally, [np.nan] * len(columns), impurity
    tally = [[len(column), column.sum(), (column**2).sum()] for column in columns]
    return tally, [column.mean() for column in columns], np.mean([c.var() for c in columns])


def one_leaf():
    return make_tree(_schema([], [Label("play", ("No", "Yes"), "<U3")]), leaf(1, 1, 0))


def play_tennis():
    """Make the textbook's tree: outlook, then humidity or wind."""
    outlook = choice("outlook", "Overcast", "Rain", "Sunny")
    temperature = choice("temperature", "Cool", "Hot", "Mild", column=1)
    humidity = choice("humidity", "High", "Normal", column=2)
    wind = choice("wind", "Strong", "Weak", column=3)
    schema = _schema([outlook, temperature, humidity, wind], [Label("play", ("No", "Yes"), "<U3")])
    root = branch(
        EachValue(outlook, (0, 1, 2)),
        leaf(1, 1, 1, 1),
        branch(EachValue(wind, (0, 1)), leaf(0, 0), leaf(1, 1, 1)),
        branch(EachValue(humidity, (0, 1)), leaf(0, 0, 0), leaf(1, 1)),
    )
    return make_tree(schema, root)


def missing_values():
    """Make a tree in which missing values go every way that they can."""
    age = Feature("age", Kind.NUMBER, 0)
    deck = choice("deck", "A", "B", "C", column=1)
    port = choice("port", "Cork", "Kiel", column=2)
    schema = _schema([age, deck, port], [Label("outcome", ("died", "survived"), "<U8")])
    root = branch(
        Below(age, 10.5, missing=1),
        branch(EachValue(deck, (0, 2), missing=2), leaf(1, 1), leaf(1, 0), leaf(0)),
        branch(
            IsMissing(deck),
            branch(Below(age, 40.25), leaf(0, 0, 0, 1), leaf(1)),
            branch(OneOf(port, (0,), (1,), missing=0), leaf(1, 1, 1), leaf(0, 1)),
        ),
    )
    return make_tree(schema, root)


def one_of():
    """Make a regression tree that groups values."""
    quarter = choice("quarter", "Centre", "Docks", "Hill", "Mill, old")
    rooms = Feature("rooms", Kind.NUMBER, 1)
    root = branch(
        OneOf(quarter, (0, 2), (1, 3)),
        branch(Below(rooms, 3.5), leaf(310.0, 290.5), leaf(402.25)),
        leaf(150.0, 171.0, 149.0),
    )
    return make_tree(_schema([quarter, rooms], [Label("price")]), root)


def beyond_float():
    """Make a tree whose pivots are integers that a float64 cannot hold, and dates."""
    ident = Feature("id", Kind.INTEGER, 0)
    when = Feature("when", Kind.DATE, 1)
    weekday = Feature("when weekday", Kind.ORDERED, 1, Part.WEEKDAY, WEEKDAYS)
    size = Feature("size", Kind.ORDERED, 2, choices=("S", "M", "L", "XL"))
    schema = _schema([ident, when, weekday, size], [Label("late", (False, True), "bool")])
    root = branch(
        Below(ident, 2**53 + 1),
        branch(Below(when, 1_709_164_800_000_000.0, missing=0), leaf(0, 0), leaf(1)),
        branch(
            Below(size, 1.5),
            branch(Below(weekday, 0.5), leaf(1), leaf(0)),
            branch(Below(when, -(2**62)), leaf(0, 1), leaf(1, 1)),
        ),
    )
    return make_tree(schema, root)


def awkward_names():
    """Make a tree with every name that has broken a program before."""
    quotes = choice('say "hi", it\'s', "a<b>&amp;", "new\nline", "", "missing")
    control = Feature("red \x1b[31m\x07\x00 \u202eevil\u2066 \x85", Kind.NUMBER, 1)
    emoji = choice("😀 größe 数", "👩‍👩‍👧", "é", "\U0001f1e9\U0001f1ea", column=2)
    script = choice("</script><script>alert(1)</script>", "=1+1", "--; DROP TABLE x", column=3)
    schema = _schema(
        [quotes, control, emoji, script], [Label("label\ttab", ("no\u2028way", "yes'\"<"), "<U6")]
    )
    root = branch(
        EachValue(quotes, (0, 1, 2, 3), missing=4),
        leaf(0, 0),
        branch(Below(control, 0.1 + 0.2), leaf(1), leaf(0, 0, 1)),
        branch(OneOf(emoji, (0, 2), (1,)), leaf(1, 1), leaf(0)),
        branch(EachValue(script, (0, 1)), leaf(0), leaf(1)),
        leaf(1),
    )
    return make_tree(schema, root)


def two_outputs():
    """Make a tree that guesses two labels with different numbers of classes."""
    x = Feature("x0", Kind.NUMBER, 0)
    labels = [Label("y0", (0, 1), "int64"), Label("y1", ("a", "b", "c"), "<U1")]
    root = branch(Below(x, 0.5), leaf((0, 0), (0, 1)), leaf((1, 2), (1, 2), (0, 2)))
    return make_tree(_schema([x], labels, named=False), root)


def ranked():
    """Make a tree whose guesses are scores."""
    match = Feature("match", Kind.NUMBER, 0)
    kind = choice("kind", "new", "old", column=1)
    root = branch(
        Below(match, 0.5),
        leaf(-1.5, -0.5, -0.25),
        branch(EachValue(kind, (0, 1)), leaf(2.0, 1.5), leaf(0.0, 0.75, -0.5)),
    )
    return make_tree(_schema([match, kind], [Label("stars", ranks=True)]), root)


def costs():
    """Make a tree whose guesses are not the commonest classes, with smoothed probabilities."""
    fever = Feature("fever", Kind.NUMBER, 0)
    label = Label(
        "state",
        ("ill", "unsure", "well"),
        "<U6",
        costs=((0.0, 2.5, 20.0), (1.0, 0.0, 1.0), (1.0, 0.5, 0.0)),
        probability="laplace",
    )
    root = branch(
        Below(fever, 38.25),
        branch(Below(fever, 36.5), leaf(2, 2, 2), leaf(2, 2, 2, 2, 0)),
        leaf(0, 0, 1, 2),
    )
    return make_tree(_schema([fever], [label]), root)


def chain(depth):
    """Make the deepest tree: x < 0.5, x < 1.5, …, each with one leaf."""
    n_nodes = 2 * depth + 1
    x = Feature("x", Kind.NUMBER, 0)
    is_branch = np.arange(n_nodes) % 2 == 0
    is_branch[-1] = False
    level = np.arange(n_nodes) // 2
    tally = np.zeros((n_nodes, 1, 2))
    tally[:, 0, 1] = np.where(np.arange(n_nodes) % 2, 1, depth + 1 - level)
    return Tree(
        _schema([x], [Label("y", (0, 1), "int64")]),
        feature=np.where(is_branch, 0, -1).astype(np.int32),
        query_kind=np.zeros(n_nodes, np.uint8),
        pivot=np.where(is_branch, level + 0.5, np.nan),
        pivot_int=None,
        codes=np.zeros(0, np.int32),
        answers=np.zeros(0, np.int32),
        codes_start=np.zeros(n_nodes + 1, np.int32),
        first_child=np.where(is_branch, np.arange(n_nodes) + 1, -1).astype(np.int32),
        n_children=np.where(is_branch, 2, 0).astype(np.int32),
        missing_child=np.full(n_nodes, -1, np.int32),
        tally=tally,
        guess=None,
        n_rows=tally[:, 0, 1].astype(np.int64),
        impurity=np.zeros(n_nodes),
        gain=np.zeros(n_nodes),
    )


TREES = {
    "leaf": one_leaf,
    "play_tennis": play_tennis,
    "missing_values": missing_values,
    "one_of": one_of,
    "beyond_float": beyond_float,
    "awkward_names": awkward_names,
    "two_outputs": two_outputs,
    "ranked": ranked,
    "costs": costs,
}


def arrays_of(tree):
    """Return copies of a tree's arrays that can be written to."""
    found = {name: getattr(tree, name) for name in ARRAYS}
    return {name: None if array is None else array.copy() for name, array in found.items()}


def same_tree(one, other):
    """Tell whether two trees are equal to the last bit."""
    return one.schema == other.schema and all(
        _same(getattr(one, name), getattr(other, name)) for name in ARRAYS
    )


def _same(one, other):
    if one is None or other is None:
        return one is other
    return one.shape == other.shape and one.tobytes() == other.tobytes()


def choice(name, *choices, column=0):
    return Feature(name, Kind.CHOICE, column, choices=choices)


def _schema(features, labels, **options):
    columns = {feature.column: feature.name for feature in reversed(features)}
    names = tuple(columns[number] for number in sorted(columns))
    return Schema(names, tuple(features), tuple(labels), **options)
