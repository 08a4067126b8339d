"""Whoever adds up what a step shows gets what it shows."""

import re
from fractions import Fraction

import pytest
from taught_tables import taught_table, whole

import bough
from bough.teach import walkthrough
from bough.teach.growth_as_text import text
from bough.teach.step_words import Manners
from bough.words import number

TERM = r"−?\d[\d./]*(?:e[−+]?\d+)?"
PATTERNS = {
    "entropy": re.compile(rf"H = −.* = ((?:{TERM}(?: \+ )?)+) = ({TERM}) bit$"),
    "gini": re.compile(rf"G = 1 − .*² = 1 − ((?:{TERM}(?: − )?)+) = ({TERM})$"),
    "error": re.compile(rf"E = 1 − (\d+/\d+) = ({TERM})$"),
    "numbers": re.compile(rf"[VA] = mean .* = \(?((?:{TERM}(?: \+ )?)+)\)? / (\d+) = ({TERM})$"),
    "remainder": re.compile(rf"remainder = (.*) = ({TERM})$"),
    "gain": re.compile(rf"gain = ({TERM}) − ({TERM}) = ({TERM})$"),
    "ratio": re.compile(rf"gain ratio = gain / split entropy = ({TERM}) / ({TERM}) = ({TERM})$"),
    "questions": re.compile(rf"questions on average = (.*) = ({TERM})$"),
}


def read(words):
    return Fraction(words.replace("−", "-"))


def summed(words):
    return sum((read(a) * read(b) for a, b in (each.split("·") for each in words.split(" + "))))


COMPUTE = {
    "entropy": lambda terms: sum(map(read, terms.split(" + "))),
    "gini": lambda terms: 1 - sum(map(read, terms.split(" − "))),
    "error": lambda share: 1 - read(share),
    "numbers": lambda terms, n_rows: sum(map(read, terms.split(" + "))) / int(n_rows),
    "remainder": summed,
    "gain": lambda impurity, remainder: read(impurity) - read(remainder),
    "ratio": lambda gain, bits: read(gain) / read(bits),
    "questions": summed,
}


def computed(line):
    """Return what the shown arithmetic of a line gives, and what the line says it gives."""
    for name, pattern in PATTERNS.items():
        if match := pattern.match(line):
            *terms, result = match.groups()
            return COMPUTE[name](*terms), result
    return None


def shown_like(value, words, *, has_classes):
    """Write a value with as many digits as words have."""
    if value == 0:
        return "0"
    if has_classes:
        return f"{float(value):.{len(words.partition('.')[2])}f}".replace("-", "−")
    digits = len(re.sub(r"e.*|\D", "", words).lstrip("0"))
    return number(float(value), max(digits, 3)).replace("-", "−")


def check(growth, digits):
    n_checked = 0
    for line in text(growth, Manners(digits=digits), width=None).splitlines():
        for part in line.strip().split("   "):
            if (found := computed(part)) is None:
                continue
            value, result = found
            n_checked += 1
            has_classes = bool(growth.classes) and not part.startswith("questions")
            assert shown_like(value, result, has_classes=has_classes) == result, part
    return n_checked


@pytest.mark.parametrize("criterion", ["entropy", "gini", "error", "gain_ratio"])
@pytest.mark.parametrize("digits", [2, 3])
def test_the_sums_for_classes_are_right(criterion, digits):
    n_checked = 0
    for seed in range(30):
        table = whole(*taught_table(seed))
        growth = walkthrough(table, "label", ignore="B103", criterion=criterion)
        n_checked += check(growth, digits)
    assert n_checked > 150


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_the_sums_for_numbers_are_right(criterion):
    n_checked = 0
    for seed in range(30):
        table = whole(*taught_table(seed, numbers=True))
        growth = walkthrough(table, "label", task="regression", ignore="B103", criterion=criterion)
        n_checked += check(growth, 3)
    assert n_checked > 150


@pytest.mark.parametrize("name", [n for n in bough.datasets.names() if n != "penguins"])
def test_the_sums_of_the_teaching_tables_are_right(name):
    growth = walkthrough(bough.datasets.load(name))
    assert check(growth, 3) >= 4


def test_every_line_of_arithmetic_is_checked():
    growth = walkthrough(bough.datasets.load("commute"), criterion="gain_ratio")
    lines = text(growth, width=None).replace("   gain", "\n  gain").splitlines()
    shown = [line.strip() for line in lines if " = " in line and re.match(r"  [\w ]+ = ", line)]
    unread = [line for line in shown if computed(line) is None and not line.startswith("H = 0")]
    assert unread == []
