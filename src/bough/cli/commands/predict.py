"""`bough predict`: a table with columns of predictions, and the same as plain data."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter
from numpy.typing import NDArray

from bough import datasets
from bough.checks.note_words import plain_notes
from bough.cli import PIPE
from bough.cli.arguments import (
    ALL_CHECKS,
    AS_FOUND,
    NOTHING_LOST,
    AsTuned,
    Checks,
    ModelFile,
    Outputs,
    Reading,
    is_teaching,
    read_model,
)
from bough.cli.failures import UsageError
from bough.cli.printing import print_notes
from bough.cli.terminal import AS_USUAL, FLAG, Terminal
from bough.errors import BoughError, listed
from bough.evidence import Evidence
from bough.explain.rules_and_conditions import joined, trail_conditions
from bough.learn.evaluate import columns_used, evidence_in, notes_on_new_rows
from bough.losses.intervals import interval_of
from bough.node_words import mixed_verdict, verdict_of
from bough.predict import guesses, parts_of, probabilities, read_asked, said_of
from bough.ranking import places_of
from bough.schema import MISSING_INTEGER, Kind
from bough.table import Table, column_of
from bough.table.column import Column
from bough.table.file import read_file
from bough.table.file.write import write_table
from bough.table.objects import read_cells
from bough.table.source import Source
from bough.tree import Tree
from bough.words import plain, row_count

NAME = "prediction"
RANK = "rank"  # of a row in its group, by falling scores


@Parameter(name="*")
@dataclass(frozen=True)
class Added:
    """Which columns are added."""

    name: Annotated[str, Parameter(metavar="COLUMN")] = NAME
    """What the new column is called; the names of further ones begin with it."""
    proba: Annotated[bool, FLAG] = False
    """Add a column for each class with its probability."""
    interval: Annotated[bool, FLAG] = False
    """For numbers: add the lower and the upper end of a 95 % prediction interval."""
    leaf: Annotated[bool, FLAG] = False
    """Add the number of the node that predicts, as the numbered drawing of the tree has it."""
    rule: Annotated[bool, FLAG] = False
    """Add the rule of that node in words."""


USUAL = Added()


@dataclass(frozen=True, eq=False)
class Predictions:
    """What a tree says about the rows of a table."""

    tree: Tree
    evidence: Evidence | None
    table: Table
    missing: str
    wanted: Added

    def __post_init__(self) -> None:
        if self.wanted.interval and self.tree.schema.has_classes:
            raise UsageError(
                "--interval is for numbers, and the model predicts classes. Use --proba."
            )
        if self.wanted.proba and not self.tree.schema.has_classes:
            raise UsageError(
                "--proba is for classes, and the model predicts numbers."
                + ("" if self.tree.schema.task.ranks else " Use --interval.")
            )

    @cached_property
    def _said(self) -> tuple[Any, NDArray[np.integer]]:
        return said_of(self.tree, self.table, missing=self.missing)

    def columns(self, source: Source) -> dict[str, Column]:
        """Return the columns to add, by name; `source` may have the groups of a ranking."""
        found: dict[str, Column] = {}
        guessing, places = self._said
        labels = self.tree.schema.labels
        probable = probabilities(guessing, places) if self.wanted.proba else None
        for output, label in enumerate(labels):
            name = self.wanted.name if len(labels) == 1 else f"{self.wanted.name}_{label.name}"
            guessed = guesses(guessing, places)[:, output]
            if not label.classes:
                found[name] = column_of(guessed, Kind.NUMBER)
                continue
            found[name] = column_of(guessed.astype(np.int32), Kind.CHOICE, label.classes)
            if probable is not None:
                for code, value in enumerate(label.classes):
                    shares = np.ascontiguousarray(probable[:, output, code])
                    found[f"{name}_{value}"] = column_of(shares, Kind.NUMBER)
        more = self._more() | self._ranks(source)
        if both := found.keys() & more.keys():  # a class may be called "leaf"
            raise UsageError(
                f"Two new columns would be called {listed(both)}. Leave out --proba, or the other one."
            )
        if there := [name for name in (*found, *more) if name in source.names]:
            raise UsageError(
                f"The table already has a column {listed(there)}. Give the new one another name, as "
                f"in --name {self._free_name(source.names, (*found, *more))}."
            )
        return found | more

    def _free_name(self, taken: Sequence[str], added: Iterable[str]) -> str:
        """Return a name of the new column by which none of the new columns is there already."""
        ends = [each.removeprefix(self.wanted.name) for each in added]
        bases = (f"{self.wanted.name}_{number}" for number in count(2))
        return next(base for base in bases if not any(base + end in taken for end in ends))

    def _more(self) -> dict[str, Column]:
        """Return the interval, the leaf and the rule of each row, as far as they are wanted."""
        name = self.wanted.name
        found: dict[str, Column] = {}
        if self.wanted.interval:
            for end, values in zip(("low", "high"), self._interval.T, strict=True):
                found[f"{name}_{end}"] = column_of(np.ascontiguousarray(values), Kind.NUMBER)
        if self.wanted.leaf:
            found[f"{name}_leaf"] = column_of(self._nodes, Kind.INTEGER)
        if self.wanted.rule:
            met, of_rows = np.unique(self._nodes, return_inverse=True)
            words = np.array([self._rules.get(node) for node in met.tolist()], object)
            found[f"{name}_rule"] = read_cells(words[of_rows], "rule")
        return found

    @cached_property
    def _interval(self) -> NDArray[np.float64]:
        return interval_of(self.tree, self.evidence, self.table, missing=self.missing)

    @cached_property
    def _nodes(self) -> NDArray[np.int64]:
        """The node that predicts for each row; missing where several do."""
        places = self._said[1].astype(np.int64)
        return np.where(places < len(self.tree), places, MISSING_INTEGER)

    @cached_property
    def _rules(self) -> dict[int, str]:
        found = trail_conditions(self.tree)
        return {node.id: plain(joined(conditions)) for node, conditions in found}

    def _ranks(self, source: Source) -> dict[str, Column]:
        """Return the places of the rows in their groups, where the table says which these are."""
        group = columns_used(self.evidence).get("group")
        if not self.tree.schema.task.ranks or group not in source.names:
            return {}
        groups = source.column(source.names.index(group)).hashes()
        ranks = places_of(guesses(*self._said)[:, 0], groups)
        name = RANK if self.wanted.name == NAME else f"{self.wanted.name}_{RANK}"
        return {name: column_of(ranks, Kind.INTEGER)}

    def plain(self, source: Source) -> list[dict[str, Any]]:
        """Return the prediction for each row as plain data."""
        said = self._verdicts()
        rows = [dict(said[place]) for place in self._said[1].tolist()]
        for column in self._ranks(source).values():
            _put(rows, {RANK: column.cells.tolist()})
        if self.wanted.interval:
            _put(rows, dict(zip(("low", "high"), self._interval.T.tolist(), strict=True)))
        nodes = [None if node == MISSING_INTEGER else node for node in self._nodes.tolist()]
        if self.wanted.leaf:
            _put(rows, {"leaf": nodes})
        if self.wanted.rule:
            _put(rows, {"rule": [None if node is None else self._rules[node] for node in nodes]})
        return rows

    def _verdicts(self) -> dict[int, dict[str, Any]]:
        """Return what is predicted at each place, a node or a mean of several."""
        tree, (guessing, places) = self.tree, self._said
        nodes, in_parts = np.unique(places[places < len(tree)]), np.flatnonzero(places >= len(tree))
        said = {node: verdict_of(tree, node).as_dict() for node in nodes.tolist()}
        for row in in_parts.tolist():
            met = parts_of(tree, self.table, np.array([row]))
            verdict = mixed_verdict(tree, met.nodes[met.stops], met.shares[met.stops])
            said[int(places[row])] = verdict.as_dict()
        if self.wanted.proba and len(tree.schema.labels) == 1:
            classes = tree.schema.labels[0].classes
            for place, found in said.items():
                shares = guessing.probabilities[place, 0].tolist()
                pairs = zip(classes, shares, strict=True)
                found["shares"] = [{"class": name, "share": share} for name, share in pairs]
        return said


def _put(rows: list[dict[str, Any]], values: dict[str, Iterable[Any]]) -> None:
    """Put a value of each name into each row."""
    for name, of_rows in values.items():
        for row, value in zip(rows, of_rows, strict=True):
            row[name] = value


def predict(
    model: ModelFile,
    data: str,
    /,
    *,
    output: Annotated[str, Parameter(alias="-o", metavar="FILE")] = PIPE,
    added: Added = USUAL,
    missing: AsTuned = None,
    excel_safe: Annotated[bool, FLAG] = False,
    outputs: Outputs = NOTHING_LOST,
    checks: Checks = ALL_CHECKS,
    reading: Reading = AS_FOUND,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Predict.

    Parameters
    ----------
    data
        A table; '-' reads a pipe.
    output
        The file to write: .csv, .tsv, .parquet or .jsonl, with .gz if compressed; '-' is stdout, as CSV.
    excel_safe
        Keep spreadsheets from running cells that look like formulas.
    """
    found = read_model(model).by_name()
    file = datasets.path(data) if is_teaching(data) else data
    source = read_file(file, like=found.tree.schema.reading, **reading.options)
    table, evidence, n_formulas = read_asked(found.tree, source), evidence_in(found), 0
    made = Predictions(found.tree, evidence, table, missing or found.missing, added)
    if output != PIPE or not terminal.json:
        columns = made.columns(source)
        names = (*source.names, *columns)
        if output != PIPE:
            outputs.check(Path(output), [model, data], lambda old: _has_columns(old, names))
        n_formulas = write_table(source, columns, output, excel_safe=excel_safe)
    notes = checks.made(notes_on_new_rows(found.tree, evidence, table))
    if terminal.json:
        content = {"output": output, "n_rows": source.n_rows, "notes": plain_notes(notes)}
        if output == PIPE:
            content |= {"output": None, "guesses": made.plain(source)}
        terminal.document("predict", content)
        return
    print_notes(terminal, notes)
    if n_formulas:
        cells = (
            "1 cell looks like a formula"
            if n_formulas == 1
            else f"{n_formulas:,} cells look like formulas"
        )
        terminal.remark(f"  {cells}, which a spreadsheet would run (--excel-safe)")
    wrote = "" if output == PIPE else f" · wrote {output}"
    terminal.remark(f"{row_count(source.n_rows)}{wrote}")


def _has_columns(path: Path, names: tuple[str, ...]) -> bool:
    """Return whether a file is a table of these columns, as bough wrote it before."""
    try:
        return read_file(path).names == names
    except BoughError:
        return False
