"""The diagnosis in words: no verdict without evidence."""

from dataclasses import replace

import made_tables as made
import pytest

import bough
from bough.evidence import Candidate, Estimate, Simpler
from bough.result_words import sentences

EVIDENCE = bough.fit(made.classes(300), "label").evidence


def estimate(value, n=1000, reach=0.01):
    return Estimate(value, max(value - reach, 0.0), value + reach, n)


def tree(n_leaves, train=0.1, dev=0.2):
    return Candidate("gini", "each", None, "error", 1.0, n_leaves, train, dev, 0.01)


def found(
    train,
    test,
    *,
    dev=None,
    n=1000,
    n_dev=1000,
    smaller=None,
    on_test=0.2,
    leaves=(1, 5, 40, 90),
    **others,
):
    """Return the sentences about a tree of 40 leaves."""
    evidence = replace(
        EVIDENCE,
        chosen=tree(40),
        curve=tuple(map(tree, leaves)),
        train={"error": estimate(train)},
        dev={"error": estimate(test if dev is None else dev, n_dev)},
        test={"error": estimate(test, n)},
        simpler=None
        if smaller is None
        else Simpler(tree(smaller, dev=0.205), smaller, {"error": estimate(on_test)}),
        unavoidable=None,
        **others,
    )
    return sentences(evidence)


@pytest.mark.parametrize(
    ("train", "test", "facts", "expected"),
    [
        (
            0.14,
            0.145,
            {},
            "14.5 % wrong on test rows, 14.0 % on training rows: the gap is within chance.",
        ),
        (
            0.15,
            0.145,
            {},
            "14.5 % wrong on test rows, 15.0 % on training rows: no sign of overfitting.",
        ),
        (0.15, 0.145, {"smaller": 5}, "14.5 % wrong on test rows, 15.0 % on training rows."),
        (
            0.14,
            0.145,
            {"smaller": 5},
            "14.5 % wrong on test rows, 14.0 % on training rows: the gap is within chance.",
        ),
        (
            0.14,
            0.145,
            {"dev": 0.2},
            "14.5 % wrong on test rows, 14.0 % on training rows: the gap is within chance, but 20.0 % in "
            "cross-validation shows a real gap.",
        ),
        (
            0.15,
            0.145,
            {"dev": 0.2},
            "14.5 % wrong on test rows, 15.0 % on training rows, but 20.0 % in cross-validation shows a "
            "real gap.",
        ),
        (0.12, 0.141, {}, "14.1 % wrong on test rows, 12.0 % on training rows: a normal gap."),
        (
            0.12,
            0.141,
            {"smaller": 5},
            "14.1 % wrong on test rows, 12.0 % on training rows: a normal gap.",
        ),
        (
            0.02,
            0.2,
            {},
            "20.0 % wrong on test rows, 2.0 % on training rows: a large gap, but much smaller trees do "
            "worse in cross-validation.",
        ),
        (
            0.02,
            0.2,
            {"smaller": 5},
            "20.0 % wrong on test rows, 2.0 % on training rows: a large gap, but no smaller tree is "
            "clearly better.",
        ),
        (
            0.02,
            0.2,
            {"smaller": 5, "on_test": 0.15},
            "20.0 % wrong on test rows, 2.0 % on training rows. It overfits: a tree of 5 leaves is "
            "better on test rows.",
        ),
        (
            0.02,
            0.2,
            {"n_dev": 12},
            "20.0 % wrong on test rows, 2.0 % on training rows: a large gap. 12 development rows cannot "
            "tell whether a smaller tree would be better.",
        ),
        (0.0, 0.015, {}, "1.5 % wrong on test rows, 0.0 % on training rows: a small gap."),
        (
            0.02,
            0.2,
            {"leaves": (30, 40, 90)},
            "20.0 % wrong on test rows, 2.0 % on training rows: a large gap.",
        ),
        (
            0.0,
            1 / 3,
            {"n": 3},
            "Cannot tell from 3 test rows whether it overfits: 33.3 % wrong there, 0.0 % on training "
            "rows.",
        ),
        (
            0.14,
            0.145,
            {"leaves": (1, 5, 40)},
            "14.5 % wrong on test rows, 14.0 % on training rows. It may underfit: the largest tree did "
            "best.",
        ),
    ],
)
def test_a_verdict_needs_evidence(train, test, facts, expected):
    assert found(train, test, **facts)[0] == expected


@pytest.mark.parametrize(
    ("n_dev", "expected"),
    [
        (
            1,
            "Cannot tell from 1 development row whether any question helps: a single leaf did best on them.",
        ),
        (500, "No question helps: the best tree is a single leaf, which always predicts the same."),
    ],
)
def test_that_nothing_helps_needs_evidence(n_dev, expected):
    evidence = replace(EVIDENCE, chosen=tree(1), simpler=None, dev={"error": estimate(0.3, n_dev)})
    assert sentences(evidence)[0] == expected


def test_a_much_smaller_tree_that_does_as_well_is_named():
    assert found(0.12, 0.2, smaller=5)[1] == (
        "A tree of 5 leaves does about as well: 20.5 % wrong in cross-validation, against 20.0 % (within "
        "one standard error). To get it: choose='simple'."
    )


def test_what_to_type_is_an_option_on_the_command_line():
    evidence = replace(EVIDENCE, simpler=Simpler(tree(5), 5, {"error": estimate(0.2)}))
    assert sentences(evidence, cli=True)[1].endswith("To get it: --choose simple.")


def test_a_limit_that_allows_no_question_is_named():
    evidence = bough.fit(made.classes(300), "label", max_depth=0).evidence
    assert sentences(evidence, cli=True)[0] == (
        "A single leaf, which always predicts the same: --max-depth 0 allows no question."
    )


def test_the_largest_tree_that_a_limit_allows_is_not_the_largest():
    texts = found(0.14, 0.145, leaves=(1, 5, 40), limits={"max_leaves": 40})
    assert texts[0].endswith(
        "It may underfit: the largest tree that max_leaves=40 allows did best."
    )


def test_a_single_leaf_has_no_figures_that_say_nothing():
    result = bough.fit(made.classes(300), "label", max_depth=0)
    assert "AUC" not in str(result)
    assert "best of" not in str(result)
    birds = bough.datasets.load("penguins")
    table = {**birds.features, "species": birds.labels}
    assert "recall" not in str(bough.fit(table, "species", max_depth=0))


def test_where_nothing_is_left_to_gain_more_rows_do_not_help():
    step = Estimate(-0.001, -0.002, -0.0005, 1000)
    texts = found(0.0, 0.0, learning=((50, 0.001), (100, 0.0)), learning_step=step)
    assert texts[-1].startswith("More rows would hardly help: 0.1 % wrong")


@pytest.mark.parametrize(
    ("dev", "time", "expected"),
    [
        (0.2, None, None),
        (0.21, None, "this may be chance. Expect something between the two."),
        (0.1, None, "more than chance explains. Go by the test rows."),
        (0.1, "day", "more than chance explains: newer rows may differ. Go by the test rows."),
        (0.3, None, "more than chance explains. Expect something between the two."),
    ],
)
def test_folds_and_test_rows_are_reconciled(dev, time, expected):
    said = [each for each in found(0.19, 0.2, dev=dev, time=time) if "on the test rows" in each]
    start = f"{100 * dev:.1f} % wrong in cross-validation, 20.0 % on the test rows"
    assert [each.removeprefix(start).lstrip(",: ") for each in said] == (
        [expected] if expected else []
    )


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (Estimate(-0.02, -0.03, -0.01, 200), "More rows would probably help"),
        (Estimate(-0.001, -0.01, 0.01, 200), "More rows would hardly help"),
        (Estimate(-0.01, -0.05, 0.01, 200), "Cannot tell whether more rows would help"),
        (Estimate(-0.2, -0.3, -0.1, 20), "Cannot tell whether more rows would help"),
    ],
)
def test_more_rows_would_help_only_if_that_can_be_told(step, expected):
    said = found(0.19, 0.2, learning=((50, 0.21), (100, 0.2)), learning_step=step)[-1]
    assert said == (f"{expected}: 21.0 % wrong with 50 training rows, 20.0 % with 100.")


def test_a_simpler_tree_is_kept_and_can_be_used(tmp_path):
    table = made.classes(noise=0.35)
    result = bough.fit(table, "label", refit=False)
    kept, figures = result.simpler, result.evidence.simpler
    assert 2 * figures.chosen.n_leaves <= result.evidence.chosen.n_leaves
    assert figures.chosen.dev <= result.evidence.chosen.dev + result.evidence.chosen.dev_error
    assert kept.get_n_leaves() == figures.n_leaves
    assert figures.chosen in result.evidence.curve
    kept.save(tmp_path / "simpler.bough.json")
    again = bough.load(tmp_path / "simpler.bough.json")
    columns = {name: table[name] for name in ("size", "color", "junk")}
    assert list(again.predict(columns)) == list(kept.predict(columns))
    assert f"A tree of {figures.n_leaves} leaves does about as well" in str(result)
    simple = bough.fit(table, "label", refit=False, choose="simple")
    assert bough.draw(kept) == bough.draw(simple)
    assert simple.simpler is None


@pytest.mark.usefixtures("large_from_2000")
def test_training_losses_are_those_of_the_tree_that_is_shown():
    table = made.classes(2500)
    result = bough.fit(table, "label")
    assert result.evidence.refit
    assert result.train["error"].n == result.grown_tree_.n_rows[0]
