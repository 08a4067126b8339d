"""The nodes of a tree as plain data."""

from typing import Any

from bough.tree import Tree
from bough.walk import walk


def plain_nodes(tree: Tree, max_depth: int | None = None) -> list[dict[str, Any]]:
    """Return the nodes from top to bottom, as the drawing has them.

    Examples
    --------
    >>> [(node["answer"], node["guess"]) for node in plain_nodes(play_tennis_tree, max_depth=1)]
    [(None, 'Yes'), ('outlook = Overcast', 'Yes'), ('outlook = Rain', 'Yes'), ('outlook = Sunny', 'No')]
    """
    nodes = []
    for node, depth, parent, answer in walk(tree, max_depth):
        above = None if parent is None else parent.query
        plain: dict[str, Any] = {
            "id": node.id,
            "parent": None if parent is None else parent.id,
            "depth": depth,
            "answer": None if above is None else f"{above.feature.name} {answer}",
            "asks_about": None if node.query is None else node.query.feature.name,
            "n_rows": node.n_rows,
            "impurity": node.impurity,
            "gain": node.gain,
            "guess": node.guess,
        }
        if tree.schema.has_classes:
            shares = tree.shares[node.id].tolist()
            plain["shares"] = shares[0] if len(shares) == 1 else shares
        nodes.append(plain)
    return nodes


def plain_labels(tree: Tree) -> list[dict[str, Any]]:
    """Return what the tree guesses: the name and the classes of each output."""
    return [{"name": label.name, "classes": list(label.classes)} for label in tree.schema.labels]
