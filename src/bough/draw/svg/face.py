"""What the box of a node says, in words that are not yet fitted to it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bough.draw.folding import Drawn
from bough.draw.palette import color_of, colored_classes
from bough.draw.svg.element import isolated
from bough.draw.verdict import Verdict, verdict_of
from bough.tree import Node, Tree
from bough.words import guess_word, number, plain

MOST_IN_FULL = 12  # classes whose counts a tooltip lists


class Count(NamedTuple):
    """How many labels of a class there are, in words; or another short fact."""

    words: str
    color: str | None = None
    place: int = 0  # in the order of classes


@dataclass(frozen=True)
class Face:
    """The words of a box."""

    head: str  # may be shortened
    end: str  # follows the head and is never shortened
    rows: str
    counts: tuple[Count, ...] = ()  # the greatest first
    more: str = ""  # of what is not drawn
    in_full: str = ""


class Faces:
    """Finds the words of the boxes of one tree."""

    def __init__(self, tree: Tree, *, digits: int, ids: bool) -> None:
        self.tree, self.digits, self.ids = tree, digits, ids
        self.colored = colored_classes(tree)

    def face(self, drawn: Drawn) -> Face:
        """Return what the box of a node says, or what stands for answers that are not drawn."""
        node = drawn.node
        if node is None:
            return Face(f"… {drawn.n_more:,} more answers", "", f"n {drawn.n_rows:,}")
        verdict = verdict_of(self.tree, node.id, self.digits)
        head, end = self._first_words(drawn, node, verdict)
        number_of_node = f"#{node.id} · " if self.ids else ""
        return Face(
            head=head,
            end=end,
            rows=f"{number_of_node}n {node.n_rows:,}",
            counts=tuple(self._counts(drawn, node, verdict)),
            more=f"… {drawn.n_more:,} more" if drawn.n_more else "",
            in_full="\n".join(self._in_full(drawn, node, verdict)),
        )

    def _first_words(self, drawn: Drawn, node: Node, verdict: Verdict) -> tuple[str, str]:
        if node.query is not None and not drawn.is_end:
            return plain(node.query.feature.name), " ?"
        if isinstance(verdict.guess, tuple):  # several labels
            return plain(verdict.guess_word), ""
        if verdict.share is None:  # a number that has lost its last digits would be another one
            return "", _number_words(verdict)
        return plain(verdict.guess_word), f" · {verdict.certainty}"

    def _counts(self, drawn: Drawn, node: Node, verdict: Verdict) -> Iterator[Count]:
        if not self.colored:
            if not drawn.is_end:  # others have said so in their first words
                yield Count(_number_words(verdict))
            if verdict.relevance is not None:
                yield Count(verdict.certainty)
            return
        tally = node.tally[0]
        names = self.tree.schema.labels[0].classes
        for place in np.argsort(-tally, kind="stable").tolist():
            if tally[place] > 0:
                words = _counted(float(tally[place]), plain(guess_word(names[place])), self.digits)
                yield Count(words, color_of(place, self.colored), place)

    def _in_full(self, drawn: Drawn, node: Node, verdict: Verdict) -> Iterator[str]:
        if drawn.parent is not None and drawn.parent.query is not None:
            yield plain(f"{drawn.parent.query.feature.name} {drawn.answer}")
        if node.query is not None:
            yield f"asks: {plain(node.query.feature.name)}"
        yield verdict.in_full
        counts = list(self._counts(drawn, node, verdict))
        if len(counts) > 2:  # others are seen in the box
            yield from (count.words for count in counts[:MOST_IN_FULL])
            if len(counts) > MOST_IN_FULL:
                yield f"and {len(counts) - MOST_IN_FULL} more classes"


def _number_words(verdict: Verdict) -> str:
    """Return a guess with its spread; a score alone, below which its relevance stands."""
    return f"score {verdict.guess_word}" if verdict.is_score else str(verdict)


def _counted(weight: float, name: str, digits: int) -> str:
    """Return how often a class occurs: '46 died', or '1: 46' where that could be misread."""
    count = f"{int(weight):,}" if weight.is_integer() else number(weight, digits)
    name, begins = isolated(name), name[:1]
    return f"{count} {name}" if begins.isalpha() else f"{name}: {count}"
