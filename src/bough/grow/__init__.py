"""Table + labels + settings → tree."""

from bough.grow.ground import ROOT, Ground, Place, constraints_of
from bough.grow.growth import (
    filled,
    filled_by,
    filled_by_sums,
    ground_of,
    grow,
    grown,
    refilled,
    refuse_other_than_counts,
)
from bough.grow.intervals import (
    Intervals,
    SampledRows,
    coded,
    coded_features,
    ends_of,
    joined_ends,
    sample_of,
)

__all__ = [
    "ROOT",
    "Ground",
    "Intervals",
    "Place",
    "SampledRows",
    "coded",
    "coded_features",
    "constraints_of",
    "ends_of",
    "filled",
    "filled_by",
    "filled_by_sums",
    "ground_of",
    "grow",
    "grown",
    "joined_ends",
    "refilled",
    "refuse_other_than_counts",
    "sample_of",
]
