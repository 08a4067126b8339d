"""Rows and cells of CSV files: where each begins and ends, and which are refused."""

import csv
import io
import random

import pytest

SEEDS = range(40)
PARTS = ["a", "b c", "1", "", ",", ";", '"', "\n", "\r\n", "\r", "é", "\t", "'", "=", " "]


def test_cells_stay_in_their_rows_and_columns(cells):
    assert cells("a,b\n1,x\n2,y\n") == [["1", "x"], ["2", "y"]]


def test_an_empty_cell_is_missing(cells):
    assert cells('a,b\n1,\n,""\n3,x\n') == [["1", None], [None, None], ["3", "x"]]


def test_a_quoted_cell_may_hold_delimiters_quotes_and_ends_of_lines(cells):
    assert cells('a,b\n1,"x, ""y""\nz"\n') == [["1", 'x, "y"\nz']]


def test_ends_of_lines_inside_quotes_stay_as_they_are(cells):
    assert cells('a,b\r\n1,"x\r\ny"\r\n2,"x\ry"\r\n') == [["1", "x\r\ny"], ["2", "x\ry"]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "end"])
def test_any_end_of_lines_will_do(cells, end, last):
    text = end.join(["a,b", "1,x", "2,y"]) + (end if last else "")
    assert cells(text) == [["1", "x"], ["2", "y"]]


def test_blank_lines_between_rows_are_no_rows(cells):
    assert cells("\na,b\n\n1,x\n\n\n2,y\n\n") == [["1", "x"], ["2", "y"]]


def test_a_blank_line_of_one_column_is_a_missing_cell(cells):
    assert cells("a\n1\n\n2\n", delimiter=",") == [["1"], [None], ["2"]]


def test_lines_are_those_of_an_editor(source):
    found = source('a,b\n\n1,"x\n\ny"\n2,z\n')
    assert [found.where(row) for row in range(2)] == ["line 3", "line 6"]


def test_a_mark_of_the_byte_order_is_no_part_of_a_name(source):
    assert source(b"\xef\xbb\xbfa,b\n1,2\n").names == ("a", "b")


def test_names_may_hold_anything(source):
    assert source('"a\nb",😀,"x""y"\n1,2,3\n').names == ("a\nb", "😀", 'x"y')


def test_names_that_differ_only_in_case_are_two(source):
    assert source("a,A\n1,2\n").names == ("a", "A")


@pytest.mark.parametrize("seed", SEEDS)
def test_cells_are_those_that_were_written(cells, seed):
    rng = random.Random(seed)
    delimiter = rng.choice(",;\t|")
    n_columns = rng.randint(2, 4)
    rows = [
        ["".join(rng.choices(PARTS, k=rng.randint(0, 4))) for _ in range(n_columns)]
        for _ in range(rng.randint(1, 8))
    ]
    text = io.StringIO(newline="")
    end, quoting = rng.choice([("\n", csv.QUOTE_ALL), ("\r\n", csv.QUOTE_MINIMAL)])
    writer = csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=quoting)
    writer.writerow([f"name {number}" for number in range(n_columns)])
    writer.writerows(rows)
    found = cells(text.getvalue(), delimiter=delimiter, header=True)
    assert found == [[cell or None for cell in row] for row in rows], f"{seed=}"


def test_a_table_of_many_blocks_is_read_whole(source, monkeypatch):
    monkeypatch.setattr("bough.table.file.open_file.BLOCK", 64)
    text = "a,b\r\n" + "".join(f'{row},"x\r\n{row}"\r\n' for row in range(500))
    found = source(text)
    assert found.column(0).values.tolist() == list(range(500))
    assert found.where(499) == "line 1000"


def test_a_row_may_be_longer_than_a_block(source):
    found = source("a,b\n1," + "x" * (5 << 20) + "\n2,y\n")
    assert [len(text) for text in found.text(1).values] == [5 << 20, 1]


@pytest.mark.parametrize("text", ["", "\n", "\n\r\n\n"])
def test_an_empty_file_is_refused(message, text):
    assert message(text) == "'x.csv' is empty."


def test_a_header_without_rows_is_refused(message):
    assert message("a,b\n") == "'x.csv' has a header but no rows."


def test_a_row_that_is_too_long_is_refused(message):
    assert message("a,b\n1,2\n1,2,3\n") == (
        "line 3 of 'x.csv' has 3 cells, but the header has 2. Quote cells that contain a comma."
    )


def test_the_other_rows_of_a_wrong_length_are_counted(message):
    assert message("a,b\n1,2,3\n1,2\n1,2,3,4\n1\n") == (
        "line 2 of 'x.csv' has 3 cells (2 more lines are wrong, too), but the header "
        "has 2. Quote cells that contain a comma."
    )


def test_a_row_that_is_too_short_is_refused(message):
    assert message("a,b\n1,2\n1\n") == (
        "line 3 of 'x.csv' has 1 cell, but the header has 2. Complete it, or treat "
        "absent cells as missing: short_rows='missing'."
    )


def test_what_short_rows_lack_may_be_missing(cells):
    text = "a,b,c\n1\n\n2,x\n3,y,z\n"
    assert cells(text, short_rows="missing") == [
        ["1", None, None],
        ["2", "x", None],
        ["3", "y", "z"],
    ]


def test_a_row_that_is_too_long_is_refused_among_short_ones(message):
    assert message("a,b\n1\n1,2,3\n", short_rows="missing") == (
        "line 3 of 'x.csv' has 3 cells, but the header has 2. Quote cells that contain a comma."
    )


def test_a_delimiter_at_the_end_of_every_row_is_refused(message):
    assert message("a,b\n1,2,\n3,4,\n") == (
        "every row of 'x.csv' has 3 cells, but the header has 2. Is there a comma at the end of "
        "each row, or a name missing in the header?"
    )


def test_rows_are_compared_with_the_first_where_there_is_no_header(message):
    assert message("1,2\n3,4,5\n6,7\n", header=False) == (
        "line 2 of 'x.csv' has 3 cells, but the first row has 2. Quote cells that contain a comma."
    )


def test_a_quote_that_is_not_closed_is_refused(message):
    assert message('a,b\n1,"x\n2,y\n') == (
        "the quote that opens in line 2 of 'x.csv' is not closed. Close it, or treat "
        "quotes as ordinary characters: quote=''."
    )


def test_a_quote_that_is_not_closed_for_long_is_refused_before_the_end(message):
    text = 'a,b\n1,"x\n' + "2,y\n" * 2_000_000
    assert message(text).startswith("the quote that opens in line 2 of 'x.csv' is not closed.")


def test_the_quote_that_is_to_blame_is_named(message):
    assert message('a,b\n1,"x\n2,"y"\n') == (
        "line 3 of 'x.csv' has text after the closing quote of a cell that begins in "
        "line 2. Is a quote missing there?"
    )


def test_a_quote_inside_a_cell_is_refused(message):
    assert message('a,b\n1,5" pipe\n2,6" pipe\n') == (
        "line 2 of 'x.csv' has a quote inside a cell that does not begin with one. Quote "
        "the cell and double the quotes inside, or treat quotes as ordinary characters: "
        "quote=''."
    )


def test_quotes_may_be_read_as_any_other_sign(cells):
    assert cells('a,b\n1,5" pipe\n2,"x\n', quote="") == [["1", '5" pipe'], ["2", '"x']]


def test_another_sign_may_quote(cells):
    assert cells("a,b\n1,'x,y'\n", quote="'") == [["1", "x,y"]]


def test_a_nul_byte_is_refused(message):
    assert message(b"a,b\n1,\0\n") == "line 2 of 'x.csv' has a NUL byte. Is it a text file?"


def test_what_is_not_utf8_is_refused(message):
    assert message(b"a,b\n1,caf\xe9\n") == (
        "'x.csv' is not UTF-8 (line 2, byte 0xE9). Name its encoding, for example "
        "encoding='latin-1'."
    )


def test_utf16_is_refused_unless_said(message):
    assert message("a,b\n1,2\n".encode("utf-16")) == (
        "'x.csv' is UTF-16, not UTF-8. Use encoding='utf-16'."
    )


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-8-sig"])
def test_other_encodings_are_read_if_said(cells, encoding):
    text = "a,b\n1,café\n2,naïve\n".encode(encoding)
    assert cells(text, encoding=encoding) == [["1", "café"], ["2", "naïve"]]


def test_what_is_not_in_the_encoding_that_was_said_is_refused(message):
    assert message(b"a,b\n1,\x81\n", encoding="cp1252") == (
        "'x.csv' is not cp1252 ('charmap' codec can't decode byte 0x81 in position 6: "
        "character maps to <undefined>). Name another encoding."
    )


def test_a_line_without_an_end_is_refused(message, monkeypatch):
    monkeypatch.setattr("bough.table.file.open_file.LONGEST_RECORD", 1 << 20)
    monkeypatch.setattr("bough.table.file.open_file.BLOCK", 1 << 16)
    assert message("a," * (1 << 20)) == "line 1 of 'x.csv' has more than 1 MiB. Is it a table?"


def test_a_name_without_an_end_is_refused(message):
    assert message("a," + "x" * 200_000 + "\n1,2\n") == (
        "line 1 of 'x.csv' is not a header (field larger than field limit (131072)). Is it a table?"
    )
