"""Why a row got its guess, which features matter, and the tree as rules."""

from bough.explain.condition import Condition
from bough.explain.explanation import ExplainedStep, Explanation, RowPart
from bough.explain.flip import Change, Flip, Flips
from bough.explain.importances import importances
from bough.explain.row import explain, refuse_several_labels
from bough.explain.rules import Rule, rules, trail_conditions

__all__ = [
    "Change",
    "Condition",
    "ExplainedStep",
    "Explanation",
    "Flip",
    "Flips",
    "RowPart",
    "Rule",
    "explain",
    "importances",
    "refuse_several_labels",
    "rules",
    "trail_conditions",
]
