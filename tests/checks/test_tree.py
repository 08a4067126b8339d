"""First questions that chance decided, and tiny leaves."""

import numpy as np
import pytest
from audit import class_labels, number_labels

from bough import _core
from bough.checks.target_labels import known_labels
from bough.checks.tree import FirstQuestion, _scores, first_question, tiny_leaves
from bough.grow import grow
from bough.settings import Settings
from bough.table import read

N = 400
CRITERIA = [(name, task) for name, task in _core.criteria().items()]


def sample(seed, strength_of_a, strength_of_b, n=N):
    """Return two questions and labels that agree with them as often as asked for."""
    random = np.random.default_rng(seed)
    labels = random.integers(0, 2, n)
    a = np.where(random.random(n) < strength_of_a, labels, 1 - labels)
    b = np.where(random.random(n) < strength_of_b, labels, 1 - labels)
    return FirstQuestion("a", a), FirstQuestion("b", b), labels


def labels_for(task, labels):
    if task == "classification":
        return class_labels(labels)
    return number_labels(1 + labels + np.random.default_rng(9).normal(size=len(labels)) / 10)


@pytest.mark.parametrize(("criterion", "task"), CRITERIA)
def test_the_lead_is_the_difference_of_the_gains(criterion, task):
    a, b, labels = sample(0, 0.8, 0.7)
    given = labels_for(task, labels)
    quantile = 0.5 if criterion == "quantile" else None
    settings = Settings(criterion=criterion, quantile=quantile, max_depth=1)
    gains = [grow(read({"x": each.answers}), given, settings).gain[0] for each in (a, b)]
    scores = [_scores(each.answers, known_labels(given), criterion).mean() for each in (a, b)]
    if criterion == "gain_ratio":  # a tree keeps the entropy gain
        entropies = [_entropy(each.answers) for each in (a, b)]
        assert np.allclose(scores, np.divide(gains, entropies))
    else:
        assert scores[0] - scores[1] == pytest.approx(gains[0] - gains[1])


def _entropy(answers):
    shares = np.bincount(answers) / len(answers)
    return -(shares @ np.log2(shares))


@pytest.mark.parametrize(("criterion", "task"), CRITERIA)
def test_the_chance_of_the_runner_up_is_that_of_new_samples(criterion, task):
    wins, chances = [], []
    for seed in range(300):
        a, b, labels = sample(seed, 0.75, 0.72)
        known = known_labels(labels_for(task, labels))
        lead = _scores(a.answers, known, criterion) - _scores(b.answers, known, criterion)
        wins.append(lead.mean())
        chances.append(lead.std() / np.sqrt(N))
    assert np.mean(chances) == pytest.approx(np.std(wins), rel=0.15)


def test_a_close_runner_up_is_named():
    a, b, labels = sample(3, 0.8, 0.79)
    (note,) = first_question(a, b, class_labels(labels), "gini")
    assert note.columns == ("a", "b")
    assert note.text == (
        "The first question is unstable: on another sample of this size, b would be chosen about "
        "1 time in 4"
    )


def test_a_criterion_without_a_formula_gives_no_note():
    a, b, labels = sample(3, 0.8, 0.79)
    assert first_question(a, b, class_labels(labels), "a new one") == []


def test_a_far_runner_up_is_not_named():
    a, b, labels = sample(0, 0.9, 0.6)
    assert first_question(a, b, class_labels(labels), "gini") == []


def test_a_runner_up_that_asks_the_same_is_named():
    a, _, labels = sample(0, 0.9, 0.6)
    (note,) = first_question(a, FirstQuestion("c", 1 - a.answers), class_labels(labels), "entropy")
    assert (
        note.text == "The first question is a toss-up: c tells these rows apart just as well as a"
    )


def test_a_perfect_question_is_not_unstable_beside_a_useless_one():
    _, _, labels = sample(0, 0.5, 0.5)
    useless = FirstQuestion("b", np.arange(N) % 2)
    assert first_question(FirstQuestion("a", labels), useless, class_labels(labels), "error") == []


def test_weight_three_is_three_rows_for_the_lead_but_not_for_its_error():
    a, b, labels = sample(2, 0.8, 0.78)
    weighted = first_question(a, b, class_labels(labels, np.full(N, 3.0)), "gini")
    assert weighted == first_question(a, b, class_labels(labels), "gini")


def test_many_tiny_leaves_are_counted(play_tennis_tree):
    (note,) = tiny_leaves(play_tennis_tree)
    assert note.text == ("5 of 5 leaves are based on fewer than 5 rows; treat them as hints")
    assert note.fix == {"choose": "simple"}


def test_large_leaves_are_not_named():
    labels = class_labels([0, 1] * 10)
    assert (
        tiny_leaves(grow(read({"x": np.arange(20) % 2}), labels, Settings(criterion="gini"))) == []
    )


@pytest.mark.parametrize(("n_large", "n_notes"), [(3, 1), (4, 0)])
def test_a_quarter_of_tiny_leaves_is_named_and_fewer_are_not(n_large, n_notes):
    values = np.append(np.repeat(np.arange(n_large), 5), n_large)  # the last has one row
    tree = grow(read({"x": values}), number_labels(values**2), Settings(criterion="squared_error"))
    assert sorted(tree.n_rows[tree.feature < 0].tolist()) == [1] + [5] * n_large
    assert len(tiny_leaves(tree)) == n_notes
