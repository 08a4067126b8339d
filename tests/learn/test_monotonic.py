"""`bough.fit(…, monotonic_cst=…)`: columns along which guesses go one way."""

import numpy as np
import pytest

import bough
from bough.errors import ParameterError

N_ROWS = 300


@pytest.fixture(scope="module")
def table():
    """Give rents that rise with the area, but for noise."""
    rng = np.random.default_rng(0)
    area = rng.uniform(20, 120, size=N_ROWS)
    return {
        "area": area,
        "city": rng.choice(["A", "B", "C"], N_ROWS),
        "same": np.ones(N_ROWS),
        "rent": 10 * area + rng.normal(0, 200, N_ROWS),
    }


def test_guesses_go_one_way_along_a_column(table):
    model = bough.fit(table, "rent", monotonic_cst={"area": 1}).model
    probes = {"area": np.linspace(0, 150, 500), "city": ["B"] * 500}
    assert np.all(np.diff(model.predict(probes)) >= 0)


def test_a_direction_against_the_rows_leaves_the_column_unasked(table):
    tree = bough.fit(table, "rent", monotonic_cst={"area": -1}).model.grown_tree_
    assert "area" not in {node.query.feature.name for node in tree if node.query is not None}


def test_the_model_says_which_way_guesses_go_along_the_columns_it_asks_about(table):
    model = bough.fit(table, "rent", monotonic_cst={"area": -1}).model
    assert model.feature_names_in_.tolist() == ["area", "city"]
    assert model.settings_.monotonic_cst == (-1, 0)


def test_a_column_that_is_left_out_as_a_constant_needs_no_direction(table):
    assert bough.fit(table, "rent", monotonic_cst={"same": 1}).model.monotonic_cst is None


def test_the_share_of_the_second_class_goes_one_way(table):
    classes = {"area": table["area"], "dear": np.where(table["rent"] > 700, "yes", "no")}
    model = bough.fit(classes, "dear", monotonic_cst={"area": 1}).model
    shares = model.predict_proba({"area": np.linspace(0, 150, 500)})[:, 1]
    assert np.all(np.diff(shares) >= 0)


MESSAGES = [
    (
        {"aera": 1},
        "monotonic_cst='aera' is not a column of the table. Did you mean 'area'? Columns: 'area', "
        "'city', 'same' and 'rent'.",
    ),
    (
        {"rent": 1},
        "monotonic_cst has 'rent', which is the target and never asked about. Leave it out.",
    ),
    (
        [1, 0],
        "monotonic_cst=[1, 0] must be a dict of columns and their directions, such as {'area': 1}.",
    ),
    (
        {"area": "up"},
        (
            "monotonic_cst has 'up' for the column 'area'. Give 1 if predictions must not "
            "fall as it grows, -1 if they must not rise, or 0."
        ),
    ),
    (
        {"city": 1},
        (
            "monotonic_cst has the column 'city', a category without an order. Give the "
            "order, as in types={'city': ['A', 'B', 'C']}, or leave the column out."
        ),
    ),
]


@pytest.mark.parametrize(("given", "message"), MESSAGES, ids=[str(given) for given, _ in MESSAGES])
def test_directions_that_make_no_sense_are_refused(table, given, message):
    with pytest.raises(ParameterError) as error:
        bough.fit(table, "rent", monotonic_cst=given)
    assert str(error.value) == message


def test_a_column_that_the_user_ignores_has_no_direction(table):
    with pytest.raises(ParameterError) as error:
        bough.fit(table, "rent", ignore="area", monotonic_cst={"area": 1})
    assert str(error.value) == (
        "monotonic_cst has 'area', which is ignored and never asked about. Leave it out."
    )
