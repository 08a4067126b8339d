"""Checks of the estimate: whether it is sharp, and whether the tree beats guessing."""

from collections.abc import Mapping

from bough.evidence import Estimate, Note
from bough.loss_kinds import LOSSES
from bough.words import counted

FEWEST_ROWS = 100
TOO_FEW = 30  # rows, or groups, from which nothing is concluded
WIDEST = 0.1  # an interval of an error rate that still says something


def few_test_rows(loss: str, test: Estimate, n_groups: int | None = None) -> list[Note]:
    """Return a note if there are too few test rows, or groups of them, for a useful interval.

    `test` is the estimate of the loss from the test rows, `n_groups` in how many groups these come,
    where rows of a group depend on each other.

    Examples
    --------
    >>> [note.text for note in few_test_rows("error", Estimate(0.03, 0.008, 0.1, 69))]
    ['Only 69 test rows: the true error could be as high as 10.0 %']
    """
    is_enough = test.n >= FEWEST_ROWS and (n_groups is None or n_groups >= TOO_FEW)
    if is_enough and not (loss == "error" and test.high - test.low > WIDEST):
        return []
    known = LOSSES[loss]
    n_units = _units(loss, test, n_groups)
    extreme = "low" if known.task.ranks else "high"
    text = (
        f"Only {n_units}: the true {known.figure_word} could be as {extreme} as "
        f"{known.figure_text(test.high)}"
    )
    return [Note("B201", text)]


def no_better(
    loss: str,
    test: Estimate,
    baseline: Estimate,
    against: Estimate,
    n_groups: int | None = None,
) -> list[Note]:
    """Return a note if the tree is not clearly better than always predicting the same.

    `test` and `baseline` are the estimates of the tree and of always predicting the same; `against`
    is by how much the first is greater, compared row by row, or group by group.

    Examples
    --------
    >>> tree, same = Estimate(0.4, 0.31, 0.49, 100), Estimate(0.45, 0.36, 0.55, 100)
    >>> [note.text for note in no_better("error", tree, same, Estimate(-0.05, -0.14, 0.04, 100))]
    ['The tree is not clearly better than always predicting the same: its error is 40.0 %, the baseline 45.0 %, a difference of −5.0 (−14.0 to +4.0)']
    """
    if against.high < 0:
        return []
    known = LOSSES[loss]
    other = "a random order" if known.task.ranks else "always predicting the same"
    figures = (
        f"its {known.figure_word} is {known.figure_text(test.value)}, the baseline "
        f"{known.figure_text(baseline.value)}"
    )
    if (n_groups or against.n) < TOO_FEW and against.value < 0:
        units = _units(loss, against, n_groups)
        text = f"Cannot tell from {units} whether the tree is better than {other}: {figures}"
        return [Note("B205", text)]
    clearly = "" if against.value >= 0 else "clearly "
    change, least, most = known.change_texts(against.value, against.low, against.high)
    text = (
        f"The tree is not {clearly}better than {other}: {figures}, a difference of {change} "
        f"({least} to {most})"
    )
    return [Note("B205", text)]


def _units(loss: str, found: Estimate, n_groups: int | None) -> str:
    """Return how many rows, or groups, that are independent of each other were measured."""
    if n_groups is not None:
        return counted(n_groups, "group") + " of test rows"
    return counted(found.n, f"test {LOSSES[loss].units.removesuffix('s')}")


def no_better_probabilities(
    loss: str, all_test: Mapping[str, Estimate], all_baseline: Mapping[str, Estimate]
) -> list[Note]:
    """Return a note if probabilities are no better than always giving the shares of the classes.

    Nothing where the tree was chosen by probabilities, which `no_better` is about, or is one leaf.

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
