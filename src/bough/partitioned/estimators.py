"""What the estimators of all engines share."""

from typing import Any, Self

from bough.errors import Argument, ParameterError
from bough.partitioned.engine import Engine
from bough.partitioned.fit import grown_from
from bough.partitioned.levels import Pass
from bough.pruning import by_cost_complexity
from bough.settings import is_whole


class FitsParts:
    """Grows the tree of an estimator from parts."""

    gather_rows: int = 1_000_000
    """Nodes of no more rows are grown on one worker. It never changes the tree."""
    passes_: list[Pass]
    """The passes over the partitions that nodes of more rows have taken, and the bytes sent."""

    def _fit_parts(self, engine: Engine, raw_parts: Any) -> Self:  # noqa: ANN401
        estimator: Any = self
        if not is_whole(self.gather_rows) or self.gather_rows < 0:
            raise ParameterError(
                Argument("gather_rows", self.gather_rows),
                " must be a whole number of rows, such as 1_000_000.",
            )
        tree, settings, passes = grown_from(engine, raw_parts, estimator, self.gather_rows)
        estimator._take(by_cost_complexity(tree, float(estimator.ccp_alpha)), settings)  # noqa: SLF001
        self.passes_ = passes
        return self
