"""The colours of a picture beside those of classes."""

from dataclasses import dataclass

from bough.errors import ParameterError, did_you_mean, listed

FONTS = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', "
    "'DejaVu Sans', Arial, sans-serif"
)


@dataclass(frozen=True)
class Theme:
    """A colour for everything that a picture is made of; words are well legible on the others."""

    ground: str
    card: str
    border: str
    ink: str  # of what is read first
    muted: str  # of other words
    edge: str
    number: str  # of what shows numbers


THEMES = {
    "light": Theme(
        ground="#ffffff",
        card="#f6f8fa",
        border="#c8ced8",
        ink="#1a1d23",
        muted="#57606a",
        edge="#ccd2db",
        number="#0072b2",
    ),
    "dark": Theme(
        ground="#14181b",
        card="#1e232a",
        border="#48505c",
        ink="#e9ebee",
        muted="#a3acb8",
        edge="#3a424d",
        number="#56b4e9",
    ),
}


def theme_of(name: str) -> Theme:
    """Return the theme that a user has named."""
    if name not in THEMES:
        hint = did_you_mean(str(name), THEMES)
        raise ParameterError(f"theme={name!r} is not known.{hint} Known: {listed(THEMES)}.")
    return THEMES[name]
