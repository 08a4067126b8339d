"""Made tables for tests of the protocol."""

import numpy as np


def classes(n_rows=3000, seed=0, noise=0.1):
    """A table in which the label follows from two columns, but for some noise."""
    rng = np.random.default_rng(seed)
    size, color = rng.normal(size=n_rows), rng.choice(["blue", "green", "red"], n_rows)
    is_yes = (size > 0.3) ^ (color == "red") ^ (rng.random(n_rows) < noise)
    return {
        "size": size.tolist(),
        "color": color.tolist(),
        "junk": rng.normal(size=n_rows).round(1).tolist(),
        "label": np.where(is_yes, "yes", "no").tolist(),
    }


def numbers(n_rows=3000, seed=0, noise=0.5):
    """A table in which the label is a step function of two columns, plus noise."""
    rng = np.random.default_rng(seed)
    x, kind = rng.normal(size=n_rows), rng.choice(["a", "b"], n_rows)
    y = 2.0 * (x > 0) + 3.0 * (kind == "b") + noise * rng.normal(size=n_rows)
    return {"x": x.tolist(), "kind": kind.tolist(), "y": y.tolist()}


def flights(n_rows=6000, n_values=1000, seed=0):
    """A table with signal in three columns, and a tail number that adds nothing but has many values."""
    rng = np.random.default_rng(seed)
    carrier, hour = rng.integers(12, size=n_rows), rng.integers(5, 24, n_rows)
    month = rng.integers(1, 13, n_rows)
    tail = (12 * rng.integers(n_values // 12, size=n_rows) + carrier) % n_values
    delay = rng.normal(0, 3, 12)[carrier] + hour + 4 * np.sin(month)
    return {
        "carrier": [f"C{each}" for each in carrier],
        "hour": hour.tolist(),
        "month": month.tolist(),
        "tail": [f"N{each}" for each in tail],
        "delay": (delay + rng.exponential(15, n_rows)).round(1).tolist(),
    }


def some_rows(table, rows):
    return {name: [cells[row] for row in rows] for name, cells in table.items()}


def relevances(n_groups=60, seed=0, most_rows=15):
    """A table of groups, whose rows are relevant by two columns; some groups suit all rows better."""
    rng = np.random.default_rng(seed)
    search = np.repeat(np.arange(n_groups), rng.integers(3, most_rows, n_groups))
    match, kind = rng.uniform(size=len(search)), rng.choice(["old", "new"], len(search))
    liked = rng.normal(size=n_groups)[search]
    relevance = 2 * match + (kind == "new") + liked + 0.3 * rng.normal(size=len(search))
    return {
        "search": [f"q{each}" for each in search],
        "match": match.tolist(),
        "kind": kind.tolist(),
        "junk": rng.normal(size=len(search)).round(2).tolist(),
        "stars": np.clip(relevance.round(), 0, 4).astype(int).tolist(),
    }


def letters(n_rows=3000, seed=0, copied=0.05):
    """A table of 26 classes in 16 small whole numbers, as of scanned letters; some rows are copies."""
    rng = np.random.default_rng(seed)
    code, shape = rng.integers(26, size=n_rows), rng.integers(3, size=n_rows)
    middle = np.random.default_rng(0).uniform(2, 13, (26, 3, 16))
    pixels = (middle[code, shape] + 1.6 * rng.normal(size=(n_rows, 16))).round().clip(0, 15)
    n_copies = round(copied * n_rows)
    copies, originals = rng.permutation(n_rows)[: 2 * n_copies].reshape(2, n_copies)
    pixels[copies], code[copies] = pixels[originals], code[originals]
    columns = {f"x{number}": pixels[:, number].astype(int).tolist() for number in range(16)}
    return {**columns, "letter": np.array([*"ABCDEFGHIJKLMNOPQRSTUVWXYZ"])[code].tolist()}
