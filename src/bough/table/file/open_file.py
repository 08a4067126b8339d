"""Opens a file, or what is piped in, and finds out what it is."""

import codecs
import gzip
import io
import os
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from bough.errors import BoughError, DataError
from bough.files import raise_clearly

STANDARD_INPUT = "-"
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
GZIP = b"\x1f\x8b"
PARQUET = b"PAR1"
ZIP = b"PK\x03\x04"
OLD_EXCEL = b"\xd0\xcf\x11\xe0"
EXCEL = (".xlsx", ".xlsm", ".xlsb")
JSON_LINES = (".jsonl", ".ndjson")
PEEKED = 4096


class Format(StrEnum):
    """What a file holds."""

    CSV = "csv"
    EXCEL = "xlsx"
    JSON_LINES = "jsonl"
    PARQUET = "parquet"


class Stream(Protocol):
    """What is asked of an open file."""

    def peek(self, size: int, /) -> bytes: ...

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True)
class OpenFile:
    """A file that is open: its bytes, out of gzip."""

    name: str
    """What messages call it."""
    stream: Stream
    format: Format
    path: Path | None
    """Where these very bytes lie; None if they come from a pipe or out of gzip."""


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[OpenFile]:
    """Open a file, or the standard input for '-'."""
    name = "standard input" if path == STANDARD_INPUT else repr(os.fspath(path))
    if path != STANDARD_INPUT and ADDRESS.match(str(path)):
        raise DataError(f"{name} is an address, but bough reads only files. Download it first.")
    try:
        with _raw(path) as raw:
            packed = io.BufferedReader(raw, PEEKED)
            if packed.peek(2).startswith(GZIP):
                unpacked = io.BufferedReader(gzip.GzipFile(fileobj=packed), PEEKED)
                yield OpenFile(name, unpacked, _format(unpacked, path, name), None)
            else:
                place = Path(path) if path != STANDARD_INPUT else None
                yield OpenFile(name, packed, _format(packed, path, name), place)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError(f"{name} is damaged: its gzip does not unpack ({error}).") from error
    except ValueError as error:
        if isinstance(error, BoughError):
            raise
        raise DataError(f"{name} is not a valid file name ({error}).") from error
    except OSError as error:
        if error.strerror is None:  # worded already
            raise
        raise_clearly(error, f"cannot read {name}")


def _raw(path: str | os.PathLike[str]) -> AbstractContextManager[io.RawIOBase]:
    if path == STANDARD_INPUT:
        return nullcontext(io.FileIO(sys.stdin.fileno(), closefd=False))
    return io.FileIO(path)


def _format(stream: Stream, path: str | os.PathLike[str], name: str) -> Format:
    start = stream.peek(PEEKED)
    if start.startswith(PARQUET):
        return Format.PARQUET
    suffix = Path(str(path).lower().removesuffix(".gz")).suffix
    if start.startswith(OLD_EXCEL) or (start.startswith(ZIP) and suffix in EXCEL):
        return Format.EXCEL
    if start.startswith(ZIP):
        raise DataError(
            f"{name} is a zip file. Unpack it, and give the table in it; if it is an Excel file, name "
            "it .xlsx."
        )
    text = start.removeprefix(codecs.BOM_UTF8).lstrip()
    if suffix in JSON_LINES or text.startswith(b"{"):
        return Format.JSON_LINES
    if suffix == ".json":
        raise DataError(
            f"{name} is not JSON lines, which have one object {{…}} per line. Convert a list with: "
            "jq -c '.[]'"
        )
    return Format.CSV
