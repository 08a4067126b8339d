"""How the tree of a result came about, in words: how it was grown, made smaller, and chosen among what."""

from bough.evidence import Candidate, Evidence
from bough.schema import Kind
from bough.tree import Tree

AS_A_WHOLE = ("pessimistic", "reduced_error")  # prunings of which none leaves a growth as it is


def grown(evidence: Evidence, tree: Tree) -> str:
    """Return how the chosen tree was grown, as in 'entropy tree (one branch per category)'."""
    chosen = evidence.chosen
    words = f"{chosen.criterion.replace('_', '-')} tree"
    if not any(feature.kind is Kind.CHOICE for feature in tree.schema.features):
        return words
    branches = "one branch per category" if chosen.categorical == "each" else "grouped categories"
    return f"{words} ({branches})"


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
    return " and ".join(found)
