"""Chooses among candidates."""

from collections.abc import Sequence

from bough.errors import ParameterError, did_you_mean, listed
from bough.evidence import Candidate

WAYS = ("best", "simple")
SLACK = 1e-9  # of the loss: candidates that differ by no more are equally good


def check_way(choose: str) -> None:
    """Refuse a way to choose that is not known."""
    if choose not in WAYS:
        raise ParameterError(
            f"choose={choose!r} is not known.{did_you_mean(str(choose), WAYS)} Known: {listed(WAYS)}."
        )


def chosen(candidates: Sequence[Candidate], choose: str) -> Candidate:
    """Return the candidate of least loss, or the simplest one that is hardly worse.

    Of equally good ones it is that with fewest leaves, and of these the first. "simple" takes
    the one with fewest leaves within a standard error of the least loss, as CART does.
    """
    best = min(candidate.dev for candidate in candidates)
    good = [each for each in candidates if each.dev <= best + SLACK * abs(best)]
    first = min(good, key=lambda each: each.n_leaves)
    if choose == "best":
        return first
    within = [each for each in candidates if each.dev <= first.dev + first.dev_error]
    smallest = min(each.n_leaves for each in within)
    return min((each for each in within if each.n_leaves == smallest), key=lambda each: each.dev)


def thinned(candidates: Sequence[Candidate], chosen: Candidate, most: int = 40) -> list[Candidate]:
    """Return every depth, and of the pruned trees of each setting at most so many, well spread.

    The sizes that stay are about evenly spread on a scale of powers, and the chosen one stays.
    """
    pruned: dict[tuple[str, str, str], list[Candidate]] = {}
    for each in candidates:
        pruned.setdefault((each.criterion, each.categorical, each.pruned_by), []).append(each)
    kept = [chosen]
    for (_, _, pruned_by), group in pruned.items():
        kept += _spread(group, most) if pruned_by else group
    keep = set(map(id, kept))
    return [each for each in candidates if id(each) in keep]


def _spread(pruned: Sequence[Candidate], most: int) -> list[Candidate]:
    if len(pruned) <= most:
        return list(pruned)
    kept, last = [], 0.0
    largest = max(each.n_leaves for each in pruned)
    step = largest ** (1 / most)
    for each in sorted(pruned, key=lambda each: each.n_leaves):
        if each.n_leaves >= last * step or each.n_leaves == largest:
            kept.append(each)
            last = each.n_leaves
    return kept
