"""The lessons about rows kept aside on real tables: signs and order."""

import sys
from pathlib import Path

import pytest

from bough.teach import lesson

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
import real_tables
from lessons import SIGNS, TABLES

FOLDER = real_tables.find_folder()
pytestmark = pytest.mark.skipif(FOLDER is None, reason=real_tables.why_absent())


@pytest.mark.parametrize("table", TABLES)
def test_signs_are_as_they_must_be(table):
    real = real_tables.read(FOLDER, table)
    frame = real.columns.assign(the_label=real.labels)
    for name in ("peek", "prune") if table == "adult" else SIGNS:  # all of them: make lessons
        found = lesson(name, frame, "the_label").data
        assert [what for what, _, holds in SIGNS[name](found) if not holds] == []
        if name == "peek":
            assert found["seeds"] == 50
        if name == "prune" and table != "car":  # whose labels follow rules, without noise
            full, *pruned = found["wrong"].values()
            assert full > max(pruned) + 0.02
