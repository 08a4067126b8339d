"""Rankings in the terminal, from a table to a measured tree."""

import csv

import made_tables
import pytest

import bough
from bough.ranking import ndcg

FIT = ["-t", "stars", "--task", "rank", "--group", "search"]


def write(path, table):
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(table)
        rows.writerows(zip(*table.values(), strict=True))
    return path


@pytest.fixture
def learnt(run, tmp_path):
    """Give a function that runs commands in a folder with a model file and other groups."""
    write(tmp_path / "train.csv", made_tables.relevances(60))
    write(tmp_path / "other.csv", made_tables.relevances(30, seed=1))
    assert run("fit", "train.csv", *FIT, "-q").status == 0
    return run


def test_fit_says_how_well_new_groups_will_be_ranked(learnt):
    out = learnt("fit", "train.csv", *FIT, "-q").out
    assert "Expected NDCG@10 on new groups: 0." in out
    assert "\nBaseline (random order): 0." in out


def test_ranking_is_another_word_for_rank(learnt):
    words = ["-t", "stars", "--task", "ranking", "--group", "search"]
    assert learnt("fit", "train.csv", *words).out == learnt("fit", "train.csv", *FIT).out


def test_a_ranking_needs_its_groups(learnt):
    found = learnt("fit", "train.csv", "-t", "stars", "--task", "rank")
    assert found.status == 2
    assert found.err == (
        "error: --task 'rank' needs --group …, the column that names the group: rows are ranked within it.\n"
        "  Columns: 'search', 'match', 'kind', 'junk' and 'stars'.\n"
    )


def test_evaluate_measures_ndcg_and_holds_it_to_a_gate(learnt):
    passed = learnt("evaluate", "stars.bough.json", "other.csv", "--at-least", "ndcg=0.5")
    assert passed.status == 0
    assert "random order" in passed.out
    assert (
        learnt("evaluate", "stars.bough.json", "other.csv", "--at-least", "ndcg=0.999").status == 1
    )


def test_evaluate_gives_the_same_as_a_document(learnt):
    document = learnt("evaluate", "stars.bough.json", "other.csv", "--json").document
    table = made_tables.relevances(30, seed=1)
    tree = bough.load("stars.bough.json")
    scores = tree.predict({name: table[name] for name in ("match", "kind", "junk")})
    assert document["task"] == "ranking"
    assert document["estimates"]["ndcg"]["value"] == pytest.approx(
        ndcg(scores, table["stars"], table["search"])
    )


def test_predict_adds_the_score_and_the_place_of_each_row(learnt):
    rows = list(csv.DictReader(learnt("predict", "stars.bough.json", "other.csv").out.splitlines()))
    of_first = [row for row in rows if row["search"] == "q0"]
    best = max(float(row["prediction"]) for row in of_first)
    assert next(row["rank"] for row in of_first if float(row["prediction"]) == best) == "1"
    assert {int(row["rank"]) for row in of_first} <= set(range(1, len(of_first) + 1))


def test_guesses_under_json_have_the_place_of_each_row(learnt):
    rows = csv.DictReader(learnt("predict", "stars.bough.json", "other.csv").out.splitlines())
    document = learnt("predict", "stars.bough.json", "other.csv", "--json").document
    assert [row["rank"] for row in document["guesses"]] == [int(row["rank"]) for row in rows]


def test_what_to_do_after_a_check_is_to_rank(learnt):
    found = learnt("check", "train.csv", *FIT)
    assert found.err.endswith("next: bough fit train.csv -t stars --task rank --group search\n")


def test_predict_adds_no_place_where_the_groups_are_not_known(learnt, tmp_path):
    table = {k: v for k, v in made_tables.relevances(30, seed=1).items() if k != "search"}
    write(tmp_path / "bare.csv", table)
    assert learnt("predict", "stars.bough.json", "bare.csv").out.splitlines()[0] == (
        "match,kind,junk,stars,prediction"
    )


def test_show_and_explain_speak_of_scores(learnt):
    assert "higher scores rank first" in learnt("show", "stars.bough.json").out
    assert " → score +" in learnt("show", "stars.bough.json", "--rules").out
    assert "→ score " in learnt("explain", "stars.bough.json", "other.csv", "--row", "1").out


def test_compare_is_by_groups(learnt):
    learnt("fit", "train.csv", *FIT, "--ignore", "match", "-o", "poor.bough.json", "-q")
    out = learnt("compare", "stars.bough.json", "poor.bough.json", "other.csv").out
    assert "poor minus stars: NDCG@10 −0." in out
    assert " groups\nThey rank " in out
    assert "stars is better." in out


def test_score_and_check_take_the_groups_too(learnt):
    assert "A tree would ask about match first." in learnt("score", "train.csv", *FIT).out
    assert "target: ranking" in learnt("check", "train.csv", *FIT).out
