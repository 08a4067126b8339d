"""What notes say to type works when it is typed, and changes what they are about."""

import shlex

import made_tables as made
import numpy as np
import pytest

from bough.errors import as_option

N = 600
RANDOM = np.random.default_rng(0)
IS_YES = RANDOM.random(N) < 0.4
LABEL = np.where(IS_YES, "yes", "no")


def days(n_rows):
    return [f"2024-{1 + row * 12 // n_rows:02}-{1 + row % 28:02}" for row in range(n_rows)]


def churn():
    """A table of leaks, identifiers, codes, dates, stray cells and many values."""
    amount = RANDOM.gamma(2, 20, N).round(2)
    return {
        "row id": range(1, N + 1),
        "ticket": [f"t{row}" for row in range(N)],
        "zip": [f"0{row % 90:03}" for row in range(N)],
        "zone": [f"0{row % 7}" for row in range(N)],
        "town": [f"town {row % 150}" for row in range(N)],
        "street": [f"street {row % 140}" for row in range(N)],
        "age": ["?" if row == 7 else row % 60 for row in range(N)],
        "size": ["n/a" if row == 9 else row % 50 for row in range(N)],
        "constant": ["x"] * N,
        "joined": days(N),
        "left on": np.where(IS_YES, "2024-05-05", ""),
        "refund": np.where(IS_YES & (RANDOM.random(N) < 0.6), amount, 0),
        "copy": np.where(IS_YES, "Y", "N"),
        "churned": LABEL,
    }


def drifting():
    """A table whose numbers grow over time, and belong to entities."""
    entity = np.arange(N) // 4
    sold = np.arange(N) + 30 * RANDOM.normal(size=N // 4 + 1)[entity]
    shop = [f"shop {each}" for each in entity]
    return {"day": days(N), "shop": shop, "x": RANDOM.normal(size=N), "sold": sold.round(2)}


def unbalanced():
    score = RANDOM.normal(size=N).round(3)
    return {"score": score, "k": RANDOM.choice([*"abc"], N), "rare": score > 1.9}


def grades():
    return {"x": RANDOM.normal(size=N).round(3), "grade": RANDOM.integers(1, 6, N)}


TABLES = {
    "churned": churn,
    "sold": drifting,
    "rare": unbalanced,
    "grade": grades,
    "letter": lambda: made.letters(1500),
}


def typed_words(note):
    return shlex.split(as_option(note["fix"]))


@pytest.mark.parametrize("command", ["fit", "check"])
@pytest.mark.parametrize("target", TABLES)
def test_what_a_note_says_to_type_works(run, tmp_path, target, command):
    table = TABLES[target]()
    rows = zip(*table.values(), strict=True)
    lines = [",".join(table), *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "t.csv").write_text("\n".join(lines), "utf-8")
    where = ["--no-report", "-o", "m.json"] if command == "fit" else []
    found = run(command, "t.csv", "-t", target, "--json", *where).document
    notes = [note for note in found["notes"] if note["fix"]]
    for note in notes:
        again = run(
            "fit",
            "t.csv",
            "-t",
            target,
            "--json",
            "--no-report",
            "-o",
            "m.json",
            *typed_words(note),
        )
        assert again.status == 0, (note, again.err)
        assert note not in again.document["notes"]


def test_the_tables_raise_many_kinds_of_notes(run, tmp_path):
    codes = set()
    for target, made_table in TABLES.items():
        table = made_table()
        rows = zip(*table.values(), strict=True)
        lines = [",".join(table), *(",".join(map(str, row)) for row in rows)]
        (tmp_path / "t.csv").write_text("\n".join(lines), "utf-8")
        found = run("check", "t.csv", "-t", target, "--json").document
        codes |= {note["code"] for note in found["notes"] if note["fix"]}
    assert codes >= {"B101", "B103", "B104", "B105", "B106", "B107", "B110", "B112", "B202", "B204"}
