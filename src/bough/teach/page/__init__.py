"""A growth as one page of HTML to step through, without a network."""

from bough.teach.page.page import page

__all__ = ["page"]
