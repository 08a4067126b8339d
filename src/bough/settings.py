"""`Settings`: the choices a user makes about growing, checked once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from math import ceil, isfinite, log2, sqrt
from numbers import Integral, Real
from typing import Literal, get_args

from bough import _core
from bough.errors import Argument, BudgetError, ParameterError, refuse_unknown

Check = Callable[[str, object], None]
Categorical = Literal["auto", "each", "group"]
Splitter = Literal["best", "random"]
Pivots = Literal["midpoint", "round"]
MaxFeatures = int | float | Literal["sqrt", "log2"] | None

MOST_LEAVES = 2**32 - 1  # no table has more rows
CRITERIA: dict[str, str] = {**_core.criteria(), "ndcg": "ranking"}
"""The task of each criterion. The core has squared error for "ndcg": see `bough.ranking`."""
COLUMN_LISTS = ("monotonic_cst", "first", "forbid")
"""The settings that list columns, or something of each; any other is a single value."""
MOST_ANSWERS = 5
"""Values of a category that `categorical="auto"` still asks about one by one: of 5, 10, 20 and 40
the best on new rows of the real tables (docs/scikit-learn.md)."""
SLACK = Fraction(1, 10**12)  # a share of the rows may fall this far short of a fraction


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a tree is grown. Names and meanings are scikit-learn's where it has them."""

    criterion: str
    quantile: float | None = None
    categorical: str = "each"
    splitter: str = "best"
    max_depth: int | None = None
    min_samples_split: int | float = 2
    min_samples_leaf: int | float = 1
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    max_leaf_nodes: int | None = None
    max_features: int | float | str | None = None
    random_state: int = 0
    monotonic_cst: tuple[int, ...] | None = None
    """For each column -1, 0 or 1."""
    first: tuple[str | int, ...] | None = None
    forbid: tuple[str | int, ...] | None = None
    pivots: str = "midpoint"
    exact: bool = True

    def __post_init__(self) -> None:
        for name in COLUMN_LISTS:
            read = _as_tuple if name == "monotonic_cst" else _one_or_more
            object.__setattr__(self, name, read(getattr(self, name)))
        for field in fields(self):
            _CHECKS[field.name](field.name, getattr(self, field.name))
        _check_quantile(self.criterion, self.quantile)
        if self.first:
            _check_first(self)

    def groups(self, n_choices: int) -> bool:
        """Return whether a category of so many values is asked about by groups of them."""
        is_large = self.categorical == "auto" and n_choices > MOST_ANSWERS
        return is_large or self.categorical == "group"

    @property
    def has_intervals(self) -> bool:
        """Whether numbers are told apart by intervals; one pivot that is drawn needs none."""
        return not self.exact and self.splitter == "best"

    @property
    def level(self) -> float:
        """The quantile to predict; the median where none is named."""
        return 0.5 if self.quantile is None else float(self.quantile)

    @property
    def is_monotonic(self) -> bool:
        """Whether predictions must go one way along any column."""
        return any(self.monotonic_cst or ())


def criteria(task: str) -> list[str]:
    """Return the names of the criteria for 'classification', 'regression' or 'ranking'."""
    return [name for name, of_task in CRITERIA.items() if of_task == task]


def check_criterion(criterion: object, task: str) -> None:
    """Refuse a criterion that is not known for this task."""
    refuse_unknown("criterion", criterion, criteria(task), f" for {task}")


def rows_needed(setting: int | float, n_rows: int, at_least: int) -> int:
    """Return a number of rows from a setting that is a number or a share of all rows."""
    if isinstance(setting, Integral):
        return max(int(setting), at_least)
    return max(ceil(Fraction(str(float(setting))) * n_rows - SLACK), at_least)


def columns_drawn(max_features: int | float | str | None, n_features: int) -> int:
    """Return how many features are drawn at each node; the parts of a date count one each."""
    if max_features is None:
        return n_features
    if max_features == "sqrt":
        return max(1, int(sqrt(n_features)))
    if max_features == "log2":
        return max(1, int(log2(n_features)))
    if isinstance(max_features, Integral):
        return int(max_features)
    return max(1, int(float(max_features) * n_features))


def one_of(*known: str) -> Check:
    """Return what refuses a value that is none of these."""
    return lambda name, value: refuse_unknown(name, value, known)


check_pivots = one_of("round", "midpoint")


def check_truth(name: str, value: object) -> None:
    """Refuse anything but True and False."""
    if not isinstance(value, bool):
        raise ParameterError(Argument(name, value), " must be True or False.")


def whole(least: int, *, none: bool = False) -> Check:
    """Return what refuses anything but a whole number."""

    def check(name: str, value: object) -> None:
        if value is None and none:
            return
        if not is_whole(value) or value < least:  # type: ignore[operator]
            other = ", or None" if none else ""
            raise ParameterError(
                Argument(name, value), f" must be a whole number, {least} or more{other}."
            )

    return check


def _leaves(name: str, value: object) -> None:
    whole(2, none=True)(name, value)
    if value is not None and value > MOST_LEAVES:  # type: ignore[operator]
        raise BudgetError(
            Argument(name, value), f" is more than {MOST_LEAVES:,} leaves, the most that fit into "
            "memory. Use a smaller number, or None for no limit.",
        )  # fmt: skip


def _whole_or_share(least: int, *, up_to_one: bool) -> Check:
    def check(name: str, value: object) -> None:
        if is_whole(value):
            fits = value >= least  # type: ignore[operator]
        else:
            fits = is_real(value) and value > 0 and (value <= 1 if up_to_one else value < 1)  # type: ignore[operator]
        if not fits:
            # In scikit-learn's words, which its users know and its tests look for.
            end = "1.0]" if up_to_one else "1.0)"
            raise ParameterError(
                f"{name!r} is {value!r}, but must be an int in the range [{least}, inf) or a float "
                f"in the range (0.0, {end}."
            )

    return check


def _number(least: float, most: float | None = None) -> Check:
    def check(name: str, value: object) -> None:
        fits = is_real(value) and value >= least and (most is None or value <= most)  # type: ignore[operator]
        if not fits:
            limits = f", {least:g} or more" if most is None else f" from {least:g} to {most:g}"
            raise ParameterError(Argument(name, value), f" must be a number{limits}.")

    return check


def _check_quantile(criterion: str, quantile: float | None) -> None:
    if criterion == "quantile" and quantile is None:
        raise ParameterError(
            Argument("criterion", "quantile"), " needs a quantile, a number between 0 and 1. ",
            Argument("quantile", 0.9), " predicts a value that nine of ten labels do not exceed.",
        )  # fmt: skip
    if criterion != "quantile" and quantile is not None:
        raise ParameterError(
            Argument("quantile", quantile), f" does not work with the criterion {criterion!r}. Use ",
            Argument("criterion", "quantile"), ", or leave the quantile out.",
        )  # fmt: skip


def check_level(name: str, value: object) -> None:
    """Refuse a quantile that is not between 0 and 1."""
    if value is not None and not (is_real(value) and 0 < value < 1):  # type: ignore[operator]
        raise ParameterError(Argument(name, value), " must be a number between 0 and 1, or None.")


def _features(name: str, value: object) -> None:
    if value is None or (isinstance(value, str) and value in ("sqrt", "log2")):
        return
    if is_whole(value) and value >= 1:  # type: ignore[operator]
        return
    if not is_whole(value) and is_real(value) and 0 < value <= 1:  # type: ignore[operator]
        return
    raise ParameterError(
        Argument(name, value), " must be None, 'sqrt', 'log2', a whole number of at least 1, or a "
        "share of the features above 0 and at most 1.",
    )  # fmt: skip


def _directions(name: str, value: object) -> None:
    if value is None or (isinstance(value, tuple) and all(map(_is_direction, value))):
        return
    given = list(value) if isinstance(value, tuple) else value
    raise ParameterError(Argument(name, given), " must be a list of -1, 0 and 1, or None.")


def _is_direction(value: object) -> bool:
    return is_whole(value) and value in (-1, 0, 1)


def read_columns(parameter: str, names: object) -> tuple[str | int, ...]:
    """Return the columns that a parameter lists, or refuse them; None lists none.

    Examples
    --------
    >>> read_columns("first", ["age", 3]), read_columns("first", "age"), read_columns("first", None)
    (('age', 3), ('age',), ())
    """
    found = _one_or_more(names)
    _columns(parameter, found)
    return found or ()  # type: ignore[return-value]


def _one_or_more(names: object) -> object:
    """Return a list of columns as a tuple; a single one is a list, too."""
    return _as_tuple([names] if isinstance(names, str) or is_whole(names) else names)


def _as_tuple(listed: object) -> object:
    """Return a list as a tuple, and anything else as it is."""
    given = listed.tolist() if hasattr(listed, "tolist") else listed
    if isinstance(given, str) or not isinstance(given, Sequence):
        return listed
    return tuple(int(each) if is_whole(each) else each for each in given)


def _columns(name: str, value: object) -> None:
    if value is None:
        return
    if not isinstance(value, tuple) or not all(
        isinstance(each, str) or is_whole(each) for each in value
    ):
        raise ParameterError(
            Argument(name, value), " must be a list of columns, such as ['age', 'sex'], or of column "
            "numbers if the columns have no names.",
        )  # fmt: skip


def _check_first(settings: Settings) -> None:
    """Refuse what is decided for the whole tree together, and not node by node."""
    if settings.max_leaf_nodes is not None:
        raise ParameterError(
            "max_leaf_nodes and ", Argument("first"), " cannot be combined: best-first growth itself "
            "picks the next split. Leave one of them out; max_depth and ccp_alpha also limit a tree.",
        )  # fmt: skip
    if settings.is_monotonic:
        raise ParameterError(
            Argument("monotonic_cst"), " and ", Argument("first"), " cannot be combined. Leave one of "
            "them out.",
        )  # fmt: skip


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number, which True is not."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_real(value: object) -> bool:
    """Return whether a value is a number that a float64 can come near to."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        return isfinite(float(value))
    except OverflowError:
        return False


_CHECKS: dict[str, Check] = {
    "criterion": one_of(*CRITERIA),
    "quantile": check_level,
    "categorical": one_of(*get_args(Categorical)),
    "splitter": one_of(*get_args(Splitter)),
    "max_depth": whole(0, none=True),
    "min_samples_split": _whole_or_share(2, up_to_one=True),
    "min_samples_leaf": _whole_or_share(1, up_to_one=False),
    "min_weight_fraction_leaf": _number(0, 0.5),
    "min_impurity_decrease": _number(0),
    "max_leaf_nodes": _leaves,
    "max_features": _features,
    "random_state": whole(0),
    "monotonic_cst": _directions,
    "first": _columns,
    "forbid": _columns,
    "pivots": check_pivots,
    "exact": check_truth,
}
