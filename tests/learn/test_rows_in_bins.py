"""The rows of nodes in bins: recomputed from the rows, and never so fine that a row can be told."""

from bisect import bisect_right
from math import floor

import numpy as np
import pytest

import bough
from bough.exports import model_file
from bough.exports.model_file_evidence import evidence_about
from bough.histograms import NodeRows
from bough.learn.node_histograms import FEWEST, MOST_NODES, spans
from bough.predict import stops

RNG = np.random.default_rng(5)
N_ROWS = 1500


def table(n_classes=0):
    """Return numbers with gaps, categories, dates and missing values that a label depends on."""
    size = RNG.lognormal(3, 1.5, N_ROWS).round(2)
    town = RNG.choice(list("abcdefgh"), N_ROWS, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.06, 0.03, 0.01])
    day = np.datetime64("2020-01-01") + RNG.integers(0, 900, N_ROWS)
    signal = np.log(size) + (town < "c") * 2 + (day > np.datetime64("2021-01-01")) * 1.5
    label = signal + RNG.normal(0, 0.7, N_ROWS)
    missing = RNG.random(N_ROWS) < 0.05
    if n_classes:
        label = np.array([f"class {each}" for each in (label * 10 % n_classes).astype(int)])
        label[: N_ROWS // 2] = np.where(signal[: N_ROWS // 2] > 5, "class 0", "class 1")
    sizes = [None if gone else float(each) for each, gone in zip(size, missing, strict=True)]
    return {
        "size": sizes,
        "town": town.tolist(),
        "day": day.astype(object).tolist(),
        "label": label,
    }


def binned(result):
    nodes = result.evidence.nodes
    return [*nodes.asked, *nodes.labels]


def width_of(tree):
    return min(len(tree.schema.labels[0].classes), 8) or 1


@pytest.fixture(scope="module", params=[0, 2, 12])
def learnt(request):
    given = table(request.param)
    task = "auto" if request.param else "regression"
    return given, bough.fit(given, "label", task=task, max_leaves=40)


def test_no_bin_has_fewer_than_five_rows(learnt):
    _, result = learnt
    width = width_of(result.grown_tree_)
    for bins in binned(result):
        assert np.reshape(bins.counts, (-1, width)).sum(axis=1).min() >= FEWEST
        assert not bins.missing or sum(bins.missing) >= FEWEST


def test_bins_hold_all_rows_of_their_node(learnt):
    _, result = learnt
    tree = result.grown_tree_
    for bins in binned(result):
        left_out = tree.n_rows[bins.node] - sum(bins.counts) - sum(bins.missing)
        assert left_out == 0 or (0 < left_out < FEWEST and not bins.missing)


def test_counts_are_those_of_the_rows(learnt):
    """Every row that the tree was grown from is led down and counted once more, one by one."""
    _, result = learnt
    tree, made = result.grown_tree_, result._made
    rows = made.rows.take(made.learnt)
    reached = rows_of_nodes(tree, rows.table)
    names = tree.schema.labels[0].classes
    labels = [names[each] if names else each for each in rows.answers.tolist()]
    for bins in result.evidence.nodes.asked:
        number = int(tree.feature[bins.node])
        is_missing = rows.table.missing(number)
        known = [row for row in reached[bins.node] if not is_missing[row]]
        cells = rows.table.values[number][known].tolist()
        places = places_of(bins, cells, tree[bins.node].query)
        found = counted(tree, bins, places, [labels[row] for row in known])
        assert found == np.reshape(bins.counts, (-1, width_of(tree))).tolist()
        if bins.means:
            sums = np.bincount(places, [labels[row] for row in known]) / np.bincount(places)
            assert bins.means == pytest.approx(sums, rel=1e-3)


def counted(tree, bins, places, labels):
    """Return how many rows lie in each bin, by class."""
    names = [str(each) for each in tree.schema.labels[0].classes]
    root = dict(zip(names, tree.tally[0, 0], strict=False))
    common = sorted(sorted(names, key=lambda name: -root[name])[:7], key=names.index)
    column = {name: common.index(name) if name in common else 7 for name in names}
    if len(names) <= 8:
        column = {name: place for place, name in enumerate(names)}
    found = [[0] * width_of(tree) for _ in bins.places[::2]]
    for place, label in zip(places, labels, strict=True):
        found[place][column[str(label)] if names else 0] += 1
    return found


def places_of(bins, cells, query):
    """Return the bin of each value."""
    starts = bins.places[::2]
    if bins.values:  # those of the first answer come first, and of these the commonest
        second = set(getattr(query, "others", ()))
        order = sorted(set(cells), key=lambda cell: (cell in second, -cells.count(cell), cell))
        at = {cell: place for place, cell in enumerate(order)}
        assert [order[start] for start in starts] == list(bins.values)
    else:  # the first and the last are open
        at = {cell: floor((cell - query.pivot) / bins.step) + bins.mark for cell in cells}
    return [bisect_right(starts, max(at[cell], starts[0])) - 1 for cell in cells]


def rows_of_nodes(tree, table):
    """Return which rows reach each node."""
    above = {child: node.id for node in tree for child in node.children}
    found = {node: [] for node in range(len(tree))}
    for row, node in enumerate(stops(tree, table).tolist()):
        while node >= 0:
            found[node].append(row)
            node = above.get(node, -1)  # noqa: PLW2901 - up to the root
    return found


def test_ends_of_bins_are_round_distances_from_the_pivot(learnt):
    _, result = learnt
    for bins in result.evidence.nodes.asked:
        if bins.step:
            digits = f"{bins.step:e}".split("e")[0]
            assert float(digits) in (1, 2, 5)
            pivot = result.grown_tree_[bins.node].query.pivot
            assert bins.first + bins.mark * bins.step == pytest.approx(pivot)


def test_a_model_file_keeps_them(learnt):
    _, result = learnt
    saved = model_file.loads(model_file.dumps(result.saved))
    assert evidence_about(saved.tree, saved.evidence).nodes == result.evidence.nodes


@pytest.mark.parametrize(
    ("key", "value"),
    [("node", 99999), ("places", [0]), ("counts", [5]), ("missing", [1] * 9), ("values", [10**6])],
)
def test_what_is_about_another_tree_is_refused(learnt, key, value):
    _, result = learnt
    saved = model_file.loads(model_file.dumps(result.saved))
    saved.evidence["nodes"]["asked"][0][key] = value
    with pytest.raises(bough.ModelFormatError, match=r"evidence.nodes.asked\[0\] is about another"):
        evidence_about(saved.tree, saved.evidence)


def test_only_the_largest_nodes_are_described():
    rng = np.random.default_rng(1)
    given = {"x": rng.normal(size=6000), "label": rng.normal(size=6000)}
    result = bough.fit(given, "label", prune=["depth"], max_leaves=900, choose="best")
    described = {bins.node for bins in result.evidence.nodes.labels}
    assert len(described) <= MOST_NODES


def test_a_marked_row_cannot_be_told():
    """One row has values of its own in every column; no bin has it alone, and no end is its value."""
    rng = np.random.default_rng(2)
    size = rng.integers(0, 50, 400).astype(float)
    size[7] = 987654.321
    town = rng.choice(["north", "south"], 400).astype(object)
    town[7] = "mark-7"
    label = np.where((size > 25) & (town == "north"), "yes", "no")
    result = bough.fit({"size": size, "town": town, "label": label}, "label")
    text = str(result.evidence.nodes)
    assert "987654" not in text
    for bins in result.evidence.nodes.asked:
        assert min(np.reshape(bins.counts, (-1, 2)).sum(axis=1)) >= FEWEST


@pytest.mark.parametrize("mark", [0, 3])
def test_places_come_together_until_they_have_enough_rows(mark):
    rng = np.random.default_rng(mark)
    for _ in range(300):
        totals = rng.choice([0, 0, 1, 2, 3, 9], 8).tolist()
        found = spans(totals, mark)
        assert all(sum(totals[start:end]) >= FEWEST for start, end in found)
        assert sum(sum(totals[start:end]) for start, end in found) in (sum(totals), 0)
        assert bool(found) == (sum(totals) >= FEWEST)


def test_a_question_that_chance_decided_has_a_rival():
    rng = np.random.default_rng(4)
    sex = rng.choice(["f", "m"], 800)
    level = rng.normal(size=800)
    twin = level + rng.normal(0, 0.05, 800)
    label = np.where(sex == "f", np.where(level > 0, "a", "b"), "c")
    result = bough.fit({"sex": sex, "level": level, "twin": twin, "label": label}, "label")
    rivals = {rival.column: rival.chance for rival in result.evidence.nodes.rivals}
    assert set(rivals) <= {"level", "twin"}
    assert all(0.1 <= chance <= 1 for chance in rivals.values())


def test_a_tree_without_rows_says_nothing():
    assert NodeRows() == NodeRows((), (), ())


def test_a_question_whether_there_is_a_value_has_the_histogram_of_its_column():
    random = np.random.default_rng(2)
    sizes = random.normal(50, 9, 400).round()
    sizes[:150] = np.nan
    table = {"size": sizes, "label": np.where(np.isnan(sizes), "no", "yes")}
    result = bough.fit(table, "label", n_jobs=1)
    (asked,) = result.evidence.nodes.asked
    n_learnt = result.grown_tree_.n_rows[0]
    assert type(result.grown_tree_[0].query).__name__ == "IsMissing"
    assert asked.mark == 0
    assert len(asked.places) > 10
    assert sum(asked.counts) + sum(asked.missing) == n_learnt
    assert sum(asked.missing) == result.grown_tree_.tally[0, 0, 0]
