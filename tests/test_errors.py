"""The kinds of errors and the words that they share."""

import copy
import pickle
import warnings

import pytest

import bough
from bough import errors
from bough.errors import did_you_mean, listed, warn_deprecated


@pytest.mark.parametrize(
    ("error", "also"),
    [
        (errors.DataError, ValueError),
        (errors.DataTypeError, TypeError),
        (errors.DataTypeError, errors.DataError),
        (errors.SchemaError, errors.DataError),
        (errors.ParameterError, ValueError),
        (errors.ModelFormatError, ValueError),
        (errors.BudgetError, MemoryError),
        (errors.DistributedError, RuntimeError),
    ],
)
def test_an_error_is_also_of_the_standard_kind(error, also):
    assert issubclass(error, also)
    assert issubclass(error, errors.BoughError)


def test_the_nearest_known_word_is_proposed():
    assert did_you_mean("entropie", ["gini", "entropy"]) == " Did you mean 'entropy'?"


def test_nothing_is_proposed_when_no_word_is_near():
    assert did_you_mean("entropie", ["gini", "error"]) == ""


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], ""),
        (["a"], "'a'"),
        (["a", "b"], "'a' and 'b'"),
        (["a", 1, 2.5], "'a', 1 and 2.5"),
        (list("abcde"), "'a', 'b', 'c', 'd' and 'e'"),
        (range(1005), "0, 1, 2, 3, 4 and 1,000 more"),
    ],
)
def test_names_are_listed_as_in_a_sentence(names, text):
    assert listed(names) == text


def old_name():
    warn_deprecated("old_name()", "new_name()", "2.0")
    return 1


def test_what_is_deprecated_works_and_says_what_to_use_instead():
    with pytest.warns(bough.BoughDeprecationWarning) as found:
        assert old_name() == 1
    assert str(found[0].message) == (
        "old_name() is deprecated and ends with version 2.0. Use new_name()."
    )
    assert found[0].filename == __file__  # the line of the caller


def test_a_deprecation_can_be_an_error_or_silent():
    with warnings.catch_warnings():
        warnings.filterwarnings("error", category=bough.BoughDeprecationWarning)
        with pytest.raises(bough.BoughDeprecationWarning):
            old_name()
        warnings.filterwarnings("ignore", category=bough.BoughDeprecationWarning)
        assert old_name() == 1


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_an_error_says_the_same_after_a_pickle(copied):
    error = errors.ParameterError(errors.Argument("first"), " and ", errors.Argument("f", len))
    error.add_note("try:  this")
    found = copied(error)
    assert (type(found), str(found)) == (type(error), str(error))
    assert found.__notes__ == error.__notes__
