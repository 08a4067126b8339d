"""`Wanted`: what a node is to ask, the best query about a column or one very query."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bough.edit.stump import stump_of
from bough.errors import ParameterError, did_you_mean, listed
from bough.grow import Ground
from bough.query import Below, IsMissing, OneOf, Query
from bough.schema import Feature, Kind, Part, Schema
from bough.settings import is_whole
from bough.table.typed_values import typed
from bough.tree import Tree

LARGEST_FLOAT = 2**53  # integers beyond are compared as integers


@dataclass(frozen=True)
class Wanted:
    """What a node is to ask."""

    feature: Feature
    query: Query | None
    """None: the best one about the feature; about a date, also those about its parts."""

    def stump(self, ground: Ground) -> Tree | None:
        """Return the query and a leaf for each answer; None if it does not tell the rows apart.

        The best query about a column leaves two answers as many rows as the settings want, and one
        very query leaves each answer a row. Other stopping rules are overruled.
        """
        if self.query is not None:
            return stump_of(self.query, ground)
        overruled = replace(
            ground.settings, max_depth=None, min_samples_split=2, min_impurity_decrease=0.0
        )
        feature = self.feature
        stump = replace(ground, settings=overruled).stump(feature.column, feature.part)
        return stump if len(stump) > 1 else None


def read_wanted(
    schema: Schema,
    asked: str | int | Query,
    *,
    below: object = None,
    one_of: Sequence[object] | None = None,
    is_missing: bool = False,
) -> Wanted:
    """Return what is to be asked, as a user says it: a column or a query, and which one."""
    if (below is not None) + (one_of is not None) + is_missing > 1:
        raise ParameterError("below, one_of and is_missing cannot be combined. Give one of them.")
    if isinstance(asked, Query):
        if below is not None or one_of is not None or is_missing:
            raise ParameterError(
                "below, one_of and is_missing need the name of a column, but a query is given. Leave "
                "them out, or name the column."
            )
        return Wanted(_same_feature(schema, asked), asked)
    feature = _feature(schema, asked)
    if below is not None:
        return Wanted(feature, Below(feature, _pivot(feature, below)))
    if one_of is not None:
        return Wanted(feature, OneOf(feature, _codes(feature, one_of), ()))
    return Wanted(feature, IsMissing(feature) if is_missing else None)


def _same_feature(schema: Schema, query: Query) -> Feature:
    if query.feature not in schema.features:
        raise ParameterError(
            f"the query about {query.feature.name!r} belongs to another tree. Name the column "
            "instead."
        )
    return query.feature


def _feature(schema: Schema, asked: str | int) -> Feature:
    for feature in schema.features:
        is_number = not schema.named and feature.part is Part.ITSELF and is_whole(asked)
        if asked == (feature.column if is_number else feature.name):
            return feature
    names = [feature.name for feature in schema.features]
    raise ParameterError(
        f"{asked!r} is not a feature of the tree.{did_you_mean(str(asked), names)} "
        f"It has {listed(names)}."
    )


def _pivot(feature: Feature, below: object) -> float | int:
    if feature.kind is Kind.CHOICE:
        raise ParameterError(
            f"{feature.name!r} is a category without an order. Use one_of=[…], not below=…"
        )
    if feature.kind is Kind.INTEGER and isinstance(below, float) and abs(below) <= LARGEST_FLOAT:
        return below + 0.0  # never -0.0
    pivot: float | int = typed([feature], 0, below)[0][0].item()
    is_exact = feature.kind.is_integer and abs(pivot) > LARGEST_FLOAT
    return pivot if is_exact else float(pivot) + 0.0


def _codes(feature: Feature, values: Sequence[object]) -> tuple[int, ...]:
    if feature.kind is not Kind.CHOICE:
        raise ParameterError(
            f"{feature.name!r} is compared with a pivot. Use below=…, not one_of=[…]."
        )
    given = [values] if isinstance(values, str) or not isinstance(values, Iterable) else values
    return tuple(int(typed([feature], 0, value)[0][0]) for value in given)
