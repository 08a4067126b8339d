"""`bough fit`."""

import json
import subprocess
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path

import pytest

import bough
from bough.exports.model_file import load

PENGUINS = Path(bough.__file__).parent / "tables" / "penguins.csv"


def test_it_learns_what_python_learns(run):
    run("fit", PENGUINS, "-t", "species")
    result = bough.fit(PENGUINS, "species")
    result.save("python.bough.json")
    assert Path("species.bough.json").read_bytes() == Path("python.bough.json").read_bytes()


def test_the_result_goes_to_stdout_and_the_notes_to_stderr(run):
    found = run("fit", PENGUINS, "-t", "species")
    result = bough.fit(PENGUINS, "species")
    assert found.out.splitlines()[0] == result.headline()
    assert bough.draw(result) in found.out
    assert [line[2:6] for line in found.err.splitlines()[: len(result.notes)]] == [
        note.code for note in result.notes
    ]


def test_quiet_hides_notes_and_no_result(run):
    found = run("fit", PENGUINS, "-t", "species", "-q")
    assert found.err == ""
    assert "Expected accuracy on new rows" in found.out


def test_it_says_what_it_saved_and_what_to_try_next(run):
    assert run("fit", PENGUINS, "-t", "species").err.splitlines()[-1] == (
        "saved species.bough.json  species.html   next: bough ask species.bough.json"
    )


def test_the_page_is_written_beside_the_model_file(run):
    run("fit", PENGUINS, "-t", "species")
    result = replace(bough.fit(PENGUINS, "species"), name="penguins.csv")
    assert Path("species.html").read_text("utf-8") == result.report()


@pytest.mark.parametrize(
    ("model", "page"),
    [("birds.json", "birds.html"), ("a.bough.json", "a.html"), ("tree", "tree.html")],
)
def test_the_page_is_named_like_the_model_file(run, model, page):
    assert run("fit", PENGUINS, "-t", "species", "-o", model, "--json").document["report"] == page
    assert Path(page).exists()


def test_a_page_can_be_done_without(run):
    found = run("fit", PENGUINS, "-t", "species", "--no-report")
    assert not Path("species.html").exists()
    assert found.err.splitlines()[-1] == (
        "saved species.bough.json   next: bough ask species.bough.json"
    )


def test_beside_a_device_there_is_no_page(run):
    assert (
        run("fit", PENGUINS, "-t", "species", "-o", "/dev/null", "--json").document["report"]
        is None
    )


def test_the_page_is_opened_in_the_browser(run, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda place: opened.append(place) or True)
    run("fit", PENGUINS, "-t", "species", "--open")
    assert opened == [Path("species.html").absolute().as_uri()]


def test_where_there_is_no_browser_it_says_so(run, monkeypatch):
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    assert run("fit", PENGUINS, "-t", "species", "--open").err.splitlines()[-1] == (
        "No browser can be opened from here. Open species.html yourself."
    )


def test_the_model_file_can_be_named(run):
    run("fit", PENGUINS, "-t", "species", "-o", "birds.json")
    assert load("birds.json").tree.schema.labels[0].name == "species"


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("a b/c", "abc.bough.json"),
        ("../../etc", "etc.bough.json"),
        ("größe", "größe.bough.json"),
        ("?", "tree.bough.json"),
        ("x" * 300, "x" * 100 + ".bough.json"),
    ],
)
def test_a_target_is_no_path(run, target, name):
    rows = [f"{number % 3},{number % 2}" for number in range(40)]
    Path("table.csv").write_text("\n".join([f"a,{target}", *rows]) + "\n")
    found = run("fit", "table.csv", "-t", target)
    assert found.status == 0, found.err
    assert Path(name).exists()


def test_numbers_are_guessed_too(run):
    found = run("fit", PENGUINS, "-t", "body_mass_g")
    assert "Expected root-mean-square error on new rows: " in found.out


def test_options_reach_the_learner(run):
    words = "--seed 3 --choose simple --criterion entropy --categorical group --no-refit --jobs 1"
    document = run("fit", PENGUINS, "-t", "species", *words.split(), "--json").document
    assert document["seed"] == 3
    assert {each["criterion"] for each in document["curve"]} == {"entropy"}
    assert {each["categorical"] for each in document["curve"]} == {"group"}


def test_a_tree_that_is_not_exact_says_so(run):
    said = "umbers with more than 255 values were split between 255 intervals only"
    found = run("fit", PENGUINS, "-t", "species", "--no-exact", "-o", "tree.json")
    assert said in " ".join((found.out + found.err).split())
    assert bough.load("tree.json").settings_.exact is False
    shown = run("show", "tree.json")
    assert said in shown.out + shown.err


def test_rows_of_your_own_are_the_test_rows(run):
    document = run("fit", PENGUINS, "-t", "species", "--test", PENGUINS, "--json").document
    assert document["n_test"] == 344


@pytest.mark.parametrize("part", ["dev", "test"])
def test_rows_of_your_own_can_be_piped_in(tmp_path, part):
    found = subprocess.run(
        [
            sys.executable,
            "-m",
            "bough",
            "fit",
            PENGUINS,
            "-t",
            "species",
            f"--{part}",
            "-",
            "--json",
        ],
        input=PENGUINS.read_bytes(),
        capture_output=True,
        cwd=tmp_path,
        check=True,
    )
    assert json.loads(found.stdout)[f"n_{part}"] == 344


def test_a_dash_can_be_a_missing_value(run):
    rows = [f"{number % 7 if number % 5 else '-'},{number % 2}" for number in range(40)]
    Path("table.csv").write_text("\n".join(["a,b", *rows]) + "\n")
    first, _ = run("fit", "table.csv", "-t", "b", "--missing", "-", "--json").document["columns"]
    assert (first["kind"], first["n_missing"]) == ("number", 8)


def test_a_file_called_dash_is_no_pipe(run):
    Path("-").write_text("a,b\n1,2\n")
    assert run("check", "./-").out.startswith("- · 1 row × 2 columns\n")


def test_a_column_that_is_ignored_is_not_asked_about(run):
    words = "--ignore island --type year=ignore --type sex=category"
    document = run("fit", PENGUINS, "-t", "species", *words.split(), "--json").document
    assert {"island", "year"} & {column["name"] for column in document["columns"]} == set()


MISTAKES = {
    "": """\
error: Which column do you want to predict?
  Name it with -t.
  Columns: 'day', 'outlook', 'temperature', 'humidity', 'wind' and 'play'.
  try:  bough fit tennis.csv -t play
""",
    "-t plya": """\
error: --target 'plya' is not a column of the table.
  Did you mean 'play'?
  Columns: 'day', 'outlook', 'temperature', 'humidity', 'wind' and 'play'.
  try:  bough fit tennis.csv -t play
""",
    "-t play --type wind": """\
error: --type 'wind' has no value.
  Type --type NAME=VALUE.
""",
    "-t play --type wind=colour": """\
error: --type wind='colour' is not known.
  Known: category, date, ignore, number, or values in order: S,M,L.
""",
    "-t play --type wnd=category": """\
error: --type 'wnd' is not a column of the table.
  Did you mean 'wind'?
  Columns: 'day', 'outlook', 'temperature', 'humidity', 'wind' and 'play'.
""",
    "-t play --ignore B999": """\
error: --ignore 'B999' is not the code of a check.
  Known: 'B101', 'B102', 'B103', 'B104', 'B105', 'B106', 'B107', 'B108', 'B109', 'B110', 'B111', \
'B112', 'B113', 'B201', 'B202', 'B203', 'B204', 'B205', 'B206', 'B207', 'B208', 'B301', 'B302', 'B303', 'B304' and 'B305'.
""",
    "-t play --ignore wnd": """\
error: --ignore has 'wnd', which is neither a column nor the code of a check.
  Did you mean 'wind'?
  Columns: 'day', 'outlook', 'temperature', 'humidity', 'wind' and 'play'.
""",
    "-t play --first wnd": """\
error: --first 'wnd' is not a column of the table.
  Did you mean 'wind'?
  Columns: 'day', 'outlook', 'temperature', 'humidity', 'wind' and 'play'.
""",
    "-t play --first day": """\
error: --first has 'day', which cannot be asked about: it is left out as a constant or an identifier.
  Leave it out, or name its kind, as in --type day=category.
""",
    "-t play --forbid play": """\
error: --forbid has 'play', the target, which is never asked about.
  Leave it out.
""",
    "-t play --first wind --forbid wind": """\
error: --first and --forbid both name 'wind'.
  Leave it out of one of them.
""",
    "-t play --jobs 0": (
        "error: --jobs 0 must be a whole number of threads, 1 or more, or -1 for all cores.\n"
    ),
    "-t play --time outlook": """\
error: --time 'outlook' is text, which has no order in time.
  Name a column of dates or numbers, or name its kind: --type outlook=date.
""",
    "-t -": """\
error: --target '-' is not a column of the table.
  Columns: 'day', 'outlook', 'temperature', 'humidity', 'wind' and 'play'.
""",
    "-t play --delimiter -": """\
error: 'tennis.csv' has only one column with '-'.
  Did you mean --delimiter ','?
""",
    "-t play --criterion ginni": """\
error: --criterion 'ginni' is not known for classification.
  Did you mean 'gini'?
  Known: 'error', 'gini', 'entropy', 'log_loss' and 'gain_ratio'.
""",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_a_mistake_is_named_with_what_to_type(run, table, words):
    found = run("fit", table.name, *words.split())
    assert (found.status, found.out, found.err) == (2, "", MISTAKES[words])


def test_an_order_of_values_is_understood(run, table):
    found = run("fit", table, "-t", "play", "--type", "temperature=Cool,Mild,Hot", "--json")
    kinds = {column["name"]: column["kind"] for column in found.document["columns"]}
    assert kinds["temperature"] == "ordered"


def test_the_ways_of_pruning_can_be_named(run):
    run("fit", PENGUINS, "-t", "species", "--prune", "pessimistic", "--prune", "depth")
    result = bough.fit(PENGUINS, "species", prune=["pessimistic", "depth"])
    result.save("python.bough.json")
    assert Path("species.bough.json").read_bytes() == Path("python.bough.json").read_bytes()


def test_an_unknown_way_of_pruning_is_refused(run):
    found = run("fit", PENGUINS, "-t", "species", "--prune", "pesimistic")
    assert (found.status, found.err.splitlines()) == (
        2,
        [
            "error: --prune 'pesimistic' is not known.",
            "  Did you mean 'pessimistic'?",
            "  Known: 'depth', 'cost_complexity', 'pessimistic', 'reduced_error' and 'merge'.",
        ],
    )


RENTS = "area,rent\n" + "".join(f"{20 + row % 30},{300 + 10 * (row % 30)}.5\n" for row in range(90))


def test_guesses_may_be_told_which_way_to_go(run, tmp_path):
    (tmp_path / "rents.csv").write_text(RENTS)
    run("fit", "rents.csv", "-t", "rent", "--monotonic", "area=+1")
    assert load("rent.bough.json").settings["monotonic_cst"] == [1]
    run("fit", "rents.csv", "-t", "rent", "--monotonic", "area=-1")
    assert len(load("rent.bough.json").tree) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "area=up",
            "--monotonic area='up' is not known. Type area=+1 if predictions must not fall as it grows, or area=-1 if they must not rise.",
        ),
        (
            ["area=+1", "--monotonic", "area=-1"],
            "--monotonic has 'area' twice. Type --monotonic once for each.",
        ),
        ("area", "--monotonic 'area' has no value. Type --monotonic NAME=VALUE."),
        (
            "aera=+1",
            "--monotonic 'aera' is not a column of the table. Did you mean 'area'? Columns: "
            "'area' and 'rent'.",
        ),
        (
            "rent=-1",
            "--monotonic has 'rent', which is the target and never asked about. Leave it out.",
        ),
    ],
)
def test_a_direction_that_makes_no_sense_is_refused(run, tmp_path, words, message):
    (tmp_path / "rents.csv").write_text(RENTS)
    typed = [words] if isinstance(words, str) else words
    found = run("fit", "rents.csv", "-t", "rent", "--monotonic", *typed)
    assert found.status == 2
    assert message in " ".join(found.err.split())


def test_the_size_of_the_tree_is_limited_as_in_python(run):
    sizes = ["--max-depth", "3", "--max-leaves", "4", "--min-rows", "8"]
    run("fit", PENGUINS, "-t", "species", *sizes)
    result = bough.fit(PENGUINS, "species", max_depth=3, max_leaves=4, min_rows_per_leaf=8)
    result.save("python.bough.json")
    assert Path("species.bough.json").read_bytes() == Path("python.bough.json").read_bytes()
    assert load("species.bough.json").tree.n_leaves <= 4


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (["--max-depth", "-1"], "--max-depth '-1' must be a whole number, 0 or more."),
        (["--max-leaves", "0"], "--max-leaves '0' must be a whole number, 1 or more."),
        (["--min-rows", "0"], "--min-rows '0' must be a whole number, 1 or more."),
    ],
)
def test_a_limit_that_is_none_is_refused(run, typed, says):
    found = run("fit", PENGUINS, "-t", "species", *typed)
    assert found.status == 2
    assert says in " ".join(found.err.split())
