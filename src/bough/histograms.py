"""Histograms of which no row can be told: of nodes, columns and planes, as plain data."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Bins:
    """The training rows of one node, counted in bins of at least five rows.

    A bin lies at one place or at several neighbouring ones. Places are intervals of equal width,
    the first and the last open, or single values.
    """

    node: int
    places: tuple[int, ...]
    """The first place of each bin and how many places it has, one bin after the other."""
    counts: tuple[int, ...]
    """How many rows each bin has, one bin after the other. For classes, a number for each: of more
    than eight, for each of the seven commonest, in order, and for all others together."""
    means: tuple[float, ...] = ()
    """For numbers: the mean label of each bin, to four digits."""
    first: float = 0.0
    """Where the first place begins, if places are intervals."""
    step: float = 0.0
    """How wide a place is; 0: places are values."""
    values: tuple[int, ...] = ()
    """The first value of each bin, by code, if places are values."""
    mark: int = 0
    """The place at which the second answer of the question begins; 0: the question has no such."""
    missing: tuple[int, ...] = ()
    """The rows without a value, as in `counts`; empty: fewer than five."""


@dataclass(frozen=True)
class Rival:
    """A question that might have been asked at a node instead."""

    node: int
    column: str
    chance: float
    """How likely it wins on another sample of these rows; 1: it tells these very rows apart as well."""


@dataclass(frozen=True)
class NodeRows:
    """What the training rows of nodes look like, for the nodes with the most rows."""

    asked: tuple[Bins, ...] = ()
    """By what the question of a node asks about."""
    labels: tuple[Bins, ...] = ()
    """By the label, where it is a number."""
    rivals: tuple[Rival, ...] = ()
    """Where another question would win at least one time in ten."""


@dataclass(frozen=True)
class Histogram:
    """How many rows have which values: sums of at least five rows each, unless there are fewer in all."""

    counts: tuple[int, ...]
    edges: tuple[float, ...] = ()
    """Of numbers: what lies between each two bins. The first and the last one have no other end."""
    codes: tuple[int, ...] = ()
    """Of values that have numbers: that of each bin. One bin more is of all other values."""


@dataclass(frozen=True)
class Density:
    """How many rows lie where on the plane of two numbers."""

    features: tuple[str, str]
    """The one across and the one upwards."""
    across: tuple[float, ...]
    upwards: tuple[float, ...]
    """The edges of the cells, the ends of the plane among them."""
    counts: tuple[tuple[int, ...], ...]
    """For each row of cells, from below, the rows in each; 0 stands for fewer than five, too."""
