"""`DecisionTreeClassifier`, `DecisionTreeRegressor`, `DecisionTreeRanker`: the scikit-learn face."""

from bough.estimators.classifier import DecisionTreeClassifier
from bough.estimators.loading import load
from bough.estimators.ranker import DecisionTreeRanker
from bough.estimators.regressor import DecisionTreeRegressor

__all__ = ["DecisionTreeClassifier", "DecisionTreeRanker", "DecisionTreeRegressor", "load"]
