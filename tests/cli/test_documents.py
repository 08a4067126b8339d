"""The JSON documents: their shape is a promise, and `docs/json.md` describes it."""

import json
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "json.md"
COMMANDS = {
    "check": "check TABLE -t play",
    "fit": "fit TABLE -t play",
    "show": "show MODEL",
    "show.rules": "show MODEL --rules",
    "predict": "predict MODEL TABLE -o guessed.csv",
    "predict.rows": "predict MODEL TABLE --proba",
    "evaluate": "evaluate MODEL TABLE --at-least accuracy=0.5 --at-most error=0.5",
    "explain": "explain MODEL TABLE --row 1",
    "explain.set": "explain MODEL --set outlook=Sunny",
    "score": "score TABLE -t play",
    "teach": "teach TABLE -t play",
    "teach.list": "teach --list",
    "lesson": "lesson guessing",
    "lesson.list": "lesson --list",
    "export": "export MODEL --to dot",
    "compare": "compare MODEL MODEL TABLE",
    "error": "show absent.bough.json",
}


OTHERWISE = {"fix": "arguments", "data": "figures"}  # whose keys are not always the same


def shape(value):
    """Return the kinds of values in a document; a list has the shapes of its items, each once."""
    match value:
        case dict():
            return {
                key: OTHERWISE[key] if key in OTHERWISE else shape(each)
                for key, each in value.items()
            }
        case list():
            shapes = []
            for each in map(shape, value):
                if each not in shapes:
                    shapes.append(each)
            return shapes
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "text"
    return None


def keys(value):
    """Return all keys of a shape; those of a class as the page has them, as in 'recall:CLASS'."""
    match value:
        case dict():
            named = {re.sub(r"(?<=:).+", "CLASS", key) for key in value}
            return named.union(*map(keys, value.values()))
        case list():
            return set().union(*map(keys, value))
    return set()


@pytest.fixture
def document(run, table, tennis):
    def document(words):
        typed = words.replace("MODEL", str(tennis)).replace("TABLE", str(table)).split()
        found = run(*typed, "--json")
        assert found.err == ""
        return found.document

    return document


@pytest.mark.parametrize("name", COMMANDS)
def test_the_shape_of_every_document_is_the_golden_one(document, golden, name):
    found = shape(document(COMMANDS[name]))
    golden(f"document.{name}.json", (json.dumps(found, indent=1) + "\n").encode())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_document_says_what_it_is(document, name):
    found = document(COMMANDS[name])
    assert (found["schema"], found["command"]) == ("bough/1", COMMANDS[name].split()[0])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_key_stands_in_the_page(document, name):
    text = PAGE.read_text("utf-8")
    assert [
        key for key in sorted(keys(shape(document(COMMANDS[name])))) if f"`{key}`" not in text
    ] == []
