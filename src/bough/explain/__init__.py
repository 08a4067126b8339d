"""Why a row got its guess, which features matter, and the tree as rules."""

from bough.explain.condition import Condition
from bough.explain.explanation import ExplainedStep, Explanation
from bough.explain.flip import Change, Flip, Flips
from bough.explain.importances import importances
from bough.explain.row import explain, refuse_several_labels
from bough.explain.rules import Rule, rules

__all__ = [
    "Change",
    "Condition",
    "ExplainedStep",
    "Explanation",
    "Flip",
    "Flips",
    "Rule",
    "explain",
    "importances",
    "refuse_several_labels",
    "rules",
]
