"""Tree + table → why each row got its guess."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.errors import ParameterError, listed
from bough.explain import ExplainedStep, Explanation, Parting, RowPart
from bough.explain.flip import Flips
from bough.explain.rules_and_conditions import Cell, cell_of, is_unseen, plain_cell
from bough.node_words import mixed_verdict, verdicts
from bough.predict import EVERY, next_nodes, parts_of, stops, weighed_rows
from bough.query_kinds import Below, OneOf, Query
from bough.remembered import once
from bough.schema import Kind, Value
from bough.table import Table
from bough.tree import Tree, query_at
from bough.walk import answer_numbers, trail, way
from bough.words import cell_word, row_count

LARGEST = sys.float_info.max
DAY = 24 * 60 * 60 * 1_000_000  # microseconds
UNSEEN_WORD = "unseen"


def explain(
    tree: Tree, table: Table, *, digits: int = 3, missing: str = "stop"
) -> list[Explanation]:
    """Return for each row why it got its prediction; the tree predicts one label.

    The table is read like the one that the tree was grown from; `missing` is as in
    `bough.predict.said_of`.

    Examples
    --------
    >>> from bough.table import read_like
    >>> day = {"outlook": ["Rain"], "temperature": ["Hot"], "humidity": ["High"], "wind": ["Weak"]}
    >>> print(explain(play_tennis_tree, read_like(day, play_tennis_tree.schema))[0])
    Yes 100 % (3 rows)
      64 %  all rows
        −4  outlook = Rain
       +40  wind = Weak
    nearest flip: outlook = Sunny → No 100 %
    """
    refuse_several_labels(tree)
    table = table.dense()
    explainer = _Explainer(tree, table, digits)
    in_parts = weighed_rows(tree, table).tolist() if missing == "weigh" else []
    found = [explainer.row(row, stop) for row, stop in enumerate(stops(tree, table).tolist())]
    for row in in_parts:
        found[row] = explainer.row_in_parts(row)
    guesses = [each.guess for each in found]
    flips = _flips(tree, digits, missing).nearest(table, range(len(found)), guesses)
    return [replace(each, flip=flip) for each, flip in zip(found, flips, strict=True)]


_flips = once(Flips)


def refuse_several_labels(tree: Tree) -> None:
    """Refuse a tree that guesses more than one label."""
    names = [label.name for label in tree.schema.labels]
    if len(names) > 1:
        raise ParameterError(
            f"The tree predicts {len(names)} labels, {listed(names)}. Only trees of one label can be "
            "explained. Grow one tree for each label."
        )


class _Told(NamedTuple):
    """What a row has in a feature, and how words give it."""

    cell: Cell | None
    word: str
    value: Value | None
    """The same as plain data."""


class _Asked(NamedTuple):
    """A query, and its answers, each with the name of the feature before it."""

    query: Query
    feature: int
    answers: tuple[str, ...]

    def told_of(self, cell: Cell | None) -> "_Asked":
        """Return both in words that hold for a value, which no row may have had before."""
        if not isinstance(self.query, Below) or self.query.is_shown_for(cell):
            return self
        return _asked(replace(self.query, shown=None), self.feature)


def _asked(query: Query, feature: int) -> _Asked:
    name = query.feature.name
    return _Asked(query, feature, tuple(f"{name} {answer}" for answer in query.answers))


class _Branches(dict[int, _Asked]):
    """What each branch of a tree asks, put into words when it is looked up."""

    def __init__(self, tree: Tree) -> None:
        super().__init__()
        self._tree = tree

    def __missing__(self, branch: int) -> _Asked:
        found = _asked(query_at(self._tree, branch), int(self._tree.feature[branch]))
        self[branch] = found
        return found


_branches = once(_Branches)
_parting = once(Parting)


class _TrailStep(NamedTuple):
    """A query on a trail, and the answer that leads on."""

    asked: _Asked
    answer: int
    contribution: float


class _Explainer:
    def __init__(self, tree: Tree, table: Table, digits: int) -> None:
        self.tree, self.table, self.digits = tree, table, digits
        self.verdict = verdicts(tree, digits)
        self.trails: dict[tuple[int, Any], list[_TrailStep]] = {}  # which many rows share

    def row(self, row: int, stop: int) -> Explanation:
        verdict = self.verdict(stop)
        values = self._values(verdict.guess)
        return Explanation(
            verdict=verdict,
            start=float(values[0]),
            value=float(values[stop]),
            steps=tuple(self._steps(row, stop, verdict.guess)),
            stopped=self._stopped(row, stop),
        )

    def row_in_parts(self, row: int) -> Explanation:
        """Explain the guess for a row that goes on in parts from some node on."""
        met = parts_of(self.tree, self.table, np.array([row]))
        goes_to = next_nodes(self.tree, self.table, row, missing="weigh")
        last = int(np.argmax(goes_to[met.nodes] == EVERY))  # up to where it is a whole
        ends = np.flatnonzero(met.stops)
        nodes, shares = met.nodes[ends], met.shares[ends]
        verdict = mixed_verdict(self.tree, nodes, shares, self.digits)
        values = self._values(verdict.guess)
        parted = self.tree[int(met.nodes[last])]
        order = np.argsort(-shares, kind="stable")
        return Explanation(
            verdict=verdict,
            start=float(values[0]),
            value=float(np.average(values[nodes], weights=shares)),
            steps=tuple(self._steps(row, parted.id, verdict.guess)),
            stopped="",
            parted=_parting(self.tree).why(parted.id),
            parts=tuple(
                self._part(row, parted.id, int(nodes[place]), float(shares[place]), values)
                for place in order.tolist()
            ),
        )

    def _part(
        self, row: int, parted: int, stop: int, share: float, values: NDArray[np.float64]
    ) -> RowPart:
        below = trail(self.tree, stop)[len(way(self.tree, parted)) - 1 :]
        return RowPart(
            share=share,
            conditions=_parting(self.tree).conditions(below),
            verdict=self.verdict(stop),
            contribution=share * _difference(values[stop], values[parted]),
            stopped=self._why_stopped(row, stop),
        )

    def _values(self, guess: Any) -> NDArray[np.float64]:  # noqa: ANN401 - a class or a number
        """Return for each node the share of the class that is guessed, or its own guess."""
        if self.tree.guess is not None:
            return self.tree.guess[:, 0]
        return self.tree.shares[:, 0, self.tree.schema.labels[0].classes.index(guess)]

    def _trail(self, stop: int, guess: Any) -> list[_TrailStep]:  # noqa: ANN401 - a class or a number
        """Return what was asked on the way to a node, and what it added to a guess."""
        if (found := self.trails.get((stop, guess))) is not None:
            return found
        nodes = way(self.tree, stop)
        values = self._values(guess)[nodes].tolist()
        branches, numbers = _branches(self.tree), answer_numbers(self.tree).data
        found = [
            _TrailStep(branches[above], numbers[child], _difference(value, before))
            for (above, child), (before, value) in zip(
                pairwise(nodes), pairwise(values), strict=True
            )
        ]
        self.trails[stop, guess] = found
        return found

    def _steps(self, row: int, stop: int, guess: Any) -> Iterator[ExplainedStep]:  # noqa: ANN401
        by_feature: dict[int, _Told] = {}  # which may be asked about many times
        for asked, answer, contribution in self._trail(stop, guess):
            if asked.feature not in by_feature:
                by_feature[asked.feature] = self._told(row, asked.feature)
            cell, word, value = by_feature[asked.feature]
            query, _, answers = asked.told_of(cell)
            yield ExplainedStep(
                feature=query.feature.name,
                answer=answers[answer],
                value=value,
                value_word=word,
                margin=_margin(query, cell),
                contribution=contribution,
                note=_note(query, word) if cell is None else "",
                is_one_of_several=isinstance(query, OneOf) and cell is not None,
                is_date=query.feature.kind is Kind.DATE,
                digits=self.digits,
            )

    def _told(self, row: int, feature: int) -> _Told:
        if (cell := cell_of(self.table, feature, row)) is not None:
            asked = self.tree.schema.features[feature]
            return _Told(cell, cell_word(asked, cell), plain_cell(asked, cell))
        return _Told(None, UNSEEN_WORD if is_unseen(self.table, feature, row) else "missing", None)

    def _stopped(self, row: int, stop: int) -> str:
        why = self._why_stopped(row, stop)
        n_rows = row_count(int(self.tree.n_rows[stop]))
        return why and f"{why}, so it gets the prediction for these {n_rows}"

    def _why_stopped(self, row: int, stop: int) -> str:
        if (feature := int(self.tree.feature[stop])) < 0:
            return ""
        cell, word, _ = self._told(row, feature)
        if cell is not None:
            why = f"no training row here had {word}"
        elif word == UNSEEN_WORD:
            why = "its value was never seen in training"
        else:
            why = "it is missing, and no training row here was missing it"
        return f"stops at {self.tree.schema.features[feature].name}: {why}"


def _note(query: Query, word: str) -> str:
    """Return why a missing or unseen value found an answer."""
    if word == UNSEEN_WORD:
        return "never seen in training, but not missing"
    if isinstance(query, Below | OneOf):
        return f"missing: it goes where training rows with a missing {query.feature.name} went"
    return ""


def _difference(one: float, other: float) -> float:
    """Return how much more one is, at most the largest number."""
    difference = float(one) - float(other)
    return max(-LARGEST, min(difference, LARGEST))


def _margin(query: Query, cell: float | None) -> float | None:
    if not isinstance(query, Below) or cell is None or query.feature.kind is Kind.ORDERED:
        return None
    margin = abs(cell - query.said)  # of integers too, exactly
    return float(margin / DAY) if query.feature.kind is Kind.DATE else _difference(margin, 0)
