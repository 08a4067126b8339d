"""Options that several drawings share, checked."""

from numbers import Integral

from bough.errors import ParameterError

LEAST = {"digits": 1, "max_depth": 0, "max_nodes": 1, "scale": 1, "width": 1}
MAY_BE_NONE = {"max_depth", "max_nodes", "width"}


def check_options(**options: object) -> None:
    """Refuse options that are no whole numbers, or too small."""
    for name, value in options.items():
        if value is None and name in MAY_BE_NONE:
            continue
        if not isinstance(value, Integral) or isinstance(value, bool) or value < LEAST[name]:
            raise ParameterError(f"{name}={value!r} must be a whole number, {LEAST[name]} or more.")
