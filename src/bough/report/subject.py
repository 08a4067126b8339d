"""`Subject`: what a report is about, and `Stops`: where its test rows ended."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite, sqrt

import numpy as np
from numpy.typing import NDArray

from bough.evidence import FEWEST, ColumnLook, Evidence, Stop
from bough.figure_words import figure_of
from bough.node_words import LARGEST
from bough.result_words import headline_loss
from bough.schema import Kind
from bough.tree import Tree
from bough.walk import parents
from bough.words import amount, counted, guess_word, plain, round_ends, share

DAY = 86_400e6  # microseconds
ABOUT = 1.1  # times the loss is about as well


class Stops:
    """Where the test rows went, from the nodes where they stopped, with their labels."""

    def __init__(self, tree: Tree, stops: Sequence[Stop]) -> None:
        self._tree = tree
        self.stopped = np.zeros((len(tree), tree.tally.shape[2]))
        """The tally that is told at each node: of a leaf, of the rows that stopped there."""
        self.n_reached = np.zeros(len(tree), np.int64)
        """How many rows came to each node."""
        self.n_told = np.zeros(len(tree), np.int64)
        """Of how many rows that came to each node labels are told."""
        for stop in stops:
            self.n_reached[stop.node] = stop.n
            n_told = stop.n if stop.told is None else stop.told
            if n_told >= FEWEST and stop.tally:
                self.n_told[stop.node] = n_told
                self.stopped[stop.node] = stop.tally
        self.n_stopped = self.n_reached.copy()
        """How many rows stopped at each node."""
        self.reached = self.stopped.copy()
        """The tally that is told at each node or below."""
        above = parents(tree).tolist()
        with np.errstate(over="ignore"):  # the largest numbers stay the largest
            for node in range(len(tree) - 1, 0, -1):  # children come after their parent
                self.reached[above[node]] += self.reached[node]
                self.n_reached[above[node]] += self.n_reached[node]
                self.n_told[above[node]] += self.n_told[node]
        self.reached = np.clip(self.reached, -LARGEST, LARGEST)

    def words(self, node: int, digits: int) -> str:
        """Return how many rows came to a node, and what they say of its guess."""
        n_rows, n_told = int(self.n_reached[node]), int(self.n_told[node])
        rows = counted(n_rows, "test row")
        if n_told < n_rows:
            rows = f"{n_told:,} of {rows}" if n_told else f"{rows}, too few to say more"
        elif n_told > n_rows:
            rows = f"{rows}, told with {n_told - n_rows} of other leaves"
        if (right := self.right(node)) is not None:
            guess = plain(guess_word(self._tree[node].guess, digits))
            return f"{rows}: {share(right)} are {guess}"
        if not self.reached[node].any() or self._tree.schema.has_classes:
            return rows
        mean = amount(self.mean(node), digits)
        if (error := self.error(node)) is None:
            return f"{rows}, mean relevance {mean}"
        return f"{rows}, mean {mean}, ± {amount(error, digits)} from the prediction"

    def right(self, node: int) -> float | None:
        """Return the share of the rows at a node whose class is the one that it guesses."""
        total = float(sum(self.reached[node].tolist()))
        if not self._tree.schema.has_classes or not total:
            return None
        return float(self.reached[node, self._tree.class_guess[node, 0]]) / total

    def mean(self, node: int) -> float:
        """Return the mean label of the rows at a node."""
        weight, total, _ = self.reached[node].tolist()
        return float(total / weight)

    def error(self, node: int) -> float | None:
        """Return how far the rows at a node lie from its guess: the root of the mean square.

        None for classes, for scores, which are of another kind than relevance, and beyond all
        numbers.
        """
        if self._tree.schema.task != "regression" or not self.reached[node, 0]:
            return None
        weight, total, squares = self.reached[node].tolist()
        guess = float(np.asarray(self._tree.guess)[node, 0])
        square = squares / weight - guess * (2 * total / weight - guess)
        return sqrt(max(square, 0.0)) if isfinite(square) else None

    def leaves(self) -> NDArray[np.intp]:
        """Return the leaves where rows stopped; some may have stopped at a question."""
        return np.flatnonzero(self.stopped.any(axis=1) & (self._tree.feature < 0))


def told_first(evidence: Evidence) -> str:
    """Return the figure that people are told first: of squared errors, a distance they can picture."""
    name = headline_loss(evidence)
    is_known = "median_absolute_error" in evidence.baseline.keys() & evidence.test.keys()
    return "median_absolute_error" if name == "rmse" and is_known else name


def _n_said(tree: Tree) -> int:
    """Return how many classes a tree predicts; 0 for numbers."""
    if not tree.schema.has_classes:
        return 0
    return len(np.unique(tree.class_guess[tree.feature < 0, 0]))


@dataclass(frozen=True, eq=False)
class Subject:
    """A tree, and what is known about it."""

    tree: Tree
    evidence: Evidence | None = None
    """What was measured; None: nothing was."""
    table: str = ""
    """What the table is called, if that is known."""
    columns: Sequence[ColumnLook] = ()
    """What was seen of its columns, if that is known."""
    missing: str = "stop"
    """Where a missing value goes, as `bough.predict.said_of` has it."""
    digits: int = 3
    """How many significant digits numbers have at least."""
    simpler: Tree | None = None
    """A much smaller tree that does about as well, if there is one and it is known."""
    command: str = ""
    """What to type to do all this again, if that is known."""

    @cached_property
    def stops(self) -> Stops | None:
        """Where the test rows went; None: that is not known, as of a tree edited since."""
        if self.evidence is None or not self.evidence.stops or self.evidence.edits:
            return None
        return Stops(self.tree, self.evidence.stops)

    @cached_property
    def ranges(self) -> dict[str, tuple[float, float]]:
        """About from where to where numbers and dates lie: round ends, which are no row's own."""
        known = {} if self.evidence is None else self.evidence.ranges
        found = {}
        for feature in self.tree.schema.features:
            if feature.name in known:
                low, high = known[feature.name]
                is_date = feature.kind is Kind.DATE and high - low > DAY
                unit = DAY if is_date else 0.0 if low % 1 or high % 1 else 1.0
                found[feature.name] = round_ends(low, high, unit)
        return found

    @cached_property
    def smaller(self) -> "Subject | None":
        """The simpler tree with what was measured of it; None where there is none, or it was edited."""
        evidence = self.evidence
        if self.simpler is None or evidence is None or evidence.edits or evidence.simpler is None:
            return None
        about = evidence.simpler
        seen = replace(
            evidence,
            test=about.test,
            stops=about.stops,
            chosen=about.chosen,
            nodes=about.nodes,
            simpler=None,
        )
        return replace(self, tree=self.simpler, evidence=seen, simpler=None)

    @cached_property
    def shown(self) -> "Subject":
        """The tree to show first: the simpler one, where it does about as well.

        It was chosen by the loss. What people are told first, for numbers another figure, must be
        within the likely range, or at most a tenth worse: who has many test rows has a narrow range.
        """
        smaller = self.smaller
        if smaller is None or self.evidence is None or smaller.evidence is None:
            return self
        if smaller.tree.n_leaves == 1 or _n_said(smaller.tree) < min(_n_said(self.tree), 2):
            return self
        name = told_first(self.evidence)
        if name not in smaller.evidence.test:
            return smaller
        whole, less = self.evidence.test[name], smaller.evidence.test[name].value
        if figure_of(name).is_gain:
            is_as_good = less >= min(whole.low, 1 - ABOUT * (1 - whole.value))
        else:
            is_as_good = less <= max(whole.high, ABOUT * whole.value)
        return smaller if is_as_good else self
