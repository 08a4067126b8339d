"""What a model file tells of columns must be about the columns of its tree."""

from itertools import pairwise

from bough.errors import ModelFormatError
from bough.evidence import ColumnSeen, Density, Evidence, Histogram
from bough.exports.strict_json import shortened
from bough.schema import Feature
from bough.tree import Tree


def refuse_other_columns(evidence: Evidence, tree: Tree) -> None:
    """Refuse counts of columns that the tree does not have, or that do not fit together."""
    by_name = {feature.name: feature for feature in tree.schema.features}
    for place, column in enumerate(evidence.columns):
        _check_column(column, by_name, f"evidence.columns[{place}]")
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
