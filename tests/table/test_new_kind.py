"""A new kind of column is one class: here durations, asked about in seconds."""

from dataclasses import dataclass

import numpy as np
import pytest

import bough
from bough.errors import DataError
from bough.schema import Feature, Kind
from bough.table.array import read_vector
from bough.table.column import Column, Numbers
from bough.table.source import Source

N_ROWS = 400


@dataclass(frozen=True, eq=False)
class Durations(Column):
    values: np.ndarray  # timedelta64[s]
    kind = "duration"
    holds = "durations"

    @property
    def cells(self):
        return self.values.view(np.int64)

    def missing_rows(self):
        return np.isnat(self.values)

    def take(self, rows):
        return Durations(self.values[rows])

    def joined(self, others):
        return Durations(np.concatenate([each.values for each in (self, *others)]))

    def hashes(self):
        return self.as_numbers("").hashes()

    def value(self, row):
        return str(self.values[row])

    def floats(self):
        return np.where(self.missing_rows(), np.nan, self.cells.astype(np.float64))

    def as_numbers(self, name, where=None):  # noqa: ARG002
        return Numbers(self.floats())

    def features(self, number, names, *, from_text):  # noqa: ARG002
        return [(Feature(names[number], Kind.NUMBER, number), self.floats())]


def table(seed, *, with_label=True):
    rng = np.random.default_rng(seed)
    took = rng.integers(1, 9000, N_ROWS).astype("m8[s]")
    took[::50] = np.timedelta64("NaT")
    late = np.where(took > np.timedelta64(3600, "s"), "late", "in time")
    columns = {"took": Durations(took), "noise": read_vector(rng.random(N_ROWS), "noise")}
    if with_label:
        columns["is"] = read_vector(late, "is")
    names = tuple(columns)
    return late, Source(names, named=True, n_rows=N_ROWS, column=lambda n: columns[names[n]])


def test_a_tree_is_learnt_from_it_and_predicts_it():
    _, source = table(1)
    result = bough.fit(source, "is")
    assert "took" in str(result)
    late, fresh = table(2, with_label=False)
    assert (result.model.predict(fresh) == late).mean() > 0.98


def test_its_rows_are_looked_at_as_those_of_any_column():
    _, source = table(1)
    (seen, *_) = bough.check(source).columns
    assert (seen.kind, seen.role, seen.n_missing) == ("duration", "feature", N_ROWS // 50)
    _, twin = table(1)
    assert bough.fit(source, "is").evidence.sketches == bough.fit(twin, "is").evidence.sketches


def test_it_may_be_in_several_tables():
    tables = [table(seed)[1] for seed in (1, 2, 3)]
    result = bough.fit(tables[0], "is", dev=tables[1], test=tables[2])
    assert result.evidence.n_test == N_ROWS


def test_it_is_refused_as_what_it_is_not():
    _, source = table(1)
    with pytest.raises(DataError) as raised:
        bough.fit(source, "is", types={"took": "date"})
    assert str(raised.value) == (
        "column 'took' has durations, which cannot be read as dates. Convert them to "
        "dates first, or remove the column from types."
    )
