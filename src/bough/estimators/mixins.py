"""What all estimators offer, as mixins: to explain a tree, to change it by hand, and its loss at each depth (`depths_path`)."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from inspect import signature
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bough.edit import (
    cut_nodes,
    cut_words,
    force_query,
    force_words,
    listed_nodes,
    read_wanted,
    refuse_other_rows,
)
from bough.errors import ParameterError
from bough.estimators.decision_tree import DecisionTree
from bough.estimators.fit_arguments import read_weights
from bough.evidence import Edit
from bough.explain import Explanation
from bough.explain.importances_and_shap_values import ShapValues, shap_values
from bough.explain.row import explain
from bough.explain.rules_and_conditions import Rule, rules
from bough.exports.scikit_learn import sklearn_tree
from bough.interview import Interview
from bough.losses.intervals import difference
from bough.predict import Guessing, check_missing, said_of
from bough.pruning.ways import RowLosses, at_depth, by_cost_complexity
from bough.query_kinds import Query
from bough.table import Table, TableLike
from bough.tree import Tree
from bough.walk import depths, parents

Dev = tuple[Any, ...]
"""Rows that took no part in growing: X, y, maybe sample_weight, and in a ranking maybe group."""
Losses = tuple[NDArray[np.float64], NDArray[np.float64] | None]
"""What guesses cost in some rows or groups, and how much these count."""


class Explainable(DecisionTree):
    """A fitted tree that explains its predictions."""

    def explain(self, X: TableLike, *, digits: int = 3) -> list[Explanation]:
        """Explain the prediction of each row, and what would change it.

        Numbers are printed with at least so many significant digits.

        Examples
        --------
        >>> from bough import DecisionTreeClassifier
        >>> X = {"age": [4, 9, 34, 40], "sex": ["m", "f", "f", "m"]}
        >>> tree = DecisionTreeClassifier().fit(X, ["yes", "yes", "yes", "no"])
        >>> print(tree.explain({"age": [31], "sex": ["m"]})[0])
        yes 100 % (3 rows)
          75 %  all rows
           +25  age < 37 (it is 31, 6 away)
        nearest flip: age ≥ 37 → no 100 %
        """
        check_missing(self.missing)
        return explain(self._tree, self._read(X), digits=digits, missing=self.missing)

    def rules(self, *, digits: int | None = 3) -> list[Rule]:
        """Return one rule for each leaf, with at least so many significant digits; None: all.

        Examples
        --------
        >>> from bough import DecisionTreeRegressor
        >>> for rule in DecisionTreeRegressor(max_depth=1).fit([[1], [2], [8]], [1, 2, 8]).rules():
        ...     print(rule)
        x0 < 5 → 1.5 ± 0.5 (2 rows)
        x0 ≥ 5 → 8 ± 0 (1 row)
        """
        return rules(self._tree, digits=digits)

    def ask(self, *, digits: int = 3) -> Interview:
        """Return an interview that asks one question at a time until the tree can predict.

        Examples
        --------
        >>> from bough import DecisionTreeClassifier
        >>> tree = DecisionTreeClassifier().fit({"color": ["red", "blue"]}, ["cherry", "plum"])
        >>> interview = tree.ask()
        >>> interview.question.feature
        'color'
        >>> interview.answer("red")
        >>> interview.result.guess
        'cherry'
        """
        return Interview(self._tree, digits=digits, missing=self.missing)

    def shap_values(self, X: TableLike) -> ShapValues:
        """Return how much each column adds to each prediction: exact path-dependent SHAP values.

        They are shap's `tree_path_dependent` values, for every tree of bough: with categories, many
        answers and missing values. The values of a row and the base value add up to the
        probabilities of its classes, or to its prediction. `values` are of shape (n_rows, n_columns),
        or (…, n_classes) where the tree predicts classes; `explanation()` makes of them, of
        `base_values` and `data` what `shap.plots` takes.

        Examples
        --------
        >>> from bough import DecisionTreeRegressor
        >>> tree = DecisionTreeRegressor().fit({"age": [4, 9, 34, 40]}, [0, 0, 1, 3])
        >>> found = tree.shap_values({"age": [36]})
        >>> found.base_values.tolist(), found.values.tolist()
        ([1.0], [[0.0]])
        """
        check_missing(self.missing)
        return shap_values(self._tree, self._read(X), missing=self.missing)

    def to_sklearn(self) -> Any:  # noqa: ANN401 - scikit-learn's class
        """Return the tree as a fitted tree of scikit-learn, for the tools that read those.

        It predicts the same for rows without missing values whose numbers float32 holds exactly,
        as scikit-learn rounds all others. A tree that asks about anything but numbers is refused.

        Examples
        --------
        >>> from bough import DecisionTreeRegressor
        >>> from sklearn.tree import export_text
        >>> tree = DecisionTreeRegressor().fit({"age": [4, 9, 34]}, [0, 0, 1])
        >>> print(export_text(tree.to_sklearn(), feature_names=["age"]))
        |--- age <= 21.50
        |   |--- value: [0.00]
        |--- age >  21.50
        |   |--- value: [1.00]
        <BLANKLINE>
        """
        return sklearn_tree(self._tree, self.settings_.criterion)


class MeasuredByRows(Explainable):
    """A fitted tree whose loss is the mean of what its predictions cost in each row."""

    def depths_path(
        self, X: TableLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> NDArray[np.float64]:
        """Return the loss on these rows when the tree is cut at depth 0, 1, 2, …

        The loss is the share of wrong predictions for a classifier, the mean cost if it has `costs`,
        and the mean squared error for a regressor.

        Examples
        --------
        >>> from bough import DecisionTreeClassifier
        >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["a", "a", "a", "b"]
        >>> DecisionTreeClassifier().fit(X, y).depths_path(X, y)
        array([0.25, 0.25, 0.  ])
        """
        check_missing(self.missing)
        if self.missing == "weigh":
            return self._weighed_depths_path(X, y, sample_weight)
        return losses_by_depth(self._tree, *self.__bough_losses__(X, y, sample_weight))

    def __bough_losses__(
        self, X: TableLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[NDArray[np.intp], RowLosses, NDArray[np.float64] | None]:
        """Return where rows stop, what each would lose at any node, and their weights."""
        nodes = self.apply(X)
        weights = read_weights(sample_weight, len(nodes))
        return nodes, self._row_losses(y, len(nodes)), weights

    def _losses_on(
        self, X: TableLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """Return what guesses cost in each row, and the weights of the rows."""
        table = self._read(X)
        said = said_of(self._tree, table, missing=self.missing)
        return self._losses_of(y, *said), read_weights(sample_weight, table.n_rows)

    def _weighed_depths_path(
        self, X: TableLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> NDArray[np.float64]:
        """Cut the tree at each depth: where the parts of a row stop hangs on it."""
        table = self._read(X)
        weights = read_weights(sample_weight, table.n_rows)
        cut = weighed_by_depth(self._tree, table)
        return np.array([np.average(self._losses_of(y, *said), weights=weights) for said in cut])

    def _losses_of(
        self, y: ArrayLike, guessing: Guessing, places: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """Return what guesses cost in each row."""
        losses = self._row_losses(y, len(places), guessing)
        return losses(np.arange(len(places)), places.astype(np.intp))

    @abstractmethod
    def _row_losses(self, y: ArrayLike, n_rows: int, guessing: Guessing | None = None) -> RowLosses:
        """Return a function that gives the losses of some rows, had they stopped at some nodes.

        None is the tree itself.
        """


def weighed_by_depth(tree: Tree, table: Table) -> Iterator[tuple[Guessing, NDArray[np.integer]]]:
    """Give what guesses for rows, cut at each depth, where missing values go to every answer."""
    for depth in range(int(depths(tree).max()) + 1):
        yield said_of(at_depth(tree, depth), table, missing="weigh")


def losses_by_depth(
    tree: Tree,
    nodes: NDArray[np.intp],
    losses: RowLosses,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return the mean loss of the tree cut at each depth, given where each row stops in the whole tree.

    `losses(rows, nodes)` are those of some rows, had they stopped at some nodes.
    """
    depth, parent = depths(tree), parents(tree)
    order = np.argsort(-depth[nodes], kind="stable")  # the rows that go deepest come first
    here = nodes[order]
    weight = np.ones(len(nodes)) if weights is None else weights[order] / weights.max()
    # Rows order[k:] have stopped for good, and their loss does not change with the depth.
    stopped = np.append(np.cumsum((weight * losses(order, here))[::-1])[::-1], 0.0)
    deepest = int(depth.max())
    n_deeper = len(nodes) - np.cumsum(np.bincount(depth[nodes], minlength=deepest + 1))
    means = np.empty(deepest + 1)
    for level in range(deepest, -1, -1):
        going = n_deeper[level]
        here[:going] = parent[here[:going]]
        on_the_way = np.dot(weight[:going], losses(order[:going], here[:going]))
        means[level] = (on_the_way + stopped[going]) / weight.sum()
    return means


class Editable(Explainable):
    """A fitted tree of which copies with shorter branches can be made."""

    def cut(self, nodes: int | Sequence[int], *, dev: Dev | None = None) -> Self:
        """Return a copy of the tree in which one or more branches are leaves.

        Its `edit_` says what was done and how it changed the loss on `dev`. `bough.draw(tree, ids=True)`
        shows the numbers of the nodes.

        Parameters
        ----------
        nodes : int or list of int
            Numbers of the branches to cut. The new tree numbers its nodes afresh.
        dev : tuple of X, y and maybe sample_weight, default=None
            Rows to measure the change on, which the tree was not grown from. A ranker takes group as
            a fourth entry.

        Examples
        --------
        >>> from bough import DecisionTreeClassifier
        >>> tree = DecisionTreeClassifier().fit([[1], [2], [3], [4]], ["a", "b", "a", "a"])
        >>> smaller = tree.cut(1, dev=([[2.5], [5]], ["a", "a"]))
        >>> smaller.get_n_leaves(), smaller.edit_.what
        (2, 'node 1 is a leaf')
        """
        tree = cut_nodes(self._tree, nodes)
        return self._edited(tree, cut_words(listed_nodes(self._tree, nodes)), dev)

    def _edited(self, tree: Tree, what: str, dev: Dev | None) -> Self:
        edited: Any = self.__bough_pruned__(tree)
        edit = Edit(what) if dev is None else self._measured(edited, what, dev)
        edits, evidence = (*self.edits_, edit), self.evidence_
        if evidence is not None:
            evidence = {**evidence, "edits": [asdict(each) for each in edits]}
        edited._take(tree, self.settings_, evidence, edits)  # noqa: SLF001
        return edited  # type: ignore[no-any-return]

    def _measured(self, edited: Any, what: str, dev: Dev) -> Edit:  # noqa: ANN401 - as self is
        """Return an edit with what it changed on some rows."""
        names = list(signature(self._losses_on).parameters)
        if not isinstance(dev, tuple) or not 2 <= len(dev) <= len(names):
            is_tuple = isinstance(dev, tuple)
            given = f"has length {len(dev)}" if is_tuple else f"is of type {type(dev).__name__!r}"
            raise ParameterError(
                f"dev {given}. Give rows that the tree was not grown from: "
                f"dev=(X, y) or dev=({', '.join(names)})."
            )
        before, weights = self._losses_on(*dev)
        after, _ = edited._losses_on(*dev)  # noqa: SLF001
        loss = "cost" if self._tree.schema.labels[0].costs else self.task.loss
        change = difference(after, before, loss, weights=weights)
        return Edit(what, loss, float(np.average(before, weights=weights)), change)

    @abstractmethod
    def _losses_on(
        self, X: TableLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Losses:
        """Return what guesses cost on other rows."""


class Forceable(Editable):
    """A fitted tree of which copies that ask something else can be made, too."""

    def force(
        self,
        node: int,
        query: str | int | Query,
        X: TableLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        below: object = None,
        one_of: Sequence[object] | None = None,
        is_missing: bool = False,
        dev: Dev | None = None,
    ) -> Self:
        """Return a copy of the tree in which one node asks another query.

        Everything below that node is grown again. All other nodes stay as they are. The copy's `edit_`
        says what was done and how it changed the loss on `dev`.

        Parameters
        ----------
        node : int
            Number of the node; a leaf is fine, too.
        query : str, int or Query
            The column to ask about, by its best query unless `below`, `one_of` or `is_missing` names
            one; or the query of another node.
        X, y, sample_weight
            The training rows of this tree.
        below : number, date or value, default=None
            The pivot to compare with.
        one_of : list of values, default=None
            The values of the first answer; all others are the second.
        is_missing : bool, default=False
            Ask whether the value is missing.
        dev : tuple of X, y and maybe sample_weight, default=None
            Rows to measure the change on, which the tree was not grown from.

        Examples
        --------
        >>> from bough import DecisionTreeClassifier
        >>> X = {"age": [4, 9, 34, 40], "sex": ["m", "f", "f", "m"]}
        >>> y = ["yes", "yes", "yes", "no"]
        >>> tree = DecisionTreeClassifier().fit(X, y)
        >>> for rule in tree.force(0, "sex", X, y).rules():
        ...     print(rule)
        sex = f → yes 100 % (2 rows)
        sex = m and age < 20 → yes 100 % (1 row)
        sex = m and age ≥ 20 → no 100 % (1 row)
        """
        wanted = read_wanted(
            self._tree.schema, query, below=below, one_of=one_of, is_missing=is_missing
        )
        ground = self._ground(X, y, sample_weight)
        refuse_other_rows(self._tree, ground)
        tree = force_query(self._tree, node, wanted, ground, self._pruned)
        return self._edited(tree, force_words(node, wanted), dev)

    def _pruned(self, branch: Tree) -> Tree:
        whole, part = float(self._tree.weight[0]), float(branch.weight[0])
        return by_cost_complexity(branch, float(self.ccp_alpha) * whole / part)
