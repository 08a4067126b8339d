"""The list of checks: their codes, which never change, and what each looks for."""

from collections.abc import Iterable

from bough.errors import ParameterError, listed

CHECKS = {
    "B101": "leak",
    "B102": "constant",
    "B103": "identifier",
    "B104": "many values",
    "B105": "stray cells",
    "B106": "code kept as text",
    "B107": "date expanded",
    "B108": "equal rows across splits",
    "B109": "label missing",
    "B110": "task guessed",
    "B111": "how the file was read",
    "B201": "too few test rows",
    "B202": "looks ordered in time",
    "B203": "repeated entities",
    "B204": "imbalance",
    "B205": "no better than the baseline",
    "B206": "sealed rows opened again",
    "B207": "rows already used",
    "B208": "other shares at the leaves",
    "B301": "first question unstable",
    "B302": "tiny leaf",
    "B303": "unseen value",
    "B304": "outside the training range",
}


def ignored_codes(ignore: str | Iterable[str]) -> frozenset[str]:
    """Return the codes of the checks that are not to be made.

    Examples
    --------
    >>> sorted(ignored_codes(("B103", "B104")))
    ['B103', 'B104']
    """
    codes = frozenset([ignore] if isinstance(ignore, str) else ignore)
    if unknown := sorted(codes - CHECKS.keys(), key=str):
        raise ParameterError(
            f"ignore names {listed(unknown)}, but no check has this code. "
            f"Known codes: {', '.join(CHECKS)}."
        )
    return codes
