"""Labels and weights as whole numbers, and gains without rounding: the arithmetic of the audit.

A tally is a row of whole numbers: how many rows, then what each output needs. Classes need the
weight of each class; numbers need the weight, and the sum of weight times label. Weights and labels
count in units, powers of two that make them whole. Nothing here is shared with bough.
"""

from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache

import numpy as np

TIE = Fraction(1, 10**12)
DIGITS = 60
NEAR = 1e-9  # queries this near to the best, relative to the impurity, are scored exactly
LARGEST_INT64 = 2**62


def whole(numbers):
    """Return whole numbers and the unit that they count in, with the values of these floats."""
    ratios = [float(number).as_integer_ratio() for number in numbers]
    scale = max((bottom for _, bottom in ratios), default=1)
    return [top * (scale // bottom) for top, bottom in ratios], Fraction(1, scale)


@dataclass(frozen=True)
class Cells:
    """What each row adds to a tally."""

    rows: np.ndarray  # the rows that take part: those with a weight
    cells: np.ndarray  # (rows that take part, cells), int64 where sums fit, else Python's integers
    n_outputs: int
    n_classes: int  # 0 for numbers
    weight_unit: Fraction
    label_units: tuple  # of each output; none for classes

    @property
    def by_output(self):
        """Yield the columns of each output."""
        width = self.n_classes or 2
        return [slice(1 + width * at, 1 + width * (at + 1)) for at in range(self.n_outputs)]

    def weight(self, tally):
        return sum(tally[1 : 1 + self.n_classes]) if self.n_classes else tally[1]


def read_cells(labels):
    """Return the labels and weights of a table as whole numbers."""
    of_classes = labels.codes is not None
    of_outputs = labels.codes if of_classes else labels.values
    n_rows = of_outputs.shape[1]
    weights = np.ones(n_rows) if labels.weights is None else labels.weights
    rows = np.flatnonzero(weights > 0)
    units, weight_unit = whole(weights[rows].tolist())
    columns, label_units = [[1] * len(rows)], []
    n_classes = max(len(label.classes) for label in labels.labels) if of_classes else 0
    for output in of_outputs:
        here = output[rows].tolist()
        if of_classes:
            columns += [
                [w if c == code else 0 for w, c in zip(units, here, strict=True)]
                for code in range(n_classes)
            ]
        else:
            numbers, unit = whole(here)
            columns += [units, [w * v for w, v in zip(units, numbers, strict=True)]]
            label_units.append(unit)
    most = max(sum(map(abs, column)) for column in columns)
    cells = np.array(columns, dtype=np.int64 if most < LARGEST_INT64 else object).T
    return Cells(rows, cells, len(of_outputs), n_classes, weight_unit, tuple(label_units))


# --- Without rounding ------------------------------------------------------------------------------


@cache
def log2(number):
    with localcontext() as context:
        context.prec = DIGITS
        return Decimal(number).ln() / Decimal(2).ln()


def entropy_total(counts):
    """Return the entropy of some weights, times their sum."""
    with localcontext() as context:
        context.prec = DIGITS
        total = sum(counts)
        terms = [count * log2(count) for count in counts if count]
        return Fraction(total * log2(total) - sum(terms))


def gini_total(counts):
    total = sum(counts)
    return total - Fraction(sum(count * count for count in counts), total)


def error_total(counts):
    return Fraction(sum(counts) - max(counts))


def squares_total(cell):
    # Without the sum of squares, which a query does not change.
    weight, sum_of_labels = cell
    return -Fraction(sum_of_labels * sum_of_labels, weight)


TOTALS = {
    "gini": gini_total,
    "entropy": entropy_total,
    "log_loss": entropy_total,
    "gain_ratio": entropy_total,
    "error": error_total,
    "squared_error": squares_total,
}


class ExactGain:
    """Gives the gain of queries at one node, in the units of the tally, remembering each."""

    def __init__(self, criterion, cells, tally):
        self.total, self.cells, self.tally = TOTALS[criterion], cells, tally
        self.weight = cells.weight(tally)
        # The outputs of a table may count in different units.
        squares = [unit * unit for unit in cells.label_units] or [Fraction(1)] * cells.n_outputs
        self.units = [square / (cells.n_outputs * self.weight) for square in squares]
        self.before = self._sum([tally])
        self.known = {}

    def __call__(self, parts):
        key = tuple(parts)
        if key not in self.known:
            self.known[key] = self.before - self._sum(parts)
        return self.known[key]

    def _sum(self, tallies):
        return sum(
            (
                unit * self.total(tally[where])
                for tally in tallies
                for unit, where in zip(self.units, self.cells.by_output, strict=True)
            ),
            Fraction(0),
        )


def exact_impurity(criterion, cells, members, tally):
    """Return the impurity of the rows `members`, the mean over the outputs."""
    gain = ExactGain(criterion, cells, tally)
    if cells.n_classes:
        return gain.before
    impurity = gain.before
    for unit, where in zip(gain.units, cells.by_output, strict=True):
        pairs = cells.cells[members, where].tolist()  # weight, weight times label
        impurity += unit * sum(part * (part // own) for own, part in pairs)
    return impurity


# --- In floating point, to find the few queries that are worth the trouble --------------------------


def _gini_left(shares, rest):
    return (shares * rest / (shares + rest)).sum(axis=-1)


def _entropy_left(shares, rest):
    part, other = shares / (shares + rest), rest / (shares + rest)
    is_common = other < 0.5
    log_common = np.log1p(-np.where(is_common, other, 0.0))
    log_rare = np.log(np.where(part > 0, part, 1.0))
    return -(shares * np.where(is_common, log_common, log_rare)).sum(axis=-1) / np.log(2)


def _error_left(_, rest):
    return rest.min(axis=-1)


LEFT = {
    "gini": _gini_left,
    "entropy": _entropy_left,
    "log_loss": _entropy_left,
    "gain_ratio": _entropy_left,
    "error": _error_left,
}


class NearClasses:
    """Gives the gain of many queries of one node at once, to about 1e-13 of its impurity.

    Differences are taken between whole numbers, so that no digits are lost where a class is rare.
    """

    screen = None  # tallies are all it needs

    def __init__(self, criterion, cells, tally):
        self.left_of, self.cells = LEFT[criterion], cells
        self.weight = cells.weight(tally)
        self.impurity = self.left(np.array([tally], cells.cells.dtype))[0]
        self.margin = NEAR * self.impurity

    def two_way(self, first, total, *_):
        """Return gains from the tallies of the first answers and of the node."""
        return self.impurity - self.left(first) - self.left(total - first)

    def many(self, parts, _):
        """Return the gain of one query from the tallies of its answers."""
        return np.array([self.impurity - self.left(parts).sum()])

    def left(self, tallies):
        """Return what each tally leaves of the impurity, (tallies, cells) to (tallies)."""
        left = 0.0
        for where in self.cells.by_output:
            counts = tallies[:, where]
            rest = counts.sum(axis=1, keepdims=True) - counts
            shares, rest = counts / self.weight, rest / self.weight
            left = left + self.left_of(shares.astype(float), rest.astype(float))
        return left / self.cells.n_outputs


class NearNumbers:
    """Does the same where labels are numbers.

    They are taken from their mean and divided by the greatest distance from it, so that neither
    their size nor an offset matters: the sums of answers are enough, and of two answers one.
    """

    def __init__(self, cells, members, tally):
        self.cells, self.weight = cells, cells.weight(tally)
        self.screen = self._centred(members, tally)
        self.impurity = self._variance(members)
        rounding = 1e-15 * len(members)
        self.margin = NEAR * self.impurity + rounding * self.impurity**0.5

    def two_way(self, first, total, sums):
        gains = 0.0
        for output, where in enumerate(self.cells.by_output):
            here, there = first[:, where.start], (total - first)[:, where.start]
            shares = [(part / self.weight).astype(float) for part in (here, there)]
            gains = gains + sums[:, output] ** 2 * (1 / shares[0] + 1 / shares[1])
        return gains / self.cells.n_outputs

    def many(self, parts, sums):
        gains = 0.0
        for output, where in enumerate(self.cells.by_output):
            shares = (parts[:, where.start] / self.weight).astype(float)
            gains += (sums[:, output] ** 2 / shares).sum()
        return np.array([gains / self.cells.n_outputs])

    def _centred(self, members, tally):
        """Return share times distance from the mean, for each row and output."""
        away, largest = [], Fraction(0)
        for where, unit in zip(self.cells.by_output, self.cells.label_units, strict=True):
            weight, total = tally[where]
            pairs = self.cells.cells[members, where].tolist()
            # The label is part / own, so that its distance from the mean is this / (own * weight).
            away.append([part * weight - own * total for own, part in pairs])
            farthest = max(abs(a) // own for a, (own, _) in zip(away[-1], pairs, strict=True))
            largest = max(largest, farthest * unit)
        columns = []
        for unit, of_output in zip(self.cells.label_units, away, strict=True):
            top, bottom = (unit / (largest or 1) / self.weight).as_integer_ratio()
            columns.append([a * top / bottom for a in of_output])
        return np.array(columns).T

    def _variance(self, members):
        variance = 0.0
        for output, where in enumerate(self.cells.by_output):
            shares = (self.cells.cells[members, where.start] / self.weight).astype(float)
            variance += float((self.screen[:, output] ** 2 / shares).sum())
        return variance / self.cells.n_outputs


def near_gain(criterion, cells, members, tally):
    """Return what gives the gains of a node's queries in floating point."""
    if cells.n_classes:
        return NearClasses(criterion, cells, tally)
    return NearNumbers(cells, members, tally)
