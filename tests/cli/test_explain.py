"""`bough explain`."""

import pytest

ROW_1 = """\
row 1 (line 2) → No 100 % (3 rows)
  36 %  all rows
   +24  outlook = Sunny
   +40  humidity = High
nearest flip: outlook = Overcast → Yes 100 %
"""


def test_a_row_is_explained(run, table, tennis):
    assert run("explain", tennis, table, "--row", 1).out == ROW_1


def test_several_rows_are_explained_one_after_the_other(run, table, tennis):
    found = run("explain", tennis, table, "--row", 1, "--row", 14).out
    assert found.startswith(ROW_1 + "row 14 (line 15) → No 100 % (2 rows)\n")


def test_a_row_of_your_own_is_explained(run, tennis):
    assert (
        run("explain", tennis, "--set", "outlook=rain", "--set", "wind=weak").out
        == """\
Yes 100 % (3 rows)
  64 %  all rows
    −4  outlook = Rain
   +40  wind = Weak
nearest flip: wind = Strong → No 100 %
"""
    )


MISTAKES = {
    "TABLE": "error: Which row?\n"
    "  Name one of a table with --row N, or type one with --set NAME=VALUE.\n"
    "  try:  bough explain MODEL TABLE --row 1\n",
    "TABLE --row 15": "error: There is no row 15: 'TABLE' has rows 1 to 14.\n",
    "TABLE --row 1 --set outlook=Rain": "error: --set describes a row that you type, --row one of a table.\n  Use one of them.\n",
    "--set outlok=Rain": (
        "error: --set 'outlok' is not a feature of the tree.\n  Did you "
        "mean 'outlook'?\n  It has 'outlook', 'temperature', 'humidity' "
        "and 'wind'.\n"
    ),
    "--set outlook=Fog": "error: --set outlook='Fog' is not a value that the tree knows.\n"
    "  Known: 'Overcast', 'Rain' and 'Sunny'.\n",
    "--set outlook": "error: --set 'outlook' has no value.\n  Type --set NAME=VALUE.\n",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_a_mistake_is_named_with_what_to_type(run, table, tennis, words):
    found = run("explain", tennis, *words.replace("TABLE", str(table)).split())
    wanted = MISTAKES[words].replace("TABLE", str(table)).replace("MODEL", str(tennis))
    assert (found.status, found.out, found.err) == (2, "", wanted)
