"""On a narrow screen nothing is cut that cannot be seen, and no line is too long."""

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

import bough
from bough.cli.printing import _CUT_PIVOT

LONG = "how_satisfied_are_you_with_the_{}_of_the_service_on_a_scale"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Penguins with their own names and with long ones: tables, models and targets."""
    folder = tmp_path_factory.mktemp("narrow")
    penguins = bough.datasets.load("penguins")
    found = {}
    for kind, name in (("short", "{}"), ("long", LONG)):
        columns = {name.format(each): values for each, values in penguins.features.items()}
        target = name.format("species")
        rows = zip(*columns.values(), penguins.labels, strict=True)
        cells = [
            ["" if cell is None or cell != cell else str(cell) for cell in row] for row in rows
        ]
        table = folder / f"{kind}.csv"
        lines = [",".join(row) for row in ([*columns, target], *cells)]
        table.write_text("\n".join(lines) + "\n")
        bough.fit(str(table), target, n_jobs=1).save(folder / f"{kind}.bough.json")
        found[kind] = (str(table), str(folder / f"{kind}.bough.json"), target, [*columns])
    return found


COMMANDS = {
    "check": ["check", "TABLE", "-t", "TARGET"],
    "show": ["show", "MODEL"],
    "ids": ["show", "MODEL", "--ids", "--depth", "2"],
    "rules": ["show", "MODEL", "--rules"],
    "explain": ["explain", "MODEL", "TABLE", "--row", "1"],
    "evaluate": ["evaluate", "MODEL", "TABLE"],
    "score": ["score", "TABLE", "-t", "TARGET"],
    "compare": ["compare", "MODEL", "MODEL", "TABLE"],
    "nope": ["score", "TABLE", "-t", "nope"],
}


@pytest.mark.parametrize("width", [40, 60])
@pytest.mark.parametrize("kind", ["short", "long"])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_line_is_too_long_and_nothing_needed_is_cut(
    run, files, monkeypatch, command, kind, width
):
    table, model, target, names = files[kind]
    words = {"TABLE": table, "MODEL": model, "TARGET": target}
    monkeypatch.setenv("COLUMNS", str(width))
    found = run(*(words.get(word, word) for word in COMMANDS[command]))
    assert max(cell_len(line.rstrip()) for line in (found.out + found.err).splitlines()) <= width
    assert not _CUT_PIVOT.search(found.out)
    together = re.sub(r"\s", "", found.out + found.err)
    if command == "score" or (command == "check" and (kind, width) != ("short", 60)):
        assert all(name in together for name in names)  # at 60 columns, they are in folded cells
    if command not in ("check", "explain"):  # which shorten long names, but have a way to see them
        is_drawn = command in ("show", "ids") and (kind, width) == ("short", 60)
        assert is_drawn or "…" not in found.out


def test_a_drawing_has_no_room_for_bars_below_sixty_columns(run, tennis, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert run("show", tennis).out == (
        "all rows (14 rows)\n"
        " outlook = Overcast → Yes 100 % (4 rows)\n"
        " outlook = Rain (5 rows)\n"
        "  wind = Strong → No 100 % (2 rows)\n"
        "  wind = Weak → Yes 100 % (3 rows)\n"
        " outlook = Sunny (5 rows)\n"
        "  humidity = High → No 100 % (3 rows)\n"
        "  humidity = Normal → Yes 100 % (2 rows)\n"
    )


@pytest.mark.parametrize("width", [20, 40])
def test_tables_of_figures_are_stacked_and_percentages_stay_whole(run, files, monkeypatch, width):
    table, model, _, _ = files["short"]
    monkeypatch.setenv("COLUMNS", str(width))
    lines = run("evaluate", model, table).out.splitlines()
    assert "true Adelie" in lines
    assert any(line.strip().startswith("precision ") for line in lines)
    assert not any(line.strip().startswith("%") for line in lines)
    fitted = run("fit", table, "-t", "species", "-o", "again.json", "--no-report").out
    assert "Chinstrap\n  rows 14" in fitted
    assert not any(line.strip().startswith("%") for line in fitted.splitlines())


def test_further_lines_of_rules_explanations_and_errors_are_indented(run, files, monkeypatch):
    table, model, _, _ = files["short"]
    monkeypatch.setenv("COLUMNS", "40")
    rules = run("show", model, "--rules").out.splitlines()
    assert rules[:3] == [
        "flipper_length_mm < 206.5 and",
        "  bill_length_mm < 42.35",
        "  → Adelie >99 % (112 rows)",
    ]
    explained = run("explain", model, table, "--row", "3").out.splitlines()
    assert explained[2:4] == ["   +26  flipper_length_mm < 206.5 (it is", "        195, 11.5 away)"]
    assert run("explain", "nope.json").err.splitlines() == [
        "error: cannot read 'nope.json': No such",
        "  file or directory.",
    ]


def test_a_long_list_of_values_takes_three_lines_that_stand_further_in(run, monkeypatch):
    towns = [f"town number {number}" for number in range(60)]
    rows = [f"{town},{number % 2}" for number, town in enumerate(towns)] * 5
    Path("towns.csv").write_text("\n".join(["town,is_odd", *rows]) + "\n")
    run("fit", "towns.csv", "-t", "is_odd", "-o", "towns.json", "--categorical", "group")
    monkeypatch.setenv("COLUMNS", "40")
    shown = run("show", "towns.json").out.splitlines()
    assert shown[:6] == [
        "all rows (240 rows)",
        " town = town number 0, town number 10,",
        "   town number 12, town number 14, town",
        "   number 16, town number 18, town",
        "   number 2, … → 0 · 100 % (120 rows)",
        " town = town number 1, town number 11,",
    ]
    whole = " ".join(run("show", "towns.json", "--full").out.split())
    assert all(f"{town}," in whole or f"{town} →" in whole for town in towns)
