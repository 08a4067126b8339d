"""Measure whether a tree that is grown to rank does rank better than one that guesses relevance.

    python benchmarks/ranking.py [--data DIR] [--halves 20] [--write]

Two kinds of tables: searches of a search engine (`rank_lightgbm`), and the hours of a day of
`bike_sharing_hour`, ranked by how many bicycles were rented in them (which fifth of all hours they
are in). In each of 20 random halves of the groups both trees are grown from one half and measured
on the other, at the same leaf size. The interval of the mean difference is that of Student's t; since
the halves overlap, the one of Nadeau and Bengio (2003) is shown beside it, which counts a halving as
one look at the groups and not as a table of its own. `--write` writes the table to
`docs/use/rank.md`.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import real_tables
from sklearn.tree import DecisionTreeRegressor as SklearnRegressor

from bough import DecisionTreeRanker, DecisionTreeRegressor
from bough.losses import ndcg

LEAF_SIZES = (10, 20, 50, 100)
STUDENT = {20: 2.093}  # 97.5 % of Student's t lie below
PAGE = Path(__file__).resolve().parents[1] / "docs" / "use" / "rank.md"
MARKS = re.compile(r"(?<=<!-- ranking.py -->\n).*?(?=<!-- end -->)", re.S)


@dataclass(frozen=True)
class Ranking:
    """A table of groups: its columns, and the relevance and the group of each row."""

    name: str
    columns: np.ndarray
    relevance: np.ndarray
    group: np.ndarray

    def halves(self, seed):
        """Return which rows are learnt from, and which ones are measured on."""
        groups = np.random.default_rng(seed).permutation(np.unique(self.group))
        is_learnt = np.isin(self.group, groups[: len(groups) // 2])
        return is_learnt, ~is_learnt


def searches(folder):
    """Return all searches of the search engine, and those of its own two files."""
    parts = [real_tables.read(folder, "rank_lightgbm", part) for part in (0, 1)]
    columns, relevance, group = (
        np.concatenate([np.asarray(getattr(part, name), float) for part in parts])
        for name in ("columns", "labels", "groups")
    )
    return Ranking("rank_lightgbm", columns, relevance, group), parts


def days(folder):
    """Return the days of the bicycles, whose hours are ranked by the fifth that they are in."""
    import pandas as pd

    about = next(
        each for each in real_tables.described(folder) if each["name"] == "bike_sharing_hour"
    )
    frame = pd.read_csv(folder / about["files"][0])
    fifth = np.minimum(np.floor(frame["cnt"].rank(pct=True) * 5), 4).to_numpy()
    columns = frame.drop(columns=[*about["ignore"], "cnt"]).to_numpy(float)
    return Ranking("bike_sharing_hour", columns, fifth, frame["dteday"].to_numpy())


def measured(ranking, leaf, seed):
    """Return the NDCG of both trees, grown from one half and measured on the other."""
    learnt, other = ranking.halves(seed)
    X, y, group = ranking.columns[learnt], ranking.relevance[learnt], ranking.group[learnt]
    ranker = DecisionTreeRanker(min_samples_leaf=leaf).fit(X, y, group=group)
    plain = DecisionTreeRegressor(min_samples_leaf=leaf).fit(X, y)
    return [
        ndcg(tree.predict(ranking.columns[other]), ranking.relevance[other], ranking.group[other])
        for tree in (ranker, plain)
    ]


def line(ranking, leaf, n_halves):
    """Return one line of the table."""
    found = np.array([measured(ranking, leaf, seed) for seed in range(n_halves)])
    differences = found[:, 0] - found[:, 1]
    deviation = np.std(differences, ddof=1) * STUDENT.get(n_halves, 1.96)
    plain, corrected = (deviation * np.sqrt(each) for each in (1 / n_halves, 1 / n_halves + 1))
    return (
        f"| {ranking.name} | {leaf} | {found[:, 0].mean():.3f} | {found[:, 1].mean():.3f} | "
        f"{differences.mean():+.4f} | ± {plain:.4f} | ± {corrected:.3f} |"
    )


def given_split(parts, leaf=50):
    """Return what the trees do on the test groups that the search engine's table comes with."""
    train, test = parts
    ranker = DecisionTreeRanker(min_samples_leaf=leaf)
    ranker.fit(train.columns, train.labels, group=train.groups)
    plain = SklearnRegressor(min_samples_leaf=leaf, random_state=0).fit(train.columns, train.labels)
    trees = {
        "DecisionTreeRanker": ranker.predict(test.columns),
        "scikit-learn's DecisionTreeRegressor": plain.predict(test.columns),
        "a random order": np.zeros(len(test.labels)),
    }
    return [
        f"| {name} | {ndcg(scores, test.labels, test.groups):.3f} |"
        for name, scores in trees.items()
    ]


def main():
    parser = real_tables.parser(__doc__.splitlines()[0])
    parser.add_argument("--halves", type=int, default=20, help="how many halves of the groups")
    parser.add_argument("--write", action="store_true", help="write the page")
    arguments = parser.parse_args()
    folder = real_tables.find_folder(arguments.data)
    if folder is None:
        sys.exit(real_tables.why_absent(arguments.data))
    searched, parts = searches(folder)
    lines = [
        "| table | least rows of a leaf | ranker | regressor on relevance | difference | t | corrected |",
        "|---|---|---|---|---|---|---|",
        *(
            line(each, leaf, arguments.halves)
            for each in (searched, days(folder))
            for leaf in LEAF_SIZES
        ),
        "",
        "| the test groups of rank_lightgbm, leaves of at least 50 rows | NDCG@10 |",
        "|---|---|",
        *given_split(parts),
    ]
    print("\n".join(lines))
    if arguments.write:
        page = PAGE.read_text("utf-8")
        PAGE.write_text(MARKS.sub("\n" + "\n".join(lines) + "\n\n", page), "utf-8")


if __name__ == "__main__":
    main()
