"""`-`, which stands for what is piped in or out, though it looks like an option."""

from collections.abc import Sequence
from typing import Annotated

from cyclopts import Parameter, Token

PIPE = "-"
_AS_FILE = "./-"  # how it is hidden from the parser


def words_and_options(typed: Sequence[str]) -> list[str]:
    """Return what was typed, so that the parser takes no lone '-' for an option."""
    return [_AS_FILE if word == PIPE else word for word in typed]


def _file(_: type, tokens: Sequence[Token]) -> str:
    value = tokens[0].value
    return PIPE if value == _AS_FILE else value


File = Annotated[str, Parameter(converter=_file)]
"""The name of a file, or '-'."""
