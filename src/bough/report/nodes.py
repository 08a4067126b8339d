"""What is told of each node that is drawn: its rule, its rows, the rule as SQL."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np

from bough.draw.verdict import verdict_of
from bough.explain.condition import joined
from bough.explain.rules import conditions_of_nodes
from bough.report.sql import where
from bough.report.stops import Stops
from bough.tree import Tree
from bough.words import guess_word, number, plain, row_count, share

MOST_CLASSES = 6  # whose counts are told


@dataclass(frozen=True)
class About:
    """One node in words."""

    label: str
    """In one sentence, for who cannot see the picture."""
    rule: str
    train: str
    test: str
    sql: str

    def as_dict(self) -> dict[str, str]:
        """Return plain data."""
        return asdict(self)


def about_nodes(
    tree: Tree, nodes: Iterable[int], tests: Stops | None, digits: int
) -> dict[int, About]:
    """Return what is told of some nodes."""
    wanted = set(nodes)
    found = {}
    for node, conditions in conditions_of_nodes(tree, digits):
        if node not in wanted:
            continue
        rule = plain(joined(conditions))
        verdict = verdict_of(tree, node, digits)
        query = tree[node].query
        asks = "" if query is None else f", asks {plain(query.feature.name)}"
        found[node] = About(
            label=f"{rule}: {verdict.in_full}{asks}",
            rule=f"{rule} → {verdict}",
            train=_counted(tree, node, row_count(int(tree.n_rows[node])), digits),
            test="" if tests is None else tests.words(node, digits),
            sql=where(conditions, tree.schema),
        )
    return found


def _counted(tree: Tree, node: int, rows: str, digits: int) -> str:
    """Return the training rows of a node with their labels, in words."""
    if len(tree.schema.labels) > 1:
        return rows
    if not tree.schema.has_classes:
        weight, total, _ = tree.tally[node, 0].tolist()
        return f"{rows}, mean {number(total / weight, digits)}"
    shares = tree.shares[node, 0]
    classes = tree.schema.labels[0].classes
    order = np.argsort(-shares, kind="stable")[:MOST_CLASSES].tolist()
    told = [
        f"{plain(guess_word(classes[code]))} {share(float(shares[code]))}"
        for code in order
        if shares[code] > 0
    ]
    return f"{rows}: {', '.join(told)}"
