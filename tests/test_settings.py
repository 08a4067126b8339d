"""The choices a user makes about growing, checked once."""

from fractions import Fraction

import numpy as np
import pytest

from bough.errors import BudgetError, ParameterError
from bough.settings import Settings, columns_drawn, criteria, is_real, rows_needed

MESSAGES = [
    (
        {"criterion": "entropie"},
        "criterion='entropie' is not known. Did you mean 'entropy'? Known: 'error', 'gini', "
        "'entropy', 'log_loss', 'gain_ratio', 'squared_error', 'absolute_error', 'poisson', "
        "'quantile' and 'ndcg'.",
    ),
    (
        {"criterion": "quantile"},
        (
            "criterion='quantile' needs a quantile, a number between 0 and 1. quantile=0.9 "
            "predicts a value that nine of ten labels do not exceed."
        ),
    ),
    (
        {"quantile": 0.9},
        (
            "quantile=0.9 does not work with the criterion "
            "'gini'. Use criterion='quantile', or leave the quantile out."
        ),
    ),
    (
        {"criterion": "quantile", "quantile": 1},
        "quantile=1 must be a number between 0 and 1, or None.",
    ),
    (
        {"criterion": "quantile", "quantile": 0.0},
        "quantile=0.0 must be a number between 0 and 1, or None.",
    ),
    (
        {"criterion": "quantile", "quantile": "0.5"},
        "quantile='0.5' must be a number between 0 and 1, or None.",
    ),
    (
        {"criterion": "quantile", "quantile": float("nan")},
        "quantile=nan must be a number between 0 and 1, or None.",
    ),
    ({"categorical": "all"}, "categorical='all' is not known. Known: 'auto', 'each' and 'group'."),
    (
        {"splitter": "bset"},
        "splitter='bset' is not known. Did you mean 'best'? Known: 'best' and 'random'.",
    ),
    ({"max_depth": -1}, "max_depth=-1 must be a whole number, 0 or more, or None."),
    ({"max_depth": 2.5}, "max_depth=2.5 must be a whole number, 0 or more, or None."),
    ({"max_leaf_nodes": 1}, "max_leaf_nodes=1 must be a whole number, 2 or more, or None."),
    (
        {"min_samples_leaf": 0},
        "'min_samples_leaf' is 0, but must be an int in the range [1, inf) or a float in the "
        "range (0.0, 1.0).",
    ),
    (
        {"min_samples_split": 1},
        "'min_samples_split' is 1, but must be an int in the range [2, inf) or a float in the "
        "range (0.0, 1.0].",
    ),
    (
        {"min_weight_fraction_leaf": 0.6},
        "min_weight_fraction_leaf=0.6 must be a number from 0 to 0.5.",
    ),
    ({"min_impurity_decrease": -1}, "min_impurity_decrease=-1 must be a number, 0 or more."),
    (
        {"max_features": "all"},
        (
            "max_features='all' must be None, 'sqrt', 'log2', a whole number of at least 1, "
            "or a share of the features above 0 and at most 1."
        ),
    ),
    (
        {"min_impurity_decrease": 10**309},
        f"min_impurity_decrease={10**309} must be a number, 0 or more.",
    ),
    (
        {"max_features": np.array([1, 2])},
        (
            "max_features=array([1, 2]) must be None, 'sqrt', 'log2', a whole number of at "
            "least 1, or a share of the features above 0 and at most 1."
        ),
    ),
    (
        {"splitter": np.array(["best", "random"])},
        "splitter=array(['best', 'random'], dtype='<U6') is not known. Known: 'best' and 'random'.",
    ),
    ({"random_state": "a"}, "random_state='a' must be a whole number, 0 or more."),
    ({"monotonic_cst": [2]}, "monotonic_cst=[2] must be a list of -1, 0 and 1, or None."),
    ({"monotonic_cst": "up"}, "monotonic_cst='up' must be a list of -1, 0 and 1, or None."),
    ({"max_depth": True}, "max_depth=True must be a whole number, 0 or more, or None."),
    (
        {"min_impurity_decrease": float("nan")},
        "min_impurity_decrease=nan must be a number, 0 or more.",
    ),
]


@pytest.mark.parametrize(("wrong", "message"), MESSAGES, ids=lambda case: str(case)[:30])
def test_a_wrong_setting_is_refused_with_its_name_and_its_range(wrong, message):
    with pytest.raises(ParameterError) as error:
        Settings(**{"criterion": "gini"} | wrong)
    assert str(error.value) == message


def test_the_core_lists_the_criteria_of_each_task():
    assert criteria("classification") == ["error", "gini", "entropy", "log_loss", "gain_ratio"]
    assert criteria("regression") == ["squared_error", "absolute_error", "poisson", "quantile"]


def test_more_leaves_than_memory_holds_are_refused():
    with pytest.raises(BudgetError) as error:
        Settings(criterion="gini", max_leaf_nodes=2**63 - 1)
    assert str(error.value) == (
        "max_leaf_nodes=9223372036854775807 is more than 4,294,967,295 leaves, the most "
        "that fit into memory. Use a smaller number, or None for no limit."
    )


def test_a_share_of_the_rows_is_read_as_the_decimal_typed():
    assert 0.07 * 100 > 7  # in binary a little more than it says
    assert rows_needed(0.07, 100, at_least=1) == 7


def test_a_share_of_the_rows_is_rounded_up_and_never_below_the_least():
    assert rows_needed(0.25, 9, at_least=1) == 3
    assert rows_needed(0.01, 9, at_least=2) == 2


@pytest.mark.parametrize(
    ("setting", "drawn"), [(None, 20), ("sqrt", 4), ("log2", 4), (7, 7), (0.5, 10), (0.01, 1)]
)
def test_max_features_says_how_many_features_are_drawn(setting, drawn):
    assert columns_drawn(setting, 20) == drawn


@pytest.mark.parametrize("value", [0.25, 1, np.float32(0.25), np.int8(3), Fraction(1, 3)])
def test_a_number_of_any_kind_is_real(value):
    assert is_real(value)


@pytest.mark.parametrize("value", [True, "1", None, float("nan"), np.float32("inf"), 10**400])
def test_what_no_float64_comes_near_to_is_not_real(value):
    assert not is_real(value)
