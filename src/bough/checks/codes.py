"""The list of checks: their codes, which never change, and what each looks for."""

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
    "B110": "task inferred",
    "B111": "how the file was read",
    "B112": "too good",
    "B113": "values that differ in case or blanks",
    "B201": "too few test rows",
    "B202": "looks ordered in time",
    "B203": "repeated entities",
    "B204": "imbalance",
    "B205": "no better than the baseline",
    "B206": "test rows used again",
    "B207": "rows already used",
    "B208": "different shares at the leaves",
    "B301": "first question unstable",
    "B302": "tiny leaf",
    "B303": "unseen value",
    "B304": "outside the training range",
}

INFORMATION = {"B102", "B103", "B106", "B107", "B110", "B111"}
"""Checks that say what bough made of the table, and ask for nothing. The others are warnings."""

NAME_ROWS = {"B105", "B106", "B109", "B111"}
"""Checks that say in which lines or rows. A model file, the same for any order, leaves them out."""
