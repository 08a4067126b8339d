"""The page of `bough teach --html` as a file, and what its scripts say: what the terminal says."""

import base64
import hashlib
import json
import random
import re
from datetime import datetime, timedelta

import pytest
from page_scripts import TEACHING, needs_node, run_scripts
from taught_tables import taught_table, whole

import bough
from bough.cli import main
from bough.report.page import script_of
from bough.teach.arithmetic import Figures, gain_words, impurity_words, remainder_words
from bough.teach.page import MOST_BYTES
from bough.teach.step_words import tie_words
from bough.teach.walkthrough import read_taught

LOGIC = ("exact_numbers.js", "tallies.js", "questions.js", "grow.js", "words.js", "arithmetic.js")
SAY = """
const text = (parts) => parts.map((part) => part.words ?? part).join("");
return data.map((each) => {
  const table = prepare(each), nodes = grow(table, each.criterion);
  const steps = nodes.map((node) => {
    const said = { condition: trailWords(table, node), guess: guessWords(table, node.guess), stops: node.stops, impurity: "" };
    if (node.rows.length) said.impurity = text(impurityParts(table, node.questions, each.criterion));
    if (!node.asks) return said;
    const scored = scoredBy(table, node.questions, node.asks, each.criterion);
    return {
      ...said, asks: questionWords(table, node.asks.query), right: scored.right,
      answers: scored.answers.map((answer) => answer.words), remainder: text(remainderParts(table, scored)),
      gain: text(gainParts(table, scored)), tie: tieWords(table, node.questions, each.criterion),
      pivots: table.columns.map((column, place) => node.questions.about(place, each.criterion).filter((one) => one.query.kind === "below" && !one.query.missing).map((one) => pivotWords(column, one.query))),
      others: Object.fromEntries(table.criteria.filter((one) => one !== each.criterion).map((one) => [one, questionWords(table, node.questions.best(one)[0].query)])),
    };
  });
  return { steps, figures: figuresOf(nodes) };
});
"""


@pytest.fixture(scope="module")
def html():
    return bough.teach.walkthrough(bough.datasets.load("commute")).html()


def scripts(html):
    return re.findall(r"<script[^>]*>(.*?)</script>", html, re.DOTALL)


def test_a_browser_may_run_this_script_and_this_style_and_load_nothing(html):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1]
    for kind, text in (("script", scripts(html)[1]), ("style", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert not re.search(
        r'(src|href)="|url\(|@import|\sstyle="|\son\w+="', html.split("<script")[0]
    )


def test_texts_are_never_read_as_html():
    script = script_of("bough.teach.page")
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "fetch(",
    ):
        assert word not in script


@pytest.mark.parametrize("name", bough.datasets.names())
def test_pages_of_the_teaching_tables_are_small(name):
    assert len(bough.teach.walkthrough(bough.datasets.load(name)).html().encode()) < 110_000


def test_a_page_that_would_be_too_large_says_so():
    table = {f"x{each}": [row * each % 1999 / 7 for row in range(2000)] for each in range(1, 40)}
    growth = bough.teach.walkthrough({**table, "y": ["a", "b"] * 1000}, "y", max_depth=1)
    with pytest.raises(bough.BudgetError, match=f"{MOST_BYTES:,}"):
        growth.html()


def test_no_name_breaks_out_of_the_data():
    evil = "</script><img src=x>"
    html = bough.teach.walkthrough(
        {evil: [evil, "b", "a"], "y": [evil, "no", "no"]}, "y", ignore="B103"
    ).html()
    assert evil not in html
    assert json.loads(scripts(html)[0])["columns"][0]["name"] == evil


def test_the_page_is_written_by_the_method_and_by_the_command(tmp_path, html):
    path = bough.teach.walkthrough(bough.datasets.load("commute")).html(tmp_path / "a.html")
    assert path.read_text("utf-8") == html
    main(["teach", "commute", "--html", str(tmp_path / "b.html")])
    assert (tmp_path / "b.html").read_text("utf-8") == html


def dated(seed):
    """Return a table of moments, ordered values and whole numbers beyond what scripts can hold."""
    draw = random.Random(seed)
    n_rows, unit = draw.randint(6, 14), draw.choice((1, 60, 86_400, 40 * 86_400))
    start = datetime(draw.choice((1500, 1969, 2024, 9900)), 12, 24)
    moments = [start + timedelta(seconds=unit * draw.randint(0, 30)) for _ in range(n_rows)]
    nearly = [start + timedelta(microseconds=draw.randint(0, 30)) for _ in range(n_rows)]
    large = [draw.choice((-1, 1)) * 2**60 + draw.randint(0, 30) for _ in range(n_rows)]
    sizes = [draw.choice(["S", "M", "XL"]) for _ in range(n_rows)]
    labels = [draw.choice(["no", "yes"]) for _ in range(n_rows)]
    return {"when": moments, "now": nearly, "large": large, "size": sizes, "label": labels}


def growths():
    """Give growths of every kind: the teaching tables by every criterion, and random ones."""
    for name in bough.datasets.names():
        table = read_taught(bough.datasets.load(name))
        is_large = name == "penguins"
        for criterion in ("gain_ratio", "gini", "error", "entropy")[: 1 if is_large else 4]:
            yield table.walkthrough(table.manner(criterion, "each"))
        if not is_large:
            yield table.walkthrough(table.manner("entropy", asks_all=True))
    for seed in range(60):
        is_number = seed % 2 == 0
        columns, labels = taught_table(seed, numbers=is_number)
        task = "regression" if is_number else "classification"
        table = read_taught(whole(columns, labels), "label", task=task, ignore="B103")
        categorical = "group" if seed % 3 == 0 else "each"
        criterion = "absolute_error" if seed % 4 == 0 else None
        yield table.walkthrough(table.manner(criterion, categorical))
    types = {"size": ["S", "M", "L", "XL"]}
    for seed in range(40):
        table = read_taught(dated(seed), "label", types=types, ignore="B103")
        yield table.walkthrough(table.manner("entropy", "each"))


@needs_node
def test_the_page_says_what_the_terminal_says():
    known = [growth for growth in growths() if len(growth.steps) < 200]
    given = [json.loads(scripts(growth.html())[0]) for growth in known]
    for growth, said in zip(known, run_scripts(LOGIC, SAY, given, TEACHING), strict=True):
        figures = Figures(growth, 3)
        ends = said["figures"]
        assert (ends["leaves"], ends["depth"]) == (growth.n_leaves, growth.depth)
        assert ends["questions"] == pytest.approx(growth.mean_questions)
        assert ends["losses"] == pytest.approx(growth.losses)
        for step, found in zip(growth.steps, said["steps"], strict=True):
            assert found["condition"] == step.condition
            assert step.leaf_reason.startswith(found["stops"])
            if step.rows:
                assert found["impurity"] == impurity_words(step, growth, figures)
            if step.asks is None:
                continue
            assert found["asks"] == step.asks.words
            assert found["answers"] == [answer.words for answer in step.asks.answers]
            assert found["right"] == step.asks.n_right
            assert found["remainder"] == remainder_words(step.asks, step.n_rows, figures)
            assert found["gain"] == gain_words(step.asks, step.impurity, figures)
            for feature, words in zip(step.features, found["pivots"], strict=True):
                assert words == [tried.words for tried in feature.pivots]
            assert found["others"] == {each.criterion: each.question for each in step.others}
            if step.tie is not None and len(step.tie.questions) > 1:
                assert found["tie"] == f"T{tie_words(step.tie, figures)[1:]}."
            else:
                assert found["tie"] == ""
