"""The first question: for each feature its label histograms, impurity, remainder and gain."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Unpack

from bough.checks.gather import gathered
from bough.encode import Labels
from bough.errors import Argument, ParameterError
from bough.grow import grow
from bough.learn.look_at_columns import Look, look
from bough.learn.plan import refuse_missing
from bough.learn.request import Roles, carried_roles
from bough.learn.scores import Answer, FeatureScore, Scores
from bough.learn.target import Target, read_target
from bough.reading import FileOptions
from bough.settings import Settings, check_criterion
from bough.table import Table, TableLike, Types, open_source
from bough.threads import threads
from bough.tree import Tree
from bough.walk import walk


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
    n_jobs: int | None = None,
    **reading: Unpack[FileOptions],
) -> Scores:
    """Score each feature as the first question of a tree, on all rows of a table.

    Identifiers are left out as in `bough.fit`; a constant is listed with gain 0.

    Parameters
    ----------
    table, target, task, types, ignore, group, n_jobs, reading
        As for `bough.fit`.
    criterion, quantile
        How splits are scored; the quantile is for `criterion="quantile"`.
    categorical
        'each': one branch for each value of a category; 'group': two groups of values.

    Returns
    -------
    Scores
        The impurity of all rows and, for each feature, its answers, the remainder and the gain;
        `print` shows them as the terminal does.

    Examples
    --------
    >>> import bough
    >>> tennis = bough.datasets.load("play_tennis")
    >>> scores = score(tennis, criterion="entropy")
    >>> {each.feature: round(each.gain, 3) for each in scores.features}
    {'outlook': 0.247, 'temperature': 0.029, 'humidity': 0.152, 'wind': 0.048}
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
    chosen = criterion or labelled.task.criteria[0]
    check_criterion(chosen, labelled.task)
    settings = Settings(
        criterion=chosen, quantile=quantile, categorical=categorical, max_depth=1, pivots="round"
    )
    labels = _with_group(labelled, seen, group)
    rows, n_jobs = seen.table.rows(labelled.rows), threads(n_jobs)
    whole = grow(rows, labels, settings, n_jobs=n_jobs)
    stumps = [grow(each, labels, settings, n_jobs=n_jobs) for each in _alone(rows)]
    notes = gathered([*seen.notes, *labelled.notes])
    return Scores(
        target=target,
        task=labelled.task,
        criterion=chosen,
        classes=labels.labels[0].classes,
        n_rows=len(labelled.rows),
        tally=_tally(whole, 0),
        impurity=float(whole.impurity[0]),
        features=tuple(_scored(stump) for stump in stumps),
        first=None if len(whole) == 1 else rows.features[whole.feature[0]].name,
        notes=tuple(note for note in notes if note.code not in roles.ignored_codes),
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
        Answer(step.answer, step.node.n_rows, _tally(stump, step.node.id), step.node.guess)  # type: ignore[arg-type]
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
