"""The tree as rules, a line each."""

import handmade
import pytest

from bough.explain.rules_and_conditions import rules
from bough.exports import export


@pytest.mark.parametrize("name", handmade.TREES)
def test_the_rules_are_the_golden_ones(name, golden):
    golden(f"{name}.rules.txt", export(handmade.TREES[name](), "rules").encode())


def test_every_rule_has_a_line(tree):
    found = export(tree, "rules", digits=2)
    assert found == "".join(f"{rule}\n" for rule in rules(tree, digits=2))
    assert found.count("\n") == len(rules(tree))
