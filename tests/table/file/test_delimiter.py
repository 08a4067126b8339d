"""Which sign parts the cells of a table."""

import pytest

from bough.table.source import Remark


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_usual_delimiters_are_found_out(source, sign):
    assert source(f"a{sign}b\n1{sign}2\n").names == ("a", "b")


def test_commas_inside_cells_do_not_part_them(source):
    found = source("name;size\nMill, old;1,5\nYard, new;2,5\n")
    assert found.names == ("name", "size")


def test_delimiters_inside_quotes_do_not_count(source):
    assert source('a,"b;c;d"\n1,"x;y;z"\n').names == ("a", "b;c;d")


def test_the_sign_by_which_rows_agree_is_taken(source):
    assert source("a|b,c\n1|2,3\n4,5\n6|7|8,9\n").names == ("a|b", "c")


@pytest.mark.parametrize(("sign", "word"), [(";", "semicolon"), ("|", "bar")])
def test_an_unusual_delimiter_is_remarked(source, sign, word):
    found = source(f"a{sign}b\n1{sign}2\n")
    assert found.remarks == (Remark("B111", "", f"the delimiter is a {word}"),)


@pytest.mark.parametrize("sign", [",", "\t"])
def test_a_comma_or_a_tab_is_not_remarked(source, sign):
    assert source(f"a{sign}b\n1{sign}2\n").remarks == ()


def test_a_delimiter_may_be_said(source):
    assert source("a:b\n1:2\n", delimiter=":").names == ("a", "b")


def test_one_column_is_refused_if_it_may_be_more(message):
    assert message("a:b\n1:2\n") == (
        "'x.csv' has no comma, semicolon, tab or bar between its cells. Name the "
        "delimiter, for example delimiter=':'; if it is a table of one column, use "
        "delimiter=','."
    )


def test_a_delimiter_that_gives_one_column_is_refused_where_another_gives_more(message):
    assert message("a;b\n1;2\n", delimiter=",") == (
        "'x.csv' has only one column with ','. Did you mean delimiter=';'?"
    )


def test_one_column_may_be_said(source):
    assert source("age\n5\n6\n", delimiter=",").names == ("age",)
