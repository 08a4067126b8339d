"""How cells write numbers and dates: as a pattern, as SQL, and in words."""

import re
from datetime import datetime

from bough.reading import DATE_CODES, ISO, ISO_ZONE, Form
from bough.table.file.duckdb_engine import quoted

BLANKS = " \t\u00a0\u2009\u202f"
BLANK = f"[{BLANKS}]*"
SIGN = "[+\\-\u2212]?"
NEGATIVE = "^[^0-9.,]*[(\\-\u2212]"
MARKS = {",": ",", ".": r"\.", " ": "[ \u00a0\u2009\u202f]", "'": "['\u2019]"}
INDIAN = "[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}"  # 12,34,567
EXPONENT = "(?:[eE][+-]?[0-9]+)?"
LOCAL = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
CLOCK = r"[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6}0*)?)?"
ZONE = "(?:Z|[+-][0-9]{2}:?[0-9]{2})"
TIMES = (
    " %H:%M",
    " %H:%M:%S",
    " %H:%M:%S.%f",
    " %I:%M %p",
    " %I:%M%p",
    " %I:%M:%S %p",
    " %I:%M:%S%p",
)  # that may follow a date


def digits_pattern(form: Form) -> str:
    """Return the pattern of a number without its sign and what stands beside it."""
    point = MARKS[form.decimal]
    plain = f"(?:[0-9]+{point}?[0-9]*|{point}[0-9]+){EXPONENT}"
    if not form.thousands:
        return plain
    mark = MARKS[form.thousands]
    grouped = f"[0-9]{{1,3}}(?:{mark}[0-9]{{3}})+"
    groups = f"{grouped}|{INDIAN}" if form.thousands == "," else grouped
    return f"(?:{groups})(?:{point}[0-9]*)?|{plain}"


def pattern(form: Form) -> str:
    """Return the pattern of whole cells, for Python and for DuckDB alike."""
    if form.dates:
        return f"{BLANK}(?:{'|'.join(map(_date_pattern, form.dates))}){BLANK}"
    before = re.escape(form.before) + BLANK if form.before else ""
    units = "|".join(map(re.escape, form.after))
    after = f"{BLANK}(?:{units})" if units else ""
    digits = f"(?:{digits_pattern(form)})"
    ways = (
        f"{SIGN}{BLANK}{before}{SIGN}{digits}{after}",
        rf"\({BLANK}{before}{digits}{after}{BLANK}\)",
        rf"{before}\({digits}\){after}",
    )
    return f"{BLANK}(?:{'|'.join(ways)}){BLANK}"


def _date_pattern(date: str) -> str:
    if date == ISO:
        return f"{LOCAL}(?:{CLOCK})?"
    if date == ISO_ZONE:
        return f"{LOCAL}{CLOCK}{ZONE}"
    found = _of_codes(date)
    if _has_time(date):
        return found
    return f"{found}(?:{'|'.join(',?' + _of_codes(time) for time in TIMES)})?"


def _of_codes(date: str) -> str:
    parts = re.split("(%.)", date)
    return "".join(DATE_CODES.get(part, re.escape(part)) for part in parts)


def _has_time(date: str) -> bool:
    return "%H" in date or "%I" in date


def number_sql(text: str, form: Form, kind: str = "DOUBLE") -> str:
    """Return in SQL the numbers that cells of a form say; NULL where they say none."""
    digits = f"regexp_extract({text}, {quoted(digits_pattern(form))})"
    if form.thousands:
        digits = f"regexp_replace({digits}, {quoted(MARKS[form.thousands])}, '', 'g')"
    if form.decimal == ",":
        digits = f"replace({digits}, ',', '.')"
    sign = f"CASE WHEN regexp_matches({text}, {quoted(NEGATIVE)}) THEN '-' ELSE '' END"
    return f"CASE WHEN {fits(text, form)} THEN TRY_CAST({sign} || {digits} AS {kind}) END"


def moment_sql(text: str, form: Form) -> str:
    """Return in SQL the moments that cells of a form say; NULL where they say none."""
    given = f"trim({text}, {quoted(BLANKS)})"
    found = [_one_moment(given, date) for date in form.dates]
    moment = found[0] if len(found) == 1 else f"coalesce({', '.join(found)})"
    return f"CASE WHEN {fits(text, form)} THEN {moment} END"


def _one_moment(text: str, date: str) -> str:
    if date in (ISO, ISO_ZONE):
        return f"TRY_CAST({text} AS {'TIMESTAMP' if date == ISO else 'TIMESTAMPTZ'})"
    if _has_time(date):
        return f"try_strptime({text}, {quoted(date)})"
    if "," not in date:  # before a time there may be one
        text = f"replace({text}, ',', '')"
    timed = ", ".join(quoted(date + time) for time in TIMES)
    return (
        f"CASE WHEN contains({text}, ':') THEN try_strptime({text}, [{timed}]) "
        f"ELSE try_strptime({text}, {quoted(date)}) END"
    )


def plainly(text: str, form: Form) -> str:
    """Return a cell as a plain number or an ISO date; as it is, if it is not written in a form.

    Examples
    --------
    >>> plainly("$5,000", Form(thousands=",", before="$"))
    '5000'
    >>> plainly("03/04/2024", Form(dates=("%d/%m/%Y",)))
    '2024-04-03 00:00:00'
    """
    if not re.fullmatch(pattern(form), text):
        return text
    if form.dates:
        given = text.strip(BLANKS)
        found = (_moment(given, date + time) for date in form.dates for time in ("", *TIMES))
        return next((str(each) for each in found if each is not None), text)
    match = re.search(digits_pattern(form), text)
    digits = match[0] if match else ""
    if form.thousands:
        digits = re.sub(MARKS[form.thousands], "", digits)
    sign = "-" if re.search(NEGATIVE, text) else ""
    return sign + digits.replace(form.decimal, ".")


def _moment(text: str, date: str) -> datetime | None:
    try:
        return datetime.strptime(text if "," in date else text.replace(",", ""), date)
    except ValueError:
        return None


def fits(text: str, form: Form) -> str:
    """Return in SQL whether a cell is written in a form."""
    return f"regexp_full_match({text}, {quoted(pattern(form))})"


SIGN_WORDS = {",": "commas", ".": "points", " ": "blanks", "'": "apostrophes"}


def words(form: Form, beside: str = "without") -> str:
    """Return how the cells of a form are written, as in 'numbers with a decimal comma'.

    Numbers are read without what stands beside them, but written with it.
    """
    if form.dates:
        return _date_words(form.dates)
    parts = []
    if form.decimal == ",":
        parts.append("with a decimal comma")
    if form.thousands:
        parts.append(f"with {SIGN_WORDS[form.thousands]} between thousands")
    if affixes := [each for each in (form.before, *form.after) if each]:
        parts.append(f"{beside} {' and '.join(map(repr, affixes))}")
    return " ".join(["numbers", " and ".join(parts)]).strip()


def _date_words(dates: tuple[str, ...]) -> str:
    first = dates[0]
    if first in (ISO, ISO_ZONE):
        return "dates such as 2024-12-31"
    order = "".join(code for code in re.findall("%[dmbBYy]", first))
    found = {"%d%m": "with the day first", "%m%d": "with the month first"}.get(order[:4], "")
    years = "years from 1969 to 2068" if "%y" in first else ""
    said = " and ".join(each for each in (found, years) if each)
    shown = " or ".join(dates)
    return f"dates {said} ({shown})" if said else f"dates ({shown})"
