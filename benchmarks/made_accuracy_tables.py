"""Made tables for what the real ones do not have: a category like an identifier, and few groups."""

import numpy as np
from real_tables import RealTable

N_ROWS = 20_000


def flights():
    """Return delays that hang on hour, month, carrier and destination, with tail numbers beside them.

    A tail number belongs to a carrier and tells nothing more; it has about 4,000 values.
    """
    import pandas as pd

    rng = np.random.default_rng(14)
    carrier, place = rng.integers(16, size=N_ROWS), rng.integers(90, size=N_ROWS)
    hour, month = rng.integers(5, 24, N_ROWS), rng.integers(1, 13, N_ROWS)
    tail = 16 * rng.integers(250, size=N_ROWS) + carrier
    delay = rng.normal(0, 6, 16)[carrier] + rng.normal(0, 5, 90)[place] + 1.5 * hour
    delay += np.where((hour > 16) & (month > 5) & (month < 9), 15, 0) + 6 * np.sin(month)
    columns = {
        "hour": hour,
        "month": month,
        "day": rng.integers(1, 29, N_ROWS),
        "carrier": _named("C", carrier),
        "place": _named("P", place),
        "tail": _named("N", tail),
    }
    labels = delay + rng.exponential(30, N_ROWS)
    return RealTable("made flights", "regression", pd.DataFrame(columns), labels)


def patients():
    """Return 31 groups of 120 rows each, whose rows share most of what is not known of them."""
    import pandas as pd

    rng = np.random.default_rng(31)
    groups = np.repeat(np.arange(31), 120)
    X = rng.normal(size=(len(groups), 8)).round(2)
    X[:, 4:] += rng.normal(size=(31, 4))[groups]  # tell the groups apart, and nothing else
    labels = 2 * (X[:, 0] > 0) + X[:, 1] * (X[:, 2] > 0.5)
    labels = labels + 1.5 * rng.normal(size=31)[groups] + 0.5 * rng.normal(size=len(groups))
    columns = pd.DataFrame({f"x{number}": X[:, number] for number in range(8)})
    return RealTable("made groups", "regression", columns, labels, groups=groups)


def _named(letter, numbers):
    return [f"{letter}{number}" for number in numbers]


TABLES = {"made flights": flights, "made groups": patients}
