"""How fast the memory of this machine is: the limit of whatever must read a table."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from quiet_timing import run_once

N_BYTES = 2**28  # much more than the caches hold
LEAST = 0.3  # seconds of each measurement


def read_rate(threads):
    """Return the bytes that all threads together read in a second, at best."""
    numbers = np.ones(N_BYTES // 8, np.int64)
    return N_BYTES / _seconds(np.bitwise_or.reduce, threads, numbers)


def copy_rate(threads):
    """Return the bytes that all threads together copy in a second, at best; read and written."""
    numbers = np.ones(N_BYTES // 16, np.int64)
    return N_BYTES / _seconds(np.copyto, threads, np.zeros_like(numbers), numbers)


def table_bytes(X):
    """Return the bytes of the values of an array, or of a data frame of any kind."""
    if hasattr(X, "memory_usage"):  # pandas
        return int(X.memory_usage(index=False).sum())
    return int(X.estimated_size() if hasattr(X, "estimated_size") else X.nbytes)  # polars, or Arrow


def _seconds(call, threads, *arrays):
    parts = [np.array_split(array, threads) for array in arrays]
    with ThreadPoolExecutor(threads) as pool:
        return run_once(lambda: list(pool.map(call, *parts)), LEAST).seconds
