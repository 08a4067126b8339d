"""Reads files and writes tables by DuckDB, which no other folder knows."""

from bough.table.file.read import read_file

__all__ = ["read_file"]
