"""The part of `docs/accuracy.md` on `bough.fit` beside a grid search: figures and words."""

from collections import defaultdict
from dataclasses import dataclass
from math import sqrt

import numpy as np

TEST_TO_TRAIN = 0.25  # how many rows a split tests with for each that it learns from


@dataclass(frozen=True)
class Line:
    """What both reached on a table, split by split."""

    name: str
    task: str
    n_rows: int
    n_used: int
    losses: dict  # of "bough" and "grid", an array each
    n_leaves: dict
    seconds: dict

    @property
    def scale(self):
        """What a difference is said in: points of a share, or per cent of an RMSE."""
        return 100 / (self.losses["grid"].mean() if self.task == "regression" else 1.0)

    @property
    def difference(self):
        """By how much bough's loss is greater, with the ends of its 95 % interval.

        Splits share rows, so the variance of their mean is greater than if they did not (Nadeau
        and Bengio, 2003).
        """
        from scipy.stats import t

        found = self.scale * (self.losses["bough"] - self.losses["grid"])
        n = len(found)
        reach = t.ppf(0.975, n - 1) * sqrt((1 / n + TEST_TO_TRAIN) * found.var(ddof=1))
        return found.mean(), found.mean() - reach, found.mean() + reach

    @property
    def is_worse(self):
        return self.difference[1] > 0

    @property
    def is_better(self):
        return self.difference[2] < 0

    @property
    def rank(self):
        """The mean place of bough among the two, over the splits; 1.5 where they are as good."""
        return float(np.mean(1.5 + np.sign(self.losses["bough"] - self.losses["grid"]) / 2))


def lines_of(kept):
    """Return a line for each table of several splits, from what was measured for each."""
    by_table = defaultdict(list)
    for key, both in kept.items():
        by_table[key.rpartition(" ")[0]].append(both)
    return [line(name, found) for name, found in by_table.items() if len(found) > 1]


def line(name, found):
    about = found[0]["bough"]
    figures = {
        what: {who: np.array([each[who][what] for each in found]) for who in ("bough", "grid")}
        for what in ("loss", "n_leaves", "seconds")
    }
    return Line(
        name, about["task"], about["n_rows"], about["n_used"],
        figures["loss"], figures["n_leaves"], figures["seconds"],
    )  # fmt: skip


def mean_rank(lines):
    return float(np.mean([each.rank for each in lines]))


def rows(lines):
    return [row(each) for each in lines]


def row(line):
    mean, low, high = line.difference
    unit = "%" if line.task == "regression" else "points"
    both = [f"{figure(line, who)}" for who in ("bough", "grid")]
    leaves = [f"{line.n_leaves[who].mean():,.0f}" for who in ("bough", "grid")]
    seconds = [f"{line.seconds[who].mean():.1f}" for who in ("bough", "grid")]
    verdict = "better" if line.is_better else "**worse**" if line.is_worse else ""
    cells = [
        line.name, f"{line.n_rows:,}", FIGURES[line.task], *both,
        f"{mean:+.1f} ({low:+.1f} to {high:+.1f}) {unit} {verdict}".strip().replace("-", "−"),
        " / ".join(leaves), " / ".join(seconds),
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def figure(line, who):
    mean = line.losses[who].mean()
    if line.task == "regression":
        return f"{mean:,.0f}" if mean > 1000 else f"{mean:.3g}"
    return f"{100 * mean:.1f} %" if line.task == "classification" else f"{mean:.3f}"


def page(lines):
    n_splits = min(len(each.losses["bough"]) for each in lines)
    return "\n".join([*HEAD, *rows(lines), "", *verdict(lines), "", *foot(n_splits)])


def verdict(lines):
    worse = [each.name for each in lines if each.is_worse]
    better = [each.name for each in lines if each.is_better]
    rank = mean_rank(lines)
    return [
        f"Significantly better on {len(better)} of {len(lines)} tables, significantly worse on "
        f"{', '.join(worse) or 'none'}.",
        f"Mean rank of the two, over tables and splits: bough {rank:.2f}, the grid search {3 - rank:.2f}.",
    ]


FIGURES = {"classification": "wrong", "regression": "RMSE", "ranking": "1 − NDCG@10"}
HEAD = [
    "`bough.fit` with no option beside a grid search over scikit-learn's tree, on the same test rows. Written by",
    "`benchmarks/grid_search.py --write`. Less is better everywhere.",
    "",
    "| table | rows | figure | bough | grid search | difference (95 % interval) | leaves | seconds |",
    "|---|---:|---|---:|---:|---|---:|---:|",
]


def foot(n_splits):
    return [
        f"- {n_splits} random splits of each table, the same for both: four fifths to learn from, a fifth to test with;",
        "  whole groups where there are groups. Of a larger table, a random 10,000 rows of each split are used by",
        "  both, so that the grid search ends.",
        "- The grid: `ccp_alpha` 0 and 1e-5 to 1e-2 in seven steps (times the variance of a number), with",
        "  `min_samples_leaf` 1, 2, 5, 10, 20 and 50, by five folds; the best is grown again from all rows. Text is",
        "  one-hot, at most 100 columns for a category, rarer values together; missing text is a value, and",
        "  scikit-learn sends missing numbers its own way. It has five folds where bough has ten, and learns from the",
        "  same rows.",
        "- The interval is that of the mean difference over the splits, by Student's t with the variance of Nadeau and",
        "  Bengio (2003), since the splits share rows. Points are hundredths of a share; % is of the grid's RMSE.",
        "- *made flights*: delays with signal in five columns and tail numbers of 4,000 values that tell nothing more.",
        "  *made groups*: 31 groups of 120 rows that share most of their noise.",
        "- Leaves and processor seconds (one thread) are means: bough / grid search.",
    ]
