"""What the sections of a report tell."""

import re
from dataclasses import replace

import handmade
import made_tables as made
import numpy as np
import pytest

import bough
from bough.evidence import Calibration, CalibrationBin, Estimate, Stop
from bough.explain.importances_and_shap_values import importances
from bough.explain.rules_and_conditions import Condition
from bough.histograms import Histogram
from bough.losses.intervals import wilson
from bough.report.class_errors import confusion
from bough.report.columns import data, label_words, shuffled
from bough.report.first_screen import headline
from bough.report.mistakes import calibration_sentences, errors, rule_words
from bough.report.page import areas, importance, method, page, rules
from bough.report.script_data import drawn_data, legend
from bough.report.subject import Stops, Subject
from bough.report.tree_size import depth
from bough.result_words import sentences
from bough.words import share


@pytest.fixture(scope="module")
def penguins():
    table = bough.datasets.load("penguins")
    return bough.fit({**table.features, "species": table.labels}, "species").__bough_subject__(3)


@pytest.fixture(scope="module")
def masses():
    table = bough.datasets.load("penguins")
    return bough.fit(table.features, "body_mass_g").__bough_subject__(3)


@pytest.mark.parametrize(
    ("n_leaves", "words"),
    [
        (1, "A single leaf"),
        (2, "A 2-leaf tree"),
        (8, "An 8-leaf tree"),
        (18, "An 18-leaf tree"),
        (81, "An 81-leaf tree"),
    ],
)
def test_the_headline_is_good_english(n_leaves, words):
    assert headline(Subject(handmade.chain(n_leaves - 1)))["leaves"] == words


def test_a_column_that_is_never_asked_about_is_named(penguins):
    found = importance(penguins)
    assert "sex" in found["unused"]
    assert found["used"][0]["share"] == max(importances(penguins.tree).values())
    html = page(replace(penguins, evidence=None))
    matters = html[html.index('id="matters"') :]
    assert re.search(r'<rect width="([\d.]+)"', matters)[1] == "100.0"


def test_regions_need_two_numbers():
    assert areas(Subject(handmade.play_tennis())) is None
    assert areas(Subject(handmade.two_outputs())) is None


def test_rules_come_in_the_order_of_their_rows(penguins):
    rows = [line["n_rows"] for line in rules(penguins)["lines"]]
    assert rows == sorted(rows, reverse=True)
    assert sum(rows) == penguins.tree.n_rows[0]


def test_the_test_rows_of_all_rules_are_all_that_came_to_a_leaf(penguins):
    lines = rules(penguins)["lines"]
    leaves = {node for node in range(len(penguins.tree)) if penguins.tree[node].is_leaf}
    stopped = sum(stop.n for stop in penguins.evidence.stops if stop.node in leaves)
    assert sum(line["n_test"] for line in lines) == stopped


def test_a_long_list_of_values_is_cut_short():
    feature = handmade.choice("port", *(f"harbour {number}" for number in range(60)))
    condition = Condition(feature, codes=tuple(range(60)), may_be_missing=False)
    assert rule_words([condition]) == "port = harbour 0, harbour 1, harbour 2, harbour 3…"


def test_the_columns_say_what_they_are_for(penguins):
    roles = {line["name"]: line["role"] for line in data(penguins)["lines"]}
    assert roles["species"] == "target"
    assert roles["flipper_length_mm"] == "used"
    assert roles["sex"] == "not used"


def test_a_model_alone_knows_its_features(penguins):
    found = data(Subject(penguins.tree))
    assert not found["is_whole"]
    assert not found["has_pictures"]
    (line,) = [line for line in found["lines"] if line["name"] == "island"]
    told = {"kind": "category", "missing": "", "values": "Biscoe, Dream, Torgersen", "role": "used"}
    assert told.items() <= line.items()


def test_a_long_list_of_columns_is_folded():
    rng = np.random.default_rng(3)
    table = {f"column {number}": rng.normal(size=300) for number in range(60)}
    labels = [int(sum(values[:20]) > 0) for values in zip(*table.values(), strict=True)]
    tree = bough.DecisionTreeClassifier(random_state=0).fit(table, labels).grown_tree_
    found = importance(Subject(tree))
    asked = len(set(tree.feature[tree.feature >= 0].tolist()))
    assert (len(found["used"]), len(found["more"])) == (15, asked - 15)
    assert found["is_long"] == (60 - asked > 20)


def test_what_shows_as_nothing_is_not_told(penguins):
    evidence = replace(penguins.evidence, unavoidable=0.0004)
    assert not any("differ only in the answer" in each for each in sentences(evidence))
    evidence = replace(penguins.evidence, unavoidable=0.0006)
    assert any("get below 0.1 % wrong" in each for each in sentences(evidence))


def test_rules_of_scores_have_the_relevance_of_the_test_rows(penguins):
    tree = handmade.ranked()
    leaf = next(node.id for node in tree if node.is_leaf)
    evidence = replace(penguins.evidence, stops=(Stop(leaf, 6, (6.0, 9.0, 15.0)),))
    found = rules(Subject(tree, evidence))
    assert (found["certainty"], found["on_test"]) == ("", "relevance on test rows")
    assert "1.5" in [line["test"] for line in found["lines"]]


def test_the_method_tells_how_the_tree_was_chosen(penguins):
    assert method(penguins)["where"] == "in cross-validation"
    assert method(penguins)["n_settings"] == 6  # four, and the best of these with larger leaves


def test_the_chosen_size_is_marked_once(penguins):
    found = depth(penguins)
    assert [line["is_chosen"] for line in found["lines"]].count(True) == 1
    assert [line["is_chosen"] for line in found["others"]].count(True) == 1
    assert found["chart"].count("</svg>") == 1


def test_a_leaf_has_no_curve(penguins):
    evidence = penguins.evidence
    alone = replace(evidence, curve=(evidence.chosen,))
    assert depth(replace(penguins, evidence=alone))["chart"] == ""


def test_the_table_of_guesses_adds_up_to_the_test_rows(penguins):
    cells = [cell["words"] for line in errors(penguins)["confusion"] for cell in line["cells"]]
    assert sum(map(int, filter(None, cells))) == penguins.evidence.n_test
    assert "0" not in cells


def test_predictions_that_are_told_together_have_no_colour_of_right_or_wrong(penguins):
    seen = [(0, 0, 20.0), (1, 1, 3.0), (2, 2, 20.0), (2, 1, 1.0)]
    known = {name: each for name, each in penguins.evidence.test.items() if ":" not in name}
    evidence = replace(penguins.evidence, confusion=tuple(seen), test=known)
    found = confusion(penguins, evidence)
    assert (found["guesses"], found["rare"]) == (["Gentoo", "others"], ["Adelie", "Chinstrap"])
    looks = {line["name"]: [cell["look"] for cell in line["cells"]] for line in found["confusion"]}
    assert looks["Adelie"] == looks["Chinstrap"] == ["", ""]
    assert looks["Gentoo"] == ["right level-5", "wrong level-1"]
    assert (
        "Others: <bdi>Adelie, Chinstrap</bdi>, counted together, as some of them are predicted for "
        "few rows. For rows "
        "of these classes the column has no colour, as their predictions there may be right or wrong."
    ) in page(replace(penguins, evidence=evidence))


def test_changes_have_one_precision_and_grow_from_left_to_right(penguins, masses):
    ranked = bough.fit(
        made.relevances(), "stars", task="ranking", group="search"
    ).__bough_subject__(3)
    for subject in (penguins, masses, ranked):
        found = shuffled(subject)
        words = [[line["worth"], *line["interval"].split(" to ")] for line in found["lines"]]
        decimals = {len(each.partition(".")[2]) for line in words for each in line}
        assert len(decimals) == 1
        for worth, low, high in words:
            values = [float(each.replace("−", "-").replace(",", "")) for each in (low, worth, high)]
            assert values == sorted(values)
            assert not {"+0", "−0"} & {each.rstrip("0").rstrip(".") for each in (low, worth, high)}
    assert shuffled(ranked)["what"] == "NDCG@10 lost"
    assert not any("+" in line["worth"] + line["interval"] for line in shuffled(ranked)["lines"])
    assert shuffled(masses)["lines"][0]["worth"].startswith("+")


@pytest.mark.parametrize(
    ("factor", "form"),
    [(1e-15, r"[+−]\d\.\d\de-\d\d|0"), (1e14, r"[+−]\d\.\d\de[+]\d\d|0"), (1, r"[+−][\d,]+|0")],
)
def test_changes_of_labels_of_any_size_have_one_form(factor, form, masses):
    found = shuffled(scaled(masses, factor))
    told = [[each["worth"], *each["interval"].split(" to ")] for each in found["lines"]]
    assert all(re.fullmatch(form, each) for line in told for each in line)
    assert "0" not in [line[0] for line in told[:2]]
    values = [float(line[0].replace("−", "-").replace(",", "")) for line in told]
    whole = shuffled(masses)["lines"]
    wanted = [float(line["worth"].replace("−", "-").replace(",", "")) for line in whole]
    assert values[0] == pytest.approx(factor * wanted[0], rel=0.01)


def scaled(subject, factor):
    """The same with labels of another unit."""

    def times(each):
        value, low, high = (factor**2 * end for end in (each.value, each.low, each.high))
        return replace(each, value=value, low=low, high=high)

    evidence = subject.evidence
    columns = [
        each if each.importance is None else replace(each, importance=times(each.importance))
        for each in evidence.columns
    ]
    test = evidence.test | {"squared_error": times(evidence.test["squared_error"])}
    return replace(subject, evidence=replace(evidence, columns=tuple(columns), test=test))


def test_the_target_says_how_many_labels_lie_beyond_its_histogram(masses):
    labels = bough.datasets.load("penguins").features["body_mass_g"]
    weights = np.array([each for each in labels if each is not None and each == each], float)
    first, last = masses.evidence.labels.edges[0], masses.evidence.labels.edges[-1]
    (line,) = [each for each in data(masses)["lines"] if each["role"] == "target"]
    below, beyond = (f"{100 * part.mean():.0f} %" for part in (weights < first, weights >= last))
    first, last = (f"{int(each):,}" for each in (first, last))
    assert line["values"] == f"{below} are below {first}, {beyond} are {last} or more"


@pytest.mark.parametrize(
    ("edges", "first", "last"),
    [
        ((10_000.05, 10_000.1, 10_000.45), "10,000.05", "10,000.45"),
        ((0.5, 1.012), "0.5", "1.012"),
        ((1_012.0,), "1,012", "1,012"),
        ((100_000.0, 500_000.0), "100,000", "500,000"),
    ],
)
def test_the_edges_of_bins_of_labels_keep_their_digits(masses, edges, first, last):
    labels = Histogram((17, *[78] * (len(edges) - 1), 5), edges)
    seen = replace(masses, evidence=replace(masses.evidence, labels=labels))
    (line,) = [each for each in data(seen)["lines"] if each["role"] == "target"]
    below, beyond = (share(each / sum(labels.counts)) for each in (17, 5))
    assert line["values"] == f"{below} are below {first}, {beyond} are {last} or more"
    words = label_words(labels, ())
    assert (words[0], words[-1]) == (f"< {first}", f"≥ {last}")
    assert words[0][2:] in words[1]


def test_the_mark_below_the_labels_of_a_ranking_is_their_mean():
    table, test = made.relevances(), made.relevances(seed=1)
    test["search"] = [f"other {each}" for each in test["search"]]
    result = bough.fit(table, "stars", task="ranking", group="search", test=test)
    subject = result.__bough_subject__(3)
    at, stars, found = result.model.apply(table), np.array(table["stars"]), drawn_data(subject)
    for node in np.unique(at):
        assert found["middles"][node] == pytest.approx(stars[at == node].mean(), rel=1e-3)
    assert any(words.endswith("▲ mean") for _, words in legend(subject))


def test_what_was_cross_validated_is_not_called_development(penguins):
    assert ">cross-validation</text>" in depth(penguins)["chart"]
    assert "development<" not in depth(penguins)["chart"] + depth(penguins)["learning"]


@pytest.mark.parametrize(
    ("n_rows", "given", "came_true", "says"),
    [
        (60, 0.55, 0.9, "Probabilities are too low: 55 % on average, and 90 % came true."),
        (60, 0.9, 0.55, "Probabilities are too high: 90 % on average, and 55 % came true."),
        (
            50_000,
            0.897,
            0.9041,
            "Probabilities are too low: 89.7 % on average, and 90.4 % came true.",
        ),
        (
            60_000,
            0.9993,
            0.99966,
            "Probabilities are too low: 99.93 % on average, and 99.97 % came true.",
        ),
        (60, 0.85, 0.9, "60 test rows are too few to check the probabilities."),
        (20, 0.55, 0.9, "20 test rows are too few to check the probabilities."),
    ],
)
def test_probabilities_that_are_off_in_all_are_told(penguins, n_rows, given, came_true, says):
    seen = Estimate(came_true, *wilson(came_true, n_rows / 5), n_rows // 5)
    bins = tuple(CalibrationBin(given, given, given, seen) for _ in range(5))
    evidence = replace(
        penguins.evidence, calibration=Calibration(None, bins, abs(given - came_true))
    )
    assert calibration_sentences(evidence, penguins.tree) == [says]


@pytest.mark.parametrize(
    ("given", "seen", "says"),
    [
        (
            0.55,
            0.9,
            "Probabilities of 'Yes' are too low: 55 % on average, while 90 % of the test rows were 'Yes'.",
        ),
        (
            0.9,
            0.55,
            "Probabilities of 'Yes' are too high: 90 % on average, while 55 % of the test rows were 'Yes'.",
        ),
    ],
)
def test_of_two_classes_it_is_said_whose_probabilities_are_off_in_all(penguins, given, seen, says):
    found = Estimate(seen, *wilson(seen, 12), 12)
    bins = tuple(CalibrationBin(given, given, given, found) for _ in range(5))
    calibration = Calibration(1, bins, abs(given - seen))
    tree = handmade.play_tennis()
    assert tree.schema.labels[0].classes[1] == "Yes"
    evidence = replace(penguins.evidence, calibration=calibration)
    assert calibration_sentences(evidence, tree) == [says]


def test_without_test_rows_nothing_is_said_of_errors():
    assert errors(Subject(handmade.play_tennis())) is None


def test_worst_leaves_come_first(penguins):
    tree = handmade.play_tennis()
    stops = (Stop(1, 8, (2.0, 6.0)), Stop(4, 9, (3.0, 6.0)), Stop(5, 2, ()))
    evidence = replace(penguins.evidence, stops=stops, confusion=(), columns=(), calibration=None)
    found = errors(Subject(tree, evidence))["leaves"]
    assert [(leaf["guess"], leaf["n_test"], leaf["found"]) for leaf in found] == [
        ("No", "9", "33 %"),
        ("Yes", "8", "75 %"),
    ]


def test_the_rows_of_children_add_up_to_those_of_their_parent():
    tree = handmade.play_tennis()
    stops = Stops(tree, [Stop(1, 5, (1.0, 4.0)), Stop(2, 1, ()), Stop(4, 9, (3.0, 6.0))])
    assert stops.n_reached.tolist() == [15, 5, 10, 0, 9, 0, 0, 0]
    assert stops.reached[0].tolist() == [4.0, 10.0]
    assert stops.words(0, 3) == "14 of 15 test rows: 71 % are Yes"


def test_of_fewer_than_five_test_rows_only_the_number_is_told():
    tree = handmade.play_tennis()
    stops = Stops(tree, [Stop(1, 4, (1.0, 3.0)), Stop(4, 9, (3.0, 6.0))])  # as older files have it
    assert stops.words(1, 3) == "4 test rows, too few to say more"
    assert stops.right(1) is None


def test_numbers_are_compared_with_the_mean_and_the_spread_of_the_test_rows():
    tree = handmade.one_of()
    stops = Stops(tree, [Stop(2, 6, (6.0, 900.0, 135_600.0))])
    guess = tree.guess[2, 0]
    assert stops.mean(2) == 150.0
    assert stops.error(2) == pytest.approx(np.hypot(140 - guess, 160 - guess) / np.sqrt(2))
    assert stops.words(2, 3).startswith("6 test rows, mean 150, ± ")


def test_a_leaf_whose_test_rows_have_other_classes_has_test_rows(penguins):
    tree = penguins.tree
    node = next(each.id for each in tree if each.is_leaf)
    stop = Stop(node, 7, (0.0,) * tree.tally.shape[2], told=7)
    seen = replace(penguins, evidence=replace(penguins.evidence, stops=(stop,)))
    assert drawn_data(seen)["leaf"][node].endswith(" · test: 7 rows")
    assert seen.stops.words(node, 3) == "7 test rows"
    assert seen.stops.right(node) is None
