"""What-if and twenty questions in the page agree with `predict`."""

import random
from dataclasses import replace

import handmade
import pytest
from edge_rows import edge_rows
from hostile_names import HOSTILE, plain_result, renamed_subject

from bough.explain.flip import Flips
from bough.interview import Interview
from bough.node_words import verdict_of
from bough.predict import all_guesses, said_of, stops
from bough.report.page import page
from bough.report.subject import Subject
from bough.schema import MISSING, MISSING_INTEGER, UNSEEN, Kind
from bough.table import typed_row
from bough.walk import trail
from bough.words import guess_word, plain, value_word

N_ROWS = 60
FILLED_IN = """(rows) => rows.map((row) => {
  for (const [number, text] of Object.entries(row)) {
    const field = document.getElementById(`if-${number}`);
    if (field) field.value = text;
  }
  document.querySelector("#what-if form").dispatchEvent(new Event("input", { bubbles: true }));
  const on = [...document.querySelectorAll(".bough-tree .nodes .on")].map((each) => Number(each.dataset.node));
  return [document.querySelector("#what-if .guess strong")?.textContent ?? null, on];
})"""
ASKED = """(rows) => rows.map((row) => {
  const place = document.getElementById("questions");
  const button = (says) => [...place.querySelectorAll("button")].find((each) => each.textContent === says);
  button("Start again")?.click();
  for (let n = 0; n < 50 && !place.querySelector(".guess"); n++) {
    const { text, words } = row[place.querySelector(".question strong").textContent.slice(0, -1)];
    const field = place.querySelector("input, select");
    if (text === "") button("It is missing").click();
    else if (field) {
      field.value = text;
      button("Answer").click();
    } else (button(words) ?? button("Another value")).click();
  }
  return place.querySelector(".guess strong").textContent;
})"""


def typed(feature, value):
    """What a person would type for a value, or choose."""
    if feature.kind in (Kind.CHOICE, Kind.ORDERED):
        return {MISSING: "", UNSEEN: "unseen"}.get(value, str(value))
    return "" if value == MISSING_INTEGER or value != value else repr(value)


def rows_in_the_page(tree, table, *, by_name=False):
    """The rows as they are typed; by number, or by name with the words of choices."""
    rows = []
    for row in range(table.n_rows):
        found = {}
        for number, feature in enumerate(tree.schema.features):
            value = table.values[number][row].item()
            text = typed(feature, value)
            if by_name:
                is_known = feature.choices and value >= 0
                words = plain(value_word(feature.choices[value])) if is_known else None
                found[plain(feature.name)] = {"text": text, "words": words}
            else:
                found[number] = text
        rows.append(found)
    return rows


TREES = {
    "play tennis": handmade.play_tennis,
    "missing values": handmade.missing_values,
    "numbers": handmade.one_of,
    "awkward names": handmade.awkward_names,
}


@pytest.fixture(scope="module")
def learnt():
    return plain_result()


def subject_of(name, learnt):
    return renamed_subject(learnt, HOSTILE) if name == "learnt" else Subject(TREES[name]())


@pytest.mark.parametrize("name", [*TREES, "learnt"])
def test_what_if_agrees_with_predict(opened, learnt, name):
    subject = subject_of(name, learnt)
    tree = subject.tree
    table = edge_rows(tree, n_rows=N_ROWS)
    stopped = stops(tree, table).tolist()
    shown = opened(page(subject))
    typed_rows = rows_in_the_page(tree, table)
    found = shown.run(FILLED_IN, typed_rows)
    fields = shown.run(
        "[...document.querySelectorAll('[id^=if-]:not(span)')].map((each) => each.id.slice(3))"
    )
    filled = [any(row[int(number)] for number in fields) for row in typed_rows]
    for (guess, on), node, is_filled in zip(found, stopped, filled, strict=True):
        assert guess == (str(verdict_of(tree, node, 3)) if is_filled else None)
        assert not is_filled or sorted(on) == [step.node.id for step in trail(tree, node)]
    assert len(set(stopped)) > 3
    assert shown.complaints == []


@pytest.mark.parametrize("name", [*TREES, "learnt"])
def test_what_if_weighs_missing_values_where_the_model_does(opened, learnt, name):
    subject = replace(subject_of(name, learnt), missing="weigh")
    tree = subject.tree
    table = edge_rows(tree, seed=2, n_rows=N_ROWS)
    guessing, places = said_of(tree, table, missing="weigh")
    found = opened(page(subject)).run(FILLED_IN, rows_in_the_page(tree, table))
    guesses = all_guesses(guessing)[places, 0]
    classes = tree.schema.labels[0].classes
    words = [
        plain(guess_word(classes[int(each)] if classes else float(each), 3)) for each in guesses
    ]
    wrong = [
        (said, word)
        for (said, _), word in zip(found, words, strict=True)
        if said is not None and not said.startswith(word)
    ]
    assert wrong == []
    assert places.max() >= len(tree)  # some rows go on in parts


@pytest.mark.parametrize("name", [*TREES, "learnt"])
def test_twenty_questions_agree_with_predict(opened, learnt, name):
    subject = subject_of(name, learnt)
    tree = subject.tree
    table = edge_rows(tree, seed=1, n_rows=N_ROWS)
    shown = opened(page(subject))
    found = shown.run(ASKED, rows_in_the_page(tree, table, by_name=True))
    stopped = stops(tree, table).tolist()
    assert found == [str(verdict_of(tree, node, 3)) for node in stopped]
    assert len(set(stopped)) > 3
    assert shown.complaints == []


def test_dates_and_large_integers_are_typed_as_in_the_terminal(opened):
    tree, sizes = handmade.beyond_float(), ["S", "M", "L", "XL"]
    chance = random.Random(6)
    rows, stopped = [], []
    for _ in range(N_ROWS):
        number, size = str(2**53 + chance.randint(-1, 3)), chance.randrange(4)
        when = f"2024-{chance.randint(1, 4):02}-{chance.randint(1, 29):02} {chance.randint(0, 23):02}:05"
        given = {"id": number, "when": when, "size": sizes[size]}
        rows.append({0: number, 1: when, 3: str(size)})
        stopped.append(int(stops(tree, typed_row(given, tree.schema))[0]))
    shown = opened(page(Subject(tree)))
    found = shown.run(FILLED_IN, rows)
    assert [max(on) for _, on in found] == stopped
    assert len(set(stopped)) > 4


def test_what_cannot_be_read_is_named(opened):
    shown = opened(page(Subject(handmade.missing_values())))
    shown.page.fill("#if-0", "old")
    assert shown.page.inner_text("#if-0-hint") == "Type a number such as 31 or 2.5."
    assert shown.page.inner_text("#what-if .outcome") == "Some values cannot be read."


def test_what_is_not_known_is_weighed(opened):
    tree = handmade.play_tennis()
    interview = Interview(tree)
    interview.answer("Rain")
    interview.dont_know()
    shown = opened(page(Subject(tree)))
    shown.page.click("#questions button:has-text('Rain')")
    shown.page.click("#questions button:has-text('Don’t know')")
    assert shown.page.inner_text("#questions .guess") == f"→ {interview.result.verdict}"
    told = shown.page.inner_text("#questions .because")
    assert f"→ {interview.result.verdict.in_full}\n{told}" == str(interview.result)


def test_questions_tell_as_much_as_in_the_terminal(opened):
    tree = handmade.play_tennis()
    interview = Interview(tree)
    shown = opened(page(Subject(tree)))
    why = "document.querySelector('#questions .why').lastChild.textContent"
    assert shown.run(why) == interview.why()
    interview.answer("Rain")
    shown.page.click("#questions button:has-text('Rain')")
    assert shown.run(why) == interview.why()
    verdict = interview.result.verdict
    so_far = shown.page.inner_text("#questions .so-far")
    assert so_far == f"{verdict.n_rows} rows like this: {verdict}"
    interview.answer("Weak")
    shown.page.click("#questions button:has-text('Weak')")
    told = shown.page.inner_text("#questions .flip")
    assert told.partition(": ")[2] == str(interview.result.flip)


FLIPS = """(rows) => rows.map((row) => {
  for (const [number, text] of Object.entries(row)) {
    const field = document.getElementById(`if-${number}`);
    if (field) field.value = text;
  }
  document.querySelector("#what-if form").dispatchEvent(new Event("input", { bubbles: true }));
  return document.querySelector("#what-if .flip")?.textContent ?? null;
})"""


@pytest.mark.parametrize("name", [*TREES, "learnt"])
def test_the_nearest_flip_is_that_of_explain(opened, learnt, name):
    subject = subject_of(name, learnt)
    tree = subject.tree
    table = edge_rows(tree, seed=5, n_rows=N_ROWS)
    stopped = stops(tree, table).tolist()
    flips = Flips(tree, 3).nearest(
        table, range(table.n_rows), [tree[node].guess for node in stopped]
    )
    found = opened(page(subject)).run(FLIPS, rows_in_the_page(tree, table))
    compared = 0
    for said, flip, node in zip(found, flips, stopped, strict=True):
        if said is None or tree.feature[node] >= 0:
            continue
        compared += 1
        words, _, verdict = said.partition(": ")[2].rpartition(" → ")
        assert verdict == str(flip.verdict)
        names = {change.condition.feature.name for change in flip.changes}
        assert all(plain(each)[:60] in words for each in names)
    assert compared > N_ROWS / 8


def test_nothing_is_predicted_before_an_input_and_far_values_are_marked(opened, learnt):
    subject = subject_of("learnt", learnt)
    shown = opened(page(subject))
    assert shown.page.locator("#what-if .guess").count() == 0
    number = next(
        number
        for number, feature in enumerate(subject.tree.schema.features)
        if feature.name in subject.evidence.ranges and shown.page.locator(f"#if-{number}").count()
    )
    shown.page.fill(f"#if-{number}", "123456789")
    assert "outside the training range" in shown.page.inner_text(f"#if-{number}-hint")
    assert shown.page.locator("#what-if .guess").count() == 1
    assert "training rows; test: " in shown.page.inner_text("#what-if .rests")


def test_what_was_left_empty_and_counted_is_told(opened):
    shown = opened(page(Subject(handmade.missing_values())))
    shown.page.select_option("#if-1", "1")
    told = "Empty, so taken as missing: age, port."
    assert told in shown.page.inner_text("#what-if .outcome").split("\n")
    shown.page.fill("#if-0", "9")
    shown.page.select_option("#if-1", "0")
    assert "missing" not in shown.page.inner_text("#what-if .outcome")


def test_an_answer_can_be_taken_back(opened):
    shown = opened(page(Subject(handmade.play_tennis())))
    shown.page.click("#questions button:has-text('Rain')")
    assert shown.page.inner_text("#questions .question") == "2 of at most 2: wind?"
    shown.page.click("#questions button:has-text('Back')")
    assert shown.page.inner_text("#questions .question") == "1 of at most 2: outlook?"
