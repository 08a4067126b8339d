"""Messages that name options and not arguments."""

from dataclasses import fields
from inspect import signature

import pytest

import bough
from bough.cli.arguments import Columns, Reading
from bough.cli.commands.fit import FitOptions
from bough.cli.failures import with_options
from bough.errors import Argument, ParameterError
from bough.file_options import FOUND, FileOptions, FileReading
from bough.learn.request import Request

OPTIONS = {
    ("n_jobs", 0): ("n_jobs=0", "--jobs 0"),
    ("criterion", "gin"): ("criterion='gin'", "--criterion 'gin'"),
    ("split", (0.8, 0, 0.2)): ("split=(0.8, 0, 0.2)", "--split 0.8 0 0.2"),
    ("missing_marks", ("", "NA")): ("missing_marks=('', 'NA')", "--missing NA"),
    ("short_rows", "missing"): ("short_rows='missing'", "--short-rows 'missing'"),
    ("refit", False): ("refit=False", "--no-refit"),
    ("test", ...): ("test=…", "--test …"),
    ("costs",): ("costs", "--cost"),
    ("monotonic_cst",): ("monotonic_cst", "--monotonic"),
}


@pytest.mark.parametrize("given", OPTIONS)
def test_an_argument_reads_as_in_python_or_as_typed(given):
    argument = Argument(*given)
    assert (str(argument), argument.as_option) == OPTIONS[given]


def test_a_message_names_arguments_or_options():
    kinds = {"a b": "date", "c}": ["S", "M"]}
    error = ParameterError(Argument("time", "group=1"), " has words: ", Argument("types", kinds))
    assert str(error) == "time='group=1' has words: types={'a b': 'date', 'c}': ['S', 'M']}"
    assert with_options(error) == "--time 'group=1' has words: --type 'a b=date' --type 'c}=S,M'"


def test_a_hostile_name_stays_on_its_line():
    error = ParameterError("Say so: ", Argument("types", {"a\nb": "date"}), ".")
    assert with_options(error) == r"Say so: --type 'a\nb=date'."


def test_every_argument_of_fit_is_checked_and_has_an_option():
    arguments = set(signature(bough.fit).parameters)
    assert {each.name for each in fields(Request)} == arguments
    arguments = arguments - {"reading"} | set(FileOptions.__annotations__)
    typed = {each.name for kind in (Columns, FitOptions, Reading) for each in fields(kind)}
    assert arguments - typed == {"table", "progress"}


def test_every_option_of_files_can_be_given_and_typed():
    names = set(FileOptions.__annotations__)
    assert {each.name for each in fields(FileReading)} - {*FOUND} == names
    assert {each.name for each in fields(Reading)} == names
