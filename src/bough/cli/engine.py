"""`--engine`: Parquet files that Dask or Spark reads, and streams to this process."""

import os
import socket
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from bough.cli.messages import UsageError
from bough.errors import BoughError, DistributedError
from bough.table import open_source
from bough.table.lazy_table import Source

LOCAL = "local"  # instead of an address: this machine
PATIENCE = 10.0  # seconds for a connection


def opener(engine: str) -> Callable[..., Source]:
    """Return what opens files by an engine, as in 'dask://10.0.0.5:8786'."""
    where = urlsplit(engine)
    starts = {"dask": _on_dask, "spark": _on_spark}
    try:
        is_known = where.scheme in starts and (where.netloc == LOCAL or where.port is not None)
    except ValueError:  # the port is no number
        is_known = False
    if not is_known:
        raise UsageError(
            f"--engine {engine!r} is not known. Type dask:// or spark:// with an address and a port, "
            "as in dask://10.0.0.5:8786, or dask://local."
        )
    if where.netloc != LOCAL:
        _refuse_silence(engine, str(where.hostname), int(where.port or 0))
    try:
        import_module(f"bough.{where.scheme}")
    except ImportError as error:  # which says what to install
        raise UsageError(str(error)) from error
    streamed = starts[where.scheme](engine, where.netloc)

    def opened(path: str, *_: object) -> Source:
        try:
            return open_source(streamed(path))
        except BoughError:
            raise
        except (OSError, ValueError) as error:
            raise UsageError(f"{engine} cannot read {path!r} as Parquet: {error}") from error

    return opened


def _refuse_silence(engine: str, host: str, port: int) -> None:
    try:
        socket.create_connection((host, port), PATIENCE).close()
    except OSError as error:
        raise DistributedError(
            f"Nothing answers at {engine} ({error}). Start it, or correct the address."
        ) from error


def _on_dask(engine: str, address: str) -> Callable[[str], Any]:
    import dask.dataframe

    from bough import dask as on_dask

    if address != LOCAL:
        from dask.distributed import Client

        try:
            Client(f"tcp://{address}", timeout=PATIENCE)
        except OSError as error:
            raise DistributedError(f"What answers at {engine} is no Dask scheduler.") from error

    def streamed(path: str) -> Any:  # noqa: ANN401
        frame = dask.dataframe.read_parquet(path)
        if not len(frame.columns):
            raise FileNotFoundError("there is no such file.")
        return on_dask.streamed(frame)

    return streamed


def _on_spark(engine: str, address: str) -> Callable[[str], Any]:
    from pyspark.sql import SparkSession

    from bough import spark as on_spark

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    master = "local[*]" if address == LOCAL else engine
    try:
        with on_spark.told():
            session = SparkSession.builder.master(master).appName("bough").getOrCreate()
            session.sparkContext.setLogLevel("ERROR")
    except DistributedError as error:
        raise DistributedError(
            f"Spark does not start on {master}. It needs Java here, and a master of the same version "
            f"there. It says: {error}"
        ) from error

    def streamed(path: str) -> Any:  # noqa: ANN401
        with on_spark.told():
            return on_spark.streamed(session.read.parquet(path))

    return streamed
