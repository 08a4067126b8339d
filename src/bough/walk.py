"""The ways through a tree. No other module follows the links between nodes."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from bough.tree import Node, Tree

T = TypeVar("T")


class Step(NamedTuple):
    """One node met on a walk, and how the walk came to it."""

    node: Node
    depth: int = 0
    parent: Node | None = None
    answer: str = ""  # the parent's answer that leads here


def walk(tree: Tree, max_depth: int | None = None) -> Iterator[Step]:
    """Visit every node once: parents before children, siblings in order."""
    waiting = [Step(tree[0])]
    while waiting:
        step = waiting.pop()
        yield step
        if step.depth != max_depth:
            waiting.extend(reversed(list(_steps_below(tree, step))))


def fold(
    tree: Tree,
    leaf: Callable[[Node], T],
    branch: Callable[[Node, Sequence[T]], T],
) -> T:
    """Work from the leaves up: each branch combines the results of its children."""
    results: dict[int, T] = {}
    for node_id in reversed(range(len(tree))):  # children come after their parent
        node = tree[node_id]
        below = [results.pop(child) for child in node.children]
        results[node_id] = branch(node, below) if below else leaf(node)
    return results[0]


def trail(tree: Tree, node_id: int) -> list[Step]:
    """List the steps from the root to one node, which is the last of them."""
    came_from = {step.node.id: step for step in walk(tree)}
    steps = [came_from[node_id]]
    while (parent := steps[-1].parent) is not None:
        steps.append(came_from[parent.id])
    return steps[::-1]


def _steps_below(tree: Tree, step: Step) -> Iterator[Step]:
    if (query := step.node.query) is not None:
        for child, answer in zip(step.node.children, query.answers, strict=True):
            yield Step(tree[child], step.depth + 1, step.node, answer)
