"""The register of checks: which are made when. Each is a function that names what it reads."""

from collections.abc import Callable, Collection
from inspect import signature
from typing import Any

from bough.checks.copies_and_imbalance import equal_rows, imbalance
from bough.checks.dependent_rows import drift, repeated_entities
from bough.checks.estimate import few_test_rows, no_better, no_better_probabilities
from bough.checks.new_rows import other_shares, outside_ranges, unseen_values
from bough.checks.too_good import leaks_and_too_good
from bough.checks.tree import first_question, not_exact, tiny_leaves
from bough.evidence import Note

Checks = tuple[Callable[..., list[Note]], ...]

OF_TRAINING_ROWS: Checks = (leaks_and_too_good, imbalance, drift, repeated_entities)
OF_TREE: Checks = (tiny_leaves, first_question, not_exact)
OF_ESTIMATE: Checks = (equal_rows, few_test_rows, no_better, no_better_probabilities)
OF_NEW_ROWS: Checks = (other_shares, unseen_values, outside_ranges)


def made(checks: Checks, ignored: Collection[str] = (), /, **known: Any) -> list[Note]:  # noqa: ANN401
    """Return the notes of some checks, but for codes that are ignored.

    Parameters
    ----------
    known
        What these checks may read: each is given what it has parameters for.
    """
    found = (
        note
        for check in checks
        for note in check(**{name: known[name] for name in signature(check).parameters})
    )
    return [note for note in found if note.code not in ignored]
