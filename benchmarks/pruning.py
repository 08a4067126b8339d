"""Prune trees of real tables in every way, and compare pessimistic pruning with that of J48.

    python benchmarks/pruning.py [--data DIR] [--write]

Ends with 1 if trees of a table of categories that are grown and pruned as in C4.5 are, on average over
seeds, more than a point less accurate than that of J48. `--write` writes the results to
`docs/use/prune.md`.
"""

import sys
import warnings
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import real_tables
from accuracy import REFERENCES
from sklearn.model_selection import StratifiedKFold

import bough

PAGE = Path(__file__).resolve().parents[1] / "docs" / "use" / "prune.md"
SECTION = "## On real tables"
SEEDS = range(1, 11)
CATEGORIES = ("mushroom", "car", "nursery", "soybean")
OTHERS = ("titanic", "penguins")
J48_LEAVES = {"mushroom": 24, "nursery": 359, "soybean": 60}
NOT_READ_BY_J48 = {"titanic": ["cabin"]}
WITHIN = 0.01  # below the accuracy of J48
JUNK = (20, 200)  # values of a column that means nothing
WAYS = ("depth", "cost_complexity", "pessimistic", "reduced_error")
SPLITS = range(5)
TEST_SHARE = 0.2


def main():
    parser = real_tables.parser(__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write docs/use/prune.md")
    asked = parser.parse_args()
    if (folder := real_tables.find_folder(asked.data)) is None:
        sys.exit(real_tables.why_absent(asked.data))
    # A class with fewer rows than folds cannot be in every fold; that is no news here.
    warnings.filterwarnings("ignore", message="The least populated class", category=UserWarning)
    beside_j48 = [as_in_c45(folder, name) for name in CATEGORIES + OTHERS]
    parts = [j48_page(beside_j48), junk_page(folder), ways_page(folder)]
    print("\n".join(parts))
    if asked.write:
        write(parts)
    return int(any(each.is_worse for each in beside_j48 if each.name in CATEGORIES))


def write(parts):
    before = PAGE.read_text("utf-8").partition(f"\n{SECTION}\n")[0]
    PAGE.write_text("\n".join([before, SECTION, "", *parts]).rstrip() + "\n", "utf-8")


def table_of(heads, rows):
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


# --- Beside J48 ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Compared:
    """A tree that is grown and pruned as in C4.5, beside that of J48."""

    name: str
    of_j48: float  # accuracy
    accuracies: list[float]  # by ten-fold cross-validation, one for each seed
    unpruned: float  # the mean over seeds
    n_leaves: int  # of the tree from all rows
    n_empty: int  # values of an asked category that do not occur at the node
    n_unpruned: int

    @property
    def is_worse(self):
        return np.mean(self.accuracies) < self.of_j48 - WITHIN


def as_in_c45(folder, name):
    table = real_tables.read(folder, name)
    unread = NOT_READ_BY_J48.get(name, [])
    types = {column: kind for column, kind in table.types.items() if column not in unread}
    table = replace(table, columns=table.columns.drop(columns=unread), types=types)
    whole = c45(table)
    tree = bough.prune(whole, "pessimistic").grown_tree_
    pruned, unpruned = np.transpose([cross_validated(table, seed) for seed in SEEDS])
    of_j48 = next(each.figure for each in REFERENCES if each.table == name)
    n_unpruned = whole.get_n_leaves()
    return Compared(
        name, of_j48, pruned, unpruned.mean(), tree.n_leaves, empty_answers(tree), n_unpruned
    )


def c45(table, criterion="gain_ratio"):
    estimator = bough.DecisionTreeClassifier(
        criterion=criterion, min_samples_leaf=2, types=table.types, n_jobs=1
    )
    return estimator.fit(table.columns, table.labels)


def cross_validated(table, seed, criterion="gain_ratio", n_folds=10):
    """Return the accuracy of pruned and of unpruned trees."""
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    n_right = np.zeros(2)
    for train, test in folds.split(table.columns, table.labels):
        tree, rows = c45(table.take(train), criterion), table.take(test)
        for place, each in enumerate((bough.prune(tree, "pessimistic"), tree)):
            n_right[place] += np.sum(each.predict(rows.columns) == rows.labels)
    return n_right / len(table.labels)


def empty_answers(tree):
    """Return how many leaves J48 would count more: one for each value that a branch never saw."""
    queries = [node.query for node in tree if isinstance(node.query, bough.query_kinds.EachValue)]
    return sum(len(query.feature.choices) - len(query.codes) for query in queries)


J48 = """**Pessimistic pruning beside J48**, Weka's C4.5: `criterion="gain_ratio"`, `min_samples_leaf=2`,
confidence 0.25; accuracy by stratified ten-fold cross-validation, for J48 with one seed, for bough the
mean over ten and their range. J48 counts a leaf also for a value that no row of the node has; bough
has none there, so that such *empty* answers stand beside its leaves. On soybean, which misses many
values, J48 sends a row down all answers in parts; for bough *missing* is one more answer, which does
a little better there.
"""


def j48_page(compared):
    rows = [
        (
            each.name,
            percent(each.of_j48),
            f"{percent(np.mean(each.accuracies))} ({span(each.accuracies)})",
            percent(each.unpruned),
            str(J48_LEAVES.get(each.name, "")),
            f"{each.n_leaves} + {each.n_empty} empty",
            str(each.n_unpruned),
        )
        for each in compared
    ]
    heads = ("table", "J48", "bough", "unpruned", "leaves of J48", "of bough", "unpruned")
    return f"{J48}\n{table_of(heads, rows)}"


def span(shares):
    return f"{100 * min(shares):.1f} – {100 * max(shares):.1f}"


def percent(share):
    return f"{100 * share:.2f} %"


# --- A column of many values -----------------------------------------------------------------------


GUARD = """**A column of many values that means nothing.** A query with many answers gains much by chance alone.
To each table a column of 20 or 200 values is added that were drawn at random. With one answer for
each value, entropy asks about it and the tree is lost; the gain ratio divides the gain by what the
answers themselves tell, and mostly does not. (Pruned pessimistically; three-fold cross-validation.)
"""


def junk_page(folder):
    rows = []
    for name in (*CATEGORIES, "penguins"):
        table = real_tables.read(folder, name)
        found = [
            percent(cross_validated(with_junk(table, n_values), 1, criterion, n_folds=3)[0])
            for criterion in ("entropy", "gain_ratio")
            for n_values in (0, *JUNK)
        ]
        rows.append((name, *found))
    heads = ["table"]
    for criterion in ("entropy", "gain ratio"):
        heads += [criterion, *(f"with {n_values} values" for n_values in JUNK)]
    return f"{GUARD}\n{table_of(heads, rows)}"


def with_junk(table, n_values):
    if n_values == 0:
        return table
    values = np.random.default_rng(0).integers(0, n_values, len(table.labels))
    columns = table.columns.assign(junk=values)
    return replace(table, columns=columns, types={**table.types, "junk": "category"})


# --- Every way -------------------------------------------------------------------------------------


EVERY_WAY = """**Every way of pruning.** `bough.fit` with `criterion="gini"` (or squared error) and
`categorical="each"`, on a fifth of the rows kept apart as test rows; the mean of five such splits.
Accuracy, or the root of the mean squared error, and leaves in brackets.
"""


def ways_page(folder):
    rows = []
    for about in real_tables.described(folder):
        table = real_tables.read(folder, about["name"])
        if table.task != "ranking":
            found = np.mean([by_every_way(table, split) for split in SPLITS], axis=0)
            rows.append((table.name, *(cell(table, *each) for each in found)))
            print(*rows[-1], sep="  ", flush=True)
    heads = ("table", "unpruned", *(f"`{way}`" for way in WAYS))
    return f"{EVERY_WAY}\n{table_of(heads, rows)}"


def by_every_way(table, split):
    """Return a figure and the number of leaves of the unpruned tree, and of each pruned one."""
    order = np.random.default_rng(split).permutation(len(table.labels))
    n_test = round(TEST_SHARE * len(order))
    test, rest = table.take(np.sort(order[:n_test])), table.take(np.sort(order[n_test:]))
    is_classes = table.task == "classification"
    make = bough.DecisionTreeClassifier if is_classes else bough.DecisionTreeRegressor
    unpruned = make(types=table.types, n_jobs=1).fit(rest.columns, rest.labels)
    score = np.mean(test.scores(unpruned.predict(test.columns)))
    found = [(score if is_classes else np.sqrt(score), unpruned.get_n_leaves())]
    for way in WAYS:
        if way == "pessimistic" and not is_classes:
            found.append((np.nan, np.nan))
            continue
        result = bough.fit(
            with_labels(rest), "the label", test=with_labels(test), task=table.task,
            types=table.types, prune=way, criterion="gini" if is_classes else "squared_error",
            categorical="each", n_jobs=1,
        )  # fmt: skip
        figure = result.test["accuracy" if is_classes else "rmse"].value
        found.append((figure, result.grown_tree_.n_leaves))
    return found


def with_labels(table):
    return table.columns.assign(**{"the label": table.labels})


def cell(table, figure, n_leaves):
    if np.isnan(figure):
        return ""
    shown = f"{figure:,.0f}" if figure > 1000 else f"{figure:.3g}"
    if table.task == "classification":
        shown = f"{100 * figure:.1f} %"
    return f"{shown} ({n_leaves:,.0f})"


if __name__ == "__main__":
    sys.exit(main())
