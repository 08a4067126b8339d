"""Evidence read back from plain data that may come from anybody."""

import json
import random
from dataclasses import replace

import pytest
from plain_data import places, with_entry

from bough.errors import ModelFormatError
from bough.evidence import Candidate, Estimate, Evidence, Note, Stop
from bough.exports.model_file_evidence import read_evidence

CANDIDATE = Candidate("gini", "each", 3, "", 0.0, 5, 0.125, 0.25, 0.03)
ERROR = Estimate(0.25, 0.125, 0.5, 20, "Wilson")
EVIDENCE = Evidence(
    task="classification",
    target="survived",
    loss="error",
    n_train=70,
    n_dev=10,
    n_test=20,
    folds=0,
    group=None,
    time="when",
    weight=None,
    choose="best",
    refit=True,
    seed=0,
    chosen=CANDIDATE,
    curve=(CANDIDATE, replace(CANDIDATE, depth=None, pruned_by="error", price=0.5)),
    train={"error": ERROR},
    dev={},
    test={"error": ERROR, "accuracy": Estimate(1.0, 0.0, 1.0, 20)},
    baseline={"error": ERROR},
    learning=((10, 0.5), (20, 0.25)),
    unavoidable=None,
    notes=(Note("B104", "Many values.", ("zip",), {"types": {"zip": "category"}}, is_loud=True),),
    learning_step=ERROR,
    sketches={"train": ("00000000000000ff", "0123456789abcdef"), "dev": (), "test": ()},
    ranges={"age": (0.5, 80.0), "x-1": (1.0, 1.0)},
    stops=(Stop(1, 4, (1.0, 3.0)), Stop(2, 16, (0.0, 15.0))),
)


def changed(path, value):
    return with_entry(json.loads(json.dumps(EVIDENCE.as_dict())), path, value)


def test_evidence_is_read_back_from_plain_data():
    assert read_evidence(EVIDENCE.as_dict()) == EVIDENCE


def test_evidence_is_read_back_from_json():
    assert read_evidence(json.loads(json.dumps(EVIDENCE.as_dict()))) == EVIDENCE


def test_a_whole_number_will_do_for_a_number():
    found = read_evidence(changed(["chosen", "train"], 1)).chosen.train
    assert (found, type(found)) == (1.0, float)


def test_evidence_without_the_stops_of_test_rows_is_read():
    assert read_evidence(changed(["stops"], ...)).stops == ()


def test_what_has_a_usual_value_may_be_left_out():
    assert read_evidence(changed(["notes", 0, "fix"], ...)).notes[0].fix == {}


DAMAGES = [
    (
        ["task"],
        "sorting",
        ".task is 'sorting'; it must be one of 'classification', 'regression' and 'ranking'.",
    ),
    (
        ["loss"],
        "eror",
        ".loss is 'eror'; it must be one of 'error', 'log_loss', 'brier', 'cost', 'squared_error' and 4 more.",
    ),
    (["target"], 3, ".target must be text, not a whole number."),
    (["target"], ..., " has no 'target'."),
    (["targt"], "y", " has the unknown key 'targt'. Did you mean 'target'?"),
    (["sketches"], {}, ".sketches has no 'train'."),
    (["sketches", "dev"], ..., ".sketches has no 'dev'."),
    (["n_train"], 7.5, ".n_train must be a whole number, not a number."),
    (["n_train"], True, ".n_train must be a whole number, not true or false."),
    (["n_train"], -1, ".n_train is -1; it must be 0 or more."),
    (["n_train"], 10**30, ".n_train holds a number that is too large."),
    (["chosen"], None, ".chosen must be an object, not null."),
    (["chosen", "depth"], "3", ".chosen.depth must be a whole number, not text."),
    (["chosen", "dev"], None, ".chosen.dev must be a number, not null."),
    (["chosen", "dev"], 10**400, ".chosen.dev holds a number that is too large."),
    (["curve"], {}, ".curve must be a list, not an object."),
    (["curve", 1, "n_leaves"], [], ".curve[1].n_leaves must be a whole number, not a list."),
    (["test"], [], ".test must be an object, not a list."),
    (["test", "error", "low"], "0", ".test['error'].low must be a number, not text."),
    (["notes", 0, "columns"], "zip", ".notes[0].columns must be a list, not text."),
    (["notes", 0, "columns", 0], 1, ".notes[0].columns[0] must be text, not a whole number."),
    (["notes", 0, "is_loud"], 1, ".notes[0].is_loud must be true or false, not a whole number."),
    (["notes", 0, "fix"], [], ".notes[0].fix must be an object, not a list."),
    (["sketches", "train", 0], "0xff", ".sketches['train'] holds '0xff', which is not 16 hexadecimal digits."),
    (["learning", 1], [20], ".learning[1] must hold 2 entries, not 1."),
    (["learning", 1, 0], 0.5, ".learning[1][0] must be a whole number, not a number."),
    (["unavoidable"], "0", ".unavoidable must be a number, not text."),
    (["ranges", "age"], [1.0], ".ranges['age'] must hold 2 entries, not 1."),
    (["stops", 1, "n"], 0.5, ".stops[1].n must be a whole number, not a number."),
    (["stops", 0, "tally", 1], "3", ".stops[0].tally[1] must be a number, not text."),
    (["ranges", "age"], [2, 1], ".ranges['age'] ends before it begins."),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "complaint"), DAMAGES, ids=lambda each: str(each)[:40])
def test_a_message_names_the_entry(path, value, complaint):
    with pytest.raises(ModelFormatError) as error:
        read_evidence(changed(path, value))
    assert str(error.value) == f"evidence{complaint}"


def test_numbers_that_are_none_are_refused():
    with pytest.raises(ModelFormatError) as error:
        read_evidence(changed(["notes", 0, "fix"], {"types": [float("nan")]}))
    assert str(error.value) == "evidence.notes[0].fix['types'] holds a number that is not finite."


ODD = [None, True, 0, -1, 2**63, 10**400, 0.5, float("inf"), float("nan"), "", "a", "0" * 16, [], {},
       [0], [[]], {"a": 0}, {0: 1}, (1.0, 2.0), b"", object()]  # fmt: skip


def test_any_plain_data_is_evidence_or_refused():
    chance = random.Random(4)
    everywhere = places(json.loads(json.dumps(EVIDENCE.as_dict())))
    n_refused = 0
    for _ in range(3000):
        data = changed(chance.choice(everywhere), chance.choice([..., *ODD]))
        try:
            assert isinstance(read_evidence(data), Evidence)
        except ModelFormatError:
            n_refused += 1
    assert 2000 < n_refused < 3000


@pytest.mark.parametrize("data", ODD, ids=lambda data: type(data).__name__)
def test_what_is_no_object_is_refused(data):
    with pytest.raises(ModelFormatError):
        read_evidence(data)
