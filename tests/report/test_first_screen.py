"""The first screen: every figure recomputed from the rows, and what is said first."""

import re
from dataclasses import replace
from html import unescape
from math import sqrt

import handmade
import numpy as np
import pandas as pd
import pytest

import bough
from bough.evidence import Note
from bough.exports import html
from bough.figure_words import estimate_texts
from bough.learn.sums_of_test_rows import told_places
from bough.report.first_screen import claim, drivers, figures, headline, in_100, larger, notes
from bough.report.page import condition_words, page, rules
from bough.report.script_data import script_data
from bough.report.subject import Subject
from bough.words import amount

MANY = dict.fromkeys("abcdefgh", 0)


def rows(n, seed):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=n).round(2), rng.normal(size=n).round(2)
    color = rng.choice(list(MANY), n)
    pull = np.sin(2.4 * np.array([ord(each) for each in color]))
    kind = np.where(rng.random(n) < 1 / (1 + np.exp(1 - 1.6 * x - y - 2 * pull)), "yes", "no")
    price = 30_000 * x + 9_000 * np.sin(3 * y) + 15_000 * pull + rng.normal(size=n) * 12_000
    gap = np.where(rng.random(n) < 0.1, None, color)
    return pd.DataFrame({"x": x, "y": y, "color": gap, "kind": kind, "price": price.round()})


TRAIN, TEST = rows(3_000, 1), rows(1_000, 2)


def fit(target, ignored):
    return bough.fit(TRAIN, target, test=TEST, ignore=[ignored], categorical="group")


@pytest.fixture(scope="module")
def kinds():
    return fit("kind", "price")


@pytest.fixture(scope="module")
def prices():
    return fit("price", "kind")


def wilson(k, n, z=1.959964):
    middle, reach = (
        (k + z * z / 2) / (n + z * z),
        z * sqrt(k * (n - k) / n + z * z / 4) / (n + z * z),
    )
    return middle - reach, middle + reach


def shares(predicted, truth):
    """How often the rarer class is found, and how often it is right when it is said."""
    for here in (truth == "yes", predicted == "yes"):
        k, n = int((here & (truth == predicted)).sum()), int(here.sum())
        low, high = wilson(k, n)
        yield f"{100 * k / n:.0f}", f"{100 * low:.0f}–{100 * high:.0f}"


def text_of(document):
    shown = re.sub(r"<(script|style|template).*?</\1>", "", document, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", "", shown)).replace("\xa0", " "))


def test_the_rarer_class_is_told_of_as_the_rows_have_it(kinds):
    subject = kinds.__bough_subject__(3)
    models = [kinds.model] if subject.smaller is None else [kinds.model, kinds.simpler]
    for model, each in zip(models, (subject, subject.smaller), strict=False):
        (line,) = figures(each)["lines"]
        assert line["name"] == "yes"
        found = [line["finds"], line["right"]]
        told = [(in_100(of.value), f"{in_100(of.low)}–{in_100(of.high)}") for of in found]
        assert told == [*shares(model.predict(TEST), TEST["kind"].to_numpy())]


def test_the_headline_says_how_often_it_is_right_and_what_to_compare_it_with(kinds):
    truth = TEST["kind"].to_numpy()
    right = int((kinds.model.predict(TEST) == truth).sum())
    said = headline(kinds.__bough_subject__(3))["expected"]
    assert said["said"] == f"Right for {right / 10:.1f} % of new rows."
    assert said["interval"] == "–".join(f"{100 * end:.1f}" for end in wilson(right, 1_000))
    assert said["compared"] == f"scores {100 * (truth == 'no').mean():.1f} %"
    assert (
        claim(kinds.__bough_subject__(3))
        == f"This tree gets kind right for about {round(right / 10)} rows in 100"
    )


def test_numbers_are_told_of_as_the_rows_have_them(prices):
    subject = prices.__bough_subject__(3)
    models = [prices.model] if subject.smaller is None else [prices.model, prices.simpler]
    for model, each in zip(models, (subject, subject.smaller), strict=False):
        off = np.abs(model.predict(TEST) - TEST["price"].to_numpy())
        explained = 1 - np.square(off).sum() / (TEST["price"].var(ddof=0) * len(TEST))
        wanted = [np.median(off), off.mean(), sqrt(np.square(off).mean())]
        lines = figures(each)["lines"]
        values = [line["value"] for line in lines]
        assert values == [*(amount(number, 3) for number in wanted), f"{explained:.3f}"]
        for line in lines:
            low, value, high = (
                float(part.replace(",", ""))
                for part in (
                    line["interval"].split("–")[0],
                    line["value"],
                    line["interval"].split("–")[1],
                )
            )
            assert low <= value <= high
    middle = amount(np.median(np.abs(prices.model.predict(TEST) - TEST["price"])), 3)
    assert claim(subject) == f"Half of this tree’s predictions of price are within {middle}"


def measured(subject, name, value, low, high, always):
    """The same with other figures of one name."""
    evidence = subject.evidence
    found = replace(evidence.test[name], value=value, low=low, high=high)
    baseline = replace(evidence.baseline[name], value=always)
    seen = replace(
        evidence,
        test=evidence.test | {name: found},
        baseline=evidence.baseline | {name: baseline},
    )
    return replace(subject, evidence=seen)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((12.34, 9.87, 15.078, 20.119), ("12.34", "9.87–15.08", "20.12")),
        ((10.46654, 9.123, 11.5, 30.0), ("10.47", "9.12–11.50", "30.00")),
        ((10.46654, 10.123, 11.58, 9.876), ("10.47", "10.12–11.58", "9.88")),
        ((1_046.654, 998.2, 1_100.28, 2_000.0), ("1,047", "998–1,100", "2,000")),
        ((1_046.5, 998.2, 1_100.28, 2_000.0), ("1,046.5", "998.2–1,100.3", "2,000.0")),
        ((3.0, 0.0, 7.0, 8.0), ("3", "0–7", "8")),
        ((2.5e-7, 1e-7, 3.25e-7, 1.0), ("2.5e-07", "1e-07–3.25e-07", "1")),
    ],
)
@pytest.mark.parametrize("name", ["rmse", "median_absolute_error"])
def test_no_digit_of_a_figure_is_made_up(name, given, told, prices):
    subject = measured(prices.__bough_subject__(3), name, *given)
    word = {"rmse": "RMSE", "median_absolute_error": "median error"}[name]
    (line,) = [each for each in figures(subject)["lines"] if each["name"] == word]
    assert (line["value"], line["interval"], line["baseline"]) == told
    terminal = estimate_texts(name, subject.evidence.test[name])[1].split(" – ")
    for one, other in zip(line["interval"].split("–"), terminal, strict=True):
        if "e" not in one:  # either is the other, rounded
            decimals = min(len(each.partition(".")[2]) for each in (one, other))
            values = [float(each.replace(",", "")) for each in (one, other)]
            assert values[0] == pytest.approx(values[1], abs=0.6 * 10**-decimals)


def test_the_likely_range_is_the_one_of_the_table(prices):
    subject = measured(
        prices.__bough_subject__(3), "median_absolute_error", 12.34, 9.87, 15.078, 20.119
    )
    said = headline(subject)
    (line, *_) = said["figures"]["lines"]
    assert said["expected"]["interval"] == line["interval"] == "9.87–15.08"
    assert said["expected"]["compared"] == "gets half within 20.12"


def test_rankings_are_told_of_by_groups():
    rng = np.random.default_rng(4)
    table = pd.DataFrame({"query": np.arange(600) // 6, "x": rng.normal(size=600)})
    table["label"] = (table["x"] + rng.normal(size=600) > 0.5).astype(int)
    result = bough.fit(table, "label", task="ranking", group="query")
    subject = result.__bough_subject__(3)
    said = headline(subject)
    assert said["expected"]["on"] == f"{result.test['ndcg'].n} groups"
    assert result.test["ndcg"].n < 60
    assert said["figures"]["lines"][0]["name"] == "first 10 places"
    text = text_of(page(subject))
    assert "first 10 places (NDCG@10)" in text
    assert "groups kept aside" in text


def test_three_columns_drive_it(kinds):
    tree = kinds.grown_tree_
    gained = {}
    for node in range(len(tree)):
        if tree.feature[node] >= 0:
            name = tree.schema.features[tree.feature[node]].name
            gained[name] = gained.get(name, 0) + tree.gain[node] * tree.weight[node]
    order = sorted(gained, key=lambda name: -gained[name])
    found = drivers(kinds.__bough_subject__(3))
    assert [line["name"] for line in found["lines"]] == order[:3]
    assert found["n_more"] == len(order[3:])


def test_at_most_three_warnings_stand_on_the_first_screen(kinds):
    given = [
        Note(code, f"{code} {n} has it. Then do it")
        for code in ("B105", "B204", "B301", "B302")
        for n in (1, 2)
    ]
    given.insert(3, Note("B112", "Will you know x? It may leak.", is_loud=True))
    given.append(Note("B102", "x left out"))
    subject = kinds.__bough_subject__(3)
    found = notes(replace(subject, evidence=replace(subject.evidence, notes=tuple(given))))
    assert [note["code"] for note in found["warnings"]] == ["B112", "B105", "B204"]
    assert [note["code"] for note in found["others"]] == ["B301", "B302", "B102"]
    assert found["warnings"][1]["first"] == "B105 1 has it."
    assert found["warnings"][1]["more"][0]["text"] == "B105 2 has it. Then do it"


@pytest.mark.parametrize("name", ["kinds", "prices"])
def test_a_saved_model_shows_the_same_trees(name, request, tmp_path):
    result = request.getfixturevalue(name)
    subject = result.__bough_subject__(3)
    assert subject.smaller is not None
    assert subject.smaller.tree.n_leaves == result.simpler.get_n_leaves()
    result.save(tmp_path / "model.bough.json")
    again = html(bough.load(tmp_path / "model.bough.json"))
    for part in (
        r"<h1>.*?</h1>",
        r'<div class="switch">.*?</div>',
        r'<section id="rules".*?</section>',
        'id="report">.*?</script>',
    ):
        one, other = (re.search(part, each, re.DOTALL)[0] for each in (page(subject), again))
        assert one == other
    assert f"The model has {subject.tree.n_leaves} leaves: {larger(subject)}." in text_of(again)


def test_what_the_larger_tree_gains_is_measured_on_the_same_rows(kinds):
    truth = TEST["kind"].to_numpy()
    said = [model.predict(TEST) for model in (kinds.model, kinds.simpler)]
    right = [f"{100 * (each == truth).mean():.1f} %" for each in said]
    found = [f"{100 * (each == truth)[truth == 'yes'].mean():.1f} %" for each in said]
    assert larger(kinds.__bough_subject__(3)) == (
        f"accuracy {right[0]} instead of {right[1]}, finds “yes” {found[0]} instead of {found[1]}"
    )


@pytest.mark.parametrize("name", ["kinds", "prices"])
def test_leaves_tell_of_their_rows(name, request):
    """The rows of rules and of the form, training and test, are those that `apply` sends there."""
    result = request.getfixturevalue(name)
    subject = result.__bough_subject__(3)
    at, truth = result.model.apply(TEST), TEST[result.evidence.target].to_numpy()
    said = result.model.predict(TEST)
    tests, tree = script_data(subject)["tests"], result.saved.tree
    side = tree.class_guess[:, 0] if name == "kinds" else None
    hosts, _ = told_places(np.bincount(at, minlength=len(tree)), side)
    learnt = result.model.apply(TRAIN)
    for line in rules(subject)["lines"]:
        assert line["n_rows"] == np.sum(learnt == line["node"])
        assert line["n_test"] == np.sum(at == line["node"])
        here = hosts[at] == line["node"]  # with the rows of small leaves, if they are told here
        assert tests[line["node"]][0] in (here.sum(), line["n_test"])
        if not tests[line["node"]][2]:
            assert (tests[line["node"]][1], line["test"]) == (None, "")
        elif name == "kinds":
            assert tests[line["node"]][1] == (said == truth)[here].sum()
            assert line["test"].strip(" %<>") == f"{100 * (said == truth)[here].mean():.0f}".strip()
        else:
            assert line["test"] == f"± {amount(sqrt(np.square(said - truth)[here].mean()), 3)}"
    few = [line for line in rules(subject)["lines"] if 0 < line["n_test"] < 5]
    assert not [line for line in few if line["test"]]
    assert sum(line["n_rows"] for line in rules(subject)["lines"]) == len(TRAIN)


def test_a_table_that_may_give_the_answer_away_is_what_the_title_says():
    subject = bough.fit({**TRAIN, "copy": TRAIN["kind"]}, "kind").__bough_subject__(3)
    assert claim(subject) == "Check before use: the table may give kind away"
    assert headline(subject)["expected"]["said"] == "Right for 100.0 % of new rows."


def test_what_was_measured_of_the_model_says_so_beside_the_simpler_tree(kinds):
    subject = kinds.__bough_subject__(3)
    told = Note("B302", "9 of 99 leaves are based on fewer than 5 rows; treat them as hints")
    seen = replace(subject, evidence=replace(subject.evidence, notes=(told,)))
    n_leaves = subject.tree.n_leaves
    assert subject.smaller is not None
    assert f"treat them as hints (the tree with {n_leaves} leaves)" in text_of(page(seen))
    assert "(the tree with" not in text_of(page(replace(seen, simpler=None)))


def test_classes_of_few_test_rows_are_not_called_the_worst():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 8, 3_000)
    label = np.where(rng.random(3_000) < 0.2, rng.integers(0, 7, 3_000), np.minimum(x, 6))
    label = np.where((x == 7) & (rng.random(3_000) < 0.05), 9, label)
    result = bough.fit({"x": x, "y": rng.random(3_000), "label": label}, "label", max_depth=3)
    found = figures(result.__bough_subject__(3))
    counted = [line for line in [*found["lines"], *found["more"]] if line["n"] >= 5]
    assert len(found["more"]) > 0
    for line in found["lines"]:
        assert line["n"] >= 5 or line["unsaid"] == "never predicted"
    assert min(counted, key=lambda line: line["f1"]) in found["lines"]


def test_a_rule_has_the_shorter_side_and_says_of_missing_values_what_is_true(kinds):
    """Each condition in words is read back, and holds for the values that go there alone."""
    subject = kinds.__bough_subject__(3)
    read = 0
    for line in rules(subject)["lines"]:
        here = kinds.model.apply(TRAIN) == line["node"]
        for words in re.split(r" and (?=\(?(?:x|y|color|-?[\d.]+) )", line["conditions"]):
            if not (
                found := re.fullmatch(
                    r"\(?color (?:(=|known and not|not) ([a-h, ]+?))(,? or missing)?\)?", words
                )
            ):
                continue
            read += 1
            named, values = set(found[2].split(", ")), set(TRAIN["color"][here].dropna())
            assert len(named) <= len(MANY) / 2
            assert (values <= named) if found[1] == "=" else not (values & named)
            assert bool(TRAIN["color"][here].isna().any()) <= bool(found[3])
    assert read > 3


def test_words_of_a_condition():
    outlook = handmade.play_tennis().schema.features[0]
    from bough.explain.rules_and_conditions import Condition

    assert (
        condition_words(Condition(outlook, codes=(0,), may_be_missing=False))
        == "outlook = Overcast"
    )
    known = condition_words(Condition(outlook, codes=(0, 2), may_be_missing=False), ["outlook"])
    assert known == "outlook known and not Rain"


def test_a_tree_alone_says_that_nothing_was_measured():
    said = text_of(page(Subject(handmade.play_tennis())))
    assert "How well it predicts is not known" in said
    assert "What to check" not in said


@pytest.mark.parametrize(
    ("name", "figure", "worst"),
    [("kinds", "accuracy", -0.09), ("prices", "median_absolute_error", 0.09)],
)
def test_the_simpler_tree_comes_first_where_it_does_about_as_well(name, figure, worst, request):
    subject = request.getfixturevalue(name).__bough_subject__(3)
    evidence, simpler = subject.evidence, subject.evidence.simpler
    whole = evidence.test[figure]
    loss = 1 - whole.value if figure == "accuracy" else whole.value
    narrow = replace(whole, low=whole.value, high=whole.value)  # as with many test rows
    for off, is_first in ((0.0, True), (worst, True), (2 * worst, False), (-worst, True)):
        test = {figure: replace(narrow, value=whole.value + off * loss)}
        seen = replace(evidence, test=evidence.test | {figure: narrow})
        seen = replace(seen, simpler=replace(simpler, test=simpler.test | test))
        shown = replace(subject, evidence=seen).shown
        assert (shown.tree is subject.simpler) == is_first


def test_a_single_leaf_is_never_shown_first(kinds):
    subject = kinds.__bough_subject__(3)
    leaf = bough.DecisionTreeClassifier(min_samples_leaf=0.6).fit(
        TRAIN[["x", "y", "color"]], TRAIN["kind"]
    )
    shown = replace(subject, simpler=leaf.grown_tree_)
    assert leaf.get_n_leaves() == 1
    assert shown.shown is shown
