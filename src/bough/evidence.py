"""Estimates, curve and notes as plain data: what is known about a tree beside the tree."""

from dataclasses import asdict, dataclass, field
from statistics import fmean, stdev
from typing import Any

from bough.histograms import Density, Histogram, NodeRows
from bough.loss_kinds import LOSSES
from bough.schema import Task

FEWEST = 5  # rows of a sum: of fewer nothing is told, so that no row can be told from it


@dataclass(frozen=True)
class Estimate:
    """A mean loss, or a score, with the 95 % interval that it lies in."""

    value: float
    low: float
    high: float
    n: int
    """How many rows it was measured on; of a ranking, how many groups."""
    method: str = ""
    """How the interval was found, as in 'Wilson'."""


@dataclass(frozen=True)
class Note:
    """What a check saw, and what to type to change it."""

    code: str
    """The stable code of the check, as in 'B103'."""
    text: str
    """What was seen, in whole sentences."""
    columns: tuple[str, ...] = ()
    """The columns that it is about."""
    fix: dict[str, Any] = field(default_factory=dict)
    """The arguments of `bough.fit` that change it, as in `{"types": {"zip": "category"}}`."""
    is_loud: bool = False
    """Whether it casts doubt on the whole result, as a leak does."""
    informs: bool = False
    """Whether it asks for nothing, although other notes of its check do."""


@dataclass(frozen=True)
class ColumnLook:
    """What was seen of one column of a table."""

    name: str
    kind: str
    role: str
    """'feature', 'target', 'group', 'time', 'weight' or 'left out'."""
    n_missing: int
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Candidate:
    """One tree of the curve: a growth cut at a depth, or pruned."""

    criterion: str
    categorical: str
    depth: int | None
    """The depth at which the growth is cut; None: not by depth."""
    pruned_by: str
    """'impurity', 'error' or 'cost', which every leaf must save, 'pessimistic' or 'reduced_error';
    empty: it is not pruned."""
    price: float
    """How much a leaf must save, times the weight of the rows; for 'pessimistic' the confidence."""
    n_leaves: int
    train: float
    """The loss on the training rows."""
    dev: float
    """The loss on the development rows, or over the folds."""
    dev_error: float
    """The standard error of `dev`."""
    smallest_leaf: int = 1
    """How many rows a leaf must have at least; where rows have weights, as many of the mean weight."""
    without: tuple[str, ...] = ()
    """The columns of many values that the growth did without."""

    @property
    def setting(self) -> tuple[str, str, int, tuple[str, ...]]:
        """What it has in common with all trees that were read off the same growth."""
        return self.criterion, self.categorical, self.smallest_leaf, self.without


@dataclass(frozen=True)
class Simpler:
    """A tree of at most half the leaves that does about as well as the chosen one."""

    chosen: Candidate
    """The tree of the curve: its loss on the development rows is within a standard error."""
    n_leaves: int
    """The leaves it has as the final tree is grown."""
    test: dict[str, Estimate]
    """Its losses, scores and further figures on the test rows. Nothing was chosen by them."""
    tree: dict[str, Any] | None = None
    """Its arrays, as the model file has those of the chosen tree; None: not known."""
    stops: tuple["Stop", ...] = ()
    """Where the test rows stopped in it, by node; empty: not known."""
    nodes: NodeRows = field(default_factory=NodeRows)
    """What the training rows of its nodes look like; empty: not known."""


@dataclass(frozen=True)
class CalibrationBin:
    """Rows that were given about the same probability, and how often it came true."""

    least: float
    most: float
    """The least and the greatest probability of these rows."""
    predicted: float
    """The mean of their probabilities."""
    observed: Estimate
    """The share of the rows for which it came true."""


@dataclass(frozen=True)
class Calibration:
    """Whether probabilities came true on the test rows."""

    of_class: int | None
    """The number of the class whose probability it is; None: of the predicted class."""
    bins: tuple[CalibrationBin, ...]
    """Small probabilities first."""
    error: float
    """By how much predicted and observed shares differ, on average over the rows."""


@dataclass(frozen=True)
class Thresholds:
    """Of two classes: what predicting one of them from some probability on would find."""

    of_class: int
    """The number of the class: the one with fewer training rows."""
    levels: tuple[tuple[float, float, float], ...]
    """A probability, the highest first; the weight of the test rows of this class and of the other
    that have at least this probability."""


@dataclass(frozen=True)
class OffBin:
    """How far the labels of test rows of about the same prediction lie from it."""

    predicted: float
    """The mean of the predictions."""
    off: float
    """By how much labels lie above predictions, on average."""
    spread: float
    """The standard deviation of that."""
    n: int
    """How many rows."""


@dataclass(frozen=True)
class Stop:
    """The test rows that stopped at one node."""

    node: int
    n: int
    """How many rows."""
    tally: tuple[float, ...]
    """Labels, summed up as in the tree. Classes that the tree does not know are not in it."""
    told: int | None = None
    """Of how many rows: those that stopped here and, if nodes below have too few to tell, theirs.
    0: too few here, too; None: of those that stopped here."""


@dataclass(frozen=True)
class Repeat:
    """What the same protocol gives with another seed of the split. Nothing is chosen by it."""

    seed: int
    n_leaves: int
    test: dict[str, float]
    """Losses and scores on the test rows of that split."""


@dataclass(frozen=True)
class Spread:
    """How a figure varies over several seeds."""

    mean: float
    deviation: float
    """The standard deviation."""
    least: float
    most: float


@dataclass(frozen=True)
class Residuals:
    """How far the labels of test rows lay from their predictions, in spreads of where they stopped.

    `bough.losses.intervals` says what a spread is.
    """

    low: float
    """2.5 % of the labels are at least so many spreads off, below if it is negative."""
    high: float
    """2.5 % are at least so many spreads off on the other side."""
    n: int
    """How many test rows there were."""


@dataclass(frozen=True)
class ColumnSeen:
    """What was seen of a column that may be asked about."""

    name: str
    n_missing: int
    rows: Histogram
    """All rows that were learnt from, chosen by or tested with."""
    test: Histogram
    """The test rows, in few groups."""
    errors: tuple[Estimate, ...] = ()
    """The error of each group, or for numbers the absolute error; one more where the value is missing."""
    importance: Estimate | None = None
    """How much greater the loss is with the values of test rows shuffled; None: not used, or not known."""


@dataclass(frozen=True)
class Edit:
    """A change that was made to a tree by hand, after it had been measured."""

    what: str
    """What was done, as in 'node 7 is a leaf'."""
    loss: str = ""
    """The loss that was measured before and after; empty: none was."""
    before: float | None = None
    """The loss before, on rows that took no part in growing."""
    change: Estimate | None = None
    """By how much it was greater afterwards, on the same rows."""

    def __str__(self) -> str:
        if not self.loss:
            return self.what
        found = self.change
        if found is None:
            return f"{self.what}: effect not known"
        loss = LOSSES[self.loss]
        change, low, high = loss.change_texts(found.value, found.low, found.high)
        interval = f"95 % interval {low} to {high}, {found.n:,} {loss.units}"
        what = f"{self.what}: {loss.figure_word}"
        if self.before is None:
            return f"{what} {change} ({interval})"
        before, after = map(loss.figure_text, (self.before, self.before + found.value))
        return f"{what} {before} → {after} ({change}, {interval})"

    @property
    def after(self) -> float | None:
        """The loss afterwards; None if it was not measured."""
        if self.before is None or self.change is None:
            return None
        return self.before + self.change.value


@dataclass(frozen=True)
class Evidence:
    """What was measured about a tree, and how."""

    task: Task
    target: str
    loss: str
    """The loss to minimise, as in 'error'."""
    n_train: int
    n_dev: int
    n_test: int
    folds: int
    """How many folds took the place of the development rows; 0: none."""
    seed: int
    group: str | None
    """The column whose groups of rows stayed together."""
    time: str | None
    """The column by which the newest rows were the test rows."""
    weight: str | None
    """The column that said how much a row counts."""
    choose: str
    refit: bool
    """Whether the chosen tree was grown again from training and development rows."""
    chosen: Candidate
    curve: tuple[Candidate, ...]
    train: dict[str, Estimate]
    dev: dict[str, Estimate]
    test: dict[str, Estimate]
    baseline: dict[str, Estimate]
    """What always predicting the same would have done on the test rows."""
    learning: tuple[tuple[int, float], ...]
    """The loss after learning from so many rows, fewer first."""
    learning_step: Estimate
    """What the last doubling of the rows changed the loss by."""
    unavoidable: float | None
    """The training loss that no tree on these features can be below: rows that differ only in the label."""
    notes: tuple[Note, ...]
    sketches: dict[str, tuple[str, ...]]
    """The smallest hashes of the training, development and test rows."""
    ranges: dict[str, tuple[float, float]]
    """The least and the greatest number of each feature that is compared."""
    quantile: float | None = None
    """For the loss 'pinball': the share of the labels that a prediction should exceed."""
    calibration: Calibration | None = None
    """Whether the probabilities of classes came true; None: not known."""
    prune: tuple[str, ...] = ("depth", "cost_complexity")
    """The ways in which trees were made smaller."""
    stops: tuple[Stop, ...] = ()
    """Where the test rows stopped, by node; empty: not known."""
    residuals: Residuals | None = None
    """For numbers: for prediction intervals; None: too few test rows, or too uneven weights."""
    simpler: Simpler | None = None
    """A much smaller tree that does about as well; None: there is none."""
    edits: tuple[Edit, ...] = ()
    """What was changed by hand afterwards; all other entries are about the tree before."""
    confusion: tuple[tuple[int, int, float], ...] = ()
    """Of the test rows: a true and a predicted class, by number, and their weight; others have none."""
    nodes: NodeRows = field(default_factory=NodeRows)
    """What the training rows of nodes look like; empty: not known."""
    repeats: tuple[Repeat, ...] = ()
    """The same with several seeds, that of the tree first; empty: only with one."""
    limits: dict[str, int] = field(default_factory=dict)
    """The arguments of `bough.fit` that limited the size of every tree, by name."""
    columns: tuple[ColumnSeen, ...] = ()
    """The columns, those that the tree uses first; empty: not known."""
    labels: Histogram | None = None
    """The labels of all rows."""
    off: Histogram | None = None
    """For numbers: by how much labels of test rows lay above their predictions."""
    off_by_prediction: tuple[OffBin, ...] = ()
    """For numbers: the same by prediction, small ones first."""
    thresholds: Thresholds | None = None
    """Of two classes: what other thresholds than the tree's would do; None: not known."""
    density: Density | None = None
    """The rows on the plane of the two numbers that matter most; None: there are no two."""

    @property
    def spread(self) -> dict[str, Spread]:
        """The mean and the spread over the seeds, of each figure and of `n_leaves`."""
        figures = [{"n_leaves": float(each.n_leaves), **each.test} for each in self.repeats]
        names = (
            [name for name in figures[0] if all(name in each for each in figures)]
            if figures
            else []
        )
        each_one = {name: [each[name] for each in figures] for name in names}
        return {
            name: Spread(fmean(each), stdev(each), min(each), max(each))
            for name, each in each_one.items()
        }

    def as_dict(self) -> dict[str, Any]:
        """Return plain data, as the model file holds it."""
        return {**asdict(self), "task": str(self.task)}
