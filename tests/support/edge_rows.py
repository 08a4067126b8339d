"""Rows with the values at which a tree is most easily misread."""

import numpy as np

from bough.schema import MISSING, MISSING_INTEGER, UNSEEN, Kind
from bough.table import Table


def edge_values(tree, number):
    """The pivots of a feature with their neighbours, its values, a missing and an unseen one."""
    feature = tree.schema.features[number]
    nodes = [node for node in tree if not node.is_leaf and tree.feature[node.id] == number]
    pivots = [node.query.pivot for node in nodes if hasattr(node.query, "pivot")]
    if feature.kind is Kind.NUMBER:
        near = [x for p in pivots for x in (p, np.nextafter(p, -np.inf), np.nextafter(p, np.inf))]
        return np.array([*near, 0.0, -0.0, 1.7e308, -1.7e308, np.nan])
    if feature.kind.is_integer:
        near = [int(np.floor(p)) + step for p in pivots for step in (-1, 0, 1)]
        return np.array([*near, 0, 2**63 - 1, -(2**63) + 1, MISSING_INTEGER], np.int64)
    return np.array([*range(len(feature.choices)), MISSING, UNSEEN], np.int32)


def edge_rows(tree, seed=0, n_rows=400):
    """Rows in which every feature has every value that is at an edge."""
    rng = np.random.default_rng(seed)
    features = tree.schema.features
    values = []
    for number in range(len(features)):
        edges = edge_values(tree, number)
        values.append(rng.permutation(np.resize(edges, max(n_rows, len(edges)))[:n_rows]))
    names = tree.schema.columns
    return Table(names, True, features, tuple(values), n_rows)  # noqa: FBT003
