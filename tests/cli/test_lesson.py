"""`bough lesson`."""

from pathlib import Path

from bough.teach import LESSONS


def test_lessons_are_listed(run):
    found = run("lesson")
    assert [line.split()[0] for line in found.out.splitlines()[1:]] == list(LESSONS)
    assert run("lesson", "--list").out == found.out


def test_a_lesson_is_shown_without_its_answer(run):
    found = run("lesson", "guessing")
    assert found.out.startswith("Guessing 80 to 20\nIf 80 of 100 rows have one label")
    assert "Answer:" not in found.out
    assert "Answer: At 50 to 50" in run("lesson", "guessing", "--answer").out


def test_its_picture_is_written(run):
    found = run("lesson", "order", "--svg", "order.svg")
    assert found.err == "wrote order.svg\n"
    assert Path("order.svg").read_text().startswith("<svg ")


def test_a_lesson_takes_a_table(run):
    assert "right for 10 of 14 rows" in run("lesson", "histograms", "play_tennis").out
    Path("t.csv").write_text("a,b,y\nu,v,1\nu,w,2\nx,w,2\n")
    assert "of 3 rows" in run("lesson", "extremes", "t.csv", "-t", "y").out


def test_a_dialogue_about_a_row(run):
    found = run("lesson", "dialogue", "play_tennis", "--row", "3")
    assert "Row 3 takes 1, and rows take 1.71 on average" in " ".join(found.out.split())
    found = run("lesson", "order", "--row", "3")
    assert "is not about one row" in found.err


def test_a_lesson_asks_for_the_target_of_a_table(run):
    Path("t.csv").write_text("a,b,y\nu,v,1\nu,w,2\nx,w,2\n")
    found = run("lesson", "extremes", "t.csv")
    assert found.status == 2
    assert found.err.splitlines() == [
        "error: Which column do you want to predict?",
        "  Name it with -t.",
        "  Columns: 'a', 'b' and 'y'.",
        "  try:  bough lesson extremes t.csv -t y",
    ]
