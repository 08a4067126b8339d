"""`bough ask`, in a terminal."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest


@pytest.fixture
def terminal(tennis):
    """Start `bough ask` in a terminal of 80 columns."""
    child = pexpect.spawn(
        sys.executable,
        ["-m", "bough", "ask", str(tennis)],
        env={**os.environ, "NO_COLOR": "1", "TERM": "dumb"},
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=20,
    )
    yield child
    child.close(force=True)


def typed(terminal, words):
    """Type a line at the next prompt."""
    terminal.expect_exact("> ")
    terminal.sendline(words)


def ended(terminal):
    """Return what came before the end, and the exit status."""
    terminal.expect(pexpect.EOF)
    terminal.close()
    return terminal.before.replace("\r", ""), terminal.exitstatus


def test_the_questions_lead_to_a_guess(terminal):
    terminal.expect_exact("1/2  What is outlook?")
    terminal.expect_exact("[1] Overcast  [2] Rain  [3] Sunny  [u] don't know  [?] why")
    typed(terminal, "3")
    terminal.expect_exact("5 rows like this: No 60 %")
    terminal.expect_exact("2/2  What is humidity?")
    typed(terminal, "Normal")
    words, status = ended(terminal)
    assert status == 0
    assert words.endswith(
        "→ Yes 100 % (2 rows)\n"
        "because outlook = Sunny and humidity = Normal\n"
        "nearest flip: humidity = High → No 100 %\n"
    )


def test_dont_know_weighs_the_branches(terminal):
    typed(terminal, "2")
    typed(terminal, "u")
    words, status = ended(terminal)
    assert status == 0
    assert words.endswith(
        "→ Yes 60 % (average of 2 branches, weighted by their training rows)\n"
        "because outlook = Rain and wind is not known\n"
    )


def test_back_takes_an_answer_back(terminal):
    typed(terminal, "3")
    terminal.expect_exact("What is humidity?")
    typed(terminal, "b")
    terminal.expect_exact("1/2  What is outlook?")
    typed(terminal, "1")
    words, status = ended(terminal)
    assert status == 0
    assert "→ Yes 100 % (4 rows)\nbecause outlook = Overcast\n" in words


def test_why_says_how_the_answers_tell_rows_apart(terminal):
    typed(terminal, "2")
    typed(terminal, "?")
    terminal.expect_exact("wind tells these 5 rows apart: wind = Strong → No 100 %,")
    terminal.expect_exact("2/2  What is wind?")
    typed(terminal, "1")
    assert ended(terminal)[1] == 0


def test_an_answer_that_is_not_known_is_asked_for_again(terminal):
    typed(terminal, "Rian")
    terminal.expect_exact("outlook='Rian' is not a value that the tree knows. Did you mean 'Rain'?")
    terminal.expect_exact("1/2  What is outlook?")


def test_ctrl_c_ends_it(terminal):
    terminal.expect_exact("> ")
    terminal.sendintr()
    # One that comes while the prompt is made ready is heard with the next key only.
    if terminal.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=5) == 1:
        terminal.sendintr()
        terminal.expect(pexpect.EOF)
    words = terminal.before.replace("\r", "")
    terminal.close()
    assert terminal.exitstatus == 130
    assert words.endswith("interrupted\n")


def test_the_end_of_the_input_ends_it(terminal):
    terminal.expect_exact("> ")
    terminal.sendeof()
    words, status = ended(terminal)
    assert status == 130
    assert words.endswith("There are no more answers: the input has ended.\n")


def test_an_empty_line_is_told_what_may_be_typed(terminal):
    typed(terminal, "")
    terminal.expect_exact("Type a value, or its number, or what is in brackets, such as u.")
    terminal.expect_exact("1/2  What is outlook?")


def test_answers_may_be_piped_in_and_the_guess_read_as_json(tennis):
    found = subprocess.run(
        [sys.executable, "-m", "bough", "ask", tennis, "--json"],
        input="Rain\nWeak\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(found.stdout) == {
        "schema": "bough/1",
        "command": "ask",
        "guess": "Yes",
        "share": 1.0,
        "rows": 3,
        "shares": [{"class": "No", "share": 0.0}, {"class": "Yes", "share": 1.0}],
        "said": ["outlook = Rain", "wind = Weak"],
        "flip": {
            "changes": [{"feature": "wind", "condition": "wind = Strong", "to": "Strong"}],
            "guess": "No",
            "share": 1.0,
            "rows": 2,
        },
    }


def test_what_is_said_is_indented_on_every_line(terminal):
    typed(terminal, "2")
    typed(terminal, "?")
    terminal.expect_exact("2/2  What is wind?")
    words = terminal.before.replace("\r", "").splitlines()
    first = next(number for number, line in enumerate(words) if "tells these 5 rows" in line)
    assert words[first : first + 2] == [
        "     wind tells these 5 rows apart: wind = Strong → No 100 %, wind = Weak",
        "     → Yes 100 %",
    ]


def test_a_key_that_is_a_value_is_typed_twice(run, monkeypatch):
    rows = [f"{letter},{letter == 'u'}" for letter in "bum" * 30]
    Path("letters.csv").write_text("\n".join(["letter,is_u", *rows]) + "\n")
    run("fit", "letters.csv", "-t", "is_u", "-o", "letters.json")
    monkeypatch.setattr("sys.stdin", io.StringIO("u\n"))
    found = run("ask", "letters.json")
    assert "     [1] b  [2] m  [3] u  [uu] don't know  [?] why" in found.err
    assert found.out.startswith("→ True 100 %")
