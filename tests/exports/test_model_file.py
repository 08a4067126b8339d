"""The model file: written, read back, and refused where an entry is wrong."""

import json
import re
from dataclasses import replace

import handmade
import numpy as np
import pytest
from made_evidence import made_evidence
from plain_data import with_entry

from bough.errors import ModelFormatError
from bough.exports.model_file import Model, dumps, load, loads, save
from bough.schema import Feature, Kind, Label, Schema
from bough.walk import walk

SETTINGS = {"criterion": "gini", "max_depth": None, "min_samples_leaf": 1, "fraction": 0.1}
ESTIMATOR = {"class": "DecisionTreeClassifier", "parameters": {"types": {"pairs": [["a", 1.5]]}}}
EVIDENCE = json.loads(json.dumps(made_evidence(handmade.play_tennis())))


def model():
    return Model(handmade.play_tennis(), SETTINGS, ESTIMATOR, EVIDENCE)


def changed(path, value, of=model):
    """Return the bytes of a good file in which one value is another; None takes its key away."""
    document = with_entry(json.loads(dumps(of())), path, ... if value is None else value)
    return json.dumps(document).encode()


def complaint(data, name="m.json"):
    with pytest.raises(ModelFormatError) as error:
        loads(data, name)
    return str(error.value)


@pytest.mark.parametrize("name", handmade.TREES)
def test_the_file_is_the_golden_one(name, golden):
    data = dumps(Model(handmade.TREES[name](), SETTINGS))
    golden(f"{name}.bough.json", re.sub(rb'"bough": ".*?"', b'"bough": "0.1.0"', data))


def test_a_tree_read_back_is_the_same_tree(tree):
    assert handmade.same_tree(loads(dumps(Model(tree, {}))).tree, tree)


def test_a_model_read_back_writes_the_same_bytes(tree):
    data = dumps(Model(tree, SETTINGS, ESTIMATOR, made_evidence(tree)))
    assert dumps(loads(data)) == data


def test_settings_are_kept():
    assert loads(dumps(model())).settings == SETTINGS


def test_the_estimator_is_kept():
    assert loads(dumps(model())).estimator == ESTIMATOR


def test_the_evidence_is_kept():
    assert loads(dumps(model())).evidence == EVIDENCE


def test_what_a_model_does_not_have_is_not_written():
    assert sorted(json.loads(dumps(Model(handmade.one_leaf(), {})))) == [
        "bough",
        "format",
        "schema",
        "settings",
        "tree",
    ]


def test_a_saved_model_is_loaded(tmp_path):
    save(model(), tmp_path / "m.json")
    assert handmade.same_tree(load(tmp_path / "m.json").tree, model().tree)


def test_the_file_is_utf_8_that_people_can_read():
    assert "😀 größe 数" in dumps(Model(handmade.awkward_names(), {})).decode()


def test_every_array_has_a_line():
    lines = dumps(model()).decode().split("\n")
    assert ' "feature": [0, -1, 3, 2, -1, -1, -1, -1],' in lines


def test_the_file_ends_with_a_line_end():
    assert dumps(model()).endswith(b"}\n")


EXTREMES = [5e-324, -5e-324, 0.1 + 0.2, 1e22, 1.7976931348623157e308, -(2.0**53) - 2, -0.0]


@pytest.mark.parametrize("number", EXTREMES)
def test_every_bit_of_a_number_is_kept(number):
    tree = handmade.one_of()
    changed_tree = replace(tree, guess=np.full((5, 1), number))
    assert handmade.same_tree(loads(dumps(Model(changed_tree, {}))).tree, changed_tree)


CLASSES = [
    (("a", "b"), "<U1"),
    (("a", "b"), "object"),
    (("", " "), "<U1"),
    ((False, True), "bool"),
    ((0, 255), "uint8"),
    ((0, 2**64 - 1), "uint64"),
    ((-(2**63), 2**63 - 1), "int64"),
    ((-1.5, 0.1 + 0.2), "float64"),
    ((0.5, 1.5), "float16"),
    ((1, 10**30), "object"),
    ((False, 2, 2.5), "object"),
]


@pytest.mark.parametrize(("classes", "dtype"), CLASSES)
def test_classes_keep_their_values_and_types(classes, dtype):
    schema = Schema((), (), (Label("y", classes, dtype),))
    found = loads(dumps(Model(handmade.make_tree(schema, handmade.leaf(0)), {})))
    label = found.tree.schema.labels[0]
    assert (label.classes, [*map(type, label.classes)]) == (classes, [*map(type, classes)])
    assert label.dtype == dtype


def test_text_is_given_back_as_wide_as_its_longest_class():
    schema = Schema((), (), (Label("y", ("no", "yes"), "<U100"),))
    found = loads(dumps(Model(handmade.make_tree(schema, handmade.leaf(0)), {})))
    assert found.tree.schema.labels[0].dtype == "<U3"


def test_a_feature_read_from_text_is_kept():
    feature = Feature("when", Kind.DATE, 0, from_text=True)
    schema = Schema(("when",), (feature,), (Label("y"),), named=False, match_by_name=True)
    tree = handmade.make_tree(schema, handmade.leaf(0.5))
    assert loads(dumps(Model(tree, {}))).tree.schema == schema


def test_keys_that_begin_with_x_are_left_aside():
    assert loads(changed(["x-note"], {"any": [1, "thing"]})).settings == SETTINGS


def test_keys_that_begin_with_x_are_left_aside_everywhere():
    for path in (["tree"], ["schema"], ["settings"], ["estimator"], ["schema", "labels", 0]):
        assert loads(changed([*path, "x-note"], [])).estimator == ESTIMATOR


WHOLE_FILES = [
    (b"", "'m.json' is empty."),
    (b" \n\t", "'m.json' is empty."),
    (b"\x80\x04\x95", "'m.json' is not a bough model: it looks like a Python pickle; bough does not open pickles here."),
    (b"PK\x03\x04abc", "'m.json' is not a bough model: it looks like a zip archive."),
    (b"\x1f\x8b\x08", "'m.json' is not a bough model: it looks like a gzip file; unpack it first."),
    (b"\x89HDF\r\n", "'m.json' is not a bough model: it looks like an HDF5 file."),
    (b"PAR1", "'m.json' is not a bough model: it looks like a Parquet file."),
    ("{}".encode("utf-16"), "'m.json' is not a bough model: it looks like text in UTF-16; a model file is in UTF-8."),
    (b"\xef\xbb\xbf{}", "'m.json' is not a bough model: it looks like text with a byte order mark; a model file has none."),
    (b"[1]", "'m.json' is not a bough model: it does not start with a {."),
    (b"a,b\n1,2\n", "'m.json' is not a bough model: it does not start with a {."),
    (b"{}", "'m.json' is not a bough model: it has no 'bough' and 'format'."),
    (b'{"format": 1}', "'m.json' is not a bough model: it has no 'bough' and 'format'."),
    (b'{"a": "\xff"}', "'m.json' is damaged: byte 7 is not UTF-8."),
    (b'{"a": "\xed\xa0\x80"}', "'m.json' is damaged: byte 7 is not UTF-8."),
    (b'{"a": [1, 2', "'m.json' ends early, after 11 bytes; the file is damaged."),
    (b'{"a": "b', "'m.json' ends early, after 8 bytes; the file is damaged."),
    (b'{"a": "b\\', "'m.json' ends early, after 9 bytes; the file is damaged."),
    (b'{"a":\n [1, }', "'m.json' is damaged: line 2, column 6 is not JSON."),
    (b'{"a": 1} {}', "'m.json' is damaged: line 1, column 10 is not JSON."),
    (b'{"a": 01}', "'m.json' is damaged: line 1, column 8 is not JSON."),
    (b'{"a": "\x01"}', "'m.json' is damaged: line 1, column 8 is not JSON."),
    (b'{"a": NaN}', "'m.json' is damaged: NaN is not a number in JSON."),
    (b'{"a": -Infinity}', "'m.json' is damaged: -Infinity is not a number in JSON."),
    (b'{"a": 1, "b": 2, "a": 3}', "'m.json' is damaged: the key 'a' appears twice."),
    (b'{"a": "\\ud800"}', "'m.json' is damaged: it holds half a surrogate pair as text."),
    (b'{"\\udfff": 1}', "'m.json' is damaged: it holds half a surrogate pair as text."),
    (b'{"a": ' + b"9" * 5000 + b"}", "'m.json' is damaged: a number is too long."),
    (b'{"a": ' + b"[" * 32, "'m.json' is damaged: brackets are nested more than 32 deep."),
    (b'{"a": ' * 40, "'m.json' is damaged: brackets are nested more than 32 deep."),
    (b'{"a": ' * 1_000_000, "'m.json' is damaged: brackets are nested more than 32 deep."),
    (b'{"a": ' + b"[" * 31, "'m.json' ends early, after 37 bytes; the file is damaged."),
    (b'{"bough": "1", "format": 3}', "'m.json' has format 3, but this bough reads formats up to 2. Upgrade it: pip install --upgrade bough."),
    (b'{"bough": "1", "format": 0}', "'m.json' is damaged: its format must be a whole number, 1 or more."),
    (b'{"bough": "1", "format": true}', "'m.json' is damaged: its format must be a whole number, 1 or more."),
    (b'{"bough": "1", "format": "1"}', "'m.json' is damaged: its format must be a whole number, 1 or more."),
    (b'{"bough": "1", "format": 1}', "'m.json' is damaged: the file has no 'schema'."),
]  # fmt: skip


@pytest.mark.parametrize(("data", "says"), WHOLE_FILES, ids=[text for _, text in WHOLE_FILES])
def test_bytes_that_are_no_model_are_refused(data, says):
    assert complaint(data) == says


def test_brackets_in_text_are_not_counted():
    assert loads(changed(["x-note"], "[" * 1000 + '\\"{')).settings == SETTINGS


def test_a_pair_of_surrogates_is_text():
    data = changed(["schema", "labels", 0, "name"], "😀")
    assert b"\\ud83d\\ude00" in data
    assert loads(data).tree.schema.labels[0].name == "😀"


# Where a good file is changed, what stands there then, and what is said about it.
ENTRIES = [
    (["bough"], 1, "bough must be text, not a whole number."),
    (["tree"], None, "the file has no 'tree'."),
    (["setings"], {}, "the file has the unknown key 'setings'. Did you mean 'settings'?"),
    (["y" * 99], 1, f"the file has the unknown key '{'y' * 57}...'."),
    (["settings"], [], "settings must be an object, not a list."),
    (["settings", "max_depth"], [1], "settings.max_depth must not be a list."),
    (["estimator"], "a", "estimator must be an object, not text."),
    (["estimator", "class"], 1.5, "estimator.class must be text, not a number."),
    (["estimator", "parameters"], [], "estimator.parameters must be an object, not a list."),
    (["estimator", "parameters"], None, "estimator has no 'parameters'."),
    (["evidence"], True, "evidence must be an object, not true or false."),
    (["evidence", "sketches"], {}, "evidence.sketches has no 'train'."),
    (["evidence", "test"], {}, "evidence.test has no 'error'."),
    (["evidence", "task"], "regression", "evidence is about regression, but the tree is not."),
    (["evidence", "stops", 0, "node"], 99, "evidence.stops[0] is about another tree."),
    (["schema"], 0, "schema must be an object, not a whole number."),
    (["schema", "columns"], {}, "schema.columns must be a list, not an object."),
    (["schema", "columns", 0], 0, "a name in schema.columns must be text, not a whole number."),
    (["schema", "columns", 1], "outlook", "schema.columns holds a name twice."),
    (["schema", "named"], 1, "schema.named must be true or false, not a whole number."),
    (["schema", "match_by_name"], "no", "schema.match_by_name must be true or false, not text."),
    (["schema", "features"], "no", "schema.features must be a list, not text."),
    (["schema", "features", 0, "name"], None, "schema.features[0] has no 'name'."),
    (["schema", "features", 0, "name"], 7, "schema.features[0].name must be text, not a whole number."),
    (["schema", "features", 1, "kind"], "shape", "schema.features[1].kind is 'shape'; it must be one of 'number', 'integer', 'date', 'ordered' and 'choice'."),
    (["schema", "features", 1, "kind"], [], "schema.features[1].kind must be text, not a list."),
    (["schema", "features", 1, "part"], "year", "schema.features[1].part is 'year'; it must be one of 'itself', 'weekday', 'month' and 'hour'."),
    (["schema", "features", 1, "part"], "month", "schema.features[1] is the month of a date, but of kind 'choice' with 3 choices."),
    (["schema", "features", 1, "column"], 4, "schema.features[1] reads column 4, but there are 4."),
    (["schema", "features", 1, "column"], -1, "schema.features[1] reads column -1, but there are 4."),
    (["schema", "features", 1, "column"], 0, "schema.features reads the same part of a column twice."),
    (["schema", "features", 1, "column"], True, "schema.features[1].column must be a whole number, not true or false."),
    (["schema", "features", 1, "column"], 1.0, "schema.features[1].column must be a whole number, not a number."),
    (["schema", "features", 1, "from_text"], 1, "schema.features[1].from_text must be true or false, not a whole number."),
    (["schema", "features", 1, "kind"], "number", "schema.features[1] has choices, but its kind is 'number'."),
    (["schema", "features", 1, "choices"], ["a", 1], "schema.features[1].choices mixes text and numbers."),
    (["schema", "features", 1, "choices"], ["a", "b", "a"], "schema.features[1].choices holds a value twice."),
    (["schema", "features", 1, "choices"], [1, True], "schema.features[1].choices holds a value twice."),
    (["schema", "features", 1, "choices"], [1, []], "schema.features[1].choices must hold text or numbers, not a list."),
    (["schema", "labels"], [], "a tree has at least one node and one label."),
    (["schema", "labels", 0, "dtype"], "int64", "schema.labels[0] cannot give its predictions as 'int64'."),
    (["schema", "labels", 0, "dtype"], "<U1000000000", "schema.labels[0] cannot give its predictions as '<U1000000000'."),
    (["schema", "labels", 0, "dtype"], "i4,i4", "schema.labels[0] cannot give its predictions as 'i4,i4'."),
    (["schema", "labels", 0, "classes"], None, "schema.labels[0] cannot give its predictions as '<U3'."),
    (["tree"], [], "tree must be an object, not a list."),
    (["tree", "n_rows"], None, "tree has no 'n_rows'."),
    (["tree", "left"], [], "tree has the unknown key 'left'."),
    (["tree", "feature"], 7, "tree.feature must be a list, not a whole number."),
    (["tree", "feature", 0], True, "tree.feature must hold numbers, not true or false."),
    (["tree", "feature", 0], "0", "tree.feature must hold numbers, not text."),
    (["tree", "feature", 0], 0.0, "tree.feature must hold numbers, not a number."),
    (["tree", "feature", 0], 2**31, "tree.feature holds a number that is too large."),
    (["tree", "feature", 0], 2**64, "tree.feature holds a number that is too large."),
    (["tree", "query_kind", 0], 256, "tree.query_kind holds a number that is too large."),
    (["tree", "query_kind", 0], -1, "tree.query_kind holds a number that is too large."),
    (["tree", "n_rows", 0], 10**400, "tree.n_rows holds a number that is too large."),
    (["tree", "gain", 0], 10**400, "tree.gain holds a number that is too large."),
    (["tree", "gain", 0], False, "tree.gain must hold numbers, not true or false."),
    (["tree", "tally"], [1.0] * 15, "tally has the shape (15,); it must be (8, 1, 2)."),
    (["tree", "n_rows"], [14], "n_rows has the shape (1,); it must be (8,)."),
    (["tree", "feature"], [], "a tree has at least one node and one label."),
    (["tree", "first_child", 3], 3, "node 3: child 3 is not after its parent; the tree has a loop."),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "says"), ENTRIES, ids=[text for *_, text in ENTRIES])
def test_a_wrong_entry_is_named(path, value, says):
    assert complaint(changed(path, value)) == f"'m.json' is damaged: {says}"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b'"fraction": 0.1', b'"fraction": 1e999', "settings holds a number that is not finite."),
        (b'"gain": [0.1', b'"gain": [1e999, 0.1', "tree.gain holds a number that is too large."),
        (b'"unavoidable": 0.0', b'"unavoidable": 1e999', "evidence.unavoidable holds a number that is too large."),
        (b'{"zip": "category"}', b'{"zip": -1e999}', "evidence.notes[0].fix['types'] holds a number that is not finite."),
        (b'"a", 1.5', b'"a", 1e999', "estimator holds a number that is not finite."),
    ],
)  # fmt: skip
def test_a_number_beyond_all_numbers_is_refused(old, new, says):
    data = dumps(model())
    assert old in data
    assert complaint(data.replace(old, new)) == f"'m.json' is damaged: {says}"


def test_a_choice_beyond_all_numbers_is_refused():
    feature = handmade.choice("x", 1.5, 2.5)
    schema = Schema(("x",), (feature,), (Label("y"),))
    data = dumps(Model(handmade.make_tree(schema, handmade.leaf(0.5)), {}))
    says = "schema.features[0].choices holds a number that is not finite."
    assert complaint(data.replace(b"2.5]", b"1e999]")) == f"'m.json' is damaged: {says}"


def test_pivots_that_are_not_there_are_null():
    assert json.loads(dumps(model()))["tree"]["pivot"] == [None] * 8


def test_a_missing_pivot_is_named():
    data = changed(["tree", "pivot", 0], None, lambda: Model(handmade.missing_values(), {}))
    assert complaint(data) == "'m.json' is damaged: pivot has the shape (11,); it must be (12,)."


def test_a_file_that_is_too_large_is_refused():
    data = dumps(model())
    with pytest.raises(ModelFormatError) as error:
        loads(data, "m.json", max_bytes=100)
    assert str(error.value) == (f"'m.json' has {len(data):,} bytes; the limit is 100 (max_bytes=).")


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "m.json"
    with path.open("wb") as file:
        file.truncate(2**40)  # takes no room
    with pytest.raises(ModelFormatError) as error:
        load(path, max_bytes=1000)
    assert str(error.value) == (
        f"{str(path)!r} has 1,099,511,627,776 bytes; the limit is 1,000 (max_bytes=)."
    )


def test_a_name_that_is_no_text_cannot_be_written():
    schema = Schema(("a\ud800",), (), (Label("y"),))
    with pytest.raises(ModelFormatError) as error:
        dumps(Model(handmade.make_tree(schema, handmade.leaf(0.5)), {}))
    assert str(error.value) == (
        "'a\\ud800' holds half a surrogate pair, which is not valid text and cannot be "
        "saved. Rename it."
    )


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"a": float("nan")}, "settings holds a number that is not finite."),
        ({"a": {1, 2}}, "settings cannot hold a set."),
        ({"a": b"b"}, "settings cannot hold a bytes."),
    ],
)
def test_what_could_not_be_read_back_is_not_written(settings, says):
    with pytest.raises(ModelFormatError) as error:
        dumps(Model(handmade.one_leaf(), settings))
    assert str(error.value) == says


def test_a_schema_that_could_not_be_read_back_is_not_written():
    schema = Schema(("a", "a"), (), (Label("y"),))
    with pytest.raises(ModelFormatError) as error:
        dumps(Model(handmade.make_tree(schema, handmade.leaf(0.5)), {}))
    assert str(error.value) == "schema.columns holds a name twice."


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError) as error:
        load(tmp_path / "none.json")
    assert str(error.value) == (
        f"cannot read {str(tmp_path / 'none.json')!r}: No such file or directory."
    )


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(IsADirectoryError) as error:
        load(tmp_path)
    assert str(error.value) == f"cannot read {str(tmp_path)!r}: Is a directory."


def test_a_tree_of_a_million_codes_is_read_back():
    n_values = 1_000_000
    feature = Feature("x", Kind.CHOICE, 0, choices=tuple(range(n_values)))
    tree = handmade.one_of()
    codes = np.arange(n_values, dtype=np.int32)
    arrays = handmade.arrays_of(tree) | {
        "codes": codes,
        "answers": (codes > 0).astype(np.int32),
        "codes_start": np.where(np.arange(6) > 0, n_values, 0).astype(np.int32),
    }
    schema = replace(tree.schema, features=(feature, tree.schema.features[1]))
    found = loads(dumps(Model(type(tree)(schema, **arrays), {})))
    assert [step.depth for step in walk(found.tree)] == [0, 1, 2, 2, 1]
