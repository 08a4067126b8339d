"""Costs and probabilities in a model file."""

import json
from dataclasses import replace

import handmade
import pytest

from bough.errors import ModelFormatError
from bough.exports.model_file import Model, dumps, loads


def changed(tree, **entries):
    """Return the bytes of a good file whose first label has other entries."""
    document = json.loads(dumps(Model(tree, {})))
    document["schema"]["labels"][0].update(entries)
    return json.dumps(document).encode()


def complaint(data):
    with pytest.raises(ModelFormatError) as error:
        loads(data, "m.json")
    return str(error.value).removeprefix("'m.json' is damaged: schema.labels")


def test_what_is_usual_is_not_written():
    assert set(json.loads(dumps(Model(handmade.play_tennis(), {})))["schema"]["labels"][0]) == {
        "name",
        "dtype",
        "classes",
    }


def test_costs_and_probabilities_are_read_back():
    tree = handmade.costs()
    assert loads(dumps(Model(tree, {}))).tree.schema == tree.schema


@pytest.mark.parametrize(
    ("costs", "says"),
    [
        ([[0, 1], [1, 0], [0, 0]], " must hold 2 lists of 2 numbers."),
        ([[0, 1], [1]], " must hold 2 lists of 2 numbers."),
        ([], " must hold 2 lists of 2 numbers."),
        ([[0, -1.5], [1, 0]], " must hold finite numbers, 0 or more."),
        ([[0, None], [1, 0]], " must hold finite numbers, 0 or more."),
        ([[0, True], [1, 0]], " must hold numbers, not true or false."),
        ([0, 1], " must be a list, not a whole number."),
        ({}, " must be a list, not an object."),
    ],
)
def test_costs_that_are_none_are_refused(costs, says):
    assert complaint(changed(handmade.play_tennis(), costs=costs)) == f"[0].costs{says}"


def test_probabilities_of_an_unknown_kind_are_refused():
    assert complaint(changed(handmade.play_tennis(), probability="honest")) == (
        "[0].probability is 'honest'; it must be one of 'raw', 'laplace' and 'prior'."
    )


@pytest.mark.parametrize("entry", [{"costs": []}, {"probability": "raw"}])
def test_numbers_have_neither(entry):
    (name,) = entry
    assert complaint(changed(handmade.one_of(), **entry)) == f"[0] has {name}, but no classes."


def test_several_labels_have_no_costs():
    assert complaint(changed(handmade.two_outputs(), costs=[[0, 1], [1, 0]])) == (
        " has costs, which only a single label can have."
    )


def test_costs_that_could_not_be_read_back_are_not_written():
    tree = handmade.costs()
    label = replace(tree.schema.labels[0], costs=((float("nan"),) * 3,) * 3)
    with pytest.raises(ModelFormatError):
        dumps(Model(replace(tree, schema=replace(tree.schema, labels=(label,))), {}))
