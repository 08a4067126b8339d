"""How checks speak: names from the table cannot harm, and what to type is right for the reader."""

import pytest

from bough.checks.list_of_checks import is_information
from bough.checks.note_words import column_word, note_text, value_in_note
from bough.errors import as_argument, as_option
from bough.evidence import Note


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("age", "age"),
        ("größe", "größe"),
        ("home dest", "'home dest'"),
        ("", "''"),
        ("a\nb", r"'a\nb'"),
        ("\x1b[31mred", r"'\x1b[31mred'"),
        ("a\u202eb", r"'a\u202eb'"),
    ],
)
def test_a_name_is_quoted_where_it_could_be_mistaken_for_more(name, word):
    assert column_word(name) == word


def test_a_long_name_is_cut():
    assert column_word("x" * 200) == "x" * 59 + "…"


def test_a_hostile_value_is_shown_on_one_line():
    assert value_in_note("a\nb\x1b[2J") == r"a\nb\x1b[2J"


def test_a_long_value_is_cut():
    assert value_in_note("x" * 200) == "x" * 39 + "…"


@pytest.mark.parametrize(
    ("fix", "option", "argument"),
    [
        ({"types": {"zip": "category"}}, "--type zip=category", "types={'zip': 'category'}"),
        (
            {"types": {"a": "ignore", "b": "ignore"}},
            "--type a=ignore --type b=ignore",
            "types={'a': 'ignore', 'b': 'ignore'}",
        ),
        ({"types": {"size": ["S", "M"]}}, "--type size=S,M", "types={'size': ['S', 'M']}"),
        ({"group": "a b"}, "--group 'a b'", "group='a b'"),
        ({"missing_marks": ("", "NA")}, "--missing NA", "missing_marks=('', 'NA')"),
        ({"split": (0.8, 0, 0.2)}, "--split 0.8 0 0.2", "split=(0.8, 0, 0.2)"),
        ({"refit": False}, "--no-refit", "refit=False"),
        ({"task": "regression"}, "--task regression", "task='regression'"),
    ],
)
def test_a_fix_reads_as_options_and_as_arguments(fix, option, argument):
    assert (as_option(fix), as_argument(fix)) == (option, argument)


def test_a_fix_with_a_hostile_name_stays_on_its_line():
    note = Note("B202", "y drifts", ("a\nb",), {"group": "a\nb"})
    assert note_text(note, cli=True) == r"y drifts (--group 'a\nb')"
    assert note_text(note, cli=False) == r"y drifts (group='a\nb')"


def test_a_note_without_a_fix_is_its_text():
    assert note_text(Note("B201", "few rows"), cli=True) == "few rows"


def test_a_note_of_a_check_that_came_later_is_a_warning():
    assert not is_information(Note("B999", "A model of a later version may hold this."))
