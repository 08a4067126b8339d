"""Small random tables to teach with: categories and numbers, with missing values, and many ties."""

import random

import bough.reference as ref

NAMES = {"category": "kind", "number": "size", "fraction": "height"}


def taught_table(seed, *, numbers=False):
    """Return columns and labels, few values each, so that ties are common."""
    draw = random.Random(seed)
    n_rows = draw.randint(2, 14)
    columns = {}
    for place in range(draw.randint(1, 4)):
        kind = draw.choice(list(NAMES))
        values = {"category": ["a", "b", "c"], "number": [1, 2, 4, 9], "fraction": [0.1, 0.2, 1.3]}
        cells = [draw.choice(values[kind]) for _ in range(n_rows)]
        if draw.random() < 0.3:
            cells[draw.randrange(n_rows)] = None
        if len(set(cells) - {None}) > 0:
            columns[f"{NAMES[kind]}{place}"] = cells
    if not columns:
        columns["kind0"] = [draw.choice("ab") for _ in range(n_rows)]
    known = [1.5, 2.0, 4.0, 10.25] if numbers else ["no", "yes", "maybe"]
    return columns, [draw.choice(known) for _ in range(n_rows)]


def whole(columns, labels):
    """Return the table with its target."""
    return {**columns, "label": labels}


def reference_nodes(columns, labels, **settings):
    """Return the table of the reference, and the nodes that it grows."""
    table = ref.Table(columns, labels)
    return table, ref.breadth_first(ref.grow(table, ref.Settings(**settings)))
