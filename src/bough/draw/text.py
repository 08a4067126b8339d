"""The tree as indented text."""

from collections.abc import Iterator
from math import inf

from bough.draw.cells import blanks, cells, shortened, shortened_answer
from bough.draw.folding import drawn_nodes
from bough.draw.line import BOLD, DIM, GAP, GUIDES, Hand, Layout, Line
from bough.draw.options import check_options
from bough.tree import Tree

MOST_GUIDES = 32  # levels that have guide lines; further ones are counted: lines stay short
LONGEST = 200  # cells of a question with its answer
NARROWEST = 16  # cells that questions should have
TIGHTEST = 6  # cells that a question keeps however little room there is
SHORTEST = 4  # cells that the name of a feature keeps where its answer is shortened as well
LAYOUTS = (  # the first that fits
    Layout(n_bar=12, n_guide=4, n_guess=40, n_level=12),
    Layout(n_bar=6, n_guide=4, n_guess=40, n_level=12),
    Layout(n_bar=6, n_guide=2, n_guess=40, n_level=8),
    Layout(n_bar=6, n_guide=2, n_guess=16, n_level=8),
    Layout(n_bar=0, n_guide=2, n_guess=12, n_level=12),
)


def text(
    tree: Tree,
    *,
    max_depth: int | None = None,
    max_nodes: int | None = None,
    width: int | None = None,
    ascii: bool = False,  # noqa: A002
    color: bool = False,
    digits: int = 3,
    ids: bool = False,
) -> str:
    """Return the tree as a table: guide lines, answer, class bar, rows, guess.

    Parameters
    ----------
    tree
        The tree to draw.
    max_depth
        The depth below which nodes are left out; None: no depth.
    max_nodes
        How many lines there are at most, beside the legend; None: any number. The nodes that most
        rows come to are drawn.
    width
        How many columns the table may take; None takes what it needs.
    ascii
        Use no sign beyond ASCII; other signs in names are shown as escapes.
    color
        Colour the bars by codes that terminals know.
    digits
        How many significant digits numbers have at least.
    ids
        Show the number of each node.
    """
    check_options(max_depth=max_depth, max_nodes=max_nodes, width=width, digits=digits)
    drawn = list(drawn_nodes(tree, max_depth, max_nodes, digits))
    deepest = max(each.depth for each in drawn)
    for layout in LAYOUTS:
        hand = Hand(tree, ascii=ascii, color=color, digits=digits, ids=ids, layout=layout)
        n_guides = (
            MOST_GUIDES if width is None else max(min(MOST_GUIDES, width // layout.n_level), 1)
        )
        if width is not None and deepest > n_guides + 1 and layout.n_guide > min(GUIDES):
            continue  # short guide lines are better than some that are only counted
        lines = list(hand.lines(drawn, n_guides))
        widest = max(len(line.guides) for line in lines) + TIGHTEST
        if _room(lines, width, hand.n_bar) >= max(widest, NARROWEST):
            break
    legend = hand.legend(width or inf, has_more=any(each.n_more for each in drawn))
    return "\n".join([*_aligned(lines, width, hand), "", *legend])


def _aligned(lines: list[Line], width: int | None, hand: Hand) -> Iterator[str]:
    """Put the columns below each other."""
    n_id, n_rows, n_certainty = (_longest(lines, each) for each in ("id", "rows", "certainty"))
    n_guess = max(cells(line.guess) for line in lines)
    room = max(_room(lines, width, hand.n_bar), NARROWEST // 2)
    questions = [
        _question(line, max(room - len(line.guides), TIGHTEST), hand.dots) for line in lines
    ]
    n_first = max(
        len(line.guides) + cells(each) for line, each in zip(lines, questions, strict=True)
    )
    for question, line in zip(questions, lines, strict=True):
        style = BOLD if line.is_end else DIM
        columns = [
            *([hand.styled(line.id.rjust(n_id), DIM)] if n_id else []),
            hand.styled(line.guides, DIM)
            + hand.styled(question, BOLD)
            + blanks(line.guides + question, n_first),
            *([line.bar] if line.bar else []),
            hand.styled(line.rows.rjust(n_rows), DIM),
            hand.styled(line.guess, style) + blanks(line.guess, n_guess),
            *([hand.styled(line.certainty.rjust(n_certainty), style)] if n_certainty else []),
            hand.styled(line.more, DIM),
        ]
        yield GAP.join(columns).rstrip()


def _longest(lines: list[Line], column: str) -> int:
    return max(len(getattr(line, column)) for line in lines)


def _room(lines: list[Line], width: int | None, n_bar: int) -> int:
    """Return how many cells are left for questions and their guide lines."""
    if width is None:
        return LONGEST + max(GUIDES) * MOST_GUIDES
    others = [
        n_bar,
        *(_longest(lines, each) for each in ("id", "rows", "certainty", "more")),
        max(cells(line.guess) for line in lines),
    ]
    return width - sum(len(GAP) + other for other in others if other)


def _question(line: Line, room: int, dots: str) -> str:
    """Return a question with its answer; of the two, the name of the feature is shortened first."""
    room = min(room, LONGEST)
    whole = f"{line.name} {line.answer}".rstrip()
    if cells(whole) <= room or not line.answer:
        return shortened(whole, room, dots)
    name_room = room - cells(line.answer) - 1
    if name_room < TIGHTEST // 2:  # both are shortened, since the answer tells siblings apart
        name_room = max(room // 3, SHORTEST)
    name = shortened(line.name, name_room, dots)
    return f"{name} {shortened_answer(line.answer, room - cells(name) - 1, dots)}"
