"""`Frame`: a page within a notebook, from which nothing gets out."""

from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Frame:
    """A page that a notebook shows in a frame of its own.

    The frame is sandboxed: its scripts run, but see nothing of the notebook, and neither do its
    styles change what is around it.
    """

    html: str
    height: int = 800

    def __repr__(self) -> str:
        return f"<Frame: a page of {len(self.html.encode()):,} bytes, which a notebook shows>"

    def _repr_html_(self) -> str:
        return (
            f'<iframe sandbox="allow-scripts" srcdoc="{escape(self.html)}" width="100%" '
            f'height="{self.height}" frameborder="0" title="Report"></iframe>'
        )
