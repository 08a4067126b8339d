"""Messages that name options and not arguments."""

import inspect

import pytest

import bough
from bough.cli.messages import ARGUMENTS, with_options
from bough.table.file import read_file

MESSAGES = {
    "n_jobs=0 must be a whole number.": "--jobs 0 must be a whole number.",
    "criterion='gin' is not known.": "--criterion 'gin' is not known.",
    "Say so: split=(0.8, 0, 0.2).": "Say so: --split 0.8 0 0.2.",
    "Say so: types={'a b': 'date', 'c}': ['S', 'M']}.": "Say so: --type 'a b=date' --type 'c}=S,M'.",
    "Make it missing: missing_marks=('', 'NA').": "Make it missing: --missing NA.",
    "Say so: refit=False.": "Say so: --no-refit.",
    "Give a table of its own: test=…": "Give a table of its own: --test …",
    "Say what it is: encoding=.": "Say what it is: --encoding.",
    "Say so: short_rows='missing' (--short-rows missing).": "Say so: --short-rows missing.",
    "costs names 'yse', which is no class.": "--cost names 'yse', which is no class.",
    "ignore has 'x', which is no column.": "--ignore has 'x', which is no column.",
    "first has 'a', and so has forbid.": "--first has 'a', and so has --forbid.",
    "one that asks first=['c', 'd']. Leave": "one that asks --first c --first d. Leave",
    "Leave monotonic_cst out.": "Leave --monotonic out.",
    "line 3 has 1 cell, but the header has 2.": "line 3 has 1 cell, but the header has 2.",
    "column 'group=1' is missing.": "column 'group=1' is missing.",
    "--set weight='x' is not a number.": "--set weight='x' is not a number.",
}


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_names_options(message):
    assert with_options(message) == MESSAGES[message]


def test_every_argument_that_has_an_option_is_known():
    known = {*inspect.signature(bough.fit).parameters, *inspect.signature(read_file).parameters}
    assert known - set(ARGUMENTS) == {"table", "path", "progress"}
