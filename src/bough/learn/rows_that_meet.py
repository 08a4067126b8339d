"""Which rows meet conditions that a user types, such as 'age < 11 and sex = male'."""

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from bough.errors import Argument, DataError, ParameterError, did_you_mean, listed
from bough.schema import Feature, Kind
from bough.table import Table
from bough.table.match_columns import typed

Mask = NDArray[np.bool_]
OR_MISSING = " or missing"
_AT_LEAST = re.compile(r"(?:≥|>=)\s*(.*)|(.*) or (?:after|later)")
_BELOW = re.compile(r"(?:<|before )\s*(.*)")
_SIGN = r"\s*(?:=|<|≥|>|before |is |\S+ or )"


def rows_that_meet(table: Table, conditions: str | Sequence[str]) -> Mask:
    """Return which rows meet conditions such as 'age < 11 and sex = male'.

    Examples
    --------
    >>> from bough.table import read
    >>> table = read({"age": [8, 30, None], "sex": ["m", "f", "m"]})
    >>> rows_that_meet(table, "sex = m and age is known").tolist()
    [True, False, False]
    """
    given = [conditions] if isinstance(conditions, str) else list(conditions)
    found = np.ones(table.n_rows, bool)
    names = "|".join(re.escape(feature.name) for feature in table.features)
    for words in given:  # a value may hold an 'and' itself
        for condition in re.split(rf"\s+and\s+(?=(?:{names}){_SIGN})", words.strip()):
            found &= _meets(table, condition)
    if not found.any():
        raise DataError("No row meets ", Argument("at", " and ".join(given)), ".")
    return found


def _meets(table: Table, condition: str) -> Mask:
    place, said = _feature(table, condition)
    feature, missing = table.features[place], table.missing(place)
    has_missing, said = said.endswith(OR_MISSING), said.removesuffix(OR_MISSING)
    values = np.asarray(table.values[place])

    def read(word: str) -> float:
        try:
            return typed([feature], 0, _unquoted(word))[0][0].item()  # type: ignore[no-any-return]
        except ParameterError:
            raise _no_value(condition, feature, word) from None

    if said in ("is missing", "is known"):
        return missing if said == "is missing" else ~missing
    if said.startswith("="):
        wanted = list(_values(said[1:].strip(), read))
        found = np.isin(values, wanted)
    elif feature.kind is not Kind.CHOICE and (match := _BELOW.fullmatch(said)):
        found = values < read(match[1])
    elif feature.kind is not Kind.CHOICE and (match := _AT_LEAST.fullmatch(said)):
        found = values >= read(match[1] or match[2])
    else:
        raise ParameterError(
            Argument("at", condition), f" is not a condition on {feature.name!r}. Type one such as "
            f"'{feature.name} {'= value' if feature.kind is Kind.CHOICE else '< 10'}'.",
        )  # fmt: skip
    return np.asarray((found & ~missing) | (missing & has_missing))


def _no_value(condition: str, feature: Feature, word: str) -> ParameterError:
    if not feature.choices:
        what = "date" if feature.kind is Kind.DATE else "number"
        return ParameterError(Argument("at", condition), f": {word!r} is not a {what}.")
    known = [str(choice) for choice in feature.choices]
    return ParameterError(
        Argument("at", condition), f": {feature.name!r} has no value {word!r}."
        f"{did_you_mean(word, known)} It has {listed(known, most=12)}.",
    )  # fmt: skip


def _feature(table: Table, condition: str) -> tuple[int, str]:
    """Return the number of the feature that a condition is about, and what it says."""
    names = [feature.name for feature in table.features]
    fitting = [name for name in names if re.match(rf"{re.escape(name)}{_SIGN}", condition)]
    if not fitting:
        word = condition.partition(" ")[0]
        raise ParameterError(
            Argument("at", condition), " does not begin with a feature."
            f"{did_you_mean(word, names)} Features: {listed(names, most=12)}.",
        )  # fmt: skip
    name = max(fitting, key=len)
    return names.index(name), condition[len(name) :].strip()


def _values(said: str, read: Callable[[str], float]) -> Iterator[float]:
    """Give the values of a list, which may also be one value with a comma in it."""
    try:
        yield read(said)
    except ParameterError:
        if ", " not in said:
            raise
        yield from map(read, said.split(", "))


def _unquoted(word: str) -> str:
    word = word.strip()
    is_quoted = len(word) > 1 and word[0] == word[-1] == '"'
    return word[1:-1].replace('""', '"') if is_quoted else word
