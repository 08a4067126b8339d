"""Twenty questions: one after the other, until the tree can guess."""

from bough.interview.interview import Interview, Outcome, Question

__all__ = ["Interview", "Outcome", "Question"]
