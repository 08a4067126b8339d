"""How the tree of a result came about, in words: how it was grown, made smaller, and chosen among what."""

from bough.errors import listed
from bough.evidence import Candidate, Evidence
from bough.schema import Kind
from bough.tree import Tree
from bough.words import plain

AS_A_WHOLE = ("pessimistic", "reduced_error")  # prunings that each give one tree, and no series


def grown(evidence: Evidence, tree: Tree) -> str:
    """Return how the chosen tree was grown, as in 'entropy tree (one branch per category)'."""
    chosen, how = evidence.chosen, []
    if any(feature.kind is Kind.CHOICE for feature in tree.schema.features):
        is_each = chosen.categorical == "each"
        how.append("one branch per category" if is_each else "grouped categories")
    if chosen.smallest_leaf > 1:
        how.append(f"at least {leaf_words(evidence, chosen)} per leaf")
    if chosen.without:
        how.append(f"without {plain(listed(chosen.without))}")
    words = f"{chosen.criterion.replace('_', '-')} tree"
    return f"{words} ({', '.join(how)})" if how else words


def leaf_words(evidence: Evidence, candidate: Candidate) -> str:
    """Return how many rows a leaf must have at least, as in '5 rows'."""
    rows = "row" if candidate.smallest_leaf == 1 else "rows"
    weight = "" if evidence.weight is None else " of mean weight"
    return f"{candidate.smallest_leaf:,} {rows}{weight}"


def made_smaller(evidence: Evidence) -> str:
    """Return how the chosen tree came to its size."""
    found = cut_words(evidence.chosen)
    return (
        f"{found}, leaves with the same prediction merged" if "merge" in evidence.prune else found
    )


def cut_words(candidate: Candidate) -> str:
    """Return how a tree of the curve came to its size."""
    return {
        "": f"cut at depth {candidate.depth}",
        "impurity": "cost-complexity pruned",
        "pessimistic": f"pessimistically pruned (confidence {candidate.price:g})",
        "reduced_error": "pruned on the development rows",
    }.get(candidate.pruned_by, f"cost-complexity pruned by {candidate.pruned_by}")


def tried(evidence: Evidence) -> str:
    """Return what the chosen tree was chosen among."""
    cut_at = [each.depth for each in evidence.curve if each.depth is not None]
    found = [f"all depths 0–{max(cut_at)}"] if cut_at else []
    prunings = {each.pruned_by for each in evidence.curve} - {""}
    if prunings:
        found.append("pruned trees" if prunings.issubset(AS_A_WHOLE) else "pruned sizes")
    return " and ".join(found) + _varied(evidence)


def _varied(evidence: Evidence) -> str:
    """Return which smallest leaves were tried, and whether with and without some columns."""
    leaves = sorted({each.smallest_leaf for each in evidence.curve})
    words = f", with smallest leaves of {_either(leaves)} rows" if len(leaves) > 1 else ""
    without = sorted({name for each in evidence.curve for name in each.without})
    return f"{words}, with and without {plain(listed(without))}" if without else words


def _either(numbers: list[int]) -> str:
    """Return numbers as words list alternatives, as in '1, 5 or 20'."""
    *first, last = map(str, numbers)
    return f"{', '.join(first)} or {last}"
