"""Choose the settings of a tree, and how strongly to prune it, from training rows alone."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from grow_arguments import labels_of

from bough.grow import grow
from bough.predict import guesses, stops
from bough.pruning.ways import by_cost_complexity, cost_complexity_path
from bough.settings import Settings
from bough.table import read, read_like

FEW_ROWS = 5000
N_STRENGTHS = 16


@dataclass(frozen=True)
class Chosen:
    """The settings of a tree, how codes are read, and how it is pruned."""

    criterion: str
    categorical: str
    min_samples_leaf: int
    codes: str = "category"  # or "number"
    prune_by: str = "impurity"  # or "error": the share of wrong guesses
    strength: float = 0.0  # `ccp_alpha` times the number of rows: what a leaf costs, in rows

    @property
    def in_words(self):
        codes = ", codes as numbers" if self.codes == "number" else ""
        pruned = ", pruned by error" if self.prune_by == "error" else ""
        return f"{self.criterion}, {self.categorical}, leaf {self.min_samples_leaf}{codes}{pruned}"


@dataclass(frozen=True)
class Model:
    """A tree that guesses the labels of a table."""

    tree: object

    def predict(self, columns):
        return labels_guessed(self.tree, read_like(columns, self.tree.schema))

    @property
    def n_leaves(self):
        return int(np.count_nonzero(self.tree.feature < 0))


def make(chosen, table):
    """Return the tree that was chosen, grown from all rows of a table and pruned."""
    tree = grown(chosen, read_columns(chosen, table), table, np.arange(len(table.labels)))
    return Model(by_cost_complexity(tree, chosen.strength / len(table.labels)))


def tune(table, seed):
    """Return the settings of least loss when the rows of a table are split again."""
    inner = inner_splits(table, seed)
    best, least = None, np.inf
    for candidate in candidates(table):
        columns = read_columns(candidate, table)
        trees = [grown(candidate, columns, table, train) for train, _ in inner]
        for prune_by in ("impurity", "error") if table.task == "classification" else ("impurity",):
            here = replace(candidate, prune_by=prune_by)
            tried = strengths(costed(trees[0], here), table)
            losses = np.mean(
                [
                    pruned_losses(costed(tree, here), columns, table, tried, rows)
                    for tree, (_, rows) in zip(trees, inner, strict=True)
                ],
                axis=0,
            )
            at = int(np.argmin(losses))  # the weakest pruning of equal ones
            if losses[at] < least:
                best, least = replace(here, strength=tried[at]), losses[at]
    return best


def candidates(table):
    """Return the settings that are compared."""
    found = [Chosen(*each) for each in product(*grids(table, table.types))]
    if table.has_codes:
        left = table.as_numbers().types
        found += [Chosen(*each, "number") for each in product(*grids(table, left))]
    # C4.5 has two rows in a leaf, and this criterion is its own.
    return [each for each in found if each.criterion != "gain_ratio" or each.min_samples_leaf == 2]


def grids(table, types):
    """Return what the criterion, the categories and the leaves may be."""
    ways = ("each", "group") if types else ("each",)
    if table.task == "classification":
        return ("gini", "entropy", "gain_ratio"), ways, (1, 2, 5)
    least = (20, 30, 50, 70, 100) if table.task == "ranking" else (2, 5, 10, 20)
    return ("squared_error",), ways, least


def inner_splits(table, seed):
    """Return pairs of training and validation rows: five, or two of these for many rows."""
    from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold

    nothing = np.zeros(len(table.labels))
    if table.task == "ranking":
        return list(GroupKFold(5).split(nothing, groups=table.groups))
    kind = StratifiedKFold if table.task == "classification" else KFold
    found = list(kind(5, shuffle=True, random_state=seed + 1).split(nothing, table.labels))
    return found if len(table.labels) <= FEW_ROWS else found[:2]


def strengths(tree, table):
    """Return strengths between those at which a tree changes.

    A tree that ranks is not pruned: rows of one leaf cannot be told apart.
    """
    path, _ = cost_complexity_path(tree)
    if table.task == "ranking" or len(path) == 1:
        return [0.0]
    middles = np.sqrt(path[:-1] * path[1:]) * tree.n_rows[0]
    picked = np.unique(np.linspace(0, len(middles) - 1, N_STRENGTHS - 1).astype(int))
    return sorted({0.0, *middles[picked].tolist()})


def pruned_losses(tree, columns, table, tried, validation):
    """Return the loss on validation rows of a tree pruned with each strength."""
    rows, here = taken(columns, validation), table.take(validation)
    losses = []
    for strength in tried:
        tree = by_cost_complexity(tree, strength / tree.n_rows[0])  # pruned trees are nested
        scores = here.scores(labels_guessed(tree, rows))
        losses.append(scores.mean() if table.task == "regression" else 1 - scores.mean())
    return losses


def grown(chosen, columns, table, rows):
    """Return the tree of some rows, ready to be pruned."""
    settings = Settings(
        criterion=chosen.criterion,
        categorical=chosen.categorical,
        min_samples_leaf=chosen.min_samples_leaf,
    )
    labels = labels_of(table.task, table.labels[rows])
    return costed(grow(taken(columns, rows), labels, settings, n_jobs=1), chosen)


def costed(tree, chosen):
    """Return a tree whose pruning counts wrong guesses, if that was chosen."""
    if chosen.prune_by == "impurity":
        return tree
    return replace(tree, impurity=1 - tree.shares[:, 0].max(axis=1))


def labels_guessed(tree, rows):
    guess = guesses(tree, stops(tree, rows))[:, 0]
    return guess if tree.guess is not None else np.array(tree.schema.labels[0].classes)[guess]


def read_columns(chosen, table):
    types = table.types if chosen.codes == "category" else table.as_numbers().types
    return read(table.columns, types=types)


def taken(columns, rows):
    return replace(columns, values=tuple(each[rows] for each in columns.values), n_rows=len(rows))
