"""Twenty questions: the same guess as predict, and a fair one where something is not known."""

import handmade
import numpy as np
import pytest
from handmade import branch, choice, leaf, make_tree
from probed_trees import SEEDS, probed

from bough import DecisionTreeRegressor
from bough.errors import ParameterError
from bough.explain.rules_and_conditions import cell_of, is_unseen, plain_cell
from bough.interview import Interview
from bough.predict import said_of, stops
from bough.query_kinds import Below, EachValue, IsMissing, OneOf
from bough.schema import MISSING_INTEGER, Feature, Kind, Label, Part, Schema
from bough.table.dates import WEEKDAYS

DAY = 24 * 60 * 60 * 1_000_000
AGE = Feature("age", Kind.NUMBER, 0)
SEX = choice("sex", "f", "m", column=1)
PORT = choice("port", "Bonn", "Cork", "Kiel", column=2)
WHEN = Feature("when", Kind.DATE, 3)
WEEKDAY = Feature("when weekday", Kind.ORDERED, 3, Part.WEEKDAY, WEEKDAYS)
FEATURES = (AGE, SEX, PORT, WHEN, WEEKDAY)
COLUMNS = ("age", "sex", "port", "when")
CLASSES = Schema(COLUMNS, FEATURES, (Label("y", ("no", "yes"), "<U3"),))
NUMBERS = Schema(COLUMNS, FEATURES, (Label("y"),))


def titanic():
    """Make a tree that asks about age twice, and about the port below one sex only."""
    return make_tree(
        CLASSES,
        branch(
            EachValue(SEX, (0, 1)),
            branch(EachValue(PORT, (0, 2)), leaf(1, 1, 1), leaf(1, 0)),
            branch(
                Below(AGE, 11.0, missing=1),
                leaf(1, 0, 0),
                branch(Below(AGE, 60.0, missing=0), leaf(0, 0, 0, 0, 0, 1), leaf(1)),
            ),
        ),
    )


def asked(interview):
    return interview.question.feature


def answer_by(interview, table, row):
    """Answer every question with the value of a row."""
    number = {feature.name: i for i, feature in enumerate(table.features)}
    while not interview.is_over:
        feature = number[interview.question.feature]
        cell = cell_of(table, feature, row)
        interview.answer(plain_cell(table.features[feature], cell))


@pytest.mark.parametrize("seed", SEEDS)
def test_an_interview_answered_with_the_values_of_a_row_ends_at_the_guess_of_predict(seed):
    tree, *tables = probed(seed)
    for table in tables:
        for row, stop in enumerate(stops(tree, table).tolist()):
            if any(is_unseen(table, number, row) for number in range(len(table.features))):
                continue
            interview = Interview(tree)
            answer_by(interview, table, row)
            assert interview.result.guess == tree[stop].guess


@pytest.mark.parametrize("seed", range(60))
def test_missing_values_are_weighed_where_the_model_does(seed):
    tree, _, table = probed(seed)
    said, places = said_of(tree, table, missing="weigh")
    for row, place in enumerate(places.tolist()):
        if any(is_unseen(table, number, row) for number in range(len(table.features))):
            continue
        interview = Interview(tree, missing="weigh")
        answer_by(interview, table, row)
        if tree.schema.has_classes:
            shares = list(interview.result.shares.values())
            assert shares == pytest.approx(said.shares[place, 0].tolist())
        else:
            assert interview.result.guess == pytest.approx(said.guess[place, 0])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_unknown", [0, 1, 2])
def test_no_feature_is_asked_about_twice_and_no_more_than_announced(seed, n_unknown):
    tree, table, _ = probed(seed)
    for row in range(min(table.n_rows, 5)):
        interview, names, most = Interview(tree), [], []
        while not interview.is_over:
            question = interview.question
            names.append(question.feature)
            if len(names) <= n_unknown:
                interview.dont_know()
                continue
            most.append(question.most)
            feature = [each.name for each in table.features].index(names[-1])
            cell = cell_of(table, feature, row)
            interview.answer(plain_cell(table.features[feature], cell))
        assert len(set(names)) == len(names)
        assert most == sorted(most, reverse=True)
        assert all(len(names) <= each for each in most)


@pytest.mark.parametrize("seed", SEEDS)
def test_who_knows_nothing_gets_the_shares_of_all_rows(seed):
    tree, _, _ = probed(seed)
    interview = Interview(tree)
    while not interview.is_over:
        interview.dont_know()
    found = interview.result
    if tree.schema.has_classes:
        assert list(found.shares.values()) == pytest.approx(tree.shares[0, 0].tolist())
    else:
        is_leaf = tree.feature < 0
        mean = np.average(tree.guess[is_leaf, 0], weights=tree.weight[is_leaf])
        assert found.guess == pytest.approx(mean, abs=1e-9 * np.abs(tree.guess).max())
    assert found.verdict.n_rows == tree.n_rows[0]


def test_a_question_says_what_can_be_answered():
    question = Interview(titanic()).question
    assert (question.feature, question.kind, question.choices) == ("sex", Kind.CHOICE, ("f", "m"))
    assert (question.number, question.most, question.may_be_missing) == (1, 2, False)


def test_a_value_that_goes_to_every_answer_may_be_missing():
    assert Interview(titanic(), missing="weigh").question.may_be_missing


def test_a_question_about_a_number_tells_the_pivots():
    interview = Interview(titanic())
    interview.answer("m")
    assert interview.question.pivots == (11.0,)
    assert interview.question.may_be_missing
    assert (interview.question.number, interview.question.most) == (2, 2)


def test_one_answer_serves_every_query_about_the_feature():
    interview = Interview(titanic())
    interview.answer("m")
    interview.answer(70)
    assert interview.is_over
    assert str(interview.result) == (
        "→ yes 100 % (1 row)\nbecause sex = m and age = 70\nnearest flip: 11 ≤ age < 60 → no 83 %"
    )


def test_a_missing_value_goes_where_the_tree_sends_it():
    interview = Interview(titanic())
    interview.answer("m")
    interview.answer(None)
    assert str(interview.result).splitlines()[:2] == [
        "→ no 83 % (6 rows)",
        "because sex = m and age is missing",
    ]


def test_a_value_that_the_node_never_saw_stops_there():
    interview = Interview(titanic())
    interview.answer("f")
    assert interview.question.choices == ("Bonn", "Kiel")
    interview.answer("Cork")
    assert interview.is_over
    assert interview.result.verdict.n_rows == 5


def test_what_is_not_known_weighs_the_branches_and_asks_on():
    interview = Interview(titanic())
    interview.dont_know()
    assert asked(interview) == "age"  # 10 of 15 rows wait for it, 5 for the port
    interview.answer(5)
    assert asked(interview) == "port"
    interview.answer("Kiel")
    assert interview.is_over
    found = interview.result
    assert found.shares == pytest.approx({"no": 10 / 15 * 2 / 3 + 5 / 15 / 2, "yes": 7 / 18})
    assert found.said == ("sex is not known", "age = 5", "port = Kiel")
    assert found.verdict.n_rows == 5
    assert found.flip is None


def test_numbers_are_mixed_with_their_spread():
    tree = make_tree(NUMBERS, branch(EachValue(SEX, (0, 1)), leaf(1.0, 3.0), leaf(8.0, 8.0)))
    interview = Interview(tree)
    interview.dont_know()
    verdict = interview.result.verdict
    assert verdict.guess == 5.0
    assert verdict.spread == pytest.approx(np.std([1, 3, 8, 8]))


def test_the_spread_of_the_largest_numbers_is_not_known():
    model = DecisionTreeRegressor().fit([[1.0], [2.0], [3.0]], [-1.7e308, 1.7e308, 1.7e308])
    interview = model.ask()
    interview.dont_know()
    assert interview.result.verdict.spread is None


def test_back_takes_the_last_answer_back():
    interview = Interview(titanic())
    interview.answer("m")
    interview.dont_know()
    interview.back()
    assert asked(interview) == "age"
    interview.back()
    assert asked(interview) == "sex"
    interview.back()
    assert asked(interview) == "sex"
    assert interview.result.said == ()


def test_before_the_end_the_result_is_what_is_known_so_far():
    interview = Interview(titanic())
    interview.answer("m")
    assert interview.result.verdict.in_full == "no 70 % (10 rows)"
    assert interview.result.flip is None


def test_why_tells_what_the_answers_would_say():
    interview = Interview(titanic())
    interview.answer("m")
    assert interview.why() == (
        "age tells these 10 rows apart: age < 11 → no 67 %, age ≥ 11 or missing → no 71 %"
    )


def test_why_tells_of_a_few_answers_only():
    code = choice("code", *map(str, range(9)))
    schema = Schema(("code",), (code,), CLASSES.labels)
    tree = make_tree(schema, branch(EachValue(code, tuple(range(9))), *[leaf(1)] * 9))
    assert Interview(tree).why().endswith(", code = 4 → yes 100 %, 4 more")


def test_a_question_whether_a_value_is_missing_offers_all_values():
    tree = make_tree(CLASSES, branch(IsMissing(PORT), leaf(0), leaf(1)))
    question = Interview(tree).question
    assert question.choices == ("Bonn", "Cork", "Kiel")
    assert question.may_be_missing


def test_a_group_offers_the_values_of_both_sides():
    tree = make_tree(CLASSES, branch(OneOf(PORT, (0,), (2,)), leaf(0), leaf(1)))
    assert Interview(tree).question.choices == ("Bonn", "Kiel")


def test_a_date_answers_for_its_weekday():
    below = branch(Below(WEEKDAY, 4.5), leaf(0), leaf(1))
    tree = make_tree(CLASSES, branch(Below(WHEN, 2.0 * DAY), leaf(0), below))
    interview = Interview(tree)
    interview.answer("2024-03-02")  # a Saturday
    assert interview.is_over
    assert interview.result.guess == "yes"
    assert interview.result.said == ("when = 2024-03-02",)


def test_a_missing_date_has_no_weekday():
    below = branch(Below(WEEKDAY, 4.5, missing=1), leaf(0), leaf(1))
    tree = make_tree(CLASSES, branch(Below(WHEN, 2.0 * DAY, missing=1), leaf(0), below))
    interview = Interview(tree)
    interview.answer(None)
    assert interview.is_over
    assert interview.result.guess == "yes"


def test_a_weekday_does_not_answer_for_its_date():
    below = branch(Below(WHEN, 2.0 * DAY), leaf(0), leaf(1))
    tree = make_tree(CLASSES, branch(Below(WEEKDAY, 4.5), leaf(0), below))
    interview = Interview(tree)
    interview.answer("Saturday")
    assert asked(interview) == "when"


def test_an_answer_that_makes_no_sense_leaves_the_interview_where_it_was():
    interview = Interview(titanic())
    with pytest.raises(ParameterError):
        interview.answer("woman")
    assert asked(interview) == "sex"
    assert interview.result.said == ()


@pytest.mark.parametrize("act", [lambda i: i.answer(1), lambda i: i.dont_know(), lambda i: i.why()])
def test_nothing_can_be_answered_when_it_is_over(act):
    with pytest.raises(ParameterError) as raised:
        act(Interview(handmade.one_leaf()))
    assert str(raised.value) == "The interview is over. Take an answer back first: back()."


def test_a_tree_of_one_leaf_asks_nothing():
    interview = Interview(handmade.one_leaf())
    assert interview.is_over
    assert interview.question is None
    assert str(interview.result) == "→ Yes 67 % (3 rows)"


def test_two_labels_are_refused():
    with pytest.raises(ParameterError, match="The tree predicts 2 labels"):
        Interview(handmade.two_outputs())


def test_hostile_names_stay_on_their_line():
    interview = Interview(handmade.awkward_names())
    interview.answer("new\nline")
    assert interview.why().isprintable()
    interview.dont_know()
    assert all(line.isprintable() for line in str(interview.result).splitlines())
    assert len(str(interview.result).splitlines()) == 2


def test_the_least_integer_is_no_answer():
    ident = Feature("id", Kind.INTEGER, 0)
    schema = Schema(("id",), (ident,), CLASSES.labels)
    interview = Interview(make_tree(schema, branch(Below(ident, 2**60), leaf(0), leaf(1))))
    with pytest.raises(ParameterError):
        interview.answer(MISSING_INTEGER)


def test_an_average_names_no_rows_that_it_is_no_share_of():
    interview = Interview(titanic())
    interview.dont_know()
    verdict = interview.result.verdict
    assert verdict.n_branches > 1
    assert f"{verdict.n_rows} rows" not in str(interview.result)
    interview.back()
    interview.answer("m")
    assert interview.result.verdict.in_full == "no 70 % (10 rows)"
