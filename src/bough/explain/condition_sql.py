"""Conditions as SQL, as DuckDB and PostgreSQL read it."""

from collections.abc import Iterable
from math import ceil

from bough.explain.condition import Condition
from bough.schema import Feature, Kind, Part, Schema, Value, date

_PARTS = {Part.WEEKDAY: ("ISODOW", 1), Part.MONTH: ("MONTH", 1), Part.HOUR: ("HOUR", 0)}


def where(conditions: Iterable[Condition], schema: Schema) -> str:
    """Return what stands after WHERE for the rows that fulfil all conditions.

    Examples
    --------
    >>> from bough.explain import rules
    >>> print(where(rules(play_tennis_tree)[1].conditions, play_tennis_tree.schema))
    "outlook" = 'Rain' AND "wind" = 'Strong'
    """
    return " AND ".join(_condition(each, schema) for each in conditions) or "TRUE"


def _condition(condition: Condition, schema: Schema) -> str:
    name = quoted_name(schema.columns[condition.feature.column])
    if not condition.may_be_known:
        return f"{name} IS NULL"
    known = _known(condition, _value(condition.feature, name)) or f"{name} IS NOT NULL"
    return f"({known} OR {name} IS NULL)" if condition.may_be_missing else known


def _known(condition: Condition, value: str) -> str:
    feature, low, high = condition.feature, condition.low, condition.high
    if feature.kind.has_choices:
        codes: Iterable[int] | None = condition.codes
        if low is not None or high is not None:
            first = 0 if low is None else ceil(low)
            codes = range(first, len(feature.choices) if high is None else ceil(high))
        return "" if codes is None else _among(feature, value, list(codes))
    ends = [(">=", low), ("<", high)]
    told = [f"{value} {sign} {_pivot(feature, end)}" for sign, end in ends if end is not None]
    return " AND ".join(told)


def _among(feature: Feature, value: str, codes: list[int]) -> str:
    if feature.part in _PARTS:  # counted from another number on
        listed = [str(code + _PARTS[feature.part][1]) for code in codes]
    else:
        listed = [_literal(feature.choices[code]) for code in codes]
    return f"{value} = {listed[0]}" if len(listed) == 1 else f"{value} IN ({', '.join(listed)})"


def _value(feature: Feature, name: str) -> str:
    """Return what is compared: the column, as a number or date if it is text, or a part of it."""
    has_part = feature.part in _PARTS
    if feature.from_text:
        name = f"CAST({name} AS {(Kind.DATE if has_part else feature.kind).sql})"
    return f"EXTRACT({_PARTS[feature.part][0]} FROM {name})" if has_part else name


def _pivot(feature: Feature, pivot: float) -> str:
    if feature.kind is Kind.DATE:
        return f"TIMESTAMP {_text(date(pivot))}"
    return _literal(pivot)


def _literal(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    return _text(value) if isinstance(value, str) else repr(value)


def quoted_name(name: str) -> str:
    """Return the name of a column as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
