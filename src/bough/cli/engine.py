"""`--engine`: Parquet files that Dask or Spark reads, and streams to this process."""

import os
import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from urllib.parse import urlsplit

from bough.cli.messages import UsageError
from bough.errors import BoughError, DistributedError
from bough.partitioned.parquet_files import StreamingEngine, stream_of_files
from bough.reading import FileReading
from bough.table import open_source
from bough.table.source import Source

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
    started = starts[where.scheme](engine, where.netloc)

    def opened(path: str, *_: object) -> Source:
        try:
            source = open_source(stream_of_files(started, path))
        except BoughError:
            raise
        except (OSError, ValueError) as error:
            raise UsageError(f"{engine} cannot read {path!r} as Parquet: {error}") from error
        return replace(source, reading=FileReading())  # as a Parquet file that is read here

    return opened


def _refuse_silence(engine: str, host: str, port: int) -> None:
    try:
        socket.create_connection((host, port), PATIENCE).close()
    except OSError as error:
        raise DistributedError(
            f"Nothing answers at {engine} ({error}). Start it, or correct the address."
        ) from error


def _on_dask(engine: str, address: str) -> StreamingEngine:
    from bough.dask import DaskEngine

    if address != LOCAL:
        from dask.distributed import Client

        try:
            Client(f"tcp://{address}", timeout=PATIENCE)
        except OSError as error:
            raise DistributedError(f"What answers at {engine} is no Dask scheduler.") from error
    return DaskEngine()


def _on_spark(engine: str, address: str) -> StreamingEngine:
    from pyspark.sql import SparkSession

    from bough import spark as on_spark

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    master = "local[*]" if address == LOCAL else engine
    try:
        with on_spark.told():
            session = (
                SparkSession.builder.master(master).appName("bough")
                .config("spark.ui.showConsoleProgress", "false").getOrCreate()
            )  # fmt: skip
            session.sparkContext.setLogLevel("ERROR")
    except DistributedError as error:
        raise DistributedError(
            f"Spark does not start on {master}. It needs Java here, and a master of the same version "
            f"there. It says: {error}"
        ) from error
    return on_spark.SparkEngine(session.sparkContext)
