"""Trees that other libraries have grown, as bough's own: drawn, explained, reported and exported alike."""

from bough.imports.boosters import from_lightgbm, from_xgboost
from bough.imports.scikit_learn import from_sklearn

__all__ = ["from_lightgbm", "from_sklearn", "from_xgboost"]
