"""What the estimators of all engines share."""

from typing import Any, Self

from bough.partitioned.engine import Engine
from bough.partitioned.fit import grown_from
from bough.partitioned.levels import Pass
from bough.pruning import by_cost_complexity


class FitsParts:
    """Grows the tree of an estimator from parts."""

    gather_rows: int = 1_000_000
    """Nodes of no more rows are grown on one worker. It never changes the tree."""
    passes_: list[Pass]
    """The passes over the partitions that nodes of more rows have taken, and the bytes sent."""

    def _fit_parts(self, engine: Engine, raw_parts: Any) -> Self:  # noqa: ANN401
        estimator: Any = self
        tree, settings, passes = grown_from(engine, raw_parts, estimator, self.gather_rows)
        estimator._take(by_cost_complexity(tree, float(estimator.ccp_alpha)), settings)  # noqa: SLF001
        self.passes_ = passes
        return self
