"""Each column alone as the first question: its label histograms, impurity, remainder and gain.

For all rows, or for those that meet conditions that a user types, such as 'age < 11 and sex = male'.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from bough.checks.note_words import gathered
from bough.encode import Labels
from bough.errors import Argument, DataError, ParameterError, did_you_mean, listed
from bough.file_options import FileOptions
from bough.grow import grow
from bough.learn.look_at_columns import Look, look
from bough.learn.pivot_gains import IMPURITIES, LabelSums, PivotTried, pivot_gains, pivots_tried
from bough.learn.request import Roles, carried_roles
from bough.learn.row_plan import refuse_missing
from bough.learn.score_result import ALL, SIDE_BY_SIDE, Answer, FeatureScore, Scores
from bough.learn.target import Target, read_target
from bough.machine_limits import threads
from bough.schema import Feature, Kind, Task
from bough.settings import Settings, check_criterion
from bough.table import Table, TableLike, open_source
from bough.table.match_columns import typed
from bough.table.source import Types
from bough.tree import TIE, Tree
from bough.walk import walk
from bough.words import OR_MISSING

Mask = NDArray[np.bool_]
_AT_LEAST = re.compile(r"(?:≥|>=)\s*(.*)|(.*) or (?:after|later)")
_BELOW = re.compile(r"(?:<|before )\s*(.*)")
_SIGN = r"\s*(?:=|<|≥|>|before |is |\S+ or )"


def score(
    table: TableLike,
    target: str | None = None,
    *,
    task: str = "auto",
    types: Types | None = None,
    ignore: str | Sequence[str] = (),
    group: str | None = None,
    criterion: str | None = None,
    quantile: float | None = None,
    categorical: str = "each",
    at: str | Sequence[str] = (),
    pivots: bool = False,
    n_jobs: int | None = None,
    **reading: Unpack[FileOptions],
) -> Scores:
    """Score each feature as the first question of a tree, on all rows of a table or on some.

    Identifiers are left out as in `bough.fit`; a constant is listed with gain 0.

    Parameters
    ----------
    table, target, task, types, ignore, group, n_jobs, reading
        As for `bough.fit`.
    criterion, quantile
        How splits are scored; the quantile is for `criterion="quantile"`. 'all' gives the usual
        criteria side by side.
    categorical
        'each': one branch for each value of a category; 'group': two groups of values.
    at
        The conditions that lead to a node, as in 'outlook = Sunny'. Its rows are scored.
    pivots
        Give the gain of every midpoint between the values of a number.

    Returns
    -------
    Scores
        The impurity of the rows and, for each feature, its answers, the remainder and the gain;
        `print` shows them as the terminal does.

    Examples
    --------
    >>> import bough
    >>> tennis = bough.datasets.load("play_tennis")
    >>> scores = score(tennis, criterion="entropy")
    >>> {each.feature: round(each.gain, 3) for each in scores.features}
    {'outlook': 0.247, 'temperature': 0.029, 'humidity': 0.152, 'wind': 0.048}
    >>> score(tennis, criterion="entropy", at="outlook = Sunny").first
    'humidity'
    """
    target, ignore = carried_roles(table, target, ignore)
    if target is None:
        raise ParameterError("target=None: name the column to predict.")
    source = open_source(table, **reading)
    roles = Roles(target=target, task=task, types=types, ignore=ignore, group=group)
    roles = replace(roles, ignore=(*roles.ignore, "B102"))  # a constant is listed
    roles = roles.checked(source)
    seen = look([source], roles)
    labelled = read_target(seen.columns[target], target, roles.task, source.where)
    criteria = _criteria(criterion, labelled.task, has_pivots=pivots)
    settings = [
        Settings(
            criterion=each, quantile=quantile, categorical=categorical, max_depth=1, pivots="round"
        )
        for each in criteria
    ]
    labels, rows = _with_group(labelled, seen, group), seen.table.rows(labelled.rows)
    conditions = (at,) if isinstance(at, str) else tuple(at)
    if conditions:
        here = np.flatnonzero(rows_that_meet(rows, conditions))
        labels, rows = labels.rows(here), rows.rows(here)
    notes = gathered([*seen.notes, *labelled.notes])
    kept = tuple(note for note in notes if note.code not in roles.ignored_codes)
    first, *others = (
        _scores(rows, labels, each, has_pivots=pivots, n_jobs=threads(n_jobs)) for each in settings
    )
    return replace(first, at=conditions, notes=kept, beside=tuple(others))


def _criteria(criterion: str | None, task: Task, *, has_pivots: bool) -> tuple[str, ...]:
    """Return the criteria to score by, the first one before all."""
    if criterion == ALL and task in SIDE_BY_SIDE:
        return SIDE_BY_SIDE[task]
    chosen = criterion or task.criteria[0]
    check_criterion(chosen, task)
    if has_pivots and chosen not in IMPURITIES:
        raise ParameterError(
            "Pivots cannot be listed by ", Argument("criterion", chosen), ". Use another criterion."
        )
    return (chosen,)


def _scores(
    rows: Table, labels: Labels, settings: Settings, *, has_pivots: bool, n_jobs: int
) -> Scores:
    whole = grow(rows, labels, settings, n_jobs=n_jobs)
    stumps = [grow(each, labels, settings, n_jobs=n_jobs) for each in _alone(rows)]
    features = tuple(_scored(stump) for stump in stumps)
    if has_pivots:
        sums = LabelSums.of(labels, settings.criterion)
        features = tuple(
            replace(each, pivots=_pivots(rows, place, sums)) for place, each in enumerate(features)
        )
    first = None if len(whole) == 1 else rows.features[whole.feature[0]].name
    label, impurity = labels.labels[0], float(whole.impurity[0])
    tied, reason = _tie(features, first, settings.criterion, impurity)
    return Scores(
        target=label.name,
        task=whole.schema.task,
        criterion=settings.criterion,
        classes=label.classes,
        n_rows=rows.n_rows,
        tally=_tally(whole, 0),
        impurity=impurity,
        features=features,
        first=first,
        tied=tied,
        tie_reason=reason,
        at=(),
        notes=(),
    )


def _pivots(rows: Table, place: int, sums: LabelSums) -> tuple[PivotTried, ...]:
    feature = rows.features[place]
    if feature.kind is Kind.CHOICE:
        return ()
    values, is_missing = np.asarray(rows.values[place]), rows.missing(place)
    return pivots_tried(feature, values, is_missing, pivot_gains(values, is_missing, sums))


def _tie(
    features: Sequence[FeatureScore], first: str | None, criterion: str, impurity: float
) -> tuple[tuple[str, ...], str]:
    """Return the features that are as good as the first, and why it is asked; none: it is better."""
    best = next((each for each in features if each.feature == first), None)
    if best is None:
        return (), ""
    if criterion == "gain_ratio":
        asked = [each for each in features if each.answers]
        least = sum(each.gain for each in asked) / len(asked) - TIE * impurity
        equal = [e for e in asked if e.gain >= least and e.gain_ratio >= best.gain_ratio - TIE]
    else:
        slack = TIE * impurity
        equal = [each for each in features if each.answers and each.gain >= best.gain - slack]
    if len(equal) < 2:
        return (), ""
    names = (best.feature, *(each.feature for each in equal if each is not best))
    if criterion == "error" and any(_gini_left(e) > _gini_left(best) + TIE for e in equal):
        return names, f"{best.feature} has the larger Gini gain"
    degree = "earlier" if len(equal) == 2 else "earliest"
    return names, f"{best.feature} is the {degree} column"


def _gini_left(feature: FeatureScore) -> float:
    """Return the Gini impurity that is left after a question."""
    n_rows = sum(answer.n_rows for answer in feature.answers)
    return (
        1
        - sum(sum(n * n for n in answer.tally) / answer.n_rows for answer in feature.answers)
        / n_rows
    )


def _with_group(labelled: Target, seen: Look, group: str | None) -> Labels:
    """Return the labels, and what each row is about."""
    if group is None:
        return labelled.labels
    column = seen.columns[group].take(labelled.rows)
    refuse_missing(column, Argument("group", group))
    return replace(labelled.labels, group=column.hashes())


def _alone(table: Table) -> Iterator[Table]:
    """Give for each feature a table that has no other."""
    for feature, values in zip(table.features, table.values, strict=True):
        yield Table(table.columns, table.named, (feature,), (values,), table.n_rows)


def _scored(stump: Tree) -> FeatureScore:
    answers = tuple(
        Answer(
            step.answer,
            step.node.n_rows,
            _tally(stump, step.node.id),
            step.node.guess,  # type: ignore[arg-type]
            step.node.impurity,
        )
        for step in walk(stump)
        if step.depth == 1
    )
    n_right = None
    if stump.schema.has_classes:
        n_right = round(sum(max(answer.tally) for answer in answers) or max(_tally(stump, 0)))
    gain = float(stump.gain[0])
    feature = stump.schema.features[0]
    return FeatureScore(feature.name, answers, n_right, float(stump.impurity[0]) - gain, gain)


def _tally(tree: Tree, node: int) -> tuple[float, ...]:
    return tuple(tree.tally[node, 0].tolist())


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
