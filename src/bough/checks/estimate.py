"""The estimate: whether it is sharp, and whether it beats always guessing the same."""

from collections.abc import Mapping

from bough.checks.note_words import counted
from bough.evidence import Estimate, Note
from bough.loss_kinds import LOSSES

FEWEST_ROWS = 100
TOO_FEW = 30  # from which nothing is concluded
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
    ['Only 69 test rows: the true error could be as high as 10.0 %']
    """
    if test.n >= FEWEST_ROWS and not (loss == "error" and test.high - test.low > WIDEST):
        return []
    known = LOSSES[loss]
    n_units = counted(test.n, f"test {known.units.removesuffix('s')}")
    extreme = "low" if known.task.ranks else "high"
    text = (
        f"Only {n_units}: the true {known.figure_word} could be as {extreme} as "
        f"{known.figure_text(test.high)}"
    )
    return [Note("B201", text)]


def no_better(loss: str, test: Estimate, baseline: Estimate, against: Estimate) -> list[Note]:
    """Return a note if the tree is not clearly better than always predicting the same.

    Parameters
    ----------
    loss
        The name of the loss, as in "error".
    test, baseline
        The estimates from the test rows, of the tree and of always predicting the same.
    against
        By how much the first is greater, compared row by row, or group by group.

    Examples
    --------
    >>> tree, same = Estimate(0.4, 0.31, 0.49, 100), Estimate(0.45, 0.36, 0.55, 100)
    >>> [note.text for note in no_better("error", tree, same, Estimate(-0.05, -0.14, 0.04, 100))]
    ['The tree is not clearly better than always predicting the same: its error is 40.0 % (31.0 % to 49.0 %), the baseline 45.0 %']
    """
    if against.high < 0:
        return []
    known = LOSSES[loss]
    other = "a random order" if known.task.ranks else "always predicting the same"
    if against.n < TOO_FEW and against.value < 0:
        units = counted(against.n, f"test {known.units.removesuffix('s')}")
        text = (
            f"Cannot tell from {units} whether the tree is better than {other}: its "
            f"{known.figure_word} is {known.figure_text(test.value)}, the baseline "
            f"{known.figure_text(baseline.value)}"
        )
        return [Note("B205", text)]
    clearly = "" if against.value >= 0 else "clearly "
    least, most = map(known.figure_text, sorted((test.low, test.high), key=known.figure))
    text = (
        f"The tree is not {clearly}better than {other}: its {known.figure_word} is "
        f"{known.figure_text(test.value)} ({least} to {most}), the baseline "
        f"{known.figure_text(baseline.value)}"
    )
    return [Note("B205", text)]


def no_better_probabilities(
    loss: str, all_test: Mapping[str, Estimate], all_baseline: Mapping[str, Estimate]
) -> list[Note]:
    """Return a note if probabilities are no better than always giving the shares of the classes.

    Nothing where the tree was chosen by probabilities, which `no_better` is about, or is one leaf.

    Parameters
    ----------
    loss
        The name of the loss that the tree was chosen by.
    all_test, all_baseline
        All estimates from the test rows, of the tree and of always predicting the same.

    Examples
    --------
    >>> tree, same = Estimate(1.4, 1.3, 1.5, 100), Estimate(1.3, 1.2, 1.4, 100)
    >>> notes = no_better_probabilities("error", {"log_loss": tree}, {"log_loss": same})
    >>> [note.text for note in notes]
    ['The probabilities are no better than the class shares of all rows: their log loss is 1.4, the baseline 1.3. If they matter, choose the tree by them']
    """
    found, baseline = all_test.get("log_loss"), all_baseline.get("log_loss")
    if found is None or baseline is None or LOSSES[loss].of_shares or found == baseline:
        return []
    if found.value < baseline.value or found.n < TOO_FEW:
        return []
    figures = map(LOSSES["log_loss"].figure_text, (found.value, baseline.value))
    text = (
        "The probabilities are no better than the class shares of all rows: their log loss is "
        "{}, the baseline {}. If they matter, choose the tree by them"
    )
    return [Note("B205", text.format(*figures), fix={"loss": "log_loss"})]
