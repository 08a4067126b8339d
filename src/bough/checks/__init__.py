"""Checks of tables, estimates and trees: one list of codes, one function for each."""

from bough.checks.notes import CHECKS

__all__ = ["CHECKS"]
