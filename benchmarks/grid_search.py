"""Compare `bough.fit` with a grid search over scikit-learn's tree, on the same test rows.

    python benchmarks/grid_search.py [--data DIR] [--splits 10] [--results FILE] [--write] [TABLE …]

Each table is split ten times, four fifths to learn from and a fifth to test with. `bough.fit` gets the
rows to learn from as they are; scikit-learn gets them one-hot, and tries every `ccp_alpha` with every
`min_samples_leaf` over five folds. What was measured is kept in FILE, so that a run can be stopped and
go on later. `--write` writes the third part of `docs/accuracy.md`. Ends with 1 if a table is
significantly worse, or the mean rank is.
"""

import json
import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import grid_page
import made_accuracy_tables
import numpy as np
import real_tables
from accuracy_page import GRID, write_part

import bough

N_SPLITS = 10
N_FOLDS = 5
TEST_SHARE = 0.2
MOST_ROWS = 10_000  # of a table, for both
MOST_COLUMNS = 100  # for a category, one-hot; rarer values share one
ALPHAS = (0, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2)  # times the variance of a number
LEAVES = (1, 2, 5, 10, 20, 50)


@dataclass(frozen=True)
class Measured:
    """A loss on the test rows of a split, and what it took."""

    loss: float
    n_leaves: int
    seconds: float


def main():
    parser = real_tables.parser(__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="TABLE")
    parser.add_argument("--splits", type=int, default=N_SPLITS)
    parser.add_argument("--results", type=Path, default=Path("build/grid_search.json"))
    parser.add_argument("--write", action="store_true", help="write docs/accuracy.md")
    asked = parser.parse_args()
    if (folder := real_tables.find_folder(asked.data)) is None:
        sys.exit(real_tables.why_absent(asked.data))
    warnings.filterwarnings("ignore", category=UserWarning)  # of classes rarer than folds
    kept = json.loads(asked.results.read_text()) if asked.results.exists() else {}
    for split in range(asked.splits):  # so that a run that is stopped has something of every table
        for name, read in readers(folder).items():
            key = f"{name} {split}"
            if key not in kept and (not asked.names or name in asked.names):
                kept[key] = compared(read(), split)
                asked.results.parent.mkdir(parents=True, exist_ok=True)
                asked.results.write_text(json.dumps(kept, indent=1))
                print(
                    key,
                    {who: round(each["loss"], 4) for who, each in kept[key].items()},
                    flush=True,
                )
    lines = grid_page.lines_of(kept)
    print("\n".join(grid_page.rows(lines)))
    if asked.write:
        write_part(GRID, grid_page.page(lines))
    return int(any(each.is_worse for each in lines) or grid_page.mean_rank(lines) > 1.5)


def readers(folder):
    """Return what reads each table."""
    real = [each["name"] for each in real_tables.described(folder)]
    found = {name: lambda name=name: real_tables.read(folder, name) for name in real}
    return found | made_accuracy_tables.TABLES


def compared(table, split):
    """Return what both reach on the test rows of a split, as plain data."""
    train, test = parts(table, split)
    found = {"bough": of_bough(train, test, split), "grid": of_grid(train, test, split)}
    about = {"task": table.task, "n_rows": len(table.labels), "n_used": len(train.labels)}
    return {who: {**vars(each), **about} for who, each in found.items()}


def parts(table, split):
    """Return the rows to learn from and those to test with, at most so many together."""
    from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit

    rows = np.random.default_rng(split).permutation(len(table.labels))
    if table.groups is None:
        table = table.take(rows[:MOST_ROWS])
    kind = ShuffleSplit if table.groups is None else GroupShuffleSplit
    made = kind(1, test_size=TEST_SHARE, random_state=split)
    train, test = next(made.split(np.zeros(len(table.labels)), table.labels, table.groups))
    return table.take(train), table.take(test)


def of_bough(train, test, split):
    start = time.process_time()
    roles = {} if train.groups is None else {"group": "the group"}
    result = bough.fit(
        frame(train), "the target", test=frame(test), task=train.task, seed=split, n_jobs=1, **roles
    )
    guesses = result.model.predict(test.columns)
    seconds = time.process_time() - start
    return Measured(loss(test, guesses), result.grown_tree_.n_leaves, seconds)


def frame(table):
    """Return a table as `bough.fit` gets it."""
    groups = {} if table.groups is None else {"the group": table.groups}
    return table.columns.copy().assign(**groups, **{"the target": table.labels})


def of_grid(train, test, split):
    """Return the same for the setting of the grid that does best over folds, grown from all rows."""
    from sklearn.model_selection import ParameterGrid

    start = time.process_time()
    encoder = one_hot(train).fit(train.columns)
    X, X_test = encoder.transform(train.columns), encoder.transform(test.columns)
    scale = np.var(train.labels) if train.task != "classification" else 1.0
    grid = ParameterGrid(
        {"ccp_alpha": [scale * each for each in ALPHAS], "min_samples_leaf": LEAVES}
    )
    folds = list(inner_folds(train, split))
    losses = [
        np.mean([loss(train.take(b), tree(train, each).fit(X[a], train.labels[a]).predict(X[b])) for a, b in folds])
        for each in grid
    ]  # fmt: skip
    best = tree(train, grid[int(np.argmin(losses))]).fit(X, train.labels)
    seconds = time.process_time() - start
    return Measured(loss(test, best.predict(X_test)), int(best.get_n_leaves()), seconds)


def one_hot(table):
    """Return what makes numbers of a table: text one-hot, missing text a value of its own."""
    from sklearn.compose import make_column_transformer
    from sklearn.preprocessing import OneHotEncoder

    text = [name for name in table.columns if table.columns[name].dtype.kind not in "iufb"]
    encoder = OneHotEncoder(
        handle_unknown="infrequent_if_exist", max_categories=MOST_COLUMNS, sparse_output=False
    )
    return make_column_transformer((encoder, text), remainder="passthrough")


def tree(table, parameters):
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    is_class = table.task == "classification"
    return (DecisionTreeClassifier if is_class else DecisionTreeRegressor)(
        random_state=0, **parameters
    )


def inner_folds(table, split):
    from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold

    nothing = np.zeros(len(table.labels))
    if table.groups is not None:
        return GroupKFold(N_FOLDS).split(nothing, groups=table.groups)
    kind = StratifiedKFold if table.task == "classification" else KFold
    return kind(N_FOLDS, shuffle=True, random_state=split).split(nothing, table.labels)


def loss(table, guesses):
    """Return the share of wrong guesses, the RMSE, or 1 - NDCG@10."""
    mean = float(table.scores(guesses).mean())
    return mean**0.5 if table.task == "regression" else 1 - mean


if __name__ == "__main__":
    sys.exit(main())
