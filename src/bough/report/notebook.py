"""What a notebook shows of a result: a card, and the page in a frame of its own."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from bough.drawing import draw
from bough.drawing.layout import drawn_nodes
from bough.report.first_screen import claim
from bough.report.subject import Subject
from bough.words import leaf_count

MOST_NODES = 31  # of a picture that is as wide as a notebook


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


def card(title: str, lines: Sequence[str], notes: Sequence[str], subject: Subject) -> str:
    """Return a result as HTML: what to take away, the picture of a tree, the notes.

    The tree is the one that a page shows first, and no more of it than can be read. Pictures lie in
    it as files, so that no style gets out of them, and the light or the dark one is shown as the
    reader's screen is.
    """
    first, *others = [escape(line) for line in lines]
    tree = subject.shown.tree
    dark, light = (
        _file(draw(tree, "svg", theme=theme, max_nodes=MOST_NODES)) for theme in ("dark", "light")
    )
    words = escape(f"The tree: {draw(tree, 'text', max_depth=1).splitlines()[0].strip()}")
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return (
        f'<div><p style="font-size: 1.25em"><b>{escape(claim(subject))}</b></p>'
        f"<p>{escape(title)}<br><b>{first}</b><br>{'<br>'.join(others)}</p>"
        f"<p>{escape(_caption(subject))}</p>"
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">'
        f'<img src="{light}" alt="{words}" style="max-width: 100%; height: auto"></picture>'
        f"{f'<ul>{listed}</ul>' if notes else ''}</div>"
    )


def _caption(subject: Subject) -> str:
    shown = subject.shown.tree
    words = f"A tree of {leaf_count(shown.n_leaves)}"
    if shown is not subject.tree:
        words = f"{words}, simpler than the model’s ({leaf_count(subject.tree.n_leaves)})"
    n_drawn = sum(each.node is not None for each in drawn_nodes(shown, None, MOST_NODES))
    return words if n_drawn == len(shown) else f"{words}; {n_drawn} of {len(shown):,} nodes drawn"


def _file(picture: str) -> str:
    return f"data:image/svg+xml;base64,{b64encode(picture.encode()).decode()}"
