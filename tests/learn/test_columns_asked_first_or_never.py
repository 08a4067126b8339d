"""Columns that `bough.fit` is told to ask about first, or never."""

import numpy as np
import pytest

import bough
from bough import ParameterError
from bough.walk import walk

PENGUINS = bough.datasets.load("penguins")
TABLE = {**PENGUINS.features, "species": PENGUINS.labels}


def fit(**wishes):
    return bough.fit(TABLE, "species", **wishes)


def asked(result):
    return {step.node.query.feature.name for step in walk(result.saved.tree) if step.node.query}


def test_a_column_is_asked_first():
    result = fit(first=["sex", "island"])
    names = [result.saved.tree[node].query.feature.name for node in (0, 1)]
    assert names == ["sex", "island"]


def test_columns_may_come_in_an_array():
    tree = fit(first=np.array(["sex", "island"])).saved.tree
    assert tree[0].query.feature.name == "sex"


def test_a_forbidden_column_is_never_asked():
    usual = asked(fit())
    assert "bill_length_mm" in usual
    assert "bill_length_mm" not in asked(fit(forbid="bill_length_mm"))


def test_the_model_file_knows_what_was_wanted(tmp_path):
    fit(first=["sex"], forbid=["year"]).save(tmp_path / "species.bough.json")
    loaded = bough.load(tmp_path / "species.bough.json")
    assert (loaded.settings_.first, loaded.settings_.forbid) == (("sex",), ("year",))
    assert (loaded.first, loaded.forbid) == (["sex"], ["year"])


def test_a_loaded_tree_grows_again_with_the_same_constraints(tmp_path):
    fit(first=["sex"], forbid=["year"]).save(tmp_path / "species.bough.json")
    again = bough.load(tmp_path / "species.bough.json").fit(PENGUINS.features, PENGUINS.labels)
    assert again.grown_tree_[0].query.feature.name == "sex"


def test_a_column_that_is_left_out_anyway_may_be_forbidden():
    table = {**TABLE, "id": [f"p{row}" for row in range(344)]}
    assert bough.fit(table, "species", forbid=["id"]).saved.settings["forbid"] is None


def test_a_forbidden_column_does_not_give_the_answer_away():
    table = {**TABLE, "copy": [f"is {name}" for name in PENGUINS.labels]}
    leaks = [note.code for note in bough.fit(table, "species").notes]
    assert "B101" in leaks
    assert "B101" not in [note.code for note in bough.fit(table, "species", forbid="copy").notes]


def test_what_cannot_be_avoided_is_that_of_the_columns_that_may_be_asked():
    rng = np.random.default_rng(0)
    table = {"row": rng.random(300), "n": rng.integers(0, 3, 300), "y": rng.integers(0, 2, 300)}
    assert bough.fit(table, "y").evidence.unavoidable == 0
    assert bough.fit(table, "y", forbid="row").evidence.unavoidable > 0.3


def test_a_first_question_that_the_user_wants_is_not_called_unstable():
    assert "B301" in [note.code for note in fit().notes]
    assert "B301" not in [note.code for note in fit(first="island").notes]


WRONG = [
    (
        {"first": ["sx"]},
        "first='sx' is not a column of the table. Did you mean 'sex'? Columns: 'island', "
        "'bill_length_mm', 'bill_depth_mm', 'flipper_length_mm', 'body_mass_g', 'sex', 'year' and "
        "'species'.",
    ),
    (
        {"forbid": ["sx"]},
        "forbid='sx' is not a column of the table. Did you mean 'sex'? Columns: 'island', "
        "'bill_length_mm', 'bill_depth_mm', 'flipper_length_mm', 'body_mass_g', 'sex', 'year' and "
        "'species'.",
    ),
    (
        {"first": [3]},
        (
            "first has 3, which is not the name of a column: 'island', 'bill_length_mm', "
            "'bill_depth_mm', 'flipper_length_mm', 'body_mass_g' and 3 more."
        ),
    ),
    (
        {"forbid": 0.5},
        (
            "forbid=0.5 must be a list of columns, such as ['age', 'sex'], or of column "
            "numbers if the columns have no names."
        ),
    ),
    (
        {"first": ["species"]},
        "first has 'species', which cannot be asked about: it is the target. Leave it out.",
    ),
    (
        {"forbid": ["species"]},
        "forbid has 'species', the target, which is never asked about. Leave it out.",
    ),
    (
        {"first": ["sex"], "ignore": ["sex"]},
        "first has 'sex', which cannot be asked about: it is ignored. Leave it out, or do not ignore "
        "it.",
    ),
    (
        {"first": ["sex"], "forbid": ["sex"]},
        "first and forbid both name 'sex'. Leave it out of one of them.",
    ),
    (
        {"forbid": list(PENGUINS.features)},
        "forbid names every usable column. Leave at least one out.",
    ),
]


@pytest.mark.parametrize(("wishes", "message"), WRONG)
def test_what_cannot_be_wanted_is_refused(wishes, message):
    with pytest.raises(ParameterError) as error:
        fit(**wishes)
    assert str(error.value) == message


def test_a_column_that_is_left_out_cannot_be_first():
    table = {**TABLE, "id": [f"p{row}" for row in range(344)]}
    with pytest.raises(ParameterError) as error:
        bough.fit(table, "species", first=["id"])
    assert str(error.value) == (
        "first has 'id', which cannot be asked about: it is left out as a constant or an identifier. Leave it out, or name its kind, as in types={'id': 'category'}."
    )


NAMES = [
    {"first": "islnd"},
    {"forbid": "islnd"},
    {"monotonic_cst": {"islnd": 1}},
    {"criterion": "ginni"},
    {"categorical": "grup"},
    {"loss": "eror"},
    {"prune": "dept"},
    {"costs": {("Adelie", "Gento"): 2}},
]


@pytest.mark.parametrize("names", [["sex"], [*PENGUINS.features]], ids=["both", "all"])
def test_columns_that_exclude_each_other_are_refused_before_rows_are_hashed(names, monkeypatch):
    monkeypatch.setattr("bough.learn.row_plan.row_hashes", None)
    with pytest.raises(ParameterError, match="forbid"):
        fit(first=["sex"], forbid=names)


@pytest.mark.parametrize("wrong", NAMES, ids=lambda wrong: next(iter(wrong)))
def test_a_wrong_name_is_refused_before_rows_are_hashed(wrong, monkeypatch):
    monkeypatch.setattr("bough.learn.row_plan.row_hashes", None)
    with pytest.raises(ParameterError, match="Did you mean"):
        fit(**wrong)
