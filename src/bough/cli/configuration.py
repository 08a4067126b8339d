"""Options that a project keeps in `bough.toml` or `pyproject.toml`."""

from pathlib import Path
from typing import Any

from cyclopts import App, ArgumentCollection

from bough.errors import ParameterError

# Where the options stand in each file; of two in one folder the first counts.
_FILES: dict[str, tuple[str, ...]] = {"bough.toml": (), "pyproject.toml": ("tool", "bough")}


def configure(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Take options that were not typed from the nearest file that has any.

    `[fit]` in `bough.toml`, or `[tool.bough.fit]` in `pyproject.toml`, is for one subcommand; what
    stands above such tables is for all.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        for name, keys in _FILES.items():
            options = _options(folder / name, keys)
            if options is not None:
                from cyclopts.config import Dict

                for for_one in (True, False):
                    source = Dict(options, use_commands_as_keys=for_one, source=str(folder / name))
                    source(app, commands, arguments)
                return


def _options(path: Path, keys: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the options of a file, or None if it is not there or not about bough."""
    if not path.is_file():
        return None
    import tomllib

    try:
        found: Any = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ParameterError(f"cannot read the options in {str(path)!r}: {error}.") from error
    for key in keys:
        found = found.get(key, {})
        if not isinstance(found, dict):
            raise ParameterError(f"{key!r} in {str(path)!r} must be a table of options.")
    return found or None
