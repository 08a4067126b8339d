"""What went wrong, in words and as an exit status."""

import re
from dataclasses import asdict, dataclass
from typing import Any

from cyclopts import CycloptsError

from bough.cli import INTERRUPTED
from bough.cli.options import with_options
from bough.cli.usage import usage_words
from bough.errors import BoughError

DONE = 0
GATE_FAILED = 1  # what `--at-least` asked for was not reached
REFUSED = 2  # wrong usage, data, model or file
BUG = 70

# The end of a sentence; a name or value in quotes may hold what looks like one.
_SENTENCE = re.compile(r"(?:(?<!\w)'[^']*'|[^.?!]|[.?!](?! [A-Z]))+[.?!]?")


class UsageError(BoughError):
    """What was typed cannot be done."""


@dataclass(frozen=True)
class Failure:
    """An error as the terminal and a JSON document give it."""

    code: str
    """The name of the Python exception, or 'Bug' or 'Interrupted'."""
    message: str
    hint: str
    """What to type."""
    status: int = REFUSED

    @property
    def lines(self) -> list[str]:
        """The message by sentences, and the hint."""
        sentences = [each.strip() for each in _SENTENCE.findall(self.message or self.code)]
        return [*sentences, *([f"try:  {self.hint}"] if self.hint else [])]

    def as_dict(self) -> dict[str, Any]:
        """Return what a JSON document says."""
        return {key: value for key, value in asdict(self).items() if key != "status"}


def failure_of(error: BaseException) -> Failure:
    """Return what to tell the user about an exception; its notes say what to type."""
    hint = " ".join(getattr(error, "__notes__", ()))
    match error:
        case CycloptsError():
            return Failure("UsageError", *usage_words(error))
        case BoughError():
            return Failure(type(error).__name__, with_options(str(error)), hint)
        case OSError():
            return Failure("OSError", _file_words(error), hint)
        case MemoryError():
            return Failure(
                "MemoryError", "The memory of this computer is too small for this.", hint
            )
        case KeyboardInterrupt() | EOFError():
            return Failure("Interrupted", "interrupted", "", INTERRUPTED)
    return _bug(error)


def _file_words(error: OSError) -> str:
    if error.filename is None:
        return str(error)
    return f"cannot read or write {str(error.filename)!r}: {error.strerror}."


def _bug(error: BaseException) -> Failure:
    import tempfile
    import traceback

    what = f"{type(error).__name__}: {error}".removesuffix(".")
    with tempfile.NamedTemporaryFile(
        "w", prefix="bough-", suffix=".txt", delete=False, encoding="utf-8", errors="replace"
    ) as file:
        file.write("".join(traceback.format_exception(error)))
    message = (
        f"This is a bug in bough, not your mistake ({what}). The traceback is in {file.name!r}. "
        "Please report it: open an issue with that file and the line that you typed."
    )
    return Failure("Bug", message, "", BUG)
