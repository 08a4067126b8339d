"""The real tables that benchmarks read: what they are, and how to open them.

They are not part of the project. They are looked for in `../shared/data`, next to it, or in the
folder given with `--data`; `datasets.json` there says what the columns are.
"""

import json
from argparse import ArgumentParser
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"
LIST = "datasets.json"
ONE_HOT = {"covtype_sample15k": ("wilderness_area", "soil_type")}  # how their columns begin


@dataclass(frozen=True)
class RealTable:
    """A real table: its columns without the ignored ones, its labels, and what the columns are."""

    name: str
    task: str  # "classification", "regression" or "ranking"
    columns: Any  # a pandas data frame
    labels: Any
    types: dict[str, str] = field(default_factory=dict)  # which columns are categories
    groups: Any = None  # ranking: the group of each row

    @property
    def has_codes(self):
        """Whether some categories are written as numbers."""
        return any(self.columns[name].dtype.kind in "iuf" for name in self.types)

    def as_numbers(self):
        """Return the table with categories that are written as numbers read as numbers."""
        codes = [name for name in self.types if self.columns[name].dtype.kind in "iuf"]
        return replace(
            self, types={name: self.types[name] for name in self.types if name not in codes}
        )

    def joined(self):
        """Return the table with one category for each group of columns of which one is 1."""
        columns, types = self.columns, dict(self.types)
        for start in ONE_HOT.get(self.name, ()):
            parts = [name for name in columns if name.startswith(start)]
            which = columns[parts].to_numpy().argmax(axis=1)
            columns = columns.drop(columns=parts).assign(**{start: which})
            types[start] = "category"
        return replace(self, columns=columns, types=types)

    def take(self, rows):
        groups = None if self.groups is None else self.groups[rows]
        return replace(
            self, columns=self.columns.iloc[rows], labels=self.labels[rows], groups=groups
        )

    def scores(self, guesses):
        """Return how good guesses are: right or wrong, squared errors, or the NDCG of groups."""
        if self.task == "classification":
            return (guesses == self.labels).astype(float)
        if self.task == "regression":
            return (guesses - self.labels) ** 2
        return np.array(
            [
                ndcg(self.labels[self.groups == group], guesses[self.groups == group])
                for group in np.unique(self.groups)
            ]
        )


def ndcg(relevance, guesses, most=10):
    """Return the NDCG of one group; 1 where nothing is relevant, the mean where guesses tie."""
    from sklearn.metrics import ndcg_score

    if len(relevance) < 2 or not relevance.any():
        return 1.0
    return float(ndcg_score([2.0**relevance - 1], [guesses], k=most))


def find_folder(folder=None):
    """Return the folder of the real tables, or None where there is none."""
    found = BESIDE if folder is None else Path(folder)
    return found if (found / LIST).is_file() else None


def why_absent(folder=None):
    """Say that the real tables are not there, and where they are looked for."""
    where = "../shared/data, next to the project" if folder is None else str(folder)
    return f"The real tables are not there: {where} has no {LIST}."


def described(folder):
    """Return what `datasets.json` says about each of the real tables."""
    return json.loads((folder / LIST).read_text("utf-8"))


def read(folder, name, part=0):
    """Return one of the real tables; `part` is the number of its file."""
    import pandas as pd

    about = next(each for each in described(folder) if each["name"] == name)
    frame = pd.read_csv(folder / about["files"][part])
    group = about["group"]
    task = about["task"].split()[0]
    apart = [about["target"], *about["ignore"], *([group] if group else [])]
    return RealTable(
        name=name,
        task=task if task in ("regression", "ranking") else "classification",
        columns=frame.drop(columns=apart),
        labels=frame[about["target"]].to_numpy(),
        types={name: "category" for name in about["categorical"] if name not in about["ignore"]},
        groups=frame[group].to_numpy() if group else None,
    )


def parser(says):
    """Return a parser of arguments with the option `--data`."""
    made = ArgumentParser(description=says)
    made.add_argument("--data", metavar="DIR", help="the folder of the real tables")
    return made
