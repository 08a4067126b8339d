"""A tree and what is known about it → one page of HTML that needs no network."""

from bough.report.page import Frame, page
from bough.report.subject import ColumnFacts, Subject

__all__ = ["ColumnFacts", "Frame", "Subject", "page"]
