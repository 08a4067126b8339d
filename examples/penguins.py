"""Learn a tree of the Palmer penguins, and see how far it can be trusted."""

import bough

penguins = bough.datasets.load("penguins")
table = {**penguins.features, "species": penguins.labels}  # or the path of a file, or a data frame

result = bough.fit(table, target="species")
print(result)

accuracy, chance = result.test["accuracy"], result.baseline["accuracy"]
print(
    f"\nOf {accuracy.n} penguins that it had never seen, the tree names {accuracy.value:.1%} rightly; "
    f"{accuracy.low:.1%} to {accuracy.high:.1%} is what to expect of new ones. "
    f"Always guessing the same is right for {chance.value:.1%}."
)

print("\nHow the error falls with the depth, one growth for all:")
for tree in result.curve:
    if (tree.criterion, tree.categorical) == ("gini", "each") and tree.depth is not None:
        print(f"  depth {tree.depth}: {tree.n_leaves:2} leaves, {tree.dev:.1%} wrong")

print("\nWhy does the penguin in row 100 get its guess?")
print(result.model.explain(table)[99])
