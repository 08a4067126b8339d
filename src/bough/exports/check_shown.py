"""Whether the numbers that a file wants printed in place of its pivots may stand for them.

`bough.grow.pivots` makes such a number by rounding a pivot within the gap between two values of the
node's rows. A file does not tell the gap, but what any such gap implies can be checked: the number is
its pivot rounded somewhere, and rows that one query sends one way are, by the words as by the pivots,
on the same side in all that is asked of them below.
"""

import numpy as np
from numpy.typing import NDArray

from bough.errors import ModelFormatError
from bough.grow.pivots import POWERS
from bough.schema import Kind
from bough.tree import Tree
from bough.walk import ends_above

SLACK = 1 + 1e-9  # rounding was by floats
MOMENTS = (86_400, 3_600, 60)  # seconds, the units that dates are rounded to


def check_shown(tree: Tree) -> None:
    """Refuse a tree that would print another number than a rounding of the pivot it goes by."""
    if tree.shown is None:
        return
    for node in np.flatnonzero(~(np.isnan(tree.shown) | _are_short(tree, tree.shown))).tolist():
        shown, pivot = float(tree.shown[node]), float(tree.pivot[node])
        if not _is_rounded(tree, node, shown, pivot):
            raise ModelFormatError(
                f"node {node}: shown is {shown}, which is not its pivot {pivot} rounded."
            )
    _check_trails(tree)


def _are_short(tree: Tree, shown: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return where `_is_rounded` is seen to hold for all nodes together; elsewhere it is to be asked.

    A whole number of up to 15 digits over a power of ten that a float holds is the number that
    these digits read as, and no number has two such readings.
    """
    with np.errstate(all="ignore"):
        off = np.abs(shown - tree.pivot)
        decimals = np.clip(np.nan_to_num(np.floor(-np.log10(2 * off))), -15, 15).astype(np.intp)
        scale = POWERS[np.abs(decimals)]
        whole = np.where(decimals < 0, shown / scale, shown * scale)
        read = np.where(decimals < 0, np.rint(whole) * scale, np.rint(whole) / scale)
        half_a_unit = 0.5 * np.where(decimals < 0, scale, 1 / scale)
    is_date = np.array([each.kind is Kind.DATE for each in tree.schema.features])[tree.feature]
    is_read = (read == shown) & (np.abs(whole) < 1e15)
    return np.asarray(is_read & (off <= half_a_unit) & ~is_date)


def _is_rounded(tree: Tree, node: int, shown: float, pivot: float) -> bool:
    off = abs(shown - pivot)
    if tree.schema.features[tree.feature[node]].kind is Kind.DATE:
        units = [1e6 * each for each in MOMENTS if shown % (1e6 * each) == 0]
        if units:
            return off <= units[0] / 2 * SLACK
    if shown == 0:  # a rounding of any number; trails say more
        return True
    digits, _, exponent = repr(shown).partition("e")
    whole, _, decimals = digits.removesuffix(".0").partition(".")
    place = int(exponent or 0) - len(decimals)
    if not decimals:
        place += len(whole) - len(whole.rstrip("0"))
    return off <= 0.5 * float(f"1e{place}") * SLACK


def _check_trails(tree: Tree) -> None:
    """Refuse a number beyond one that a query above has set as an end of the node's values."""
    said = np.where(np.isnan(tree.shown), tree.pivot, tree.shown)  # type: ignore[arg-type]
    least, most = np.fmin(said, tree.pivot), np.fmax(said, tree.pivot)
    low, high = ends_above(tree, least, most)
    is_wrong = (least <= low) | (most >= high)
    if is_wrong.any():
        node = int(is_wrong.argmax())
        raise ModelFormatError(
            f"node {node}: its pivot {tree.pivot[node]}, shown as {said[node]}, contradicts what is "
            "asked above it."
        )
