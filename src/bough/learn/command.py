"""What to type on the command line for what `bough.fit` was asked."""

import shlex
from dataclasses import MISSING, fields
from pathlib import Path

from bough.argument_names import as_option
from bough.learn.request import Request

NOT_SAID = {
    "table",
    "target",
    "progress",
    "n_jobs",
    "max_memory",
    "reading",
}  # said elsewhere, or of no effect


def options_of(request: Request) -> str:
    """Return the options to type for every argument that is not as usual.

    Parameters
    ----------
    request
        What was asked, before anything was filled in.
    """
    words = [] if request.target is None else [f"-t {shlex.quote(request.target)}"]
    for each in fields(Request):
        value = getattr(request, each.name)
        if each.name in ("dev", "test"):
            value = _path(value)
        elif hasattr(value, "tolist"):  # an array of columns
            value = value.tolist()
        default = each.default if each.default is not MISSING else None
        if each.name in NOT_SAID or value is None or value == default:
            continue
        words.append(as_option({each.name: value}))
    words += [as_option({option: each}) for option, each in dict(request.reading).items()]
    return " ".join(filter(None, words))


def _path(table: object) -> str | None:
    """Return the name of a file; another table has none."""
    return None if table is None else Path(table).name if isinstance(table, str | Path) else "…"
