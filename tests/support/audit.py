"""The audit: is every node of a grown tree what the specification says, without rounding?

For every node the rows are found by routing them here, every admissible query of every column is
scored, and the node's query must be the one that the gain and the tie rule choose. A leaf must be
a leaf for a reason. Nothing is shared with bough but the names of its types.

>>> audit(tree, table, labels, settings).violations
[]
"""

from bisect import bisect_left
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from audit_choice import DOUBT, choose
from audit_numbers import check_numbers, in_words, is_close
from audit_queries import MISSING, node_queries, read_columns, read_limits, rows_needed
from audit_scores import TIE, exact_impurity, read_cells

from bough.encode import Labels
from bough.query_kinds import QueryKind
from bough.schema import Label
from bough.table import read

WHOLE = 2**53  # integers up to here are exact in floating point


@dataclass
class Audit:
    """What was looked at, and what was found wrong."""

    nodes: int = 0
    candidates: int = 0
    ties: int = 0  # nodes at which the tie rule decided
    doubts: int = 0  # nodes at which the thirteenth digit says what is tied
    violations: list[str] = field(default_factory=list)


def audit(tree, table, labels, settings, nodes=None):
    """Return what is wrong with a tree that was grown from this table with these settings.

    Only these `nodes` are looked at; None: all, and the order in which they were split.
    """
    return _Auditor(tree, table, labels, settings).run(nodes)


def audit_estimator(estimator, X, y, sample_weight=None):
    """Return what is wrong with the tree of an estimator that was fitted to these rows."""
    table = read(X, types=estimator.types)
    of_classes = estimator.grown_tree_.schema.has_classes
    labels = (class_labels if of_classes else number_labels)(y, sample_weight)
    return audit(estimator.grown_tree_, table, labels, estimator.settings_)


def class_labels(y, weights=None):
    """Return labels that are classes, one column for each output."""
    outputs = np.asarray(y).reshape(len(y), -1).T
    found = [np.unique(output, return_inverse=True) for output in outputs]
    names = tuple(Label(f"y{at}", tuple(found[at][0].tolist())) for at in range(len(found)))
    codes = np.array([codes for _, codes in found], dtype=np.int32)
    return Labels(names, codes, None, None if weights is None else np.asarray(weights, float))


def number_labels(y, weights=None):
    """Return labels that are numbers, one column for each output."""
    outputs = np.array(np.asarray(y, dtype=float).reshape(len(y), -1).T)
    names = tuple(Label(f"y{at}") for at in range(len(outputs)))
    return Labels(names, None, outputs, None if weights is None else np.asarray(weights, float))


class _Auditor:
    def __init__(self, tree, table, labels, settings):
        if settings.splitter != "best" or settings.max_features is not None:
            raise ValueError("A tree that draws by chance cannot be audited.")
        self.tree, self.settings = tree, settings
        self.cells = read_cells(labels)
        self.columns = read_columns(table, self.cells.rows)
        self.limits = read_limits(settings, self.cells)
        self.least_to_split = rows_needed(settings.min_samples_split, len(self.cells.rows))
        self.weight = self.cells.weight(self.cells.cells.sum(axis=0).tolist())
        self.result = Audit()
        self.offers = {}  # best first: the gain and the answers of each node that might split

    def run(self, nodes=None):
        members, depth, next_child = {0: np.arange(len(self.cells.rows))}, {0: 0}, 1
        for node in range(len(self.tree.feature)):
            here = members.pop(node)
            if nodes is None or node in nodes:
                self.result.nodes += 1
                self._look(node, here, depth[node])
            if self.tree.n_children[node] == 0:
                continue
            if self.tree.first_child[node] != next_child:
                self._wrong(node, f"its first child is not {next_child}")
                break
            for below in self._route(node, here):
                members[next_child], depth[next_child] = below, depth[node] + 1
                next_child += 1
            del depth[node]
        if self.settings.max_leaf_nodes is not None and nodes is None:
            self._check_order()
        return self.result

    def _wrong(self, node, says):
        self.result.violations.append(f"node {node}: {says}")

    def _look(self, node, members, depth):
        tally = tuple(self.cells.cells[members].sum(axis=0).tolist())
        if tally[0] != self.tree.n_rows[node] or tally[0] == 0:
            self._wrong(node, f"has {self.tree.n_rows[node]} rows, not {tally[0]}")
            return
        impurity = exact_impurity(self.settings.criterion, self.cells, members, tally)
        for says in check_numbers(self.tree, node, self.cells, members, tally, impurity):
            self._wrong(node, says)
        is_leaf = self.tree.n_children[node] == 0
        choice = None
        if impurity > 0 and not self._must_stop(members, depth):
            choice = self._choice(members, tally, impurity)
        if choice is not None:
            self._judge(node, choice, Fraction(self.cells.weight(tally), self.weight))
        elif not is_leaf:
            self._wrong(node, "is a branch, but must be a leaf")
        if choice is not None and not is_leaf:
            self._check_query(node, members, choice, impurity)

    def _must_stop(self, members, depth):
        most = self.settings.max_depth
        return (most is not None and depth >= most) or len(members) < self.least_to_split

    def _choice(self, members, tally, impurity):
        choice = choose(
            self.settings.criterion, self.cells, members, tally, impurity, self._queries
        )
        if choice is not None:
            self.result.candidates += choice.n_candidates
            self.result.ties += choice.n_tied > 1
            self.result.doubts += len(choice.gains) > 1
        return choice

    def _queries(self, members, near):
        group = self.settings.categorical == "group"
        return node_queries(
            self.columns, self.cells, members, near, group=group, limits=self.limits
        )

    def _judge(self, node, choice, share):
        """Check that a node that can ask something is a leaf or a branch for a reason."""
        is_leaf = self.tree.n_children[node] == 0
        least = Fraction(str(self.settings.min_impurity_decrease))
        short = least - TIE - choice.gain * share
        if short > DOUBT and not is_leaf:
            self._wrong(node, f"is a branch that gains {float(choice.gain)!r}, which is too little")
        if short > DOUBT:
            return
        if self.settings.max_leaf_nodes is not None:
            self.offers[node] = (choice.gain * share, choice.n_answers[choice.query])
        elif is_leaf and short <= -DOUBT:
            self._wrong(node, f"is a leaf, but {choice.query} gains {float(choice.gain)!r}")

    # --- Queries as the tree stores them ----------------------------------------------------------

    def _check_query(self, node, members, choice, impurity):
        stored = self._stored(node)
        expected = {self._expected(query, members): query for query in choice.gains}
        if stored not in expected:
            wanted = next(iter(expected))
            self._wrong(node, f"asks {stored}, not {wanted}")
            return
        gain = choice.gains[expected[stored]]
        if not is_close(float(self.tree.gain[node]), gain, impurity):
            self._wrong(node, f"gain is {float(self.tree.gain[node])!r}, not {in_words(gain)}")

    def _stored(self, node):
        tree = self.tree
        seen = slice(tree.codes_start[node], tree.codes_start[node + 1])
        missing = int(tree.missing_child[node])
        pivot = float(tree.pivot[node])
        if np.isnan(pivot) and tree.pivot_int is not None:
            pivot = int(tree.pivot_int[node])
        kind = QueryKind(tree.query_kind[node])
        return Asked(
            int(tree.feature[node]),
            kind,
            repr(pivot) if kind is QueryKind.BELOW else None,
            tuple(tree.codes[seen].tolist()),
            tuple(tree.answers[seen].tolist()),
            missing - int(tree.first_child[node]) if missing >= 0 else None,
        )

    def _expected(self, query, members):
        ranks = self.columns[query.feature].ranks[members]
        missing = query.missing if (ranks == MISSING).any() else None
        kind, pivot, codes, answers = QueryKind(query.kind), None, (), ()
        if kind is QueryKind.BELOW:
            values = self.columns[query.feature].values
            above = int(ranks[ranks > query.detail].min())
            pivot = repr(exact_pivot(values[query.detail].item(), values[above].item()))
        elif kind is QueryKind.EACH_VALUE:
            codes, answers = query.detail, tuple(range(len(query.detail)))
        elif kind is QueryKind.ONE_OF:
            codes = tuple(np.unique(ranks[ranks != MISSING]).tolist())
            answers = tuple(int(code not in query.detail) for code in codes)
        return Asked(query.feature, kind, pivot, codes, answers, missing)

    def _route(self, node, members):
        """Return the rows of each child, by the query that the tree has."""
        asked = self._stored(node)
        column = self.columns[asked.feature]
        ranks = column.ranks[members]
        answers = np.full(len(members), -1)
        if asked.kind is QueryKind.BELOW:
            is_whole = asked.pivot.lstrip("-").isdigit()
            pivot = int(asked.pivot) if is_whole else Fraction(float(asked.pivot))
            answers = np.where(ranks < bisect_left(column.values, pivot), 0, 1)
        elif asked.kind is QueryKind.IS_MISSING:
            answers = np.ones(len(members), int)
        for code, answer in zip(asked.codes, asked.answers, strict=True):
            answers[ranks == code] = answer
        answers[ranks == MISSING] = -1 if asked.missing is None else asked.missing
        if (answers < 0).any():
            self._wrong(node, f"has no answer for {(answers < 0).sum()} of its own rows")
        return [members[answers == answer] for answer in range(self.tree.n_children[node])]

    # --- Best first -------------------------------------------------------------------------------

    def _check_order(self):
        """Grow again from the gains: the nodes that split must be the branches of the tree."""
        leaves_left, waiting, splits = self.settings.max_leaf_nodes - 1, [0], set()
        slack = TIE * Fraction(float(self.tree.impurity[0]))
        while waiting := [node for node in waiting if node in self.offers]:
            best = max(self.offers[node][0] for node in waiting)
            node = next(node for node in waiting if self.offers[node][0] >= best - slack)
            waiting.remove(node)
            n_answers = self.offers[node][1]
            if n_answers - 1 <= leaves_left:
                leaves_left -= n_answers - 1
                splits.add(node)
                first = int(self.tree.first_child[node])
                waiting += range(first, first + int(self.tree.n_children[node]))
        for node in range(len(self.tree.feature)):
            is_branch = bool(self.tree.n_children[node])
            if is_branch != (node in splits):
                self._wrong(node, f"is a {'branch' if is_branch else 'leaf'} in the wrong order")


class Asked(NamedTuple):
    """A query as a tree stores it; the pivot is spelt out, so that -0.0 is not 0.0."""

    feature: int
    kind: QueryKind
    pivot: str | None
    codes: tuple[int, ...]
    answers: tuple[int, ...]
    missing: int | None


def exact_pivot(low, high):
    """Return the pivot between two neighbouring values."""
    if isinstance(low, int) and max(abs(low), abs(high)) > WHOLE:
        return (low + high + 1) // 2
    middle = float((Fraction(low) + Fraction(high)) / 2) + 0.0
    return middle if middle > low else float(high)
