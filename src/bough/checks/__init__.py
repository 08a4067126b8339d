"""Checks of tables, estimates and trees: one list of codes, one function for each."""

from bough.checks.codes import CHECKS

__all__ = ["CHECKS"]
