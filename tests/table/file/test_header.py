"""The names of the columns, if the first line holds names."""

from bough.table.source import Remark


def test_a_column_without_a_name_gets_one_and_a_remark(source):
    found = source("a,,c\n1,2,3\n")
    assert found.names == ("a", "column_2", "c")
    assert found.remarks == (Remark("B111", "column_2", "column 2 has no name in the file"),)


def test_a_name_that_is_made_differs_from_the_others(source):
    assert source("column_2,\n1,2\n").names == ("column_2", "column_2_")


def test_equal_names_are_refused(message):
    assert message("a,b,a\n1,2,3\n") == (
        "column 'a' of 'x.csv' appears 2 times (columns 1 and 3). Give every column a "
        "name of its own; if the first line is not a header, use header=False."
    )


def test_all_equal_names_are_named(message):
    assert message("a,b,a,b,a\n1,2,3,4,5\n") == (
        "column 'a' of 'x.csv' appears 3 times (columns 1, 3 and 5); so do 'b'. Give "
        "every column a name of its own; if the first line is not a header, use "
        "header=False."
    )


def test_a_number_where_a_name_should_be_is_refused(message):
    assert message("5.1,3.5,setosa\n4.9,3.0,setosa\n") == (
        "line 1 of 'x.csv' has '5.1' where a name should be. If it is the header, use "
        "header=True; if it is a row, use header=False."
    )


def test_a_first_line_of_values_that_come_again_is_refused(message):
    assert message("p,x\ne,x\np,y\n") == (
        "line 1 of 'x.csv' has 'p' and 'x', and each also occurs further down in its "
        "column. If it is the header, use header=True; if it is a row, use header=False."
    )


def test_a_number_may_be_a_name_where_another_column_of_numbers_has_one(source):
    assert source("id,2019,2020\n7,1.5,2.5\n").names == ("id", "2019", "2020")


def test_a_number_is_a_name_if_said(source):
    assert source("country,2019\nDE,5\n", header=True).names == ("country", "2019")


def test_a_file_without_a_header_is_read_if_said(source):
    found = source("5.1,setosa\n4.9,setosa\n", header=False)
    assert found.names == ("column_1", "column_2")
    assert found.column(0).values.tolist() == [5.1, 4.9]
    assert found.where(0) == "line 1"
