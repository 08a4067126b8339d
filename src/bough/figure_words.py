"""The figures that a tree is measured by, beside the loss: what each means, and how it reads in lines and tables.

Losses themselves are listed in `bough.loss_kinds`. The name of a figure of one class ends with the
class, as in 'recall:yes'.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor, log10, sqrt

from bough.evidence import Estimate
from bough.loss_kinds import LOSSES, signed
from bough.schema import Task, Value
from bough.text_layout import shortened, table_lines
from bough.tree import Tree
from bough.words import amount, guess_word, hundredths, plain

FEWEST_IN_MEAN = 10  # rows of a class whose AUC counts in the mean: of fewer, it is chance
_CLASSES, _NUMBERS, _RANKS = Task.CLASSIFICATION, Task.REGRESSION, Task.RANKING
INTERVAL = "95 % interval"
MOST_CLASSES = 8  # in a table of classes
LONGEST = 24  # signs of a class in a table
OF_RANKINGS = ("ndcg@1", "ndcg@5", "mrr")  # beside NDCG@10, which is said first
_IN_TABLE = ("recall", "precision", "f1")


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


def value_text(name: str, value: float, digits: int = 3) -> str:
    """Return a loss, a score or another figure, as in '75.1 %'."""
    return figure_of(name).text(value, digits)


def estimate_texts(name: str, estimate: Estimate, digits: int = 3) -> tuple[str, str]:
    """Return a figure and its interval, as in '75.1 %' and '70.6 – 79.1', with as many decimals."""
    values = (estimate.value, estimate.high, estimate.low)
    value, high, low = alike_texts(name, values, digits, n_decide=2)
    return value, f"{low.removesuffix(' %')} – {high.removesuffix(' %')}"


def alike_texts(
    name: str, values: Sequence[float], digits: int = 3, n_decide: int | None = None
) -> list[str]:
    """Return a figure and what it is compared with, with as many decimals as the one that needs most.

    The first keeps the decimals that it has alone. Others may have one that nobody needs, as in
    '1,998.5'. So many decide, None: all.

    Examples
    --------
    >>> alike_texts("rmse", [12.34, 9.87, 15.078])
    ['12.34', '9.87', '15.08']
    """
    found = [value_text(name, each, digits) for each in values]
    about = figure_of(name)
    if about.is_share or about.has_decimals or any("e" in each for each in found):
        return found
    own, *others = (len(each.partition(".")[2]) for each in found)
    needed = [
        min(shown, max(digits - 1 - floor(log10(abs(each) or 1.0)), 0)) if shown else 0
        for each, shown in zip(values[1:n_decide], others, strict=False)
    ]
    decimals = max([own, *needed])
    return [f"{each:,.{decimals}f}" for each in values]


def change_text(name: str, value: float, digits: int = 3) -> str:
    """Return by how much a figure changes, as in '+2.1'."""
    words = value_text(name, abs(value), digits).removesuffix(" %")
    return signed(words, value)


def with_interval(name: str, estimate: Estimate, digits: int = 3) -> str:
    """Return a figure with its interval, as in '75.1 % (70.6 – 79.1)'."""
    return "{} ({})".format(*estimate_texts(name, estimate, digits))


def figure_lines(estimates: Mapping[str, Estimate], tree: Tree, digits: int = 3) -> list[str]:
    """Return the figures beside the loss that people ask for first, of two classes of the rarer one.

    None where none are known. `class_table` has those of more classes.
    """
    if "median_absolute_error" in estimates:
        return [_of_numbers(estimates, digits)]
    if "mrr" in estimates:
        return [_named(estimates, OF_RANKINGS, digits)]
    names = [guess_word(each) for each in tree.schema.labels[0].classes]
    parts = _area(estimates, names, digits)
    if len(names) == 2:
        rarer = rarer_class(tree)
        figures = _named(estimates, (f"recall:{rarer}", f"precision:{rarer}"), digits)
        parts = [f"{plain(rarer)!r}: {figures}", *parts] if figures else parts
    return ["; ".join(parts)] if parts else []


def rarer_class(tree: Tree) -> str:
    """Return the name of the rarer one of two classes, which people ask about."""
    first, second = map(guess_word, tree.schema.labels[0].classes)
    return first if tree.shares[0, 0, 0] < tree.shares[0, 0, 1] else second


def _named(estimates: Mapping[str, Estimate], names: Sequence[str], digits: int) -> str:
    """Return those of some figures that are known, each after what it is called."""
    return ", ".join(
        f"{figure_of(name).word} {with_interval(name, estimates[name], digits)}"
        for name in names
        if name in estimates
    )


def _area(estimates: Mapping[str, Estimate], names: Sequence[str], digits: int) -> list[str]:
    if "auc" not in estimates:
        return []
    recalls = [estimates.get(f"recall:{name}") for name in names]
    n_counted = sum(each is not None and each.n >= FEWEST_IN_MEAN for each in recalls)
    each = ", mean of each class against the rest"
    if n_counted < len(names):
        each = f", mean of the {n_counted} classes with at least {FEWEST_IN_MEAN} rows, each against the rest"
    found = f"AUC {with_interval('auc', estimates['auc'], digits)}"
    return [found if len(names) == 2 else found + each]


def _of_numbers(estimates: Mapping[str, Estimate], digits: int) -> str:
    middle = estimates["median_absolute_error"]
    found = f"Half of the predictions are within {with_interval('rmse', middle, digits)}"
    if "absolute_error" in estimates:
        mean = estimates["absolute_error"]
        found += f"; mean absolute error {with_interval('absolute_error', mean, digits)}"
    if "r2" in estimates:
        found += f"; R² {with_interval('r2', estimates['r2'], digits)}"
    return found


def class_table(
    estimates: Mapping[str, Estimate],
    classes: Sequence[Value],
    more: str,
    digits: int = 3,
    width: int | None = None,
) -> list[str]:
    """Return a line for each of more than two classes: its rows, recall, precision and F1.

    Of many classes those of lowest F1 are shown; `more` says where the others are.
    """
    names = [guess_word(each) for each in classes]
    shown = [name for name in names if f"recall:{name}" in estimates]
    if not shown or len(names) == 2:
        return []
    n_shown = len(shown)
    if n_shown > MOST_CLASSES:
        shown = sorted(shown, key=lambda name: estimates[f"f1:{name}"].value)[:MOST_CLASSES]
    lines = [["", "rows", "recall", INTERVAL, "precision", INTERVAL, "F1"]]
    for name in shown:
        recall, precision, f1 = (estimates.get(f"{kind}:{name}") for kind in _IN_TABLE)
        line = [shortened(plain(name), LONGEST, "…"), f"{recall.n if recall else 0:,}"]
        line += [*_cells("recall", recall, digits), *_cells("precision", precision, digits)]
        lines.append([*line, _cells("f1", f1, digits)[0]])
    found = table_lines(lines, "<>><><>", width)
    if n_more := n_shown - len(shown):
        found.append(f"{n_more:,} more {'class' if n_more == 1 else 'classes'}, no worse: {more}")
    if n_none := len(names) - n_shown:
        have = "class has" if n_none == 1 else "classes have"
        found.append(f"{n_none:,} {have} no figures: no test rows, or too few")
    return found


def _cells(name: str, estimate: Estimate | None, digits: int) -> list[str]:
    if estimate is None:
        return ["–", ""]
    return [*estimate_texts(name, estimate, digits)]


def estimate_table(
    headings: Mapping[str, Mapping[str, Estimate]], digits: int, width: int | None = None
) -> list[str]:
    """Return a line for each figure, and for each heading the figure and its interval.

    What only the first has, the others leave blank.
    """
    first, *others = headings.values()
    lines = [["", *(word for heading in headings for word in (heading, INTERVAL))]]
    for name, estimate in first.items():
        cells = _cells(name, estimate, digits)
        for other in others:
            cells += _cells(name, other[name], digits) if name in other else ["", ""]
        lines.append([plain(name), *cells])
    return table_lines(lines, "<" + "><" * len(headings), width)


def change_table(
    first: Mapping[str, Estimate],
    second: Mapping[str, Estimate],
    changes: Mapping[str, Estimate],
    names: Sequence[str],
    digits: int,
    *,
    width: int | None = None,
) -> list[str]:
    """Return a line for each figure of two models, with the difference; of two classes at most."""
    lines = [["", *names, "difference", INTERVAL]]
    n_classes = sum(name.startswith("recall:") for name in changes)
    for name in [name for name in first if name in second and name in changes]:
        if n_classes > 2 and name.startswith(_PREFIXES):
            continue
        found = changes[name]
        change, low, high = (
            change_text(name, each, digits) for each in (found.value, found.low, found.high)
        )
        values = (value_text(name, each[name].value, digits) for each in (first, second))
        lines.append([plain(name), *values, change, f"{low} to {high}"])
    return table_lines(lines, "<>>><", width)


def without_classes(
    estimates: Mapping[str, Estimate], classes: Sequence[Value]
) -> dict[str, Estimate]:
    """Return figures without those of single classes, where there are more than two classes."""
    if len(classes) <= 2:
        return dict(estimates)
    return {name: each for name, each in estimates.items() if not name.startswith(_PREFIXES)}


_PREFIXES = tuple(f"{name}:" for name in OF_CLASSES)


def loss_text(loss: str, value: float, digits: int = 3) -> str:
    """Return a loss in words, as in '17.3 % wrong'; a squared error as its root."""
    figure = loss_figure(loss, value, digits)
    if loss == "error":
        return f"{figure} wrong"
    return f"{'RMSE' if loss == 'squared_error' else LOSSES[loss].figure_word} {figure}"


def loss_figure(loss: str, value: float, digits: int = 3) -> str:
    """Return the same without its name, for where that has just been said."""
    if loss == "squared_error":
        return amount(sqrt(value), digits)
    return value_text(loss, LOSSES[loss].figure(value), digits)
