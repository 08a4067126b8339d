"""`Task`: what a tree is grown for, and everything that follows from that alone."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any


class Task(StrEnum):
    """What a tree is grown for; it is its name, too, as model files hold it."""

    does: str
    """What such a tree does."""
    estimator: str
    """The name of the estimator that grows such trees."""
    criteria: tuple[str, ...]
    """The criteria that are tried where the user names none, the most usual first."""
    loss: str
    """The loss to minimise where the user names none."""
    headline: str
    """The score that people know, which follows from that loss."""
    guess: str
    """What a node's number or class is called."""
    baseline: str
    """What a tree has to beat."""

    def __new__(cls, name: str, facts: Mapping[str, Any] | None = None) -> "Task":
        task = str.__new__(cls, name)
        task._value_ = name
        vars(task).update(facts or {})
        return task

    CLASSIFICATION = "classification", {
        "does": "predicts classes", "estimator": "DecisionTreeClassifier",
        "criteria": ("gini", "entropy"), "loss": "error", "headline": "accuracy",
        "guess": "prediction", "baseline": "always the same",
    }  # fmt: skip
    REGRESSION = "regression", {
        "does": "predicts numbers", "estimator": "DecisionTreeRegressor",
        "criteria": ("squared_error",), "loss": "squared_error", "headline": "rmse",
        "guess": "prediction", "baseline": "always the same",
    }  # fmt: skip
    RANKING = "ranking", {
        "does": "ranks rows", "estimator": "DecisionTreeRanker",
        "criteria": ("ndcg",), "loss": "ndcg_loss", "headline": "ndcg",
        "guess": "score", "baseline": "random order",
    }  # fmt: skip

    @property
    def has_classes(self) -> bool:
        return self is Task.CLASSIFICATION

    @property
    def ranks(self) -> bool:
        """Whether guesses are scores, which order the rows of a group and mean nothing alone."""
        return self is Task.RANKING

    def __repr__(self) -> str:
        return repr(str(self))
