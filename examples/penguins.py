"""Grow a tree of the Palmer penguins on some of them, and see how it does on the others."""

import numpy as np
from sklearn.model_selection import train_test_split

import bough

penguins = bough.datasets.load("penguins")
rows = np.arange(len(penguins.labels))
known, new = train_test_split(rows, test_size=0.3, random_state=0, stratify=penguins.labels)


def features(which):
    return {name: [cells[row] for row in which] for name, cells in penguins.features.items()}


def labels(which):
    return [penguins.labels[row] for row in which]


tree = bough.DecisionTreeClassifier(max_depth=3).fit(features(known), labels(known))

print(
    f"A tree of {len(known)} Palmer penguins, grown from words, numbers and missing values alike:\n"
)
print(bough.draw(tree))
print(
    f"\nIt names {tree.score(features(new), labels(new)):.1%} of {len(new)} other penguins rightly."
)
print("Read next: README.md.")
