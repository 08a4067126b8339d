"""What must be true of the queries of a ranking before its rows are shared out."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bough.errors import DataError
from bough.learn.columns import Rows, rows_of, weights_of
from bough.learn.look import Look
from bough.learn.roles import Roles
from bough.ranking import check_weighed
from bough.split import cell_hashes
from bough.table.column import Choices, Column, Moments, missing_rows
from bough.words import date, plain, value_word


def check_queries(look: Look, roles: Roles, rows: Rows, tables: Sequence[str]) -> None:
    """Refuse queries without a row that counts, and tables that share a query.

    Parameters
    ----------
    rows
        The rows that have a label.
    tables
        What the sources of the rows are called.
    """
    assert roles.group is not None  # noqa: S101 - a ranking has queries
    rows = rows[~missing_rows(look.columns[roles.group])[rows]]
    column = rows_of(look.columns[roles.group], rows)
    group = cell_hashes(column)
    if roles.weight is not None:
        weights = weights_of(rows_of(look.columns[roles.weight], rows), roles.weight)
        check_weighed(group, weights, lambda row: _query_word(column, row))
    _refuse_shared(column, group, look.source_of(rows), tables)


def check_relevant(parts: Mapping[str, NDArray[np.floating]], n_relevant: int) -> None:
    """Refuse parts of the rows none of which is relevant, though some of other parts are.

    Parameters
    ----------
    parts
        The relevance of the rows of each part.
    n_relevant
        How many queries have a relevant row, in all parts together.
    """
    empty = [name for name, relevance in parts.items() if not np.any(relevance > 0)]
    if empty and n_relevant:
        raise DataError(
            f"None of the queries that have a relevant row ({n_relevant:,} in all) is among the "
            f"{empty[0]}. Give more such queries, or share the rows out otherwise: seed=…, split=…, "
            "or tables of your own, dev=… and test=…"
        )


def _refuse_shared(
    column: Column, group: NDArray[np.uint64], source: NDArray[np.intp], tables: Sequence[str]
) -> None:
    """Refuse tables that share a query: it would be measured on rows that it was learnt from."""
    _, first, unit = np.unique(group, return_index=True, return_inverse=True)
    n_rows = np.zeros((len(first), len(tables)), np.intp)
    np.add.at(n_rows, (unit, source), 1)
    shared = np.flatnonzero(np.count_nonzero(n_rows, axis=1) > 1)
    if not len(shared):
        return
    words = sorted((_query_word(column, int(first[query])), query) for query in shared.tolist())
    name, query = words[0]
    one, other = np.flatnonzero(n_rows[query])[:2].tolist()
    others = "" if len(shared) == 1 else f"; {len(shared):,} queries are in more than one table"
    raise DataError(
        f"query {name} has {n_rows[query, one]:,} rows in the {tables[one]} table and "
        f"{n_rows[query, other]:,} in the {tables[other]} table{others}. Keep all rows of a query in "
        "one table, or the estimate is too good."
    )


def _query_word(column: Column, row: int) -> str:
    """Return what messages call the query of a row."""
    cell = rows_of(column, np.array([row]))
    if isinstance(cell, Choices):
        return plain(repr(cell.values[int(cell.codes[0])]))
    value = cell.values[0].item()
    return date(value) if isinstance(cell, Moments) else value_word(value)
