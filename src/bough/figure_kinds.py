"""The figures that a tree is measured by, beside the loss: what each means, and how it reads.

Losses themselves are listed in `bough.loss_kinds`. The name of a figure of one class ends with the
class, as in 'recall:yes'.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bough.loss_kinds import LOSSES
from bough.tree_task import Task
from bough.words import amount, hundredths

FEWEST_IN_MEAN = (
    10  # rows of a class whose AUC counts in the mean: of fewer, the variance is chance
)


@dataclass(frozen=True)
class Figure:
    """A figure, by its name."""

    name: str
    word: str
    """What it is called in a sentence."""
    task: Task
    meaning: str
    """What it is, for tables of figures."""
    of_class: bool = False
    """Whether each class has one."""
    is_share: bool = False
    """Whether it reads as a percentage."""
    is_gain: bool = True
    """Whether more of it is better."""
    is_bounded: bool = True
    """Whether it lies from 0 to 1."""
    has_decimals: bool = False
    """Whether it reads with as many decimals whatever it is, so that they stand below each other."""

    def text(self, value: float, digits: int = 3) -> str:
        """Return a value in words, as in '75.1 %'.

        Examples
        --------
        >>> FIGURES["accuracy"].text(0.75123), FIGURES["rmse"].text(2.71828), FIGURES["auc"].text(1)
        ('75.1 %', '2.72', '1.000')
        """
        if self.is_share:
            return f"{hundredths(value)} %"
        if self.has_decimals:
            return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")
        return amount(value, digits)


def figure_of(name: str) -> Figure:
    """Return what a figure is, also that of one class.

    Examples
    --------
    >>> figure_of("recall:yes").word
    'recall'
    """
    return FIGURES[name if name in FIGURES else name.partition(":")[0]]


def figures_of_classes(classes: Sequence[str]) -> list[str]:
    """Return the names of the figures of each class; two classes have one AUC, 'auc'.

    Examples
    --------
    >>> figures_of_classes(["no", "yes"])[:3]
    ['recall:no', 'recall:yes', 'precision:no']
    """
    kinds = [name for name in OF_CLASSES if name != "auc" or len(classes) > 2]
    return [f"{kind}:{each}" for kind in kinds for each in classes]


_CLASSES, _NUMBERS, _RANKS = Task.CLASSIFICATION, Task.REGRESSION, Task.RANKING
FIGURES: dict[str, Figure] = {
    each.name: each
    for each in (
        *(
            Figure(
                each.name, each.word, each.task, "a loss to minimise", is_share=each.is_share,
                is_gain=False, is_bounded=each.is_share or each.task.ranks,
            )
            for each in LOSSES.values()
        ),
        Figure("accuracy", "accuracy", _CLASSES, "share of right predictions", is_share=True),
        Figure(
            "recall", "recall", _CLASSES, "of the rows of a class, the share predicted as it",
            of_class=True, is_share=True,
        ),
        Figure(
            "precision", "precision", _CLASSES, "of the rows predicted as a class, the share that are",
            of_class=True, is_share=True,
        ),
        Figure(
            "f1", "F1", _CLASSES, "harmonic mean of recall and precision", of_class=True, is_share=True
        ),
        Figure(
            "auc", "AUC", _CLASSES, "how often a row of the class gets a higher probability than "
            "another row (area under the ROC curve)", of_class=True, has_decimals=True,
        ),
        Figure(
            "average_precision", "average precision", _CLASSES,
            "mean precision over all probabilities from which on rows may count as the class",
            of_class=True, has_decimals=True,
        ),
        Figure(
            "lift", "lift", _CLASSES, "how many times as common the class is in the tenth of the rows "
            "with its highest probabilities as in all rows", of_class=True, is_bounded=False,
        ),
        Figure(
            "rmse", "root-mean-square error", _NUMBERS, "root of the mean squared error",
            is_gain=False, is_bounded=False,
        ),
        Figure(
            "median_absolute_error", "median absolute error", _NUMBERS,
            "half of the predictions are nearer to the truth than this", is_gain=False, is_bounded=False,
        ),
        Figure(
            "r2", "R²", _NUMBERS, "share of the variance that is explained; below 0 if the mean of the "
            "rows would do better", is_bounded=False, has_decimals=True,
        ),
        Figure("ndcg", "NDCG@10", _RANKS, "what the first 10 places gain, at best 1", has_decimals=True),
        Figure("ndcg@1", "NDCG@1", _RANKS, "what the first place gains, at best 1", has_decimals=True),
        Figure("ndcg@5", "NDCG@5", _RANKS, "what the first 5 places gain, at best 1", has_decimals=True),
        Figure("mrr", "MRR", _RANKS, "mean of 1 / place of the first relevant row", has_decimals=True),
    )
}  # fmt: skip
"""Every figure by its name."""

OF_CLASSES = tuple(name for name, each in FIGURES.items() if each.of_class)
