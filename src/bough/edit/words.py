"""How edits read."""

from collections.abc import Sequence

from bough.evidence import Edit
from bough.losses import loss_word
from bough.words import hundredths, number, plain


def cut_words(nodes: Sequence[int]) -> str:
    """Return that some nodes have been cut.

    Examples
    --------
    >>> cut_words([7]), cut_words([3, 5])
    ('node 7 is a leaf', 'nodes 3, 5 are leaves')
    """
    if len(nodes) == 1:
        return f"node {nodes[0]} is a leaf"
    return f"nodes {', '.join(map(str, nodes))} are leaves"


def force_words(node: int, feature: str) -> str:
    """Return that a node asks about a feature now."""
    return f"node {node} asks about {plain(feature)}"


def edit_words(edit: Edit, digits: int = 3) -> str:
    """Return an edit in words, with what it changed.

    Examples
    --------
    >>> from bough.evidence import Estimate
    >>> edit_words(Edit("node 7 is a leaf", "error", 0.121, Estimate(0.003, -0.001, 0.007, 900)))
    'node 7 is a leaf: error 12.1 % → 12.4 % (+0.3, 95 % interval −0.1 to +0.7, 900 rows)'
    """
    if edit.before is None or edit.change is None:
        return edit.what
    change = edit.change

    def amount(value: float) -> str:
        return hundredths(value) if edit.loss == "error" else number(value, digits)

    def signed(value: float) -> str:
        return f"{'−' if value < 0 else '+'}{amount(abs(value))}"

    unit = " %" if edit.loss == "error" else ""
    after = edit.before + change.value
    return (
        f"{edit.what}: {loss_word(edit.loss)} {amount(edit.before)}{unit} → {amount(after)}{unit} "
        f"({signed(change.value)}, 95 % interval {signed(change.low)} to {signed(change.high)}, "
        f"{change.n:,} rows)"
    )
