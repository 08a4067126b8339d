"""Whether probabilities came true on the test rows, in words."""

from bough.evidence import CalibrationBin, Evidence
from bough.result_words import FEWEST_ROWS
from bough.share_interval import wilson
from bough.tree import Tree
from bough.words import guess_word, plain, share

ROOM = 1.5  # times as far as its interval reaches may a share be off by chance
FEWEST_FOR_SHARES = 300  # test rows that tell whether probabilities come true


def calibration_sentences(evidence: Evidence, tree: Tree) -> list[str]:
    """Return how far probabilities were off on the test rows, and where most; none for numbers."""
    found = evidence.calibration
    if found is None:
        return []
    n_rows = sum(each.observed.n for each in found.bins)
    off = [each for each in found.bins if _is_off(each)]
    if not off and (in_all := _off_in_all(evidence, tree, n_rows)):
        return [in_all]
    if not off and n_rows < FEWEST_FOR_SHARES:
        return [f"{n_rows:,} test rows are too few to check the probabilities."]
    if not off:
        return [
            f"Probabilities hold on the test rows: off by {100 * found.error:.1f} points on average."
        ]
    average = f"Probabilities are off by {100 * found.error:.1f} points on average."
    worst = max(off, key=lambda each: abs(each.predicted - each.observed.value) * each.observed.n)
    if share(worst.predicted) == share(worst.observed.value):
        return [average]
    ends = dict.fromkeys(map(share, (worst.least, worst.most)))
    came_true = "were predicted correctly"
    if found.of_class is not None:
        came_true = f"were {_class_word(tree, found.of_class)}"
    return [
        f"{average} Worst: of {worst.observed.n:,} test rows given {' to '.join(ends)}, "
        f"{share(worst.observed.value)} {came_true}."
    ]


def _off_in_all(evidence: Evidence, tree: Tree, n_rows: int) -> str:
    """Return that probabilities are too low or too high on average, where no share tells it alone."""
    found = evidence.calibration
    if found is None or n_rows < FEWEST_ROWS or evidence.weight or evidence.group:
        return ""
    given = sum(each.observed.n * each.predicted for each in found.bins) / n_rows
    seen = sum(each.observed.n * each.observed.value for each in found.bins) / n_rows
    low, high = wilson(seen, n_rows)
    if abs(given - seen) <= ROOM * (seen - low if given < seen else high - seen):
        return ""
    kind = "low" if given < seen else "high"
    said, true = _told_apart(given, seen)
    if found.of_class is None:
        return f"Probabilities are too {kind}: {said} on average, and {true} came true."
    name = _class_word(tree, found.of_class)
    return (
        f"Probabilities of {name} are too {kind}: {said} on average, while {true} of the test rows "
        f"were {name}."
    )


def _told_apart(given: float, seen: float) -> tuple[str, str]:
    """Return two shares in per cent, with the decimals that tell them apart."""
    words, decimals, ends = (share(given), share(seen)), 0, {0.0, 100.0}
    while given != seen and (
        words[0] == words[1] or (decimals and ends & {float(each[:-2]) for each in words})
    ):
        decimals += 1
        words = f"{100 * given:.{decimals}f} %", f"{100 * seen:.{decimals}f} %"
    return words


def _class_word(tree: Tree, code: int) -> str:
    return repr(plain(guess_word(tree.schema.labels[0].classes[code])))


def _is_off(found: CalibrationBin) -> bool:
    """Return whether a share differs from its probability by more than chance explains.

    The worst of ten bins is outside its 95 % interval in four of ten tables, hence the room.
    """
    seen = found.observed
    reach = seen.high - seen.value if found.predicted > seen.value else seen.value - seen.low
    return seen.n >= FEWEST_ROWS and abs(found.predicted - seen.value) > ROOM * reach
