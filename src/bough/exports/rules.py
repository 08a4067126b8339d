"""The tree as rules, one on each line."""

from bough.tree import Tree


def rule_lines(tree: Tree, *, digits: int | None = None) -> str:
    """Return one rule a line: what all rows of a leaf have in common, and its guess.

    Parameters
    ----------
    tree
        The tree.
    digits
        How many significant digits numbers have at least; None gives all that they have.
    """
    from bough.explain.rules import rules  # needed for no other format

    return "".join(f"{rule}\n" for rule in rules(tree, digits=digits))
