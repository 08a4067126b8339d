"""Reads files and writes tables by DuckDB, which no other folder knows."""

from bough.table.file.read import read_file
from bough.table.file.write import write_table

__all__ = ["read_file", "write_table"]
