"""The questions that a node may ask: the best one about each feature, and which of them wins.

Pivots are compared in doubles first. Whatever comes near to the best is worked out once more in
exact fractions by `bough.reference`, which decides.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough import reference
from bough.learn.pivot_gains import LabelSums, PivotTried, pivot_gains, pivots_tried
from bough.learn.score_result import ALL, SIDE_BY_SIDE
from bough.query_kinds import Below
from bough.reference import Candidate, Settings
from bough.reference_impurity import NO_BOUNDS, TIE, entropy, gini, remainder_of, weight_of
from bough.remembered import Remembering, once
from bough.schema import Task
from bough.teach.arithmetic import ExactTable
from bough.teach.steps import ASKED, AnswerRows, CandidateQuestion, FeatureQuestions, TieBreak

NEAR = 1e-9  # of the impurity: doubles are nearer to the truth than this


def criteria_of(task: Task) -> tuple[str, ...]:
    """Return the criteria that are taught, the usual one first."""
    return SIDE_BY_SIDE[task]


@dataclass(frozen=True)
class Manner:
    """How a tree is grown to be shown."""

    criterion: str
    """'all' grows by the usual one and lays all of them side by side."""
    categorical: str = "each"
    max_depth: int | None = None
    asks_all: bool = False

    def grows_by(self, task: Task) -> str:
        """Return the criterion that decides."""
        if self.criterion == ALL:
            return criteria_of(task)[0]
        return "entropy" if self.criterion == "log_loss" else self.criterion


@dataclass(frozen=True, eq=False)
class NodeQuestions(Remembering):
    """What the rows of one node may be asked, by any criterion."""

    table: ExactTable
    sums: dict[str, LabelSums]
    """Of all rows of the table, by each criterion."""
    rows: list[int]
    categorical: str
    asks_all: bool = False
    """Whether every value of the table is an answer, also where no row of the node has it."""
    asked: frozenset[str] = frozenset()
    """Categories that were asked about above."""

    def settings(self, criterion: str) -> Settings:
        return Settings(criterion=criterion, categorical=self.categorical)

    @cached_property
    def tally(self) -> dict[Any, Any]:
        return reference.tally_of(self.table.exact, self.rows)

    @once
    def node(self, criterion: str) -> reference.Node:
        settings = self.settings(criterion)
        guess = reference.guess_of(self.tally, settings)
        impurity = reference.impurity_of(self.tally, settings)
        return reference.Node(self.rows, 0, self.tally, guess, 0.0, impurity, NO_BOUNDS)

    def queries(self, criterion: str) -> dict[str, list[reference.Query]]:
        """Return the questions about each feature, in the order that decides ties.

        How values are put into groups depends on the criterion where labels are numbers.
        """
        return self._queries("gini" if self.table.classes else criterion)

    @once
    def _queries(self, criterion: str) -> dict[str, list[reference.Query]]:
        settings = self.settings(criterion)
        found: dict[str, list[reference.Query]] = {name: [] for name in self.table.features}
        for query in reference.queries(self.table.exact, self.rows, settings):
            found[query.column].append(query)
        if self.asks_all:
            for name in self.table.features:
                if name not in self.table.exact.numbers:
                    found[name] = [] if name in self.asked else [self._of_every_value(name)]
        return found

    def _of_every_value(self, column: str) -> reference.Query:
        values = set(self.table.cells[column])
        known = sorted(values - {None})
        last = len(known) if None in values else None
        groups = tuple((value,) for value in known)
        return reference.Query("EachValue", column, groups=groups, missing=last)

    def parts(self, query: reference.Query) -> list[list[int]]:
        """Return the rows of each answer; there may be none in a book's tree."""
        cells = self.table.cells[query.column]
        answers = [query.answer(cells[row]) for row in self.rows]
        n_answers = len(query.groups) + (query.missing == len(query.groups))
        n_answers = n_answers if query.kind == "EachValue" else 2
        return [
            [row for row, answer in zip(self.rows, answers, strict=True) if answer == place]
            for place in range(n_answers)
        ]

    def candidate(self, query: reference.Query, criterion: str) -> Candidate:
        """Return what comes of a question, exactly."""
        parts = [part for part in self.parts(query) if part]
        tallies = [reference.tally_of(self.table.exact, part) for part in parts]
        settings = self.settings(criterion)
        left = remainder_of(tallies, lambda tally: reference.impurity_of(tally, settings))
        gain = self.node(criterion).impurity - left
        return Candidate(query, parts, tallies, gain, [NO_BOUNDS] * len(parts))

    def near_best(self, criterion: str, *, all_ties: bool) -> list[Candidate]:
        """List the questions that may be the best about their feature.

        By error rate many are equally good. `all_ties` keeps those that only Gini tells apart.
        """
        return self._near(criterion, by_gini=criterion == "error" and not all_ties)

    @once
    def _near(self, criterion: str, *, by_gini: bool) -> list[Candidate]:
        near = (self._near_of(column, criterion, by_gini=by_gini) for column in self.table.features)
        return [self.candidate(query, criterion) for queries in near for query in queries]

    def _near_of(self, column: str, criterion: str, *, by_gini: bool) -> list[reference.Query]:
        """List the questions about a feature that may be the best, as far as doubles can tell."""
        queries = self.queries(criterion)[column]
        gains = self.pivot_gains(column, criterion)
        if not len(gains):
            return queries
        slack = NEAR * float(self.node(criterion).impurity) or 1.0
        is_near = gains >= gains.max() - slack
        if by_gini:
            gains = np.where(is_near, self.pivot_gains(column, "gini"), -np.inf)
            is_near &= gains >= gains.max() - NEAR
        # Comparisons with pivots come before the other questions.
        return [*compress(queries, is_near), *queries[len(gains) :]]

    def pivot_gains(self, column: str, criterion: str) -> NDArray[np.float64]:
        """Return the gain of each comparison with a pivot, in the order of the queries."""
        return self._gains(column, criterion).ravel()

    @once
    def _gains(self, column: str, criterion: str) -> NDArray[np.float64]:
        is_asked = column in self.table.exact.numbers and self.queries(criterion)[column]
        sums = self.sums[criterion].some(np.array(self.rows))
        return pivot_gains(*self._values(column), sums) if is_asked else np.empty((0, 1))

    def _values(self, column: str) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        place = list(self.table.features).index(column)
        values = np.asarray(self.table.table.values[place])
        return values[self.rows], self.table.table.missing(place)[self.rows]

    def best(self, criterion: str, *, all_ties: bool = False) -> list[Candidate]:
        """List the best questions: equally good, so the first is the one to ask."""
        found = self.near_best(criterion, all_ties=all_ties)
        telling = [each for each in found if len(each.parts) > 1]
        if not telling:
            return found
        return reference.best(telling, self.node(criterion), self.settings(criterion))

    def tied_by_gain(self, criterion: str) -> list[Candidate]:
        """List the questions of the greatest gain, before Gini decides between them."""
        found = self.near_best(criterion, all_ties=True)
        slack = TIE * self.node(criterion).impurity
        least = max((each.gain for each in found), default=0) - slack
        return [each for each in found if each.gain >= least]

    def features(self, criterion: str) -> tuple[FeatureQuestions, ...]:
        """Return the best question about each feature."""
        by_column: dict[str, list[Candidate]] = {name: [] for name in self.table.features}
        for each in self.near_best(criterion, all_ties=False):
            by_column[each.query.column].append(each)
        return tuple(
            FeatureQuestions(
                name,
                self._best_of(some, criterion),
                "" if some else self._reason(name),
                self._pivots(name, criterion),
                name in self.table.exact.numbers,
            )
            for name, some in by_column.items()
        )

    def _best_of(self, some: list[Candidate], criterion: str) -> CandidateQuestion | None:
        if len(some) > 1:
            some = reference.best(some, self.node(criterion), self.settings(criterion))
        return self.question(some[0], criterion) if some else None

    def _reason(self, name: str) -> str:
        if name in self.asked:
            return ASKED
        values = {self.table.cells[name][row] for row in self.rows}
        word = self.table.value_words(name, values.pop()) if values else ""
        return f"one value: {word}" if word else "all missing"

    def _pivots(self, name: str, criterion: str) -> tuple[PivotTried, ...]:
        gains = self._gains(name, criterion)
        return (
            pivots_tried(self.table.features[name], *self._values(name), gains)
            if len(gains)
            else ()
        )

    def question(self, found: Candidate, criterion: str) -> CandidateQuestion:
        """Return a candidate of the reference in words and numbers."""
        asked = self.table.query(found.query, self.rows)
        answers = tuple(
            self.answer(words, part, criterion)
            for words, part in zip(asked.answers, self.parts(found.query), strict=True)
        )
        name = found.query.column
        has_classes = bool(self.table.classes)
        return CandidateQuestion(
            feature=name,
            words=name if found.query.kind == "EachValue" else f"{name} {asked.answers[0]}",
            answers=answers,
            n_right=sum(each.n_right or 0 for each in answers) if has_classes else None,
            remainder=float(self.node(criterion).impurity - found.gain),
            gain=float(found.gain),
            split_entropy=float(entropy(dict(enumerate(map(weight_of, found.tallies))))),
            pivot=found.query.pivot,
            said=asked.shown if isinstance(asked, Below) else None,
            missing=None if found.query.kind == "EachValue" else found.query.missing,
        )

    def answer(self, words: str, rows: list[int], criterion: str) -> AnswerRows:
        """Return what there is to say about the rows of an answer."""
        if not rows:
            guess = self.table.guess_word(self.node(criterion).guess)
            return AnswerRows(words, 0, (0,) * len(self.table.classes), guess, 0, 0.0)
        part = replace(self, rows=rows)
        node = part.node(criterion)
        guess = self.table.guess_word(node.guess)
        counts = tuple(part.tally.get(place, 0) for place in range(len(self.table.classes)))
        n_right = part.tally[node.guess] if self.table.classes else None
        return AnswerRows(words, len(rows), counts, guess, n_right, float(node.impurity))

    def gini_gain(self, found: Candidate) -> float:
        return float(gini(self.tally) - remainder_of(found.tallies, gini))


def tie_of(questions: NodeQuestions, tied: list[Candidate], criterion: str) -> TieBreak | None:
    """Return the tie at a node; None if one question is better than all others.

    `tied` has the questions that are equally good, the one that is asked first.
    """
    rivals, reasons = tied, []
    gini_gains: tuple[float, ...] = ()
    if criterion == "error" and len(by_gain := questions.tied_by_gain(criterion)) > len(tied):
        rivals = [tied[0], *(each for each in by_gain if each is not tied[0])]
        gini_gains = tuple(map(questions.gini_gain, rivals))
        reasons.append(f"{_words(questions, tied[0])} has the larger Gini gain")
    if len(rivals) < 2:
        return None
    if len(tied) > 1:
        reasons.append(_order(questions, tied))
    gain = questions.question(tied[0], criterion)
    return TieBreak(
        tuple(dict.fromkeys(_words(questions, each) for each in rivals)),
        gain.gain_ratio if criterion == "gain_ratio" else gain.gain,
        " and ".join(reasons),
        gini_gains,
    )


def _words(questions: NodeQuestions, found: Candidate) -> str:
    query = found.query
    if query.kind == "EachValue":
        return query.column
    return f"{query.column} {questions.table.query(query, questions.rows).answers[0]}"


def _order(questions: NodeQuestions, tied: list[Candidate]) -> str:
    """Return the rule that puts the first of equally good questions before the others."""
    first = tied[0].query
    columns = list(dict.fromkeys(each.query.column for each in tied))
    if len(columns) > 1:
        return f"{first.column} is the {'earlier' if len(columns) == 2 else 'earliest'} column"
    if any(each.query.kind != first.kind for each in tied):
        return "a comparison comes before 'is missing'"
    if any(each.query.pivot != first.pivot for each in tied):
        pivots = {each.query.pivot for each in tied}
        said = questions.table.query(first, questions.rows).answers[0].removeprefix("< ")
        return f"{said} is the {'lower' if len(pivots) == 2 else 'lowest'} pivot"
    if any(each.query.groups != first.groups for each in tied):
        return "its list of values comes first"
    return "missing values go with the first answer"
