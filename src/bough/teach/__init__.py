"""The growth of a small tree, step by step, with every number that a textbook works out.

>>> import bough
>>> grown = bough.teach.walkthrough(bough.datasets.load("commute"))
>>> grown.steps[2].condition, grown.steps[2].asks.words, round(grown.steps[2].asks.gain, 4)
('tired = Tired', 'bringing', 0.9183)
"""

from bough.teach.lessons import LESSONS, Lesson, lesson
from bough.teach.steps import (
    AnswerRows,
    CandidateQuestion,
    FeatureQuestions,
    GrowthStep,
    OtherChoice,
    TaughtColumn,
    TieBreak,
    Walkthrough,
)
from bough.teach.walkthrough import walkthrough

__all__ = [
    "LESSONS",
    "AnswerRows",
    "CandidateQuestion",
    "FeatureQuestions",
    "GrowthStep",
    "Lesson",
    "OtherChoice",
    "TaughtColumn",
    "TieBreak",
    "Walkthrough",
    "lesson",
    "walkthrough",
]
