"""Messages of the library name arguments; on the command line these are options."""

import ast
import re

# Arguments of `bough.fit`, of what reads files, and of `bough.export`.
ARGUMENTS = (
    *("target", "task", "types", "ignore", "group", "time", "weight", "dev", "test", "split"),
    *("criterion", "categorical", "loss", "quantile", "choose", "refit", "seed", "n_jobs"),
    *("costs", "probability", "missing", "monotonic_cst", "first", "forbid", "prune"),
    *("missing_marks", "delimiter", "quote", "encoding", "header", "short_rows", "format"),
)
HAVE = (
    "ignore",
    "monotonic_cst",
    "first",
    "forbid",
    "costs",
)  # what messages say that these have or name
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_IN_BRACKETS = "|".join(rf"\{a}(?:{_QUOTED}|[^{a}\{b}'\"])*\{b}" for a, b in ("{}", "()", "[]"))
_VALUE = rf"{_QUOTED}|{_IN_BRACKETS}|-?\d+(?:\.\d+)?|\w+|…"
_HAS = "|".join(
    [
        *(rf"(?<=\A{name})(?= (?:has|names) )" for name in HAVE),
        *(rf"(?<= so has {name})\b" for name in HAVE),
        r"(?<=\bmonotonic_cst)\b",  # no word of a sentence
    ]
)
_ARGUMENT = re.compile(
    # What stands in quotes comes from the data, what follows an option has been put right.
    rf"(?<!\w)(?:{_QUOTED})|--[\w-]+ \S+="
    rf"|(?<!\w)(?P<name>{'|'.join(ARGUMENTS)})(?:=(?P<value>{_VALUE})?|{_HAS})"
    r"(?: \((?P<typed>--[^()]+)\))?"  # some messages name both
)


def with_options(message: str) -> str:
    """Return a message that names options and not arguments.

    Examples
    --------
    >>> with_options("time='day' has words. Say how to read it: types={'day': 'date'}.")
    "--time 'day' has words. Say how to read it: --type day=date."
    """
    return _ARGUMENT.sub(_as_option, message)


def _as_option(found: re.Match[str]) -> str:
    from bough.checks.words import as_option, option  # which only a mistake needs

    name, value = found["name"], found["value"]
    if name is None or found["typed"]:
        return found["typed"] or found[0]
    try:
        meant = ast.literal_eval(value or "")
    except (SyntaxError, ValueError):
        meant = value or ""
    if isinstance(meant, dict | tuple | list | bool):
        return as_option({name: meant})
    return f"{option(name)} {value or ''}".rstrip()
