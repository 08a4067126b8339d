"""`CHECKS`: the one list of checks, B101 … B305, and what is known of each before it is made."""

from dataclasses import dataclass

from bough.evidence import Note

NOT_EXACT = "numbers with more than 255 values were split between 255 intervals only"


@dataclass(frozen=True)
class Check:
    """What is known of a check before it is made."""

    what: str
    is_information: bool = False
    """Whether it says what bough made of the table, and asks for nothing. Others are warnings."""
    names_rows: bool = False
    """Whether it says in which lines or rows. A model file, the same for any order, leaves it out."""
    of_many: str = ""
    """What several notes of this kind have in common; without it, they stay as they are."""


CHECKS = {
    "B101": Check("leak"),
    "B102": Check(
        "constant",
        is_information=True,
        of_many="{n} columns left out, as each has only one value: {columns}",
    ),
    "B103": Check(
        "identifier",
        is_information=True,
        of_many="{n} columns left out, as they look like identifiers: {columns}",
    ),
    "B104": Check(
        "many values",
        of_many="{n} columns have many values for their rows: {columns}. Consider grouping them",
    ),
    "B105": Check("stray cells", names_rows=True),
    "B106": Check(
        "code kept as text",
        is_information=True,
        names_rows=True,
        of_many="{n} columns have leading zeros or very long numbers and are treated as codes: {columns}",
    ),
    "B107": Check(
        "date expanded",
        is_information=True,
        of_many="{n} columns are dates, whose weekday and month are features, too: {columns}",
    ),
    "B108": Check("equal rows across splits"),
    "B109": Check("label missing", names_rows=True),
    "B110": Check("task inferred", is_information=True),
    "B111": Check("how the file was read", is_information=True, names_rows=True),
    "B112": Check("too good"),
    "B113": Check("values that differ in case or blanks"),
    "B201": Check("too few test rows"),
    "B202": Check("looks ordered in time"),
    "B203": Check("repeated entities"),
    "B204": Check("imbalance"),
    "B205": Check("no better than the baseline"),
    "B206": Check("test rows used again"),
    "B207": Check("rows already used"),
    "B208": Check("different shares at the leaves"),
    "B301": Check("first question unstable"),
    "B302": Check("tiny leaf"),
    "B303": Check("unseen value"),
    "B304": Check("outside the training range"),
    "B305": Check("split points not exact", is_information=True),
}


def is_information(note: Note) -> bool:
    """Return whether a note says what bough made of the table, and asks for nothing."""
    known = CHECKS.get(note.code)  # a model file may hold notes of checks that came later
    return note.informs or (known is not None and known.is_information)
