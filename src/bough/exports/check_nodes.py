"""Refuses what a model file says of the rows of nodes, if it cannot be about its tree."""

from bough.drawing.colors import COLORS
from bough.errors import ModelFormatError
from bough.evidence import Bins, NodeRows
from bough.tree import Tree


def refuse_other_nodes(nodes: NodeRows, tree: Tree, where: str) -> None:
    """Refuse what is said of nodes that the tree does not have, or not in this form."""
    n_classes = min(len(tree.schema.labels[0].classes), len(COLORS)) or 1
    for name in ("asked", "labels"):
        for place, bins in enumerate(getattr(nodes, name)):
            n_bins = len(bins.places) // 2
            is_known = bins.node < len(tree) and (name == "labels" or tree.feature[bins.node] >= 0)
            is_whole = len(bins.places) == 2 * n_bins and len(bins.counts) == n_bins * n_classes
            is_whole &= len(bins.missing) in (0, n_classes) and len(bins.means) in (0, n_bins)
            if not (is_known and is_whole and _has_its_values(bins, tree, n_bins)):
                raise ModelFormatError(f"{where}.{name}[{place}] is about another tree.")
    for place, rival in enumerate(nodes.rivals):
        if rival.node >= len(tree) or tree.feature[rival.node] < 0 or not 0 < rival.chance <= 1:
            raise ModelFormatError(f"{where}.rivals[{place}] is about another tree.")


def _has_its_values(bins: Bins, tree: Tree, n_bins: int) -> bool:
    """Return whether bins lie on an axis, or have values that the column knows."""
    if bins.step > 0:
        return not bins.values
    choices = tree.schema.features[tree.feature[bins.node]].choices
    return len(bins.values) == n_bins and max(bins.values, default=-1) < len(choices)
