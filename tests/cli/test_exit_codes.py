"""What every command returns to the shell: 0 done, 1 a gate failed, 2 refused."""

import pytest

MATRIX = {
    "": 0,
    "--help": 0,
    "--version": 0,
    "check TABLE": 0,
    "check TABLE -t play": 0,
    "check TABLE -t plays": 2,
    "check TABLE -t play --seed 3": 0,
    "check TABLE -t play --seed -1": 2,
    "check absent.csv": 2,
    "fit TABLE -t play": 0,
    "fit TABLE": 2,
    "fit TABLE -t plays": 2,
    "fit TABLE -t play --criterion ginni": 2,
    "fit TABLE -t play --type wind": 2,
    "fit TABLE -t play --type wind=colour": 2,
    "fit absent.csv -t play": 2,
    "show MODEL": 0,
    "show TABLE": 2,
    "predict MODEL TABLE": 0,
    "predict MODEL TABLE -o guessed.xls": 2,
    "predict MODEL absent.csv": 2,
    "evaluate MODEL TABLE": 0,
    "evaluate MODEL TABLE --at-least accuracy=0.5": 0,
    "evaluate MODEL TABLE --at-least accuracy=1.1": 1,
    "evaluate MODEL TABLE --at-most error=0.5": 0,
    "evaluate MODEL TABLE --at-most error=-1": 1,
    "evaluate MODEL TABLE --at-least accuracy=high": 2,
    "evaluate MODEL TABLE --at-least accuracy": 2,
    "evaluate MODEL TABLE --at-least acuracy=0.5": 2,
    "explain MODEL TABLE --row 1": 0,
    "explain MODEL TABLE --row 15": 2,
    "explain MODEL TABLE --row 0": 2,
    "explain MODEL --set outlook=Rain": 0,
    "explain MODEL --set outlok=Rain": 2,
    "explain MODEL --set outlook": 2,
    "explain MODEL TABLE": 2,
    "explain MODEL": 2,
    "score TABLE -t play": 0,
    "score TABLE -t play --jobs 2": 0,
    "score TABLE -t play --jobs 0": 2,
    "score TABLE -t plays": 2,
    "score TABLE": 2,
    "export MODEL --to json": 0,
    "export MODEL --to jsn": 2,
    "compare MODEL MODEL TABLE": 0,
    "compare MODEL absent.bough.json TABLE": 2,
    "ask absent.bough.json": 2,
}


@pytest.mark.parametrize("words", MATRIX)
def test_every_command_line_has_its_status(run, tennis, table, words):
    typed = words.replace("MODEL", str(tennis)).replace("TABLE", str(table)).split()
    found = run(*typed)
    assert found.status == MATRIX[words], found.err
    assert found.err.startswith("error: ") == (found.status == 2)


@pytest.mark.parametrize("words", [words for words, status in MATRIX.items() if status == 2])
def test_every_refusal_is_a_document_under_json(run, tennis, table, words):
    typed = words.replace("MODEL", str(tennis)).replace("TABLE", str(table)).split()
    found = run(*typed, "--json")
    assert (found.status, found.err) == (2, "")
    assert set(found.document) == {"schema", "command", "error"}
    assert set(found.document["error"]) == {"code", "message", "hint"}
