"""Refuses sparse matrices with missing values, as scikit-learn's trees do."""

import numpy as np

from bough.errors import DataError
from bough.table import TableLike
from bough.table.sparse import is_sparse


def refuse_sparse_missing(X: TableLike) -> None:
    """Refuse a sparse matrix that holds a nan: it may be a missing value, or a mistake."""
    if not is_sparse(X):
        return
    stored = (X if X.format in ("csr", "csc", "coo") else X.tocsc()).data
    if stored.dtype.kind == "f" and np.isnan(stored).any():
        raise DataError(
            "Input X contains NaN. X is sparse, where that is often a mistake. "
            "Pass X.toarray() to have these values read as missing."
        )
