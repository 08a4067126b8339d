"""How many threads a call may use."""

import os
import sys
from functools import cache
from numbers import Integral

from bough.errors import Argument, ParameterError

MOST_THREADS = 64


def threads(n_jobs: int | None) -> int:
    """Return a number of threads: None is all cores, or 1 inside a joblib worker.

    Where `OMP_NUM_THREADS` or threadpoolctl allow fewer, None is no more than these.
    -1 is all cores anywhere, -2 all but one, and so on, as in joblib. More threads than cores are
    of no use, so a very large number is cut down.
    """
    if n_jobs is None:
        return 1 if _inside_a_worker() else min(_n_cores(), _allowed())
    if not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise ParameterError(
            Argument("n_jobs", n_jobs),
            " must be a whole number of threads, 1 or more, or -1 for all cores.",
        )
    if 0 < n_jobs <= MOST_THREADS:
        return int(n_jobs)
    n_cores = _n_cores()
    return (
        min(int(n_jobs), max(MOST_THREADS, n_cores))
        if n_jobs > 0
        else max(1, n_cores + 1 + int(n_jobs))
    )


@cache  # it takes as long to find out as to predict thousands of rows
def _n_cores() -> int:
    from joblib import cpu_count  # type: ignore[import-untyped]

    return int(cpu_count())


def _allowed() -> int:
    """Return how many threads scikit-learn, where it is loaded, would give to its own loops."""
    if "sklearn" in sys.modules:
        from sklearn.utils._openmp_helpers import _openmp_effective_n_threads

        return int(_openmp_effective_n_threads())
    most = os.environ.get("OMP_NUM_THREADS", "")
    return int(most) if most.isascii() and most.isdigit() and int(most) else MOST_THREADS


def _inside_a_worker() -> bool:
    from joblib.parallel import get_active_backend  # type: ignore[import-untyped]

    backend, _ = get_active_backend()
    return bool(backend.nesting_level)
