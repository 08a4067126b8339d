"""Tables that are cut into parts."""

import numpy as np
import pandas as pd

from bough.exports import model_file
from bough.partitioned import InProcess
from bough.partitioned.fit import FitsParts
from bough.partitioned.read_parts import RawPart

N_ROWS = 300


def frame_of(n_rows=N_ROWS):
    rng = np.random.default_rng(3)
    day = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 10**7, n_rows), unit="s")
    return pd.DataFrame(
        {
            "number": rng.normal(size=n_rows),
            "count": rng.integers(0, 20, n_rows),
            "far": rng.integers(2**60, 2**62, n_rows),
            "letter": rng.choice(list("uvwxyz12"), n_rows),
            "gaps": np.where(rng.random(n_rows) < 0.2, np.nan, rng.normal(size=n_rows).round(1)),
            "word": pd.Series(rng.choice(["p", "q", None], n_rows)),
            "day": day,
        }
    )


def labels_of(frame):
    noise = np.random.default_rng(4).normal(size=len(frame)) / 2
    score = frame["number"] + 0.1 * frame["count"] + 2 * (frame["letter"] == "u") + noise
    score += frame["gaps"].fillna(1.5)
    classes = pd.Series(np.select([score < 1, score < 2.5], ["no", "maybe"], "yes"), name="class")
    return classes, score.rename("value")


def weights_of(n_rows):
    return np.random.default_rng(5).choice([0.0, 0.5, 1.0, 1 / 3, 2.7], n_rows)


def parts_of(X, y, weights, n_parts):
    """Return parts of unequal sizes, of rows in another order; some may be empty."""
    rng = np.random.default_rng(n_parts)
    order, cuts = rng.permutation(len(X)), np.sort(rng.integers(0, len(X) + 1, n_parts - 1))
    return [
        RawPart(number, X.iloc[rows], y.iloc[rows], None if weights is None else weights[rows])
        for number, rows in enumerate(np.split(order, cuts))
    ]


def bytes_of(tree):
    return model_file.dumps(tree.__bough_model__())


def grown(tree, parts, gather_rows):
    """Grow an estimator in memory from parts, and return its passes."""
    tree.gather_rows = gather_rows
    return FitsParts._fit_parts(tree, InProcess(), parts).passes_
