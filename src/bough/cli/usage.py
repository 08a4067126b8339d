"""The words for a command line that cannot be understood."""

from typing import Literal, get_args, get_origin

from cyclopts import (
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    Token,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from bough.cli.app import COMMANDS
from bough.errors import did_you_mean, listed

_KINDS = {int: "a whole number", float: "a number"}


def usage_words(error: CycloptsError) -> tuple[str, str]:
    """Return what is wrong with a command line, and what to type."""
    name = (error.command_chain or ("",))[0]
    command = f"bough {name}".strip()
    hint = f"{command} --help"
    match error:
        case UnknownCommandError(unused_tokens=[word, *_]):
            return _unknown_command(word), hint
        case UnknownOptionError(token=token):
            return _unknown_option(error, token, command), hint
        case MissingArgumentError():
            return _missing(error, command), COMMANDS[name].example if name in COMMANDS else hint
        case CoercionError(token=Token() as token):
            return _wrong_value(error, token), hint
        case UnusedCliTokensError(unused_tokens=[word, *_]):
            return f"{command!r} has no use for {word!r}.", hint
    return str(error), hint


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
    return f"{command!r} has no option {name!r}, which stands in {token.source!r}.{nearest}"


def _missing(error: MissingArgumentError, command: str) -> str:
    if error.keyword is not None:  # it was typed, as the last word
        return f"{error.keyword} needs a value."
    return f"{command!r} needs {error.argument.name if error.argument else 'more'}."


def _wrong_value(error: CoercionError, token: Token) -> str:
    name = token.keyword or (error.argument.name if error.argument else "a value")
    found = f"{name.strip('[]')} {token.value!r}"
    if not _is_typed(token):
        found += f" in {token.source!r}"
    if get_origin(error.target_type) is Literal:
        known = [str(each) for each in get_args(error.target_type)]
        return f"{found} is not known.{did_you_mean(token.value, known)} Known: {listed(known)}."
    kind = _KINDS.get(error.target_type or object, "of another kind")
    return f"{found} must be {kind}."


def _is_typed(token: Token) -> bool:
    return token.source in ("", "cli")
