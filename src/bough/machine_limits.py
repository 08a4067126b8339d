"""What of the machine a call may use: threads, memory, the temporary folder."""

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from errno import EDQUOT, ENOSPC, EROFS
from functools import cache
from numbers import Integral
from operator import index
from os import strerror
from pathlib import Path
from threading import Lock
from typing import SupportsIndex

from bough import _core
from bough.errors import Argument, BoughError, BudgetError, ParameterError
from bough.settings import is_whole

MOST_THREADS = 64
UNITS = {"": 0, "B": 0, "K": 1, "KB": 1, "M": 2, "MB": 2, "G": 3, "GB": 3, "T": 4, "TB": 4}
SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)\s*")
KEPT_FREE = 96 * 2**20  # for DuckDB at its least, code that is loaded late, and all that is small
OF_ALL = 0.75  # the share of the memory that is free which a call uses if nobody says
OF_FILES = 8  # at most this part of the memory is for the engine that reads files
SORTED = 4  # bytes of a row that NumPy needs to sort
SPREAD = 4  # by which a file may grow when it is read
ON_DISK = "/var/tmp"  # noqa: S108 - where large temporary files belong, if the usual folder is memory
IN_MEMORY = {"tmpfs", "ramfs"}
FULL = (ENOSPC, EDQUOT, EROFS)  # what only writing can meet with


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


@dataclass
class Holders:
    """The calls that are within a budget, of whatever thread: the first of them has set it."""

    n_calls: int = 0
    limit: int = 0
    is_wanted: bool = False
    folder: str = ""
    lock: Lock = field(default_factory=Lock)

    def begin(self, wanted: int | None) -> None:
        with self.lock:
            if self.n_calls == 0:
                used = _anonymous()
                limit = int(OF_ALL * _available()) + used if wanted is None else wanted
                if wanted is not None and _room(limit, used) < 0:
                    raise _too_little(wanted, used)
                self.limit, self.is_wanted, self.folder = limit, wanted is not None, _folder()
                _core.set_budget(max(_room(limit, used), 0), self.folder)
            self.n_calls += 1

    def count_again(self) -> None:
        with self.lock:
            if self.n_calls:
                _core.set_budget(max(_room(self.limit, _anonymous()), 0), self.folder)

    def end(self) -> None:
        with self.lock:
            self.n_calls -= 1
            if self.n_calls == 0:
                _core.set_budget(-1, "")


_held = Holders()


def read_size(max_memory: object) -> int | None:
    """Return a number of bytes, as in 2_000_000_000 or '2GB'; None if nobody says.

    Examples
    --------
    >>> read_size("1.5 GB"), read_size(1000), read_size(None)
    (1610612736, 1000, None)
    """
    if max_memory is None:
        return None
    if isinstance(max_memory, SupportsIndex) and is_whole(max_memory) and index(max_memory) > 0:
        return index(max_memory)
    found = SIZE.fullmatch(max_memory) if isinstance(max_memory, str) else None
    if found is None or found[2].upper() not in UNITS or not float(found[1]):
        raise ParameterError(
            Argument("max_memory", max_memory),
            " is not an amount of memory. Give bytes, or a text such as '2GB' or '500MB'.",
        )
    return int(float(found[1]) * 1024 ** UNITS[found[2].upper()])


@contextmanager
def memory_budget(max_memory: int | str | None = None) -> Iterator[None]:
    """Keep the process within some memory; while another budget holds, that one goes on.

    What counts is the anonymous memory of the process (`RssAnon`), with all that is there before.
    Arrays of NumPy and of the core that would be too much are mapped from files without a name:
    the system may write out their pages, and the files are gone when the process is.
    """
    wanted = read_size(max_memory)
    if wanted is not None and not sys.platform.startswith("linux"):
        raise ParameterError(Argument("max_memory"), " is kept to on Linux only. Leave it out.")
    if not sys.platform.startswith("linux"):
        yield
        return
    _held.begin(wanted)
    handler = _core.use_handler(_numpy_functions(), _core.memory_handler())
    try:
        yield
    except MemoryError as error:
        if isinstance(error, BoughError) or not (number := _core.spill_error()):
            raise
        raise of_temporary(strerror(number), number, _held.folder) from error
    finally:
        _core.use_handler(_numpy_functions(), handler)
        _held.end()


def count_again() -> None:
    """Leave to arrays what is left now: who gave the rows, such as Dask, may hold more than at first."""
    _held.count_again()


def refuse_too_many_rows(n_rows: int) -> None:
    """Refuse more rows than can be sorted within the memory that the user has named."""
    least = (SORTED * n_rows - KEPT_FREE // 2) * OF_FILES
    if _held.n_calls and _held.is_wanted and least > _held.limit:
        raise BudgetError(
            Argument("max_memory", _in_words(_held.limit)), f" is too little for {n_rows:,} rows, which "
            "are sorted in memory. Use at least ", Argument("max_memory", _in_words(least + 2**20)), ".",
        )  # fmt: skip


def reading_limit(n_bytes: int) -> int | None:
    """Return how much memory a file of so many bytes may take to be read; None: it is small."""
    room = _held.limit // OF_FILES
    return None if _held.n_calls == 0 or n_bytes * SPREAD < room else room


def _room(limit: int, used: int) -> int:
    """Return what a limit leaves to arrays."""
    return limit - used - KEPT_FREE - limit // OF_FILES


def _too_little(wanted: int, used: int) -> BudgetError:
    least = -(-(used + KEPT_FREE) * OF_FILES // (OF_FILES - 1) // 2**20)
    return BudgetError(
        Argument("max_memory", _in_words(wanted)), f" is too little: Python takes {used / 2**20:,.0f} MB "
        "of it already, with any table that is loaded. Use at least ",
        Argument("max_memory", f"{least}MB"), ", and give a large table as the path of a file.",
    )  # fmt: skip


def _in_words(n_bytes: int) -> str:
    return f"{n_bytes // 2**20}MB" if n_bytes >= 2**20 else f"{n_bytes}B"


def _numpy_functions() -> object:
    from numpy._core import multiarray

    return multiarray._ARRAY_API  # noqa: SLF001 - the only way to it


def _anonymous() -> int:
    """Return how many bytes of the process are in no file."""
    return _kilobytes("/proc/self/status", "RssAnon:") * 1024


def _available() -> int:
    """Return how many bytes the system can still give, or the container that the process is in."""
    free = _kilobytes("/proc/meminfo", "MemAvailable:") * 1024
    return min(free or sys.maxsize // 2, _most())  # where it does not say, there is no limit


@cache
def _most() -> int:
    """Return the limit of the container, or more than there can be."""
    most = sys.maxsize
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError):  # there is no such limit
            most = min(most, int(Path("/sys/fs/cgroup", name).read_text()))
    return most


def _kilobytes(file: str, name: str) -> int:
    """Return what a file of the system says; 0 where it does not."""
    try:
        lines = Path(file).read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(name)), 0)


def _folder() -> str:
    """Return where files are made: the temporary folder, unless that lies in memory itself."""
    return _on_disk(tempfile.gettempdir())


@cache
def _on_disk(usual: str) -> str:
    mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    holding = [each for each in mounts if Path(usual).is_relative_to(each[1])]
    is_memory = holding and max(holding, key=lambda each: len(each[1]))[2] in IN_MEMORY
    return ON_DISK if is_memory and Path(ON_DISK).is_dir() else usual


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Give a folder of our own that is removed in the end, or say what is wrong with its place."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="bough-")
    except OSError as error:
        raise of_temporary(error.strerror or str(error), error.errno) from error
    with folder as name, using_temporary():
        yield Path(name)


@contextmanager
def using_temporary() -> Iterator[None]:
    """Say so where it is the temporary folder that is full, and not a file that cannot be read."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL or error.strerror is None:  # another error, or worded already
            raise
        raise of_temporary(error.strerror, error.errno) from error


def of_temporary(why: str, errno: int | None = None, folder: str | None = None) -> OSError:
    """Return the error that says what is wrong with the temporary folder, and what to do."""
    place = "the temporary folder"
    with suppress(OSError):  # there is none
        place = f"the temporary folder {folder or tempfile.gettempdir()!r}"
    full = strerror(ENOSPC)
    error = OSError(
        f"cannot write to {place}: {full if full in why else why}. Free some space there, or set "
        "the variable TMPDIR to another folder."
    )
    error.errno = errno
    return error
