"""Streams of Arrow, which can be read only once: what does not fit into memory is spooled to a file."""

from collections.abc import Iterator
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import narwhals as nw

from bough.table.memory import count_again, reading_limit


def read_stream(stream: object) -> nw.DataFrame[Any]:
    """Return the rows of a stream as a data frame; if they are many, it lies in a file without a name."""
    if find_spec("pyarrow") is None and find_spec("polars") is not None:
        return nw.from_arrow(stream, backend="polars")
    import pyarrow as pa

    reader: Any = stream  # whose own errors reach the user as they are
    if not isinstance(stream, pa.RecordBatchReader):
        reader = pa.RecordBatchReader.from_stream(stream)
    held, n_bytes = [], 0
    for batch in reader:
        held.append(batch)
        n_bytes += batch.nbytes
        if reading_limit(n_bytes) is not None:
            return nw.from_native(_spooled(reader.schema, chain(held, reader)), eager_only=True)
    return nw.from_native(pa.Table.from_batches(held, reader.schema), eager_only=True)


def _spooled(schema: Any, batches: Iterator[Any]) -> Any:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa

    from bough.table.file.temporary_folder import temporary_folder

    with temporary_folder() as folder:
        path = str(Path(folder, "rows"))
        with pa.ipc.new_stream(path, schema) as file:
            for batch in batches:
                file.write_batch(batch)
        pa.default_memory_pool().release_unused()
        count_again()
        # The pages of the file stay until the table goes, although its name goes first.
        return pa.ipc.open_stream(pa.memory_map(path)).read_all()
