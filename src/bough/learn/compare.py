"""Two trees beside each other: rules that changed, and the paired difference of their losses."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from bough.errors import ParameterError
from bough.evidence import Estimate, Evidence, Note
from bough.explain.rules_and_conditions import Condition, Rule, joined, rules, trail_conditions
from bough.exports.model_file import Model
from bough.file_options import FileOptions
from bough.learn.compare_result import Comparison, RuleChanges
from bough.learn.evaluate import (
    columns_used,
    evidence_in,
    n_used,
    notes_on_used_rows,
    read_model,
    wanted_loss,
)
from bough.learn.labelled_rows import LabelledRows
from bough.learn.measure import Losses, Stopped, all_measured, differences, followed, losses_of
from bough.learn.target import read_labelled
from bough.loss_kinds import known_loss
from bough.losses.intervals import difference
from bough.predict import Guessing, guesses, stops
from bough.ranking import places_of
from bough.schema import Task
from bough.table import TableLike, open_source
from bough.table.source import Source
from bough.tree import Tree, TreeLike


def rule_changes(first: Tree, second: Tree, digits: int | None = 3) -> RuleChanges:
    """Return which rules two trees share, in words that tell different ones apart."""
    one, two = (rules(tree, digits=digits) for tree in (first, second))
    changes = _changes(one, two)
    if _all_words(changes.only_first).isdisjoint(_all_words(changes.only_second)):
        return changes
    return _changes([rule.exact for rule in one], [rule.exact for rule in two])


def is_other_leaf(
    first: Tree, first_stops: NDArray[np.integer], second: Tree, second_stops: NDArray[np.integer]
) -> NDArray[np.bool_]:
    """Return for each row whether the rules of the nodes where it stops ask for something else."""
    numbers: dict[Hashable, int] = {}
    one, two = (
        _rule_numbers(tree, stops, numbers)
        for tree, stops in ((first, first_stops), (second, second_stops))
    )
    return np.asarray(one[first_stops] != two[second_stops])


def _rule_numbers(
    tree: Tree, stops: NDArray[np.integer], numbers: dict[Hashable, int]
) -> NDArray[np.intp]:
    """Return a number for what the trail of each node asks, of nodes where some row stops."""
    found = np.full(len(tree), -1)
    is_wanted = np.zeros(len(tree), np.bool_)
    is_wanted[stops] = True
    for node, conditions in trail_conditions(tree):
        if is_wanted[node.id]:
            found[node.id] = numbers.setdefault(_meaning(conditions), len(numbers))
    return found


def _changes(first: Sequence[Rule], second: Sequence[Rule]) -> RuleChanges:
    one, two = (
        {_meaning(rule.conditions): rule for rule in sorted(found, key=lambda rule: -rule.n_rows)}
        for found in (first, second)
    )
    both = [(rule, two[meaning]) for meaning, rule in one.items() if meaning in two]
    return RuleChanges(
        same=tuple(rule for rule, other in both if rule.guess == other.guess),
        other_guess=tuple(pair for pair in both if pair[0].guess != pair[1].guess),
        only_first=tuple(rule for meaning, rule in one.items() if meaning not in two),
        only_second=tuple(rule for meaning, rule in two.items() if meaning not in one),
    )


def _all_words(found: Iterable[Rule]) -> set[str]:
    return {joined(rule.conditions) for rule in found}


def _meaning(conditions: Iterable[Condition]) -> Hashable:
    """Return what conditions ask for, however their tree numbers values and orders features."""
    return frozenset(_meaning_of_one(condition.as_dict()) for condition in conditions)


def _meaning_of_one(plain: dict[str, Any]) -> Hashable:
    values = plain.get("values")
    return (
        plain["feature"],
        plain.get("from"),
        plain.get("below"),
        None if values is None else frozenset(values),
        plain["known"],
        plain["missing"],
    )


def compare(
    model: TreeLike | str | PathLike[str],
    other: TreeLike | str | PathLike[str],
    table: TableLike | None = None,
    *,
    digits: int = 3,
    **reading: Unpack[FileOptions],
) -> Comparison:
    """Compare two models: their rules and, on a table, their predictions and losses.

    Parameters
    ----------
    model, other
        Fitted estimators, results, trees, or names of model files that predict the same column.
    table
        Rows with the column that is predicted, if possible none that a model has seen; a file, or a
        table of any make. None: only rules are compared.
    digits
        How many digits numbers in rules have at least.
    reading
        As for `bough.evaluate`.

    Returns
    -------
    Comparison
        The rules that changed and, on a table, the estimates of both models, the difference of their
        losses row by row, and which one is better, if that is clear.

    Examples
    --------
    >>> import bough
    >>> X, y = {"age": [4, 9, 34, 40], "sex": ["m", "f", "f", "m"]}, ["yes", "yes", "yes", "no"]
    >>> tree = bough.DecisionTreeClassifier()
    >>> found = compare(tree.fit(X, y).grown_tree_, tree.set_params(max_depth=0).fit(X, y))
    >>> found.n_leaves, [str(rule) for rule in found.rules.only_second]
    ((2, 1), ['all rows → yes 75 % (4 rows)'])
    """
    first, second = (read_model(each) for each in (model, other))
    labels = [each.tree.schema.labels[0] for each in (first, second)]
    tasks = {each.tree.schema.task for each in (first, second)}
    if labels[0].name != labels[1].name or len(tasks) > 1:
        names = [repr(label.name) for label in labels]
        if names[0] == names[1]:
            names = [f"{names[0]} ({each.tree.schema.task})" for each in (first, second)]
        raise ParameterError(
            f"The first model predicts {names[0]} and the second {names[1]}. "
            "Compare models that predict the same column, as classes or as numbers."
        )
    found = Comparison(
        n_leaves=(first.tree.n_leaves, second.tree.n_leaves),
        rules=rule_changes(first.tree, second.tree, digits),
    )
    if table is None:
        return found
    if len(first.tree.schema.labels) > 1:
        raise ParameterError(
            f"The models predict {len(first.tree.schema.labels)} labels. Only models of one label can be "
            "compared on a table. Leave the table out, or grow one tree for each label."
        )
    source = open_source(table, like=first.tree.schema.reading, **reading)
    return _on_rows(found, first, second, source)


def _on_rows(found: Comparison, first: Model, second: Model, source: Source) -> Comparison:
    evidence = evidence_in(first), evidence_in(second)
    task = first.tree.schema.task
    columns = _columns_used_by_both(evidence, task)
    wanted = wanted_loss(first, evidence[0])
    has_same_costs = _costs(first) == _costs(second)
    if wanted != wanted_loss(second, evidence[1]) or not has_same_costs:
        wanted = known_loss(None, task), None
    one, two = (_Side.of(model, source, columns, *wanted) for model in (first, second))
    if not has_same_costs:  # what each calls its cost is not the same thing
        for side in (one, two):
            side.estimates.pop("cost", None)
    apart = is_other_leaf(first.tree, one.stops, second.tree, two.stops)
    rows, loss = one.rows, wanted[0]
    return replace(
        found,
        n_used=(n_used(evidence[0], one.rows), n_used(evidence[1], two.rows)),
        loss=loss,
        n_rows=len(rows),
        first=one.estimates,
        second=two.estimates,
        difference=difference(
            two.losses.each,
            one.losses.each,
            loss,
            weights=one.losses.weights,
            groups=one.losses.groups,
        ),
        differences=differences(
            (one.stopped, one.estimates), (two.stopped, two.estimates), wanted[1]
        ),
        share_other_guess=float(np.average(one.guesses != two.guesses, weights=rows.weights)),
        share_other_leaf=float(np.average(apart, weights=rows.weights)),
        notes=(
            *one.about_labels,
            *(note for note in two.about_labels if note not in one.about_labels),
            *_of_one("First", notes_on_used_rows(evidence[0], one.rows)),
            *_of_one("Second", notes_on_used_rows(evidence[1], two.rows)),
        ),
    )


def _columns_used_by_both(evidence: Iterable[Evidence | None], task: Task) -> dict[str, str | None]:
    """Return the weight and the group by which both are measured; an unknown one is like the other."""
    known = [columns_used(each) for each in evidence if each is not None]
    if len(known) < 2:
        return known[0] if known else {}
    one, other = known
    if task.ranks and one["group"] != other["group"]:
        raise ParameterError(
            f"The first model ranks the rows of each {one['group']!r} and the second those of each "
            f"{other['group']!r}. Compare models that rank the rows of the same groups."
        )
    return dict(one.items() & other.items())


def _costs(model: Model) -> tuple[object, ...]:
    """Return what guesses cost; none: any wrong guess the same."""
    label = model.tree.schema.labels[0]
    return (label.classes, label.costs) if label.costs else ()


class _Side(NamedTuple):
    """What one of the models does."""

    rows: LabelledRows
    about_labels: list[Note]
    stops: NDArray[np.int32]
    losses: Losses
    estimates: dict[str, Estimate]
    guesses: NDArray[Any]
    stopped: Stopped

    @classmethod
    def of(
        cls,
        model: Model,
        source: Source,
        used: Mapping[str, str | None],
        loss: str,
        quantile: float | None,
    ) -> "_Side":
        tree, missing = model.tree, model.missing
        rows, notes = read_labelled(tree, source, **used)
        (stopped,) = followed([(tree, rows)], missing)
        losses = losses_of([stopped], loss, quantile)
        estimates = all_measured(stopped, loss, quantile)
        guesses = _values(*stopped[:2], rows)
        return cls(rows, notes, stops(tree, rows.table), losses, estimates, guesses, stopped)


def _of_one(name: str, notes: Iterable[Note]) -> list[Note]:
    """Return notes that say which of the trees they are about."""
    return [
        replace(note, text=f"{name} tree: {note.text[0].lower()}{note.text[1:]}") for note in notes
    ]


def _values(said: Guessing, places: NDArray[np.integer], rows: LabelledRows) -> NDArray[Any]:
    """Return the guess of each row as a value, since models may number classes otherwise.

    Scores of two rankings cannot be compared, but the places that they give the rows can.
    """
    guessed = np.asarray(guesses(said, places)[:, 0])
    if said.schema.task.ranks:
        assert rows.group is not None  # noqa: S101 - a ranking has groups
        return places_of(guessed, rows.group)
    classes = said.schema.labels[0].classes
    return np.array(classes, object)[guessed] if classes else guessed
