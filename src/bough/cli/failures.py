"""What a command says when it cannot do what was typed, what to type instead, and the exit status."""

import os.path
import re
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args, get_origin

from cyclopts import (
    Argument,
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    Token,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
    ValidationError,
)

from bough.cli import COMMANDS, INTERRUPTED, shown
from bough.errors import BoughError, ExportError, did_you_mean, listed
from bough.words import plain

EXAMPLES = {"--cost": "ill well 20"}  # of options that have several values and are not usual
_KINDS = {int: "a whole number", float: "a number"}
DONE = 0
GATE_FAILED = 1  # what `--at-least` or `--check` asked for was not so
REFUSED = 2  # wrong usage, data, model or file
BUG = 70
# The end of a sentence; a name or value in quotes may hold what looks like one.
_SENTENCE = re.compile(r"(?:(?<!\w)'[^']*'|[^.?!]|[.?!](?! [A-Z]))+[.?!]?")


def with_options(error: BoughError) -> str:
    """Return a message that names options and not arguments."""
    return "".join(each if isinstance(each, str) else plain(each.as_option) for each in error.args)


def usage_words(error: CycloptsError) -> tuple[str, str]:
    """Return what is wrong with a command line, and what to type."""
    name = (error.command_chain or ("",))[0]
    command = f"bough {name}".strip()
    hint = f"{command} --help"
    match error:
        case UnknownCommandError(unused_tokens=[word, *_]):
            words = _unknown_command(shown(word))
        case UnknownOptionError(token=token):
            words = _unknown_option(error, token, command)
        case MissingArgumentError(keyword=str() as option):  # what follows it is missing
            words = _without_value(error, option)
        case MissingArgumentError():
            words = f"{command!r} needs {error.argument.name if error.argument else 'more'}."
            hint = COMMANDS[name].example if name in COMMANDS else hint
        case CoercionError(token=Token() as token):
            words = _wrong_value(error, token)
        case ValidationError(argument=Argument(tokens=[token, *_])):
            words = f"{_given(error, token)} {error.exception_message}."
        case UnusedCliTokensError(unused_tokens=[word, *_]):
            words = f"{command!r} does not take {shown(word)!r}.{_if_a_file(name, word)}"
        case _:
            words = str(error)
    return words, hint


def _if_a_file(name: str, word: str) -> str:
    """Return what to say of one more file: a shell puts many in the place of a pattern."""
    if name != "fit" or not os.path.isfile(word):  # noqa: PTH113 - of any word
        return ""
    return " It reads one file. For --engine, quote a pattern of many: 'data/*.parquet'."


def _unknown_command(word: str) -> str:
    if word.startswith("-"):
        return (
            f"'bough' has no option {word}. Options come after the command, as in 'bough show -h'."
        )
    return (
        f"There is no command {word!r}.{did_you_mean(word, COMMANDS)} Known: {', '.join(COMMANDS)}."
    )


def _unknown_option(error: UnknownOptionError, token: Token, command: str) -> str:
    known = [each for argument in error.argument_collection for each in argument.names]
    if _is_typed(token):
        nearest = did_you_mean(token.keyword or token.value, known).replace("'", "")
        return f"{command!r} has no option {token.keyword or token.value}.{nearest}"
    name = (token.keyword or token.value).strip("[]")
    nearest = did_you_mean(name, [each.lstrip("-") for each in known])
    return f"{command!r} has no option {name!r} (named in {token.source!r}).{nearest}"


def _without_value(error: MissingArgumentError, option: str) -> str:
    n_values = error.argument.token_count()[0] if error.argument else 1
    if error.argument is None or n_values == 1:
        return f"{option} needs a value."
    example = " ".join(map(str, error.argument.field_info.default)) or EXAMPLES[option]
    return f"{option} needs {n_values} values, as in {option} {example}."


def _wrong_value(error: CoercionError, token: Token) -> str:
    found = _given(error, token)
    if get_origin(error.target_type) is Literal:
        known = [str(each) for each in get_args(error.target_type)]
        names = listed(known, most=len(known))
        return f"{found} is not known.{did_you_mean(token.value, known)} Known: {names}."
    kind = _KINDS.get(error.target_type or object, "of a different type")
    return f"{found} must be {kind}."


def _given(error: CycloptsError, token: Token) -> str:
    """Return an option with its value, and where it stands."""
    name = token.keyword or (error.argument.name if error.argument else "a value")
    found = f"{name.strip('[]')} {token.value!r}"
    return found if _is_typed(token) else f"{found} in {token.source!r}"


def _is_typed(token: Token) -> bool:
    return token.source in ("", "cli")


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
            status = GATE_FAILED if isinstance(error, ExportError) else REFUSED
            return Failure(type(error).__name__, with_options(error), hint, status)
        case OSError():
            return Failure("OSError", _file_words(error), hint)
        case MemoryError():
            return Failure("MemoryError", "There is not enough memory for this.", hint)
        case KeyboardInterrupt() | EOFError():
            is_end = isinstance(error, EOFError)
            words = "There are no more answers: the input has ended." if is_end else "interrupted"
            return Failure("Interrupted", words, "", INTERRUPTED)
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
        "Please report it: open an issue with that file and the command that you typed."
    )
    return Failure("Bug", message, "", BUG)
