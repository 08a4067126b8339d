"""What `types` says about columns: another kind than their source gives them."""

from collections.abc import Mapping, Sequence
from numbers import Integral

from bough.errors import Argument, ParameterError, did_you_mean, listed
from bough.schema import Value
from bough.table.column import Column, Where, row_word

Types = Mapping[str | int, str | Sequence[Value]]

IGNORE = "ignore"
KINDS = ("category", "date", "ignore", "number")


def wanted_types(
    types: Types | None, names: Sequence[str], *, named: bool
) -> dict[int, str | Sequence[Value]]:
    """Return what the user wants for each column number; names and kinds are checked."""
    if types is None:
        return {}
    if not isinstance(types, Mapping):
        raise ParameterError(
            Argument("types", types), " must be a dict from columns to kinds, such as "
            "{'zip': 'category'}.",
        )  # fmt: skip
    wanted: dict[int, str | Sequence[Value]] = {}
    for key, kind in types.items():
        number = column_number(key, names, named=named)
        _check_kind(key, kind)
        if number in wanted:
            raise ParameterError(
                f"types has the column {names[number]!r} twice, by name and by number. "
                "Leave one of them out."
            )
        wanted[number] = kind
    return wanted


def retyped(
    column: Column, kind: str | Sequence[Value] | None, name: str, where: Where = row_word
) -> Column:
    """Return a column as the kind that the user wants."""
    match kind:
        case None:
            return column
        case "category":
            return column.as_choices(name)
        case "number":
            return column.as_numbers(name, where)
        case "date":
            return column.as_moments(name, where)
        case _:
            return column.as_choices(name).in_order(kind, name, where)


def column_number(
    key: str | int, names: Sequence[str], *, named: bool, parameter: str = "types"
) -> int:
    """Return the number of a column that a parameter names, or numbers where it has no name."""
    if isinstance(key, str) and key in names:
        return names.index(key)
    is_number = isinstance(key, Integral) and not isinstance(key, bool)
    if not named and is_number and 0 <= int(key) < len(names):
        return int(key)
    hint = did_you_mean(str(key), names)
    raise ParameterError(
        f"{parameter} has the column {key!r}, but X does not.{hint} Columns of X: {listed(names)}."
    )


def _check_kind(key: str | int, kind: object) -> None:
    if isinstance(kind, str) and kind in KINDS:
        return
    if isinstance(kind, str):
        hint = did_you_mean(kind, KINDS)
        raise ParameterError(
            f"types has the unknown kind {kind!r} for the column {key!r}.{hint} "
            f"Give one of {listed(KINDS)}, or a list of values in their order."
        )
    if not isinstance(kind, Sequence) or not all(isinstance(value, Value) for value in kind):
        raise ParameterError(
            f"types has {kind!r} for the column {key!r}. Give one of {listed(KINDS)}, or a list of "
            "values in their order."
        )
    if len(kind) < 1 or len(set(kind)) < len(kind):
        raise ParameterError(
            f"types has {kind!r} as the order of the column {key!r}. Name each value once."
        )
