"""Small odd tables, whatever the options: only errors that are meant, and results that can be used.

`make odd-tables` tries thousands of other tables; BOUGH_FUZZ says how many.
"""

import os
import tempfile
import warnings
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bough

EXAMPLES = int(os.environ.get("BOUGH_FUZZ", "0"))

NAMES = st.sampled_from(
    ["x", "", " ", "y=1", "<b>", "a,b", 'q"', "index", "0", "prediction", "é" * 60, "木" * 90, "\n",
     "</script>", "%s", "{}", "a\x00", "\u202e", "__proto__", "x.y", "NaN"]
)  # fmt: skip
NUMBERS = {
    "same": st.just(3.5),
    "zero": st.just(0),
    "few": st.sampled_from([0, 1, 2]),
    "whole": st.integers(-50, 50),
    "real": st.floats(-100, 100),
    "count": st.integers(0, 9),
    "tiny": st.sampled_from([0.0, 5e-324, 1e-310, 1e-300, -1e-300]),
    "huge": st.sampled_from([1e300, -1e300, 1.7e308, 1e154, 1e155, 0.0, 1.0]),
    "near": st.sampled_from([1e16, 1e16 + 2, 1e16 + 4]),
    "wide": st.sampled_from([1e-300, 1.0, 1e300]),
    "long": st.sampled_from([2**53, 2**53 + 1, 2**62]),
}
WORDS = {
    "one": st.just("a"),
    "two": st.sampled_from(["no", "yes"]),
    "many": st.sampled_from([f"c{number}" for number in range(30)]),
    "odd": st.sampled_from(["", " ", "<b>", "木", "\n", "1", "NA", "'", '"', "\x00", "</script>"]),
    "truth": st.booleans(),
}
WEIGHTS = {
    "spread": st.sampled_from([1e-5, 0.1, 1.0, 2.5]),
    "huge": st.sampled_from([1e-300, 1.0, 1e300]),
    "tiny": st.sampled_from([5e-324, 1e-310]),
    "large": st.sampled_from([1e300, 1.7e308]),
    "gaps": st.sampled_from([0.0, 1.0]),
    "usual": st.floats(0.5, 2),
}
CLASSES = ("gini", "entropy", "error", "gain_ratio", "log_loss")
AMOUNTS = ("squared_error", "absolute_error", "poisson", "quantile")
LOSSES = (
    *("error", "log_loss", "brier", "cost", "squared_error", "absolute_error", "poisson"),
    *("pinball", "ndcg_loss"),
)
WAYS = ("depth", "cost_complexity", "pessimistic", "reduced_error", "merge")


@st.composite
def columns(draw, kinds, n_rows, *, gaps=True):
    """Draw a column of one kind, with gaps here and there."""
    cells = kinds[draw(st.sampled_from(sorted(kinds)))]
    if gaps and draw(st.integers(0, 3)) == 0:
        cells = st.none() | cells
    found = draw(st.lists(cells, min_size=n_rows, max_size=n_rows))
    if draw(st.booleans()):
        return found
    few = found[: draw(st.integers(1, n_rows))]  # values that repeat
    return (few * n_rows)[:n_rows]


@st.composite
def tables(draw):
    """Draw a table with some columns, and the names of its target, weight and group."""
    n_rows = draw(st.integers(3, 40))
    names = draw(st.lists(NAMES, min_size=2, max_size=5, unique=True))
    table = {name: draw(columns({**NUMBERS, **WORDS}, n_rows)) for name in names}
    target = names[-1]
    if draw(st.booleans()):
        table[target] = draw(columns(NUMBERS, n_rows))
    roles = {}
    if draw(st.integers(0, 2)) == 0:
        table["weight"] = draw(columns(WEIGHTS, n_rows, gaps=False))
        roles["weight"] = "weight"
    if draw(st.integers(0, 3)) == 0:
        table["group"] = draw(columns({"few": st.integers(0, 5)}, n_rows))
        roles["group"] = "group"
    return table, target, roles


SHARES = st.sampled_from([(0.7, 0.1, 0.2), (0.6, 0.2, 0.2), (0.8, 0.0, 0.2), (0.34, 0.33, 0.33)])
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "task": st.sampled_from(["auto", "classification", "regression", "rank"]),
        "criterion": st.sampled_from((*CLASSES, *AMOUNTS, "ndcg")),
        "categorical": st.sampled_from(["each", "group"]),
        "loss": st.sampled_from(LOSSES),
        "quantile": st.sampled_from([0.1, 0.5, 0.99]),
        "missing": st.sampled_from(["stop", "weigh"]),
        "probability": st.sampled_from(["raw", "laplace", "honest"]),
        "choose": st.sampled_from(["best", "simple"]),
        "prune": st.sampled_from(WAYS),
        "refit": st.booleans(),
        "split": SHARES,
        "seed": st.integers(0, 5),
    },
)


@st.composite
def requests(draw):
    """Draw a table and options; most options are left as they are."""
    table, target, roles = draw(tables())
    options = draw(OPTIONS)
    kept = draw(st.sets(st.sampled_from(sorted(options)), max_size=3)) if options else set()
    chosen = {name: options[name] for name in sorted(kept)}
    if chosen.get("task") == "rank" and "group" not in roles:
        chosen.pop("task")
    if chosen.get("criterion") == "quantile" or chosen.get("loss") == "pinball":
        chosen["quantile"] = options.get("quantile", 0.5)
    if chosen.get("task") == "regression" and draw(st.booleans()):
        chosen["monotonic_cst"] = {draw(st.sampled_from(sorted(table))): 1}
    if draw(st.integers(0, 9)) == 0:
        chosen[draw(st.sampled_from(["first", "forbid", "ignore"]))] = [next(iter(table))]
    return table, target, {**roles, **chosen}


def use(result, table):
    """Do with a result what users do, and see that nothing changes when it is saved."""
    for each in (str(result), repr(result), result.report(), "".join(result.sentences)):
        assert each
    guesses = result.model.predict(table)
    assert len(guesses) == len(next(iter(table.values())))
    for format_ in ("text", "svg"):
        assert bough.draw(result, format_)
    for format_ in ("dot", "mermaid", "rules", "html", "json"):
        assert bough.export(result, format_)
    for explanation in result.model.explain({name: cells[:2] for name, cells in table.items()}):
        assert str(explanation)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.bough.json"
        result.save(path)
        loaded = bough.load(path)
    assert np.array_equal(loaded.predict(table), guesses)
    assert bough.export(loaded, "html")


def try_out(request):
    """Fit and use a result, unless it is refused with an error that is meant."""
    table, target, options = request
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            result = bough.fit(table, target, n_jobs=1, **options)
        except bough.BoughError:
            return
        use(result, table)


@given(request=requests())
@settings(
    max_examples=EXAMPLES or 150,
    derandomize=not EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_a_small_table_is_learnt_from_and_used_or_refused_in_words(request):
    try_out(request)
