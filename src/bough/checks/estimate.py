"""The estimate: whether it is sharp, and whether it beats always guessing the same."""

from bough.checks.note_words import counted
from bough.evidence import Estimate, Note
from bough.loss import LOSSES

FEWEST_ROWS = 100
WIDEST = 0.1  # an interval of an error rate that still says something


def few_test_rows(loss: str, test: Estimate) -> list[Note]:
    """Return a note if there are too few test rows for a useful interval.

    Parameters
    ----------
    loss
        The name of the loss, as in "error".
    test
        Its estimate from the test rows.

    Examples
    --------
    >>> [note.text for note in few_test_rows("error", Estimate(0.03, 0.008, 0.1, 69))]
    ['only 69 test rows: the error may be anything from 0.8 % to 10.0 %. More rows would narrow it']
    """
    if test.n >= FEWEST_ROWS and not (loss == "error" and test.high - test.low > WIDEST):
        return []
    known = LOSSES[loss]
    n_units = counted(test.n, f"test {known.units.removesuffix('s')}")
    least, most = map(known.figure_text, sorted((test.low, test.high), key=known.figure))
    text = (
        f"only {n_units}: the {known.figure_word} may be anything from {least} to {most}. More "
        f"{known.units} would narrow it"
    )
    return [Note("B201", text)]


def no_better(loss: str, test: Estimate, baseline: Estimate) -> list[Note]:
    """Return a note if the tree is not clearly better than always guessing the same.

    Parameters
    ----------
    loss
        The name of the loss, as in "error".
    test, baseline
        The estimates from the test rows, of the tree and of always guessing the same.

    Examples
    --------
    >>> tree, same = Estimate(0.4, 0.31, 0.49, 100), Estimate(0.45, 0.36, 0.55, 100)
    >>> [note.text for note in no_better("error", tree, same)]
    ['the tree is not clearly better than always guessing the same: its error is 40.0 % (31.0 % to 49.0 %), that of the same guess 45.0 %']
    """
    if test.high < baseline.value:
        return []
    clearly = "" if test.value >= baseline.value else "clearly "
    other, of_other = "always guessing the same", "the same guess"
    known = LOSSES[loss]
    if known.task.ranks:
        other = of_other = "a random order"
    least, most = map(known.figure_text, sorted((test.low, test.high), key=known.figure))
    text = (
        f"the tree is not {clearly}better than {other}: its {known.figure_word} is "
        f"{known.figure_text(test.value)} ({least} to {most}), that of {of_other} "
        f"{known.figure_text(baseline.value)}"
    )
    return [Note("B205", text)]
