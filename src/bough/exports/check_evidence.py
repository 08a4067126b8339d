"""Refuses what a model file tells of rows, nodes and columns, if it cannot be about its tree."""

from itertools import pairwise

from bough.drawing.colors import COLORS
from bough.errors import ModelFormatError
from bough.evidence import ColumnSeen, Evidence
from bough.exports.strict_json import shortened
from bough.rows_counted import Bins, Density, Histogram, NodeRows
from bough.schema import Feature
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


def refuse_other_columns(evidence: Evidence, tree: Tree) -> None:
    """Refuse counts of columns that the tree does not have, or that do not fit together."""
    by_name = {feature.name: feature for feature in tree.schema.features}
    columns = {name: by_name[name] for name in tree.schema.columns if name in by_name}
    for place, column in enumerate(evidence.columns):
        _check_column(column, columns, f"evidence.columns[{place}]")
    label = tree.schema.labels[0]
    for name, found in (("labels", evidence.labels), ("off", evidence.off)):
        if found is not None:
            _check_histogram(found, len(label.classes), f"evidence.{name}")
    if evidence.density is not None:
        _check_density(evidence.density, by_name)


def _check_column(column: ColumnSeen, by_name: dict[str, Feature], where: str) -> None:
    if column.name not in by_name:
        raise ModelFormatError(
            f"{where} is {shortened(column.name)}, which is no column of the tree."
        )
    n_choices = len(by_name[column.name].choices)
    for name in ("rows", "test"):
        _check_histogram(getattr(column, name), n_choices, f"{where}.{name}")
    n_groups = len(column.test.counts)
    if len(column.errors) not in (0, n_groups, n_groups + 1):
        raise ModelFormatError(f"{where}.errors must have an entry for each group.")


def _check_histogram(found: Histogram, n_choices: int, where: str) -> None:
    n_bins = len(found.counts)
    if n_choices:
        is_right = not found.edges and len(found.codes) in (n_bins, n_bins - 1)
    else:
        is_right = not found.codes and len(found.edges) == max(n_bins - 1, 0)
    if not is_right or not _rises(found.edges) or any(each >= n_choices for each in found.codes):
        raise ModelFormatError(f"{where} has bins that are about other values.")


def _check_density(density: Density, by_name: dict[str, Feature]) -> None:
    where = "evidence.density"
    for name in density.features:
        if name not in by_name or by_name[name].kind.has_choices:
            raise ModelFormatError(f"{where} is about {shortened(name)}, which is no number.")
    sizes = {len(line) for line in density.counts}
    shape = len(density.upwards) - 1, {len(density.across) - 1}
    if (len(density.counts), sizes) != shape or not all(
        len(each) > 1 and _rises(each) for each in (density.across, density.upwards)
    ):
        raise ModelFormatError(f"{where} has cells that do not fit its edges.")


def _rises(edges: tuple[float, ...]) -> bool:
    return all(low < high for low, high in pairwise(edges))
