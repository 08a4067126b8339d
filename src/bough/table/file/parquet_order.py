"""The order of ordered categories in a Parquet file, which DuckDB reads as text.

The names of the columns that have one stand in the file's notes for pandas, the order itself only
in pages that pyarrow reads. Polars marks every Enum as ordered; it is a category, as in its frames.
"""

import json
from base64 import b64decode
from collections.abc import Collection, Sequence
from importlib.util import find_spec
from pathlib import Path

from bough.table.file.duckdb_engine import Database, quoted
from bough.table.lazy_table import Remark

OF_POLARS = b"_PL_"


def declared_orders(
    database: Database, target: Path, names: Sequence[str], texts: Collection[str]
) -> tuple[dict[str, list[str]], list[Remark]]:
    """Return the values of ordered columns in their order, and remarks on those that are not known.

    Parameters
    ----------
    names, texts
        The names of all columns, and of those that hold text.
    """
    noted = _noted(database, target)
    if b"ARROW:schema" not in noted or OF_POLARS in b64decode(noted[b"ARROW:schema"]):
        return {}, []
    may_be = [name for name in names if name in texts]
    if b"pandas" in noted:
        ordered = _ordered_for_pandas(noted[b"pandas"])
        may_be = [name for name in may_be if name in ordered]
    if not may_be:
        return {}, []
    if find_spec("pyarrow") is None:
        said = "its order in the file is not read. Install what reads it: pip install pyarrow"
        is_sure = b"pandas" in noted
        return {}, [Remark("B111", name, said) for name in may_be if is_sure]
    return _read_by_arrow(target, may_be), []


def _noted(database: Database, target: Path) -> dict[bytes, bytes]:
    """Return what writers have noted in a file."""
    rows = database.ask(
        f"SELECT key, value FROM parquet_kv_metadata({quoted(str(target))})"
    ).fetchall()
    return {bytes(key): bytes(value) for key, value in rows}


def _ordered_for_pandas(noted: bytes) -> set[str]:
    try:
        columns = json.loads(noted)["columns"]
        return {
            str(each["field_name"]) for each in columns if (each["metadata"] or {}).get("ordered")
        }
    except (ValueError, KeyError, TypeError, AttributeError):  # somebody else's notes
        return set()


def _read_by_arrow(target: Path, names: Sequence[str]) -> dict[str, list[str]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {field.name: field.type for field in pq.read_schema(target)}
    ordered = [
        name
        for name in names
        if name in kinds and pa.types.is_dictionary(kinds[name]) and kinds[name].ordered
    ]
    if not ordered:
        return {}
    table = pq.read_table(target, columns=ordered).unify_dictionaries()
    return {
        name: table.column(name).chunk(0).dictionary.to_pylist()
        for name in ordered
        if table.column(name).num_chunks
    }
