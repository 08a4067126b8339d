"""The temporary folder, which files are read and written through; it may be full or missing."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EDQUOT, ENOSPC, EROFS
from os import strerror
from pathlib import Path

FULL = (ENOSPC, EDQUOT, EROFS)  # what only writing can meet with


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
