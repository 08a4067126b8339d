"""Choose the settings of a tree from training rows alone."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.encode import Labels
from bough.grow import grow
from bough.predict import guesses, stops
from bough.prune import by_cost_complexity, cost_complexity_path
from bough.schema import Label
from bough.settings import Settings
from bough.table import read

FEW_ROWS = 5000  # up to here, settings are compared by cross-validation
N_STRENGTHS = 16


@dataclass(frozen=True)
class Chosen:
    """The settings of a tree, and how codes are read."""

    criterion: str
    categorical: str
    min_samples_leaf: int
    codes: str  # "category" or "number"
    ccp_alpha: float = 0.0

    @property
    def in_words(self):
        codes = ", codes as numbers" if self.codes == "number" else ""
        return f"{self.criterion}, {self.categorical}, leaf {self.min_samples_leaf}{codes}"


def make(chosen, table):
    """Return the fitted estimator that was chosen."""
    grows = DecisionTreeClassifier if table.task == "classification" else DecisionTreeRegressor
    return grows(
        criterion=chosen.criterion,
        categorical=chosen.categorical,
        min_samples_leaf=chosen.min_samples_leaf,
        ccp_alpha=chosen.ccp_alpha,
        types=table.types if chosen.codes == "category" else None,
        n_jobs=1,
    ).fit(table.columns, table.labels)


def tune(table, seed):
    """Return the settings of least loss when the rows of a table are split again."""
    inner = inner_splits(table, seed)
    best, least = None, np.inf
    for candidate in candidates(table):
        columns = read(table.columns, types=table.types if candidate.codes == "category" else None)
        alphas = strengths(candidate, columns, table)
        losses = np.mean(
            [pruned_losses(candidate, columns, table, alphas, *split) for split in inner], axis=0
        )
        at = int(np.argmin(losses))  # the weakest pruning of equal ones
        if losses[at] < least:
            best, least = replace(candidate, ccp_alpha=alphas[at]), losses[at]
    return best


def candidates(table):
    """Return the settings that are compared, but for how strongly to prune."""
    n_rows = len(table.labels)
    if table.task == "classification":
        criteria = ("gini", "entropy", "gain_ratio")
        least = (1, 2, 5) if n_rows <= FEW_ROWS else (1, 5)
    else:
        criteria, least = ("squared_error",), (2, 5, 10, 20)
        least = (20, 30, 50, 70, 100) if table.task == "ranking" else least
    ways = ("each", "group") if table.types else ("each",)
    codes = ("category", "number") if table.has_codes else ("category",)
    return [Chosen(*each) for each in product(criteria, ways, least, codes)]


def inner_splits(table, seed):
    """Return pairs of training and validation rows."""
    from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold

    is_small = len(table.labels) <= FEW_ROWS
    n_splits = 5 if is_small else 4
    nothing = np.zeros(len(table.labels))
    if table.task == "ranking":
        return list(GroupKFold(n_splits).split(nothing, groups=table.groups))
    kind = StratifiedKFold if table.task == "classification" else KFold
    found = kind(n_splits, shuffle=True, random_state=seed + 1).split(nothing, table.labels)
    return list(found) if is_small else [next(found)]


def strengths(candidate, columns, table):
    """Return values of `ccp_alpha` between those at which the tree of all rows changes.

    A tree that ranks is not pruned: rows of one leaf cannot be told apart.
    """
    if table.task == "ranking":
        return [0.0]
    path, _ = cost_complexity_path(grown(candidate, columns, table, np.arange(len(table.labels))))
    middles = np.sqrt(path[:-1] * path[1:]) if len(path) > 1 else np.zeros(0)
    picked = np.unique(np.linspace(0, len(middles) - 1, N_STRENGTHS - 1).astype(int))
    return [0.0, *(middles[picked].tolist() if len(middles) else ())]


def pruned_losses(candidate, columns, table, alphas, train, validation):
    """Return the loss on validation rows of the tree of training rows, for each strength."""
    tree = grown(candidate, columns, table, train)
    rows, here = taken(columns, validation), table.take(validation)
    losses = []
    for alpha in alphas:
        tree = by_cost_complexity(tree, alpha)  # pruned trees are nested
        guess = guesses(tree, stops(tree, rows))[:, 0]
        if table.task == "classification":
            guess = np.array(tree.schema.labels[0].classes)[guess]
        scores = here.scores(guess)
        losses.append(scores.mean() if table.task == "regression" else 1 - scores.mean())
    return losses


def grown(candidate, columns, table, rows):
    """Return the tree of some rows, not pruned."""
    settings = Settings(
        criterion=candidate.criterion,
        categorical=candidate.categorical,
        min_samples_leaf=candidate.min_samples_leaf,
    )
    here = table.labels[rows]
    if table.task == "classification":
        classes, codes = np.unique(here, return_inverse=True)
        label = Label("label", tuple(classes.tolist()))
        labels = Labels((label,), codes[np.newaxis].astype(np.int32), None)
    else:
        labels = Labels((Label("label"),), None, here[np.newaxis].astype(float))
    return grow(taken(columns, rows), labels, settings, n_jobs=1)


def taken(columns, rows):
    return replace(columns, values=tuple(each[rows] for each in columns.values), n_rows=len(rows))
