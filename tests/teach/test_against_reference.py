"""Walkthroughs of random tables say what the reference says: questions, ties, and reasons of leaves."""

import pytest
from taught_tables import reference_nodes, taught_table, whole

import bough.reference as ref
from bough.reference_impurity import TIE
from bough.teach import walkthrough
from bough.teach.walkthrough import ALIKE, EQUAL

CLASSES = ("entropy", "gini", "error", "gain_ratio")
NUMBERS = ("squared_error", "absolute_error")
SEEDS = range(20)


def grown(seed, criterion, **settings):
    numbers = criterion in NUMBERS
    columns, labels = taught_table(seed, numbers=numbers)
    task = "regression" if numbers else "classification"
    growth = walkthrough(
        whole(columns, labels), "label", task=task, ignore="B103", criterion=criterion, **settings
    )
    table, nodes = reference_nodes(columns, labels, criterion=criterion, **settings)
    return growth, table, nodes


@pytest.mark.parametrize("criterion", CLASSES + NUMBERS)
@pytest.mark.parametrize("settings", [{}, {"max_depth": 2}, {"categorical": "group"}], ids=str)
def test_every_node_is_that_of_the_reference(criterion, settings):
    for seed in SEEDS:
        growth, _, nodes = grown(seed, criterion, **settings)
        assert len(growth.steps) == len(nodes), seed
        for step, node in zip(growth.steps, nodes, strict=True):
            assert list(step.rows) == node.rows, seed
            assert step.impurity == pytest.approx(float(node.impurity), abs=1e-12)
            assert step.guess == (node.guess if growth.classes else float(node.guess))
            assert (step.asks is None) == (node.query is None)
            if node.query is not None:
                assert step.asks.feature == node.query.column, seed
                assert step.asks.pivot == node.query.pivot
                assert step.asks.gain == pytest.approx(float(node.gain), abs=1e-12)


def rivals(table, node, criterion):
    """List the queries that are equally good, by error rate before Gini decides."""
    if criterion != "error":
        return node.tied
    found = ref.candidates(table, node, ref.Settings(criterion=criterion))
    least = max(each.gain for each in found) - TIE * node.impurity
    return [each for each in found if each.gain >= least]


@pytest.mark.parametrize("criterion", CLASSES + NUMBERS)
def test_ties_are_those_of_the_reference(criterion):
    n_ties = 0
    for seed in SEEDS:
        growth, table, nodes = grown(seed, criterion)
        for step, node in zip(growth.steps, nodes, strict=True):
            if step.asks is None:
                assert step.tie is None
                continue
            tied = rivals(table, node, criterion)
            assert (step.tie is not None) == (len(tied) > 1), seed
            if step.tie is not None:
                n_ties += 1
                features = {words.split(" ")[0] for words in step.tie.questions}
                assert features == {each.query.column for each in tied}
                assert step.tie.questions[0] == step.asks.words
                columns = {each.query.column for each in node.tied}
                by_order = "column" in step.tie.reason
                assert by_order == (len(columns) > 1), (seed, step.tie)
                assert ("Gini" in step.tie.reason) == (len(tied) > len(node.tied))
    assert n_ties > 2


@pytest.mark.parametrize("criterion", ["entropy", "squared_error"])
@pytest.mark.parametrize("max_depth", [None, 1])
def test_the_reasons_of_leaves_are_true(criterion, max_depth):
    seen = set()
    for seed in SEEDS:
        growth, table, nodes = grown(seed, criterion, max_depth=max_depth)
        for step, node in zip(growth.steps, nodes, strict=True):
            if step.asks is not None:
                assert step.leaf_reason == ""
            elif len(node.tally) == 1:
                assert step.leaf_reason == EQUAL
            elif node.depth == max_depth:
                assert step.leaf_reason == "depth 1 is reached"
            else:
                assert step.leaf_reason == ALIKE
                assert ref.candidates(table, node, ref.Settings(criterion=criterion)) == []
            seen.add(step.leaf_reason)
    assert len(seen) >= 3


@pytest.mark.parametrize("criterion", CLASSES + NUMBERS)
def test_each_feature_has_its_best_question_and_all_its_pivots(criterion):
    for seed in SEEDS[:10]:
        growth, table, nodes = grown(seed, criterion)
        settings = ref.Settings(criterion=criterion)
        for step, node in zip(growth.steps, nodes, strict=True):
            found = ref.candidates(table, node, settings) if step.asks else []
            for each in step.features:
                own = [one for one in found if one.query.column == each.feature]
                assert (each.best is None) == (not own)
                if not own:
                    continue
                assert each.best.gain == pytest.approx(float(max(o.gain for o in own)), abs=1e-12)
                pivots = sorted({o.query.pivot for o in own if o.query.pivot is not None})
                assert [pivot.pivot for pivot in each.pivots] == pivots
                for pivot in each.pivots:
                    best = max(o.gain for o in own if o.query.pivot == pivot.pivot)
                    assert pivot.gain == pytest.approx(float(best), abs=1e-12)


@pytest.mark.parametrize("criterion", CLASSES)
def test_what_other_criteria_would_ask_is_what_they_ask(criterion):
    for seed in SEEDS[:10]:
        first = grown(seed, criterion)[0].steps[0]
        for other in first.others:
            asks = grown(seed, other.criterion)[0].steps[0].asks
            assert (other.question, other.feature) == (asks.words, asks.feature)
