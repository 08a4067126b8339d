"""A tree and what is known about it → one page of HTML that needs no network."""

from bough.report.notebook import Frame, card
from bough.report.page import page
from bough.report.subject import ColumnFacts, Subject

__all__ = ["ColumnFacts", "Frame", "Subject", "card", "page"]
