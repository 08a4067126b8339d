"""What columns mean."""

import pytest

from bough.schema import Feature, Kind, Label, Part, Schema


def schema(*features, **options):
    return Schema(("a", "b"), features, (Label("y", ("no", "yes")),), **options)


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_but_a_choice_is_compared(kind):
    assert kind.is_compared == (kind is not Kind.CHOICE)


def test_large_integers_and_dates_are_integers():
    assert {kind for kind in Kind if kind.is_integer} == {Kind.INTEGER, Kind.DATE}


def test_a_feature_is_its_whole_column_unless_it_says_otherwise():
    assert Feature("a", Kind.NUMBER, 0).part is Part.ITSELF


def test_a_label_with_classes_makes_a_tree_of_classes():
    assert schema(Feature("a", Kind.NUMBER, 0)).has_classes


def test_a_label_without_classes_makes_a_tree_of_numbers():
    assert not Schema(("a",), (Feature("a", Kind.NUMBER, 0),), (Label("y"),)).has_classes


def test_columns_that_are_all_numbers_make_a_matrix():
    assert schema(Feature("a", Kind.NUMBER, 0), Feature("b", Kind.NUMBER, 1)).is_matrix


@pytest.mark.parametrize(
    "features",
    [
        (Feature("a", Kind.NUMBER, 0), Feature("b", Kind.CHOICE, 1, choices=("x",))),
        (Feature("a", Kind.NUMBER, 0), Feature("b", Kind.INTEGER, 1)),
        (Feature("a", Kind.NUMBER, 0), Feature("b", Kind.NUMBER, 1, Part.HOUR)),
        (Feature("a", Kind.NUMBER, 0),),
        (Feature("b", Kind.NUMBER, 1), Feature("a", Kind.NUMBER, 0)),
    ],
    ids=["a choice", "an integer", "a part", "an ignored column", "another order"],
)
def test_other_columns_make_no_matrix(features):
    assert not schema(*features).is_matrix


def test_a_schema_that_was_asked_is_equal_to_one_that_was_not():
    asked, other = schema(Feature("a", Kind.NUMBER, 0)), schema(Feature("a", Kind.NUMBER, 0))
    assert not asked.is_matrix
    assert asked == other
    assert hash(asked) == hash(other)
