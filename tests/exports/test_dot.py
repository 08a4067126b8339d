"""The graph for Graphviz, parsed by the rules of its language."""

import re

import handmade
import pytest

from bough.exports import export
from bough.walk import parents, walk
from bough.words import plain

TEXT = r'"((?:[^"\\]|\\.)*)"'  # what DOT takes for a quoted text
NODE = re.compile(rf"  (\d+) \[label={TEXT}\]")
ARROW = re.compile(rf"  (\d+) -> (\d+) \[label={TEXT}\]")


def parsed(found):
    """Return the boxes and the arrows; every line must be one of them, or the frame."""
    lines = found.splitlines()
    assert lines[0] == "digraph tree {"
    assert lines[-1] == "}"
    boxes, arrows = {}, {}
    for line in lines[3:-1]:
        if match := NODE.fullmatch(line):
            boxes[int(match[1])] = match[2].replace(r"\\", "\0").split(r"\n")
        else:
            above, below, label = ARROW.fullmatch(line).groups()
            arrows[int(above), int(below)] = shown(label)
    shown_boxes = {node: [shown(line) for line in each] for node, each in boxes.items()}
    return shown_boxes, arrows


def shown(label):
    """Return what Graphviz shows for a quoted text."""
    return re.sub(r"\\(.)", r"\1", label).replace("\0", "\\")


@pytest.mark.parametrize("name", handmade.TREES)
def test_the_graph_is_the_golden_one(name, golden):
    golden(f"{name}.dot", export(handmade.TREES[name](), "dot").encode())


def test_every_node_has_a_box_and_every_answer_an_arrow(tree):
    boxes, arrows = parsed(export(tree, "dot"))
    assert sorted(boxes) == list(range(len(tree)))
    assert sorted(arrows) == sorted(
        zip(parents(tree).tolist()[1:], range(1, len(tree)), strict=True)
    )


def test_hostile_names_are_shown_as_they_are(tree):
    boxes, arrows = parsed(export(tree, "dot", digits=None))
    for step in walk(tree):
        if step.node.query is not None:
            assert boxes[step.node.id][0] == plain(step.node.query.feature.name) + "?"
        if step.parent is not None:
            assert arrows[step.parent.id, step.node.id] == plain(step.answer)


def test_a_box_tells_rows_and_guess():
    boxes, _ = parsed(export(handmade.play_tennis(), "dot"))
    assert boxes[0] == ["outlook?", "14 rows", "(Yes 64 %)"]
    assert boxes[1] == ["Yes 100 %", "4 rows"]
