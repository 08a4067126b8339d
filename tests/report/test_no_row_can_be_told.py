"""No row can be told from the page: marked rows, and every sum that it tells."""

import json
import re
from html import unescape

import numpy as np
import pytest

import bough
from bough.exports import html
from bough.learn.sums_of_test_rows import parts_of, told_places
from bough.report.class_errors import by_class, confusion
from bough.report.columns import served
from bough.words import share

pd = pytest.importorskip("pandas")

MARKED = {  # in the middle, the greatest and the least, of training and of test rows
    "size": (21.98765431, 9_876.54321, -987.654321),
    "income": (41_234_567, 98_765_432, -76_543_219),
    "when": ("2019-07-23 04:56:07.891", "2041-11-23 01:23:45.678", "1907-02-03 04:05:06.789"),
    "price": (51.19283746, 8_642.97531, -864.297531),
}


def table(n, seed):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "size": random.gamma(2.0, 10.0, n).round(2),
            "income": random.integers(10, 90, n) * 1_000_000,
            "town": random.choice(["Ulm", "Bonn", "Kiel", "Hof", "Rust"], n),
            "when": pd.Timestamp("2018-01-01") + pd.to_timedelta(random.integers(0, 900, n), "D"),
            "name": [f"{seed} person {number}" for number in range(n)],
        }
    )
    frame.loc[random.random(n) < 0.05, "size"] = np.nan
    noise = random.random(n)
    chance = 0.05 + 0.4 * (frame["size"] > 18) + 0.3 * (frame["income"] > 60e6)
    frame["answer"] = np.where(noise < chance, "yes", "no")
    frame["price"] = (frame["size"].fillna(9) * 3 + frame["income"] / 1e6 + 20 * noise).round(3)
    for place, row in enumerate((5, 11, 17)):
        for name, values in MARKED.items():
            value = values[place] if seed == 1 else _other(values[place])
            frame.loc[row, name] = pd.Timestamp(value) if name == "when" else value
    return frame


def _other(value):
    """Return a mark of a test row: another one, as far out."""
    if isinstance(value, str):
        return value.replace("3", "1")
    return value * 1.0123 if isinstance(value, float) else value + 1_111_111


TRAIN, TEST = table(700, 1), table(260, 2)
TEST.loc[3, "town"] = "Zzyzx"  # which no question can know


@pytest.fixture(scope="module")
def classes():
    ignore = ["price", "name"]
    return bough.fit(TRAIN, "answer", test=TEST, ignore=ignore, min_rows_per_leaf=1, n_jobs=1)


@pytest.fixture(scope="module")
def numbers():
    """The prediction of a leaf of one row is its label: larger leaves are asked for."""
    ignore = ["answer", "name"]
    return bough.fit(TRAIN, "price", test=TEST, ignore=ignore, min_rows_per_leaf=5, n_jobs=1)


@pytest.fixture(scope="module", params=["classes", "numbers"])
def result(request):
    return request.getfixturevalue(request.param)


def told_of_test_rows(page):
    """Return what the scripts know of the test rows, of every tree."""
    data = json.loads(re.search(r'<script type="application/json"[^>]*>(.*?)</script>', page)[1])
    return [each for each in (data, data["simple"]) if each]


def test_no_value_of_a_marked_row_is_on_the_page(result, tmp_path):
    result.save(tmp_path / "model.json")
    for page in (result.report(), html(bough.load(tmp_path / "model.json"))):
        text = unescape(page).replace(",", "")
        for frame in (TRAIN, TEST):
            marked = frame.loc[[5, 11, 17]]
            digits = [f"{abs(each):.9g}" for name in ("size", "price") for each in marked[name]]
            digits += [f"{abs(each):.0f}" for each in marked["income"]]
            dates = [str(each)[10:19].strip() for each in marked["when"]]
            assert not [each for each in digits + dates if each[:7] in text]
        assert "person" not in text
        assert "Zzyzx" not in text


def test_of_fewer_than_five_test_rows_no_label_is_told(result):
    page = result.report()
    few = 0
    for known in told_of_test_rows(page):
        for node, (n, right, words) in enumerate(known["tests"]):
            if 0 < n < 5:
                few += 1
                assert (right, words) == (None, "")
                assert known["test"][node].endswith("too few to say more")
                assert known["leaf"][node].endswith(("test: 1 row", f"test: {n} rows", ""))
    assert few


def test_bins_of_nodes_have_five_rows(result):
    for known in told_of_test_rows(result.report()):
        width = len(known["colors"]) or 1
        every = [*known["asked"].values(), *known.get("bins", {}).values()]
        assert every
        for _, _, _, _, counts, _, _, missing in every:
            assert np.reshape(counts, (-1, width)).sum(axis=1).min() >= 5
            assert not missing or sum(missing) >= 5


def parts_and_leaves(result):
    """Return the part of each test row, the leaf or node of it, and of how many rows each leaf tells."""
    model, tree = result.model, result.saved.tree
    at = model.apply(TEST)
    told = {stop.node: stop.told for stop in result.evidence.stops if tree[stop.node].is_leaf}
    is_classes = tree.schema.has_classes
    said = tree.probabilities[:, 0, 1] if is_classes else tree.guess[:, 0]
    side = tree.class_guess[:, 0] if is_classes else None
    return parts_of(said, at, side), at, told


def left_over(groups, at, told):
    """Return how many rows of each group its leaves do not tell of."""
    return [
        int(np.sum(groups == group)) - sum(told.get(node, 0) for node in set(at[groups == group]))
        for group in np.unique(groups)
    ]


def test_sums_by_prediction_leave_no_few_rows_over(result):
    """Whoever takes what leaves tell from what parts tell is left with five rows or none."""
    parts, at, told = parts_and_leaves(result)
    assert 0 in told.values()
    assert not [n for n in left_over(parts, at, told) if n and n < 5]


def test_levels_and_bins_are_sums_over_parts(classes, numbers):
    parts, *_ = parts_and_leaves(classes)
    levels = np.array(classes.evidence.thresholds.levels)
    is_it = (TEST["answer"] == "yes").to_numpy()
    sums = [np.bincount(parts, here)[::-1].cumsum() for here in (is_it, ~is_it)]
    assert classes.evidence.thresholds.of_class == 1
    assert levels[:, 1:].T.tolist() == [each.tolist() for each in sums]
    ends = [parts, parts_and_leaves(numbers)[0]]
    bins = [classes.evidence.calibration.bins, numbers.evidence.off_by_prediction]
    for of_rows, found in zip(ends, bins, strict=True):
        n_rows = [each.n if hasattr(each, "n") else each.observed.n for each in found]
        assert set(np.cumsum(n_rows)) <= set(np.cumsum(np.bincount(of_rows)))


def test_predicted_classes_leave_no_few_rows_over(classes):
    """Whoever takes what leaves tell from the table of mistakes is left with five rows or none."""
    _, at, told = parts_and_leaves(classes)
    assert not [n for n in left_over(classes.model.predict(TEST), at, told) if n and n < 5]


def test_a_level_tells_of_five_rows(classes):
    found = np.array(classes.evidence.thresholds.levels)[:, 1:].sum(axis=1)
    assert np.diff(found, prepend=0).min() >= 5


def test_groups_and_predicted_classes_have_five_rows(result):
    subject = result.__bough_subject__(3)
    found = served(subject, result.evidence)
    assert min(int(line["rows"]) for lines in found["columns"] for line in lines) >= 5
    columns = [*result.evidence.columns, result.evidence]
    seen = [each.rows if each is not result.evidence else each.labels for each in columns]
    assert all(min(each.counts) >= 5 for each in seen)


def test_classes_that_are_rarely_predicted_are_told_together():
    random = np.random.default_rng(0)
    kinds = random.choice(list("abcdefghij"), 400, p=[0.3, 0.3, 0.2] + [0.2 / 7] * 7)
    frame = pd.DataFrame({"kind": kinds, "x": [ord(each) for each in kinds]})
    frame["x"] += random.normal(0, 0.2, 400)
    result = bough.fit(frame, "kind", n_jobs=1)
    subject = result.__bough_subject__(3)
    found, said = confusion(subject, result.evidence), by_class(subject, result.evidence)
    lines = [[int(cell["words"] or 0) for cell in line["cells"]] for line in found["confusion"]]
    assert found["rare"]
    assert found["guesses"][-1] == "others"
    assert np.sum(lines, axis=0).min() >= 5
    assert np.sum(lines) == result.evidence.n_test
    assert [line["said"] for line in said if line["name"] in found["rare"]].count(None) > 0
    n_rows = {line["name"]: int(line["rows"]) for line in said}
    assert found["mistakes"]
    for each in found["mistakes"]:
        assert each["share"] == share(int(each["rows"]) / n_rows[each["truth"]])


def test_parts_are_unions_of_places_of_one_side():
    random = np.random.default_rng(4)
    for _ in range(500):
        n_places = random.integers(1, 12)
        n_rows = random.integers(1, 9, n_places)
        places = np.repeat(np.arange(n_places), n_rows)
        predicted = random.random(n_places)
        side = (predicted > 0.5).astype(int)
        parts, (hosts, told) = parts_of(predicted, places, side), told_places(n_rows, side)
        assert (n_rows[told] >= 5).all()
        for place in np.flatnonzero(told):
            there = np.unique(places[parts == parts[places == place][0]])
            assert there.tolist() == np.flatnonzero(hosts == place).tolist()
        means = [predicted[places[parts == part]].mean() for part in range(parts.max() + 1)]
        assert means == sorted(means)
        assert min(np.bincount(parts)) >= min(5, len(places))
        if min(np.bincount(side[places], minlength=2)) >= 5:
            assert all(len(np.unique(side[places[parts == each]])) == 1 for each in parts)
            left = np.bincount(side, n_rows * (~told & (hosts == np.arange(n_places))), minlength=2)
            assert not [n for n in left if 0 < n < 5]
