"""Conditions as SQL: the one place that writes them, for the page and for exports."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bough.explain.rules_and_conditions import Condition
from bough.schema import Feature, Kind, Part, Schema, Value, date

_FIRST, _END = -62_135_596_800_000_000, 253_402_300_800_000_000  # years 1 to 9999, in microseconds
_EXACT_DIGITS = 15  # a decimal of no more is one double wherever it is read
_PARTS = {
    Part.WEEKDAY: ("EXTRACT(ISODOW FROM {})", 1),
    Part.MONTH: ("EXTRACT(MONTH FROM {})", 1),
    Part.HOUR: ("EXTRACT(HOUR FROM {})", 0),
}


class SqlDialect(NamedTuple):
    """What databases do not all write alike."""

    name_quote: str = '"'
    text_escapes: Mapping[int, str] = {ord("'"): "''"}
    double_end: str | None = None
    """What makes a double of a decimal; None: nothing, where its digits say enough."""
    nan: str = ""
    """A number that is missing although it is not NULL; empty: there is none."""
    moment: str = "TIMESTAMP {}"
    double: str = "DOUBLE PRECISION"
    parts: Mapping[Part, tuple[str, int]] = _PARTS
    """How to ask for a part of a date, and the number of its first value."""

    def name(self, text: str) -> str:
        """Return the name of a column or a table."""
        quote = self.name_quote
        return quote + text.replace(quote, quote * 2) + quote

    def literal(self, value: Value) -> str:
        """Return a value of a column, or a prediction."""
        if isinstance(value, bool):
            return str(value).upper()
        if isinstance(value, str):
            return "'" + value.translate(self.text_escapes) + "'"
        return str(value) if isinstance(value, int) else self.number(value)

    def number(self, value: float) -> str:
        """Return a double, to the last bit."""
        text, end = repr(value), self.double_end
        if end is None:
            digits = text.lstrip("-0.").replace(".", "")
            end = "e0" if len(digits) > _EXACT_DIGITS else ""
        return text if end == "e0" and "e" in text else text + end


STANDARD = SqlDialect()
"""For people, and for most databases."""


def where(conditions: Iterable[Condition], schema: Schema, dialect: SqlDialect = STANDARD) -> str:
    """Return what stands after WHERE for the rows that fulfil all conditions.

    Examples
    --------
    >>> from bough.explain.rules_and_conditions import rules
    >>> print(where(rules(play_tennis_tree)[1].conditions, play_tennis_tree.schema))
    "outlook" = 'Rain' AND "wind" = 'Strong'
    """
    return " AND ".join(_condition(each, schema, dialect) for each in conditions) or "TRUE"


def _condition(condition: Condition, schema: Schema, dialect: SqlDialect) -> str:
    feature = condition.feature
    name = dialect.name(schema.columns[feature.column])
    gaps = [f"{name} IS NULL"]
    if dialect.nan and feature.kind is Kind.NUMBER and feature.part is Part.ITSELF:
        gaps.append(f"{_value(feature, name, dialect)} = {dialect.nan}")
    missing = " OR ".join(gaps)
    is_open = len(gaps) > 1 and condition.low is not None and condition.high is None
    if not condition.may_be_known:
        return missing if len(gaps) == 1 else f"({missing})"
    known = _known(condition, _value(feature, name, dialect), dialect)
    if not known:
        return f"{name} IS NOT NULL" if len(gaps) == 1 else f"NOT ({missing})"
    if condition.may_be_missing:
        return f"({known} OR {missing})"
    return f"{known} AND NOT {gaps[1]}" if is_open else known  # nan is above all numbers


def _known(condition: Condition, value: str, dialect: SqlDialect) -> str:
    feature, low, high = condition.feature, condition.low, condition.high
    if feature.kind.has_choices:
        codes = condition.known_codes
        return "" if codes is None else _among(feature, value, list(codes), dialect)
    ends = [(">=", low), ("<", high)]
    told = [_end(feature, value, sign, end, dialect) for sign, end in ends if end is not None]
    return " AND ".join(told)


def _end(feature: Feature, value: str, sign: str, pivot: float, dialect: SqlDialect) -> str:
    if feature.kind is not Kind.DATE:
        return f"{value} {sign} {dialect.literal(pivot)}"
    if _FIRST < pivot < _END:
        return f"{value} {sign} {dialect.moment.format(dialect.literal(date(pivot)))}"
    is_true = (pivot <= _FIRST) == (sign == ">=")  # of every date that there is
    return f"{value} IS NOT NULL" if is_true else f"{value} <> {value}"


def _among(feature: Feature, value: str, codes: list[int], dialect: SqlDialect) -> str:
    if feature.part is Part.ITSELF:
        listed = [dialect.literal(feature.choices[code]) for code in codes]
    else:
        first = dialect.parts[feature.part][1]
        listed = [str(code + first) for code in codes]
    if not listed:
        return f"{value} <> {value}"
    return f"{value} = {listed[0]}" if len(listed) == 1 else f"{value} IN ({', '.join(listed)})"


def _value(feature: Feature, name: str, dialect: SqlDialect) -> str:
    """Return what is compared: the column, as a number or date if it is text, or a part of it."""
    has_part = feature.part is not Part.ITSELF
    if feature.from_text:
        kind = Kind.DATE if has_part else feature.kind
        name = f"CAST({name} AS {dialect.double if kind is Kind.NUMBER else kind.sql})"
    return dialect.parts[feature.part][0].format(name) if has_part else name
