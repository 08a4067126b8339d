"""Trees that are hard to draw: wide, deep, and with names of every kind."""

import handmade
import numpy as np

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.query_kinds import Below, EachValue, OneOf
from bough.schema import Feature, Kind, Label, Schema

HOSTILE = (
    "</title></svg><script>alert(1)</script>",
    "say \"hi\" & 'bye' <b>",
    "new\nline\ttab\r",
    "\x00\x07\x1b[31m",
    "\u202eevil\u2066",
    "\ud800 half \ufffe\uffff",
    "x" * 200,
    "مرحبا بالعالم",
    "שם המשפחה",
    "👩‍👩‍👧‍👦 🇩🇪 😀",
    "国籍と職業",
    "W" * 200,
    "﷽ ǆ ﬃ",
    "a\u0301\u0301\u0301\u0301",
    "",
    " ",
)


def with_names(name):
    """Make a tree in which every name, value and class is made from this one."""
    number = Feature(f"{name} 1", Kind.NUMBER, 0)
    asked = handmade.choice(f"{name} 2", *(f"{name} {each}" for each in "abc"), column=1)
    label = Label(f"{name} 4", (f"{name} no", f"{name} yes"), "<U300")
    schema = Schema((number.name, asked.name), (number, asked), (label,))
    root = handmade.branch(
        Below(number, 1.5, missing=0),
        handmade.branch(OneOf(asked, (0, 1), (2,)), handmade.leaf(0, 1), handmade.leaf(1, 1, 1)),
        handmade.branch(
            EachValue(asked, (0, 1, 2)), handmade.leaf(0), handmade.leaf(0, 0, 1), handmade.leaf(1)
        ),
    )
    return handmade.make_tree(schema, root)


def each_value(n_values):
    """Make a tree with one question that has very many answers."""
    rng = np.random.default_rng(0)
    name = handmade.choice("city", *(f"city number {number}" for number in range(n_values)))
    schema = Schema(("city",), (name,), (Label("y", ("no", "yes"), "<U3"),))
    leaves = [handmade.leaf(*rng.integers(0, 2, rng.integers(1, 30))) for _ in range(n_values)]
    return handmade.make_tree(
        schema, handmade.branch(EachValue(name, tuple(range(n_values))), *leaves)
    )


def one_of(n_values):
    """Make a tree with one question whose answers list very many values."""
    name = handmade.choice("work", *(f"occupation {number}" for number in range(n_values)))
    schema = Schema(("work",), (name,), (Label("pay", ("<=50K", ">50K"), "<U5"),))
    sides = tuple(range(0, n_values, 2)), tuple(range(1, n_values, 2))
    return handmade.make_tree(
        schema, handmade.branch(OneOf(name, *sides), handmade.leaf(0, 0, 1), handmade.leaf(1, 1))
    )


def classes(n_classes, n_rows=300, seed=0):
    """Grow a tree that tells many classes apart."""
    rng = np.random.default_rng(seed)
    labels = np.array([f"class number {number}" for number in range(n_classes)])
    X = rng.normal(size=(n_rows, 3))
    return DecisionTreeClassifier().fit(X, labels[rng.integers(0, n_classes, n_rows)]).grown_tree_


def numbers(n_rows=300, seed=0):
    """Grow a tree that guesses numbers."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 3))
    y = np.exp(X[:, 0]) * X[:, 1] + rng.normal(size=n_rows)
    return DecisionTreeRegressor(max_depth=5).fit(X, y).grown_tree_


TREES = {
    **handmade.TREES,
    "each value": lambda: each_value(100),
    "one of": lambda: one_of(60),
    "chain": lambda: handmade.chain(30),
    "classes": lambda: classes(19),
    "numbers": numbers,
    **{f"named {name[:20]!a}": lambda name=name: with_names(name) for name in HOSTILE},
}
