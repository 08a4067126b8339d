"""Writes a file whole or not at all, and reads no more of one than it may."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NoReturn

from bough.errors import ModelFormatError


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Replace a file by these bytes, so that at any moment it is the old one or the new one."""
    with replacing(path) as file:
        file.write(data)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Give a file to write to, which in the end takes the place of the one of this name.

    It is a temporary file in the same folder until then. If anything fails, it is removed, the old
    file is as it was, and an OSError says why.
    """
    target = Path(os.path.realpath(path))  # a link stays a link, and its file is replaced
    if target.is_char_device() or target.is_fifo():  # a terminal or a pipe is no file to replace
        with target.open("wb") as file:
            yield file
        return
    temporary = target.with_name(f".bough-{os.urandom(8).hex()}.tmp")
    try:
        with temporary.open("xb") as file:
            if target.is_file():
                temporary.chmod(target.stat().st_mode & 0o777)
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        remains = " The old file is unchanged." if target.is_file() else ""
        raise_clearly(error, f"cannot save {str(path)!r}", remains)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(target.parent)


def read_file(path: str | os.PathLike[str], max_bytes: int) -> bytes:
    """Return the bytes of a file that is not larger than `max_bytes`."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(max_bytes + 1)
            size = max(len(data), os.fstat(file.fileno()).st_size)
    except OSError as error:
        raise_clearly(error, f"cannot read {str(path)!r}")
    if len(data) > max_bytes:
        raise too_large(str(path), size, max_bytes)
    return data


def too_large(name: str, size: int, max_bytes: int) -> ModelFormatError:
    """Return the error that says that a file is too large."""
    return ModelFormatError(
        f"{name!r} has {size:,} bytes; the limit is {max_bytes:,} (max_bytes=)."
    )


def raise_clearly(error: OSError, what: str, what_remains: str = "") -> NoReturn:
    """Raise an OSError of the same type and number that says what could not be done, and why."""
    why = error.strerror or str(error)
    clear = type(error)(f"{what}: {why}.{what_remains}")
    clear.errno = error.errno
    raise clear from error


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where the system can."""
    if os.name == "nt":
        return
    with suppress(OSError):  # not every folder can be read or synced; the file is whole
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
