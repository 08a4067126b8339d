"""Honest leaves: queries from the training rows, shares from the development rows."""

import made_tables as made
import numpy as np
import pytest

import bough
from bough.encode import Labels
from bough.errors import ParameterError
from bough.grow import grow
from bough.learn.labelled_rows import LabelledRows
from bough.learn.tuning import with_honest_leaves
from bough.schema import Label
from bough.settings import Settings
from bough.table import read
from bough.walk import walk

LABEL = Label("y", ("a", "b"), "<U1")
SETTINGS = Settings(criterion="gini", max_depth=1)


def rows(x, y):
    table = read({"x": x})
    return LabelledRows(table, Labels((LABEL,), np.array([y], np.int32), None))


def honest(x, y):
    """Grow x < 2.5 from four rows, and fill the leaves with others."""
    learnt = rows([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1])
    tree = grow(learnt.table, learnt.labels, SETTINGS)
    return with_honest_leaves(tree, rows(x, y), SETTINGS, 1)


def test_queries_stay_and_shares_are_those_of_the_other_rows():
    tree = honest([0.0, 1.0, 2.0, 5.0, 6.0], [0, 0, 1, 1, 0])
    assert [step.answer for step in walk(tree)] == ["", "< 2.5", "≥ 2.5"]
    assert tree.tally[:, 0].tolist() == [[3, 2], [2, 1], [1, 1]]
    assert tree.n_rows.tolist() == [5, 3, 2]


def test_impurities_and_gains_are_those_of_the_other_rows():
    tree = honest([0.0, 1.0, 5.0, 6.0], [0, 0, 1, 0])
    assert tree.impurity.tolist() == [0.375, 0, 0.5]
    assert tree.gain.tolist() == [0.125, 0, 0]


def test_a_query_that_all_other_rows_answer_alike_is_not_asked():
    tree = honest([5.0, 6.0, 7.0], [0, 0, 1])
    assert tree.tally.tolist() == [[[2, 1]]]


TABLE = made.classes()


def test_a_result_has_the_shares_of_the_development_rows():
    result = bough.fit(TABLE, "label", probability="honest")
    assert result.grown_tree_.n_rows[0] == result.evidence.n_dev < result.evidence.n_train


def test_what_prunes_the_tree_is_saved_as_a_share_of_the_rows_that_grew_it():
    made_by = {"criterion": "gini", "prune": "cost_complexity", "seed": 2, "split": (0.5, 0.3, 0.2)}
    honest = bough.fit(TABLE, "label", probability="honest", **made_by)
    raw = bough.fit(TABLE, "label", refit=False, **made_by)
    assert honest.evidence.chosen == raw.evidence.chosen
    assert honest.model.ccp_alpha == raw.model.ccp_alpha > 0


def test_the_tree_is_not_grown_again():
    assert bough.fit(TABLE, "label", probability="honest").evidence.refit is False


def test_a_small_table_has_development_rows_all_the_same():
    evidence = bough.fit(made.classes(300), "label", probability="honest").evidence
    assert (evidence.folds, evidence.n_dev) == (0, 30)


def test_own_development_rows_fill_the_leaves():
    result = bough.fit(TABLE, "label", dev=made.classes(500, seed=3), probability="honest")
    assert result.grown_tree_.n_rows[0] == 500


def test_without_development_rows_there_are_no_honest_leaves():
    with pytest.raises(ParameterError) as error:
        bough.fit(TABLE, "label", probability="honest", split=(0.8, 0.0, 0.2))
    assert str(error.value) == (
        "split=(0.8, 0.0, 0.2) leaves no development rows, which probability='honest' needs. "
        "Give them a share, or a separate table: dev=…"
    )


def test_honest_leaves_need_not_go_one_way():
    with pytest.raises(ParameterError) as error:
        bough.fit(TABLE, "label", probability="honest", monotonic_cst={"size": 1})
    assert str(error.value) == (
        "probability='honest' smooths leaf values after growing, which can break the monotonic "
        "constraint. Use probability='raw', or leave monotonic_cst out."
    )
