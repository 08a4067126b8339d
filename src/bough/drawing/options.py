"""The options of drawings and of other formats: what there is, and what is refused."""

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any, TypedDict

from bough.errors import Argument, ParameterError, did_you_mean, listed
from bough.settings import whole

LEAST = {"digits": 1, "max_depth": 0, "max_nodes": 1, "scale": 1, "width": 1}
MAY_BE_NONE = {"max_depth", "max_nodes", "width"}


class DrawingOptions(TypedDict, total=False):
    """What drawings and other formats can be told; each has some of these."""

    digits: int | None
    max_depth: int | None
    max_nodes: int | None
    width: int | None
    ascii: bool
    color: bool
    ids: bool
    theme: str
    legend: bool
    scale: int
    features: Sequence[str] | None
    ranges: Mapping[str, tuple[float, float]] | None


def check_options(**options: object) -> None:
    """Refuse options that are no whole numbers, or too small."""
    for name, value in options.items():
        if value is None and name in MAY_BE_NONE:
            continue
        whole(LEAST[name])(name, value)


def check_names(format: str, write: Callable[..., Any], options: Mapping[str, object]) -> None:  # noqa: A002
    """Refuse options that a format does not have."""
    known = [
        each.name for each in signature(write).parameters.values() if each.kind is each.KEYWORD_ONLY
    ]
    for name in options:
        if name not in known:
            has = f"It has {listed(known, most=len(known))}." if known else "It has none."
            raise ParameterError(
                Argument("format", format),
                f" has no option {name!r}.{did_you_mean(name, known)} {has}",
            )
