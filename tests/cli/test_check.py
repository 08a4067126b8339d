"""`bough check`."""

from pathlib import Path

import bough

TABLES = Path(bough.__file__).parent / "tables"


def test_check_shows_every_column(run, table):
    found = run("check", table, "-t", "play")
    assert (
        found.out
        == """\
tennis.csv · 14 rows × 6 columns

column       kind      values  missing  used as
day          category      14           left out
outlook      category       3           feature
temperature  category       3           feature
humidity     category       2           feature
wind         category       2           feature
play         category       2           target: classification

Nothing looks wrong.
  B103  day left out: 14 distinct values in 14 rows, looks like an identifier (--type day=category)
"""
    )
    assert found.err == f"next: bough fit {table} -t play\n"


def test_check_needs_no_target(run):
    found = run("check", TABLES / "penguins.csv")
    assert found.out.endswith("\nNothing looks wrong.\n")
    assert found.err == f"next: bough fit {TABLES / 'penguins.csv'} -t species\n"
