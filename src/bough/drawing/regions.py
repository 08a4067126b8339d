"""What a tree guesses where, on the plane of two numbers."""

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite

from bough.drawing.colors import theme_of
from bough.drawing.options import check_options
from bough.drawing.plane_partition import Span, named_features, partition
from bough.drawing.svg.elements import Scale
from bough.drawing.svg.plane import Plane, PlaneEdges
from bough.errors import ParameterError
from bough.node_words import LARGEST
from bough.rows_counted import Density
from bough.schema import Feature
from bough.tree import Tree

BEYOND = 0.2  # how far the plane reaches beyond the outermost pivots, in parts of their distance


def regions(
    tree: Tree,
    *,
    features: Sequence[str] | None = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    density: Density | None = None,
    theme: str = "light",
    digits: int = 3,
) -> str:
    """Return an SVG picture of the rectangles that the leaves hold on the plane of two numbers.

    Questions about other features are answered as most rows answer them: the picture says so, and
    each rectangle what was answered. Rows without one of the two numbers are not in it.

    Parameters
    ----------
    tree
        The tree to draw.
    features
        The names of two numbers, or dates: the first from left to right, the second from below
        upwards. None: those that the tree has gained most from.
    ranges
        For features by name, from where to where the plane reaches. A tree knows its pivots but
        not the numbers it has seen: without a range, the plane reaches a little beyond them.
    density
        How many rows lie where on the plane: it is drawn, and the axes are as its cells.
    theme
        'light' or 'dark'.
    digits
        How many significant digits numbers have at least.
    """
    check_options(digits=digits)
    if len(tree.schema.labels) > 1:
        raise ParameterError("Regions show one label, and this tree predicts several.")
    pair = named_features(tree, features if density is None else density.features)
    found = partition(tree, pair)
    if density is not None:
        axes = PlaneEdges(density.across), PlaneEdges(density.upwards)
        return Plane(tree, pair, axes, theme_of(theme), digits, density=density).write(found)
    across, upwards = (
        _axis(feature, [region.spans[place] for region in found], (ranges or {}).get(feature.name))
        for place, feature in enumerate(pair)
    )
    return Plane(tree, pair, (across, upwards), theme_of(theme), digits).write(found)


def _axis(feature: Feature, spans: Iterable[Span], span: Span | None) -> Scale:
    if span is not None:
        low, high = span
        if not (isfinite(low) and isfinite(high) and low < high):
            raise ParameterError(
                f"ranges: {span!r} of {feature.name!r} must be two numbers, the smaller one first."
            )
        return Scale(low, high)
    pivots = [pivot for each in spans for pivot in each if isfinite(pivot)]
    if not pivots:
        raise ParameterError(
            f"The tree does not ask about {feature.name!r} here, so it does not know the range to draw. "
            f"Give it in Python: bough.draw(tree, 'regions', ranges={{{feature.name!r}: (0, 1)}})."
        )
    low, high = min(pivots), max(pivots)
    more = (high / 2 - low / 2) * 2 * BEYOND if high > low else max(abs(high) * BEYOND, 1.0)
    return Scale(max(low - more, -LARGEST), min(high + more, LARGEST))
