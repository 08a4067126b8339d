"""`bough teach`: the walk, printed growths, worksheets, the quiz, saved trees."""

import io
import os
import random
import sys
import time
from pathlib import Path

import pexpect
import pytest

import bough

KEYS = "[enter] next  [b]ack  [g]o to node  [p]ivots  [c]riterion  [a]ll  [q]uit"


@pytest.fixture
def walk():
    """Start `bough teach WORDS` in a terminal of 100 columns."""
    children = []

    def start(*words):
        child = pexpect.spawn(
            sys.executable,
            ["-m", "bough", "teach", *words],
            env={**os.environ, "NO_COLOR": "1", "TERM": "dumb"},
            dimensions=(50, 100),
            encoding="utf-8",
            timeout=60,
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)


def typed(child, words):
    child.expect_exact(KEYS)
    child.expect_exact("> ")
    child.sendline(words)


def ended(child):
    child.expect(pexpect.EOF)
    child.close()
    return child.before.replace("\r", ""), child.exitstatus


def test_enter_leads_from_step_to_step_and_to_the_tree(walk):
    child = walk("one_bit")
    for number in (1, 2, 3):
        child.expect_exact(f"step {number} of 3")
        typed(child, "")
    words, status = ended(child)
    assert status == 0
    assert words.endswith(
        "  2 leaves, depth 1\n"
        "  questions on average = 4/4·1 = 1\n"
        "  training errors:  depth 0: 2/4 · depth 1: 0/4\n"
    )


def test_one_can_go_back_and_to_any_node(walk):
    child = walk("commute")
    typed(child, "g 6")
    child.expect_exact("step 7 of 15 · node #6 · tired = Tired and bringing = Backpack")
    typed(child, "b")
    child.expect_exact("step 6 of 15")
    typed(child, "g")
    child.expect_exact("node #")
    child.sendline("0")
    child.expect_exact("step 1 of 15")
    typed(child, "b")
    child.expect_exact("step 1 of 15")
    typed(child, "99")
    child.expect_exact("Nodes have the numbers 0 to 14.")
    typed(child, "x")
    child.expect_exact("'x' is none of these keys.")
    typed(child, "q")
    assert ended(child)[1] == 0


def test_the_criterion_can_be_changed_on_the_way(walk):
    child = walk("commute")
    typed(child, "2")
    child.expect_exact("H = ")
    typed(child, "c gini")
    child.expect_exact("grown by gini")
    child.expect_exact("step 3 of 15 · node #2 · tired = Tired")
    child.expect_exact("G = 1 − ")
    typed(child, "c")
    child.expect_exact("grown by gain ratio")
    typed(child, "c nonsense")
    child.expect_exact("criterion='nonsense' is not known")
    typed(child, "q")
    assert ended(child)[1] == 0


def test_pivots_are_listed_and_the_rest_can_be_printed(walk):
    child = walk("seven_numbers")
    typed(child, "p")
    child.expect_exact("pivots of number")
    child.expect_exact("20.15           6  0.592")
    typed(child, "a")
    words, status = ended(child)
    assert status == 0
    assert words.count("step ") == 10
    assert "6 leaves, depth 3" in words


def test_a_pipe_gets_everything(run):
    found = run("teach", "play_tennis")
    assert found.err == ""
    assert found.out.count("\nstep ") == 7
    assert run("teach", "play_tennis", "--all").out == found.out
    assert found.out.rstrip("\n") == bough.teach.growth_as_text.text(
        bough.teach.walkthrough(bough.datasets.load("play_tennis")), width=None
    )


def test_a_file_is_taught_like_a_teaching_table(run, table):
    found = run("teach", table, "-t", "play")
    assert found.out == run("teach", "play_tennis").out
    assert "B103  day left out" in found.err


def test_the_saved_tree_knows_its_target_and_all_commands_take_it(run):
    found = run("teach", "commute", "-o", "commute.bough.json")
    assert found.err == "wrote commute.bough.json\n"
    document = run("evaluate", "commute.bough.json", "commute", "--json").document
    assert document["estimates"]["accuracy"]["value"] == 1
    assert "tired = Tired" in run("show", "commute.bough.json").out
    assert run("explain", "commute.bough.json", "commute", "--row", "1").status == 0
    tree = bough.load("commute.bough.json")
    assert tree.grown_tree_.schema.labels[0].name == "transport"
    assert tree.criterion == "entropy"


def test_a_saved_tree_has_the_pivots_of_the_steps(run):
    run("teach", "seven_numbers", "-o", "seven.json")
    shown = run("show", "seven.json").out
    for pivot in ("< 8", "< 5.5", "< 12.15", "< 20.15", "< 1 "):
        assert pivot in shown


def test_every_question_can_be_asked_as_some_books_do(run):
    found = run("teach", "office_rooms", "--ask-all")
    assert "leaf: no row gives this answer; the node above predicts yes" in found.out
    assert "leaf: every question has been asked" in found.out
    assert "  questions on average = 8/8·4 = 4\n" in found.out
    refused = run("teach", "office_rooms", "--ask-all", "-o", "full.json")
    assert refused.status == 2
    assert refused.err == (
        "error: A tree that asks every question has branches without rows, which a model file "
        "cannot hold.\n  Save the tree without it: leave out ask_all.\n"
    )
    assert not Path("full.json").exists()


def test_all_criteria_are_laid_side_by_side(run):
    found = run("teach", "play_tennis", "--criterion", "all")
    assert (
        """\
  ask          entropy    error     gini  split entropy  gain ratio
  outlook      ▶ 0.247  ▶ 0.071  ▶ 0.116          1.577     ▶ 0.156
  temperature    0.029        0    0.019          1.557       0.019
  humidity       0.152    0.071    0.092          1.000       0.152
  wind           0.048        0    0.031          0.985       0.049
"""
        in found.out
    )


def test_the_tables_are_listed(run):
    lines = run("teach", "--list").out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == bough.datasets.names()


def test_a_table_is_needed_and_names_are_helped(run):
    assert run("teach").err == (
        "error: 'bough teach' needs a table, or the name of a teaching table.\n"
        "  try:  bough teach play_tennis\n"
    )
    assert "Did you mean 'play_tennis'?" in run("teach", "play_tenis").err


def test_a_large_table_is_refused(run):
    Path("large.csv").write_text("a,y\n" + "1,x\n2,z\n" * 1001)
    assert run("teach", "large.csv", "-t", "y").err == (
        "error: teach works out every number of a growth, for at most 2,000 rows; this table has "
        "2,002.\n  Take fewer rows, or score the first question only: bough score.\n"
    )


def test_rankings_are_refused(run):
    Path("t.csv").write_text("a,g,y\n" + "1,p,0\n2,p,1\n3,q,0\n4,q,2\n")
    found = run("teach", "t.csv", "-t", "y", "--task", "rank", "--group", "g", "--ignore", "B103")
    assert found.err == "error: teach grows trees for classes and numbers, not for rankings.\n"


def test_a_worksheet_and_its_key(run):
    sheet = run("teach", "office_rooms", "--blank").out
    key = run("teach", "office_rooms", "--key").out
    assert sheet.startswith("Worksheet: predict recycling_bin, by entropy\n")
    assert key.startswith("Key: predict recycling_bin, by entropy\n")
    assert "____" in sheet
    assert "____" not in key
    assert run("teach", "office_rooms", "--blank", "--markdown").out.startswith("# Worksheet: ")


def test_a_worksheet_and_its_key_as_pages(run):
    found = run("teach", "office_rooms", "--blank", "--html", "sheet.html")
    assert (found.out, found.err) == ("", "wrote sheet.html\n")
    run("teach", "office_rooms", "--key", "--html", "key.html")
    sheet, key = (Path(name).read_text("utf-8") for name in ("sheet.html", "key.html"))
    assert "<h1>Worksheet: predict recycling_bin, by entropy</h1>" in sheet
    assert "<h1>Key: predict recycling_bin, by entropy</h1>" in key
    assert "to fill in" in sheet
    assert "to fill in" not in key
    assert run("teach", "or", "--key", "--html", "key.html").err == "wrote key.html\n"  # ours


def quizzed(run, monkeypatch, *answers):
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{each}\n" for each in answers)))
    return run("teach", "play_tennis", "--quiz")


def test_the_quiz_counts_right_answers(run, monkeypatch):
    right = ["a", "outlook", "s", "Yes", "a", "3", "a", "humidity"]
    right += ["s", "no", "s", "yes", "s", "no", "s", "yes"]
    found = quizzed(run, monkeypatch, *right)
    assert found.out == "16 of 16 right\n"
    assert "No: " not in found.err


def test_the_quiz_says_how_good_another_question_is(run, monkeypatch):
    found = quizzed(run, monkeypatch, "a", "wind", "q")
    assert "  No: outlook, gain 0.247; wind is number 3 of 4, gain 0.048\n" in found.err
    assert found.out == "1 of 2 right\n"


def test_a_slip_is_no_wrong_answer_in_the_quiz(run, monkeypatch):
    found = quizzed(run, monkeypatch, "x", "", "a", "9", "wnid", "1", "s", "Yess", "yes", "q")
    assert found.out == "4 of 4 right\n"
    assert found.err.count("Type a to ask on, s to stop, or q to quit.") == 2
    assert found.err.count("Type a number from 1 to 4, or the name of a column.") == 2
    assert found.err.count("Type one of 'No' and 'Yes'.") == 1


def test_an_equally_good_question_is_right(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("a\nb\nq\n"))
    found = run("teach", "xor", "--quiz")
    assert found.out == "2 of 2 right\n"


def test_commands_take_names_of_teaching_tables(run):
    assert run("check", "play_tennis", "-t", "wind").status == 0
    assert run("score", "play_tennis").out.startswith("play_tennis: 5 No, 9 Yes\n")
    assert run("fit", "penguins").status == 0
    assert Path("species.bough.json").exists()
    assert run("predict", "species.bough.json", "penguins", "-o", "out.csv").status == 0


def test_a_file_of_the_same_name_comes_first(run):
    Path("xor").write_text("a,y\n1,n\n2,m\n3,n\n")
    assert run("score", "xor", "-t", "y", "--ignore", "B103").out.startswith("y: 1 m, 2 n\n")


def test_a_step_of_a_thousand_rows_takes_no_time():
    draw = random.Random(0)
    rows = {f"x{n}": [round(draw.gauss(), 2) for _ in range(1000)] for n in range(5)}
    rows["y"] = [draw.choice(["no", "yes"]) for _ in range(1000)]
    times = []
    for _ in range(3):  # the least of three: another process may share the processor's cache
        growth = bough.teach.walkthrough(rows, "y")
        seconds = []
        for place in range(12):
            start = time.process_time()
            assert growth.steps[place].n_rows
            seconds.append(time.process_time() - start)
        times.append(seconds)
    assert max(map(min, zip(*times, strict=True))) < 0.3
