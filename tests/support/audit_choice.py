"""Which of its queries a node asks: gains and the tie rule without rounding, for the audit.

All queries are scored in floating point; those within 1e-9 of the best, relative to the impurity,
are scored again in fractions.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from audit_queries import Query
from audit_scores import NEAR, TIE, ExactGain, entropy_total, near_gain

DOUBT = Fraction(2, 10**13)  # the scores of a tie may each be wrong by half of this
FEW = 300


@dataclass(frozen=True)
class Choice:
    """What a node should ask."""

    gains: dict[Query, Fraction]  # of the queries that may win; one, unless a tie is in doubt
    n_answers: dict[Query, int]
    n_tied: int
    n_candidates: int

    @property
    def query(self):
        return next(iter(self.gains))

    @property
    def gain(self):
        return self.gains[self.query]


class Candidates:
    """All queries of a node, numbered one block after the other."""

    def __init__(self, blocks):
        self.blocks = blocks
        self.ends = np.cumsum([len(block) for block in blocks])
        self.n_asked = sum(block.n_asked for block in blocks)

    def __len__(self):
        return int(self.ends[-1]) if len(self.ends) else 0

    def near(self, gain):
        return np.concatenate([block.near(gain) for block in self.blocks])

    @property
    def features(self):
        return np.concatenate([block.features for block in self.blocks])

    def __getitem__(self, number):
        """Return a query and the tallies of its answers."""
        block = int(np.searchsorted(self.ends, number, side="right"))
        at = int(number) - (int(self.ends[block - 1]) if block else 0)
        return self.blocks[block].query(at), self.blocks[block].parts(at)


def choose(criterion, cells, members, tally, impurity, queries_of):
    """Return what a node should ask, or None where it can ask nothing.

    `impurity` is its exact impurity, which is not 0; `queries_of` gives the queries of a node for
    its labels in floating point.
    """
    node = _Node(criterion, cells, members, tally, impurity)
    candidates = Candidates(queries_of(members, node.near))
    if not len(candidates):
        return None
    if criterion == "gain_ratio":
        return node.by_ratio(candidates)
    if criterion == "error":
        return node.by_error(candidates)
    return node.by_gain(candidates)


def first_of_best(scores, slack):
    """Return the queries that the tie rule may take, and how many are tied."""
    best = max(scores.values())
    surely = [query for query, score in scores.items() if score >= best - slack * (TIE - DOUBT)]
    maybe = [query for query, score in scores.items() if score >= best - slack * (TIE + DOUBT)]
    first = min(surely)
    return [first, *sorted(query for query in maybe if query < first)], len(surely)


class _Node:
    def __init__(self, criterion, cells, members, tally, impurity):
        self.cells, self.members, self.tally, self.impurity = cells, members, tally, impurity
        self.near = near_gain(criterion, cells, members, tally)
        self.exact = ExactGain(criterion, cells, tally)

    def by_gain(self, candidates):
        scored = self._scored(candidates, self._nearest(candidates.near(self.near), self.near))
        winners, n_tied = first_of_best(self._gains(scored), self.impurity)
        return self._choice(winners, scored, n_tied, candidates.n_asked)

    def by_error(self, candidates):
        """Decide ties by the Gini gain before anything else."""
        gini = near_gain("gini", self.cells, self.members, self.tally)
        exact = ExactGain("gini", self.cells, self.tally)
        chosen = self._nearest(candidates.near(self.near), self.near)
        # Shares of whole rows that are this near are equal, so that only the best by Gini matter.
        if len(chosen) > FEW and self.exact.weight * self.cells.n_outputs * NEAR < 0.5:
            chosen = chosen[self._nearest(candidates.near(gini)[chosen], gini)]
        scored = self._scored(candidates, chosen)
        gains = self._gains(scored)
        best = max(gains.values())
        tied = {
            query: parts
            for query, parts in scored.items()
            if gains[query] >= best - TIE * self.impurity
        }
        winners, n_tied = first_of_best(
            {query: exact(parts) for query, parts in tied.items()}, exact.before
        )
        return self._choice(winners, scored, n_tied, candidates.n_asked)

    def by_ratio(self, candidates):
        """Take the best query of each column, and of those the greatest ratio."""
        gains, features, scored = candidates.near(self.near), candidates.features, {}
        for feature in np.unique(features):
            of_feature = np.flatnonzero(features == feature)
            nearest = of_feature[self._nearest(gains[of_feature], self.near)]
            of_column = self._scored(candidates, nearest)
            winners, _ = first_of_best(self._gains(of_column), self.impurity)
            scored[winners[0]] = of_column[winners[0]]
        exact = self._gains(scored)
        average = sum(exact.values()) / len(exact)
        ratios = {
            query: exact[query] / self._entropy(parts)
            for query, parts in scored.items()
            if exact[query] >= average - TIE * self.impurity
        }
        winners, n_tied = first_of_best(ratios, 1)
        return self._choice(winners, scored, n_tied, candidates.n_asked)

    def _nearest(self, gains, near):
        return np.flatnonzero(gains >= gains.max() - near.margin)

    def _scored(self, candidates, numbers):
        return dict(candidates[number] for number in numbers)

    def _gains(self, scored):
        return {query: self.exact(parts) for query, parts in scored.items()}

    def _entropy(self, parts):
        """Return the entropy of the answers."""
        weights = [self.cells.weight(part) for part in parts]
        return entropy_total(weights) / sum(weights)

    def _choice(self, winners, scored, n_tied, n_candidates):
        gains = {query: self.exact(scored[query]) for query in winners}
        n_answers = {query: len(scored[query]) for query in winners}
        return Choice(gains, n_answers, n_tied, n_candidates)
