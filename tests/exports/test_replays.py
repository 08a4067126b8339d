"""Every export agrees with the tree on rows at edges, to the last bit; `make exports` takes 10,000 of them."""

import os
import shutil

import handmade
import numpy as np
import pytest
from random_trees import KINDS, random_tree
from replays import (
    TOOLS,
    differences,
    hostile_columns,
    hostile_names,
    hostile_values,
    postgres,
    rows_at_edges,
    truths_and_levels,
    unlike,
)

from bough.errors import ParameterError
from bough.exports import export
from bough.exports.replay import expected

THOROUGH = "BOUGH_THOROUGH" in os.environ
N_ROWS = 10_000 if THOROUGH else 300
N_NAMES = 300 if THOROUGH else 60
SQL = [("sql", {"dialect": name}) for name in ("duckdb", "sqlite", "postgres")]
EXPRESSIONS = [("sql", {"dialect": name, "expression": True}) for name in ("duckdb", "sqlite")]
QUICK = [*SQL, *EXPRESSIONS, ("python", {}), ("c", {}), ("onnx", {})]
FORMATS = [*QUICK, ("c", {"compiler": "clang"}), ("javascript", {}), ("java", {})]


def grown(seed):
    rng = np.random.default_rng(seed)
    makes = rng.choice(list(KINDS), size=rng.integers(2, 8)).tolist()
    return random_tree(rng, makes, categorical=["each", "group"][seed % 2])


TREES = {
    **{name: make for name, make in handmade.TREES.items() if name != "awkward_names"},
    "truths and levels": truths_and_levels,
    "a table of numbers": lambda: handmade.chain(150),
    "hostile columns": lambda: hostile_columns(hostile_names(N_NAMES)),
    "hostile values": lambda: hostile_values(hostile_names(N_NAMES)),
    **{f"grown {seed}": lambda seed=seed: grown(seed) for seed in range(20 if THOROUGH else 1)},
}
FEW = [
    "truths and levels",
    "a table of numbers",
    "hostile columns",
    "hostile values",
    "beyond_float",
    "two_outputs",
    "grown 0",
]


def refuse_missing_tool(kind, options):
    tool = options.get("compiler", TOOLS.get(kind))
    if tool is not None and shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    if kind == "onnx":
        pytest.importorskip("onnx")
        pytest.importorskip("onnxruntime")
    if kind == "pmml":
        pytest.importorskip("jpmml_evaluator")


def written(tree, kind, options):
    """Return an export, or skip what the format cannot express."""
    told = {name: each for name, each in options.items() if name != "compiler"}
    try:
        return export(tree, kind, **told)
    except ParameterError as error:
        if not str(error).startswith("node "):  # it says where
            raise
        pytest.skip(str(error))


def named(pair):
    return " ".join([pair[0], *map(str, pair[1].values())])


@pytest.mark.parametrize("name", TREES if THOROUGH else FEW)
@pytest.mark.parametrize("pair", FORMATS, ids=named)
def test_an_export_says_what_the_tree_says(name, pair):
    kind, options = pair
    if pair not in QUICK and not THOROUGH and name != FEW[0]:
        pytest.skip("takes a second each: in make exports")
    refuse_missing_tool(kind, options)
    tree = TREES[name]()
    content = written(tree, kind, options)
    assert differences(content, kind, tree, rows_at_edges(tree, N_ROWS), **options) == []


@pytest.fixture(scope="module")
def server():
    with postgres() as found:
        if found is None:
            pytest.skip("PostgreSQL is not installed")
        yield found


@pytest.mark.parametrize("name", TREES if THOROUGH else FEW[:2])
def test_postgresql_says_what_the_tree_says(server, name):
    tree = TREES[name]()
    rows = rows_at_edges(tree, N_ROWS)
    query = written(tree, "sql", {"dialect": "postgres"})
    found, wanted = server.replay(query, tree, rows), expected(tree, rows.stops(tree))
    assert unlike(found.guesses, wanted.guesses) == []
    assert unlike(found.shares, wanted.shares) == []


NAMES_FOR_SPARK = [name for name in hostile_names(N_NAMES) if "${" not in name]
SPARK_TREES = TREES | {"hostile columns": lambda: hostile_columns(NAMES_FOR_SPARK)}


@pytest.mark.parametrize("options", [{}, {"expression": True}], ids=["query", "expression"])
@pytest.mark.parametrize("name", SPARK_TREES if THOROUGH else FEW[:3])
def test_spark_says_what_the_tree_says(name, options):
    pytest.importorskip("pyspark")
    refuse_missing_tool("java", {})
    tree = SPARK_TREES[name]()
    options = {"dialect": "spark"} | options
    content = written(tree, "sql", options)
    assert differences(content, "sql", tree, rows_at_edges(tree, N_ROWS), **options) == []
