"""Lines from boxes to those of their children, as wide as their rows, and the answers on them."""

from functools import partial

from bough.drawing.colors import Theme
from bough.drawing.shown_nodes import Drawn
from bough.drawing.svg.elements import SMALL, element, short, words
from bough.drawing.svg.text_width import DOTS, fitted, text_width
from bough.shorten import shortened_answer
from bough.words import plain

FAN, WIDEST_FAN = 44.0, 110.0  # pixels in which the lines of a box part
FAN_ABOVE, WIDEST_ABOVE = 34.0, 60.0  # the same where answers stand above their boxes
STEEPEST = 0.12  # of these pixels for each pixel that a line goes up or down
LONGEST = 132  # of a line of an answer
ROOM = 12  # before and after an answer
WIDEST, THINNEST = 16.0, 1.5


class Edges:
    """Writes the lines of one picture.

    Lines part right after the box, one below the other, and then go straight to their child. An
    answer lies on its own straight piece, so that it meets no other line; or above its box, where
    `above` says how many pixels it has there.
    """

    def __init__(
        self,
        all_drawn: list[Drawn],
        parents: list[int],
        middles: list[float],
        heights: list[float],
        theme: Theme,
        *,
        above: float | None = None,
    ) -> None:
        self.all_drawn, self.parents, self.theme, self.above = all_drawn, parents, theme, above
        most = max(all_drawn[0].n_rows, 1)
        self.widths = [max(WIDEST * each.n_rows / most, THINNEST) for each in all_drawn]
        words = [plain(each.answer) for each in all_drawn]
        self.answers = [
            _lines(each, LONGEST) if above is None else (_line(each, above),) for each in words
        ]
        self.starts = self._starts(heights)
        n_levels = 1 + max(each.depth for each in all_drawn)
        least, most_wide = (FAN, WIDEST_FAN) if above is None else (FAN_ABOVE, WIDEST_ABOVE)
        self.fans = [least] * n_levels  # before the boxes of each depth
        self.longest = [0.0] * n_levels  # answers there
        for number, each in enumerate(all_drawn[1:], 1):
            rise = abs(middles[number] - middles[parents[number]])
            fan = min(max(rise * STEEPEST, least), most_wide)
            self.fans[each.depth] = max(self.fans[each.depth], fan)
            widths = (text_width(line, SMALL) for line in self.answers[number])
            self.longest[each.depth] = max(self.longest[each.depth], *widths)

    @property
    def rooms(self) -> list[float]:
        """How many pixels there are before the boxes of each depth but the first."""
        if self.above is not None:
            return self.fans[1:]
        return [
            fan + longest + 2 * ROOM
            for fan, longest in zip(self.fans[1:], self.longest[1:], strict=True)
        ]

    def line(self, number: int, start: tuple[float, float], end: tuple[float, float]) -> str:
        """Return the line to a box: from the middle of its parent's side to the middle of its own."""
        (x0, y0), (x2, y2) = start, end
        y0 += self.starts[number]
        fan = self.fans[self.all_drawn[number].depth]
        x1, bend = x0 + fan, x0 + fan / 2
        curve = f"M{short(x0)} {short(y0)}C{short(bend)} {short(y0)} {short(bend)} {short(y2)} "
        child = self.all_drawn[number].node
        return element(
            "path",
            data_child=None if child is None else str(child.id),
            d=f"{curve}{short(x1)} {short(y2)}H{short(x2)}",
            stroke_width=self.widths[number],
        )

    def answer(self, number: int, height: float) -> str:
        """Return the answer, as seen from the upper left corner of the box that it leads to."""
        if self.above is not None:
            (line,) = self.answers[number]
            return words(line, 2, -5, class_="answer", fill=self.theme.ink) if line else ""
        middle, half = height / 2, self.widths[number] / 2
        baselines = (middle - half - 5, middle + half + SMALL + 1)  # above the line, and below it
        return "".join(
            words(line, -ROOM, y, class_="answer", fill=self.theme.ink, text_anchor="end")
            for line, y in zip(self.answers[number], baselines, strict=False)
            if line
        )

    def _starts(self, heights: list[float]) -> list[float]:
        """Return how far below the middle of its parent's side each line begins."""
        totals = [0.0] * len(self.widths)
        for width, parent in zip(self.widths[1:], self.parents[1:], strict=True):
            totals[parent] += width
        # Very many thin lines begin closer to each other, so that they stay at their box.
        scales = [
            min(1.0, (height - 2 * ROOM) / total) if total else 1.0
            for height, total in zip(heights, totals, strict=True)
        ]
        used = [0.0] * len(self.widths)
        found = [0.0] * len(self.widths)
        for number, parent in enumerate(self.parents[1:], 1):
            middle = used[parent] + self.widths[number] / 2 - totals[parent] / 2
            found[number] = middle * scales[parent]
            used[parent] += self.widths[number]
        return found


def _line(answer: str, room: float) -> str:
    """Return an answer in one line; a number that has lost its last digits would be another one."""
    if answer.startswith(("<", "≥")):
        return answer
    return shortened_answer(answer, room, DOTS, partial(text_width, size=SMALL))


def _lines(answer: str, longest: float) -> tuple[str, ...]:
    """Return an answer in one line or, if it is long, in two."""
    if text_width(answer, SMALL) <= longest:
        return (answer,)
    first = fitted(answer, longest + text_width(DOTS, SMALL), SMALL).removesuffix(DOTS)
    first = first[: first.rfind(" ") + 1].rstrip()
    if len(first) <= len("= ") and answer.startswith(("<", "≥")):
        return (answer,)  # a number that has lost its last digits would be another one
    if len(first) <= len("= "):  # a sign alone is no line
        return (fitted(answer, longest, SMALL),)
    rest = "= " + answer.removeprefix(first).lstrip()
    room = longest + text_width("= ", SMALL)
    second = shortened_answer(rest, room, DOTS, partial(text_width, size=SMALL))
    return first, second.removeprefix("= ")
