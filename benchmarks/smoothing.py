"""Measure ways to smooth the shares at the leaves, by their log loss on development rows.

    python benchmarks/smoothing.py [--data DIR] [TABLE …]

Every tree is the one that `bough.fit` chooses by the error. Development rows are those of the folds,
or a tenth of the rows. No test row is looked at. `even 2` adds two rows to every leaf, spread evenly
over the classes; `prior 2` adds two rows that are mixed as all rows of the tree are.
"""

import sys

import numpy as np
import real_tables

from bough.learn import Request, problem_of
from bough.learn.nested_trees import prunings_for
from bough.learn.tuning import settings_to_try, tune
from bough.predict import stops

TABLES = ("adult", "mushroom", "car", "nursery", "titanic", "penguins", "wine_quality", "soybean")
TABLES = (*TABLES, "covtype_sample15k")
LEAST = np.finfo(np.float64).eps


def ways(tally):
    """Return the probabilities of each way, by its name."""
    n_rows, n_classes = tally.sum(axis=1, keepdims=True), tally.shape[1]
    prior = (tally[0] + 1) / (tally[0] + 1).sum()
    found = {"raw": tally / n_rows, "laplace": (tally + 1) / (n_rows + n_classes)}
    found["even 2"] = (tally + 2 / n_classes) / (n_rows + 2)
    for more in (1, 2, 3, 5, 10):
        found[f"prior {more}"] = (tally + more * prior) / (n_rows + more)
    found["baseline"] = np.tile(prior, (len(tally), 1))
    return found


def log_losses(table):
    """Return the mean log loss of each way on the development rows."""
    rows = table.columns.assign(label=table.labels)
    request = Request(
        table=rows, target="label", task="classification", types=table.types, prune=None
    )
    problem = problem_of(request)
    plan = problem.plan
    tuning = tune(
        plan, settings_to_try(plan, problem.request), prunings_for(problem),
        loss="error", choose="best", n_jobs=request.n_jobs, progress=lambda *_: None,
    )  # fmt: skip
    sums = dict.fromkeys(ways(tuning.trees[0].tally[:, 0]), 0.0)
    for tree, (_, tried) in zip(tuning.trees, plan.pairs, strict=True):
        dev = plan.rows.take(tried)
        nodes = stops(tree, dev.table)
        for way, probable in ways(tree.tally[:, 0]).items():
            sums[way] -= np.log(np.maximum(probable[nodes, dev.answers], LEAST)).sum()
    n_rows = sum(len(tried) for _, tried in plan.pairs)
    return {way: found / n_rows for way, found in sums.items()}


def main():
    parser = real_tables.parser(__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="TABLE")
    asked = parser.parse_args()
    folder = real_tables.find_folder(asked.data)
    if folder is None:
        return real_tables.why_absent(asked.data)
    for number, name in enumerate(asked.names or TABLES):
        found = log_losses(real_tables.read(folder, name))
        if number == 0:
            print(f"{'table':20}" + "".join(f"{way:>10}" for way in found))
        print(f"{name:20}" + "".join(f"{each:10.3f}" for each in found.values()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
