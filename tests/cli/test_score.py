"""`bough score`."""

from pathlib import Path


def test_the_table_of_the_first_question_is_that_of_the_book(run, table):
    found = run("score", table, "-t", "play", "--criterion", "entropy")
    assert (
        found.out
        == """\
play: 5 No, 9 Yes
impurity H = 0.940 (entropy), 9/14 right without any question

feature       rows  No  Yes  predict      H  right  remainder   gain
outlook                                      10/14      0.694  0.247
  = Overcast     4   0    4  Yes      0.000
  = Rain         5   2    3  Yes      0.971
  = Sunny        5   3    2  No       0.971
temperature                                   9/14      0.911  0.029
  = Cool         4   1    3  Yes      0.811
  = Hot          4   2    2  No       1.000
  = Mild         6   2    4  Yes      0.918
humidity                                     10/14      0.788  0.152
  = High         7   4    3  No       0.985
  = Normal       7   1    6  Yes      0.592
wind                                          9/14      0.892  0.048
  = Strong       6   3    3  No       1.000
  = Weak         8   2    6  Yes      0.811

A tree would ask about outlook first.
"""
    )
    assert found.err == (
        "  B103  day left out: 14 distinct values in 14 rows, looks like an identifier "
        "(--type day=category)\n"
    )


def test_numbers_have_means(run):
    Path("rooms.csv").write_text(
        "size,kind,rent\n10,a,100\n20,a,200\n30,b,300\n40,b,400\n50,b,501\n"
    )
    found = run("score", "rooms.csv", "-t", "rent", "--task", "regression", "--ignore", "B103")
    assert (
        found.out
        == """\
rent: 5 rows, mean 300.2
impurity V = 20080 (squared_error)

feature  rows   mean     V  remainder   gain
size                           5020.1  15060
  < 35      3    200  6667
  ≥ 35      2  450.5  2550
kind                             5040  15040
  = a       2    150  2500
  = b       3    400  6734

A tree would ask about size first.
"""
    )


def test_a_constant_is_listed_and_not_asked(run):
    Path("t.csv").write_text("a,b,y\n1,x,no\n1,z,yes\n1,x,no\n1,z,yes\n")
    found = run("score", "t.csv", "-t", "y")
    assert "\n  no split\n" in found.out


def test_of_many_answers_some_are_shown(run):
    rows = [f"v{number % 30},{number % 2}" for number in range(120)]
    Path("t.csv").write_text("\n".join(["a,y", *rows]))
    assert "\n  22 more: --full\n" in run("score", "t.csv", "-t", "y").out
    assert "more: --full" not in run("score", "t.csv", "-t", "y", "--full").out


def test_the_number_of_threads_changes_nothing(run, table):
    words = ("score", table, "-t", "play")
    assert run(*words, "--jobs", 1).out == run(*words, "--jobs", 2).out


def test_a_check_can_be_ignored_by_its_code(run):
    Path("table.csv").write_text("a,b\n" + "1,2\n3,4\n5,\n" * 9)
    assert "B109" in run("score", "table.csv", "-t", "b").err
    assert "B109" not in run("score", "table.csv", "-t", "b", "--ignore", "B109").err


def test_a_quantile_can_be_scored(run):
    rows = "".join(f"{n},{n * n}\n" for n in range(20))
    Path("squares.csv").write_text(f"n,square\n{rows}")
    typed = ("score", "squares.csv", "-t", "square", "--task", "regression", "--ignore", "B103")
    found = run(*typed, "--criterion", "quantile", "--quantile", "0.9", "--json").document
    assert (found["criterion"], found["first"]) == ("quantile", "n")
    assert found["features"][0]["gain"] > 0


def test_a_quantile_that_is_lacking_is_asked_for(run):
    Path("squares.csv").write_text("n,square\n1,1\n2,4\n")
    found = run(
        "score", "squares.csv", "-t", "square", "--task", "regression", "--criterion", "quantile"
    )
    assert (found.status, found.err) == (
        2,
        (
            "error: --criterion 'quantile' needs a quantile, a number between 0 and 1. "
            "--quantile 0.9 predicts a value that nine of ten labels do not exceed.\n"
        ),
    )


def test_classes_that_are_numbers_are_not_mistaken_for_counts(run):
    Path("bits.csv").write_text("x,y\n" + "a,0\nb,1\na,0\n" * 10)
    assert run("score", "bits.csv", "-t", "y").out.startswith("y: 0 in 20 rows, 1 in 10\n")


def test_rows_are_counted_in_thousands(run):
    Path("bits.csv").write_text("x,y\n" + "a,no\nb,yes\na,no\n" * 1000)
    found = run("score", "bits.csv", "-t", "y").out
    assert found.startswith("y: 2,000 no, 1,000 yes\n")
    assert "2,000/3,000 right without any question" in found
    assert "  = a    2,000  2,000      0  no" in found


def test_what_is_left_out_of_a_wide_table_is_not_cut_within_a_word(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    classes = ["ash", "birch", "cedar", "elm", "larch", "maple"]
    rows = "".join(f"v{n % 12},{classes[n % 6]}\n" for n in range(240))
    Path("wide.csv").write_text("kind_of_leaves,tree_species\n" + rows)
    out = run("score", "wide.csv", "-t", "tree_species").out
    assert "--full" in out
    assert not any(line.strip() in ("l", "ll", "ull") for line in out.splitlines())
