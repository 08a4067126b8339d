"""Every figure of the sections on errors, columns and regions, found again from the rows."""

import re
from html import unescape

import numpy as np
import pytest
from scipy.stats import binomtest

import bough
from bough.exports import html
from bough.learn.sums_of_test_rows import parts_of
from bough.report.class_errors import by_class, confusion, thresholds
from bough.report.columns import served
from bough.report.mistakes import errors
from bough.report.script_data import share_interval

pd = pytest.importorskip("pandas")


def table(n, seed):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "size": random.gamma(2.0, 10.0, n).round(2),
            "age": random.integers(18, 70, n),
            "town": random.choice(["Ulm", "Bonn", "Kiel", "Rust"], n, p=[0.5, 0.3, 0.19, 0.01]),
        }
    )
    frame.loc[random.random(n) < 0.05, "age"] = np.nan
    noise = random.random(n)
    chance = 0.1 + 0.6 * (frame["size"] > 18) + 0.2 * (frame["town"] == "Kiel")
    frame["answer"] = np.where(noise < chance, "yes", "no")
    frame["price"] = (frame["size"] * 3 + 10 * (frame["town"] == "Bonn") + 20 * noise).round(3)
    return frame


@pytest.fixture(scope="module")
def parts():
    return table(1200, 1), table(500, 2)


@pytest.fixture(scope="module")
def classes(parts):
    return bough.fit(parts[0], "answer", test=parts[1], ignore=["price"], n_jobs=1)


@pytest.fixture(scope="module")
def numbers(parts):
    return bough.fit(parts[0], "price", test=parts[1], ignore=["answer"], n_jobs=1)


def column(result, name):
    (found,) = [each for each in result.evidence.columns if each.name == name]
    return found


def of_numbers(values, edges):
    return np.histogram(values.dropna(), [-np.inf, *edges, np.inf])[0].tolist()


@pytest.mark.parametrize("name", ["size", "age"])
def test_bins_hold_all_rows_and_none_has_fewer_than_five(parts, classes, name):
    found = column(classes, name)
    everything = pd.concat(parts)[name]
    assert list(found.rows.counts) == of_numbers(everything, found.rows.edges)
    assert list(found.test.counts) == of_numbers(parts[1][name], found.test.edges)
    assert min(found.rows.counts + found.test.counts) >= 5
    assert found.n_missing == everything.isna().sum()


def test_values_are_counted(parts, classes):
    found, everything = column(classes, "town"), pd.concat(parts)["town"]
    (feature,) = [each for each in classes.saved.tree.schema.features if each.name == "town"]
    named = [feature.choices[code] for code in found.rows.codes]
    counts = everything.value_counts()
    assert list(found.rows.counts[: len(named)]) == [counts[each] for each in named]
    assert sum(found.rows.counts) == len(everything)


def test_labels_are_counted(parts, classes, numbers):
    everything = pd.concat(parts)
    label = classes.saved.tree.schema.labels[0]
    counts = everything["answer"].value_counts()
    found = classes.evidence.labels
    assert list(found.counts) == [counts[label.classes[code]] for code in found.codes]
    prices = numbers.evidence.labels
    assert list(prices.counts) == of_numbers(everything["price"], prices.edges)


def test_errors_of_groups(parts, classes, numbers):
    test = parts[1]
    wrong = (classes.model.predict(test) != test["answer"]).to_numpy()
    far = np.abs(numbers.model.predict(test) - test["price"]).to_numpy()
    for result, each in ((classes, wrong), (numbers, far)):
        found = column(result, "age")
        place = np.searchsorted(found.test.edges, test["age"].to_numpy(), side="right")
        place = np.where(test["age"].isna(), len(found.test.counts), place)
        expected = [each[place == group].mean() for group in range(len(found.errors))]
        assert [group.value for group in found.errors] == pytest.approx(expected)
        assert [group.n for group in found.errors] == np.bincount(place).tolist()


def test_what_matters_is_worse_when_shuffled_and_the_order_of_rows_is_nothing(parts, classes):
    assert column(classes, "size").importance.low > 0.1
    train, test = (each.sample(frac=1, random_state=3) for each in parts)
    again = bough.fit(train, "answer", test=test, ignore=["price"], n_jobs=1)
    assert again.evidence.columns == classes.evidence.columns
    assert again.evidence.density == classes.evidence.density


def test_shuffling_a_column_costs_what_all_other_rows_values_cost(parts, numbers):
    test, worth = parts[1], column(numbers, "size").importance
    model, label = numbers.model, test["price"].to_numpy()
    before = np.mean((model.predict(test) - label) ** 2)
    random = np.random.default_rng(0)
    after = [
        np.mean((model.predict(test.assign(size=random.permutation(test["size"]))) - label) ** 2)
        for _ in range(40)
    ]
    assert worth.low < np.mean(after) - before < worth.high


def test_recall_and_precision(parts, classes):
    said, true = classes.model.predict(parts[1]), parts[1]["answer"].to_numpy()
    subject = classes.__bough_subject__(3)
    for line in by_class(subject, classes.evidence):
        right = np.mean(said[true == line["name"]] == line["name"])
        precise = np.mean(true[said == line["name"]] == line["name"])
        assert line["found"].value == pytest.approx(right)
        assert line["said"].value == pytest.approx(precise)


def wilson(k, n):
    """Return the 95 % interval of a share, as SciPy has it."""
    found = binomtest(int(k), int(n)).proportion_ci(method="wilson")
    return found.low, found.high


def test_intervals_of_shares(parts, classes):
    test = parts[1]
    said, true = classes.model.predict(test), test["answer"].to_numpy()
    for line in by_class(classes.__bough_subject__(3), classes.evidence):
        is_it, is_said = true == line["name"], said == line["name"]
        for figure, of in ((line["found"], is_it), (line["said"], is_said)):
            ends = wilson((is_it & is_said).sum(), of.sum())
            assert (figure.low, figure.high) == pytest.approx(ends)
    for of_group in column(classes, "town").errors:
        ends = wilson(round(of_group.value * of_group.n), of_group.n)
        assert (of_group.low, of_group.high) == pytest.approx(ends)
    for each in classes.evidence.calibration.bins:
        found = each.observed
        ends = wilson(round(found.value * found.n), found.n)
        assert (found.low, found.high) == pytest.approx(ends)
    accuracy = classes.evidence.test["accuracy"]
    ends = wilson((said == true).sum(), len(true))
    assert (accuracy.low, accuracy.high) == pytest.approx(ends)


def test_intervals_of_leaves(classes):
    subject, tree = classes.__bough_subject__(3), classes.saved.tree
    for node in tree:
        tally = tree.tally[node.id, 0]
        low, high = (float(each) / 100 for each in share_interval(subject, node.id))
        assert (low, high) == pytest.approx(wilson(tally.max(), tally.sum()), abs=0.0051)


def test_the_learning_curve_of_a_table_of_copies_is_one_of_samples():
    random = np.random.default_rng(5)
    letter = random.integers(0, 6, 2000)
    answer = np.where(random.random(2000) < 0.1 + 0.15 * letter, "yes", "no")
    table = {"letter": np.array(list("abcdef"))[letter], "answer": answer}
    result = bough.fit(table, "answer", loss="log_loss", n_jobs=1)
    losses = [loss for _, loss in result.evidence.learning]
    assert losses[0] < 1.1 * losses[-1]
    order = random.permutation(2000)
    again = bough.fit(
        {name: each[order] for name, each in table.items()}, "answer", loss="log_loss"
    )
    assert again.evidence.learning == result.evidence.learning


def test_the_learning_curve_ends_with_the_chosen_tree(classes, numbers):
    for result in (classes, numbers):
        (n_first, first), (n_second, _), (n_last, last) = result.evidence.learning
        assert last == pytest.approx(result.evidence.chosen.dev)
        assert (n_first, n_second) == pytest.approx((n_last / 4, n_last / 2), abs=1)
        assert first > 0


def test_what_is_taken_for_what(parts, classes):
    said, true = classes.model.predict(parts[1]), parts[1]["answer"].to_numpy()
    found = confusion(classes.__bough_subject__(3), classes.evidence)
    for line in found["confusion"]:
        counts = [np.sum((true == line["name"]) & (said == guess)) for guess in found["guesses"]]
        assert [int(cell["words"] or 0) for cell in line["cells"]] == counts


def in_parts(result, rows):
    """Return the rows by the part that they are told in, the least predictions first."""
    tree, at = result.saved.tree, result.model.apply(rows)
    if tree.schema.has_classes:
        parts = parts_of(tree.probabilities[:, 0, 1], at, tree.class_guess[:, 0])
    else:
        parts = parts_of(tree.guess[:, 0], at)
    return np.argsort(parts, kind="stable")


def test_calibration(parts, classes):
    found, test = classes.evidence.calibration, parts[1]
    given = classes.model.predict_proba(test)[:, found.of_class]
    came_true = (test["answer"] == classes.model.classes_[found.of_class]).to_numpy()
    order, start = in_parts(classes, test), 0
    for each in found.bins:
        here = order[start : start + each.observed.n]
        assert each.observed.value == pytest.approx(came_true[here].mean())
        assert each.predicted == pytest.approx(given[here].mean())
        assert (each.least, each.most) == (given[here].min(), given[here].max())
        start += each.observed.n
    assert start == len(test)


def test_thresholds(parts, classes):
    subject, test = classes.__bough_subject__(3), parts[1]
    found = thresholds(subject, classes.evidence)
    place = list(classes.model.classes_).index(found["name"])
    given = classes.model.predict_proba(test)[:, place]
    is_it = (test["answer"] == found["name"]).to_numpy()
    assert found["totals"] == [is_it.sum(), (~is_it).sum()]
    order = in_parts(classes, test)[::-1]
    for probability, hits, alarms, low, high, *_ in found["levels"]:
        above = order[: int(hits + alarms)]
        assert hits == is_it[above].sum()
        assert given[above[-1]] == pytest.approx(probability, abs=0.1)  # places near each other
        assert low <= hits / is_it.sum() <= high
    as_bad = [level for level in found["levels"] if level[0] >= 0.5][-1]
    assert as_bad[1:3] == [((given > 0.5) & is_it).sum(), ((given > 0.5) & ~is_it).sum()]


def test_with_costs_thresholds_start_where_the_model_predicts(parts):
    costs = {("yes", "no"): 5, ("no", "yes"): 1}
    result = bough.fit(parts[0], "answer", test=parts[1], ignore=["price"], costs=costs, n_jobs=1)
    found = thresholds(result.__bough_subject__(3), result.evidence)
    said, true = result.model.predict(parts[1]), parts[1]["answer"].to_numpy()
    name = found["name"]
    own = 1 / (1 + found["ratio"])
    level = [each for each in found["levels"] if each[0] >= own][-1]
    assert found["ratio"] == (5 if name == "yes" else 0.2)
    right = [np.sum((said == name) & (true == name)), np.sum((said == name) & (true != name))]
    assert level[1:3] == right


def test_residuals_by_prediction(parts, numbers):
    test, bins = parts[1], numbers.evidence.off_by_prediction
    said = numbers.model.predict(test)
    off = (test["price"] - said).to_numpy()
    assert sum(each.n for each in bins) == len(test)
    start = 0
    order = in_parts(numbers, test)
    for each in bins:
        here = order[start : start + each.n]
        assert each.off == pytest.approx(off[here].mean(), abs=1e-9)
        assert each.spread == pytest.approx(off[here].std(ddof=1))
        start += each.n
    found = numbers.evidence.off
    assert list(found.counts) == of_numbers(pd.Series(off), found.edges)


def test_rows_on_the_plane(parts, numbers, classes):
    found = (classes.evidence.density or numbers.evidence.density).features
    density = classes.evidence.density or numbers.evidence.density
    known = parts[0].dropna(subset=list(found))
    counts, *_ = np.histogram2d(known[found[1]], known[found[0]], [density.upwards, density.across])
    assert np.array(density.counts).tolist() == np.where(counts < 5, 0, counts).tolist()


def test_only_leaves_are_told_as_leaves(classes):
    tree = classes.saved.tree
    found = errors(classes.__bough_subject__(3))["leaves"]
    assert found
    assert all(tree[line["node"]].is_leaf for line in found)


def test_a_group_that_is_served_badly_is_told(classes):
    found = served(classes.__bough_subject__(3), classes.evidence)
    assert found["columns"]
    assert all(line["is_worse"] for line in found["worst"])


def test_a_saved_model_tells_the_same(classes, tmp_path):
    classes.save(tmp_path / "model.json")
    page = html(bough.load(tmp_path / "model.json"))
    for section in ("errors", "data", "matters", "depth"):
        begin = f'<section id="{section}"'
        here, there = (
            each.partition(begin)[2].partition("</section>")[0] for each in (classes.report(), page)
        )
        assert here
        if section != "data":  # which also tells of the columns of the table
            assert here == there


def test_no_row_is_on_the_page(parts):
    train, test = (each.copy() for each in parts)
    train.loc[7, "size"], test.loc[7, "size"] = 21.987654, 22.123456
    train.loc[8, "price"], test.loc[8, "price"] = 51.192837, 51.918273
    page = bough.fit(train, "price", test=test, ignore=["answer"], n_jobs=1).report()
    assert not [mark for mark in ("21.98765", "22.12345", "51.19283", "51.91827") if mark in page]


def test_the_command_is_told(tmp_path):
    path = tmp_path / "my table.csv"
    table(300, 4).to_csv(path, index=False)
    page = bough.fit(path, "answer", ignore=["price"], max_leaves=5, seed=3).report()
    found = unescape(re.search("Made by <code>(.*?)</code>", page)[1])
    assert found == "bough fit 'my table.csv' -t answer --ignore price --max-leaves 5 --seed 3"
