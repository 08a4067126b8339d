"""The flowchart for Mermaid: labels hold nothing that means something to Mermaid."""

import re

import handmade
import pytest

from bough.exports import export
from bough.walk import parents, walk
from bough.words import plain

LABEL = r'"([^"]*)"'
NODE = re.compile(rf"  n(\d+)\[{LABEL}\]")
ARROW = re.compile(rf"  n(\d+) -->\|{LABEL}\| n(\d+)")
ENTITY = re.compile(r"#(\d+);")


def parsed(found):
    """Return the boxes and the arrows; every line must be one of them, or the first."""
    first, *lines = found.splitlines()
    assert first == "flowchart TD"
    boxes, arrows = {}, {}
    for line in lines:
        if match := NODE.fullmatch(line):
            boxes[int(match[1])] = [shown(each) for each in match[2].split("<br/>")]
        else:
            above, label, below = ARROW.fullmatch(line).groups()
            arrows[int(above), int(below)] = shown(label)
    return boxes, arrows


def shown(label):
    """Return what Mermaid shows for a label, in which no sign may have a meaning."""
    assert not re.search(r"[\"&<>:`\\|\[\](){}*$]", label)
    assert not re.search(r"[#;]", ENTITY.sub("", label))
    return ENTITY.sub(lambda match: chr(int(match[1])), label)


@pytest.mark.parametrize("name", handmade.TREES)
def test_the_flowchart_is_the_golden_one(name, golden):
    golden(f"{name}.mmd", export(handmade.TREES[name](), "mermaid").encode())


def test_every_node_has_a_box_and_every_answer_an_arrow(tree):
    boxes, arrows = parsed(export(tree, "mermaid"))
    assert sorted(boxes) == list(range(len(tree)))
    assert sorted(arrows) == sorted(
        zip(parents(tree).tolist()[1:], range(1, len(tree)), strict=True)
    )


def test_hostile_names_are_shown_as_they_are(tree):
    boxes, arrows = parsed(export(tree, "mermaid", digits=None))
    for step in walk(tree):
        if step.node.query is not None:
            assert boxes[step.node.id][0] == plain(step.node.query.feature.name) + "?"
        if step.parent is not None:
            assert arrows[step.parent.id, step.node.id] == plain(step.answer)
