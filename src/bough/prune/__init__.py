"""Tree → smaller tree."""

from bough.prune.cost_complexity import by_cost_complexity, cost_complexity_path, series_by_cost
from bough.prune.depth import at_depth, series_by_depth
from bough.prune.series import Series

__all__ = [
    "Series",
    "at_depth",
    "by_cost_complexity",
    "cost_complexity_path",
    "series_by_cost",
    "series_by_depth",
]
