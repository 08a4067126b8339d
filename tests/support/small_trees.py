"""Small trees at random, in which ties and gains of 0 are common, for tests of pruning."""

from random import Random

from handmade import branch, leaf, make_tree

from bough.query_kinds import Below, EachValue
from bough.schema import Feature, Kind, Label, Schema

NUMBER = Feature("x", Kind.NUMBER, 0)
LETTER = Feature("letter", Kind.CHOICE, 1, choices=("a", "b", "c"))
CLASSES = Schema(("x", "letter"), (NUMBER, LETTER), (Label("y", (0, 1, 2), "int64"),))
NUMBERS = Schema(("x", "letter"), (NUMBER, LETTER), (Label("y"),))


def random_tree(seed, schema=CLASSES, depth=4):
    random = Random(seed)

    def sprout(depth):
        if depth == 0 or random.random() < 0.25:
            return leaf(*random.choices(range(3), k=random.randint(1, 4)))
        if random.random() < 0.4:
            return branch(EachValue(LETTER, (0, 1, 2)), *(sprout(depth - 1) for _ in range(3)))
        return branch(Below(NUMBER, 0.5), sprout(depth - 1), sprout(depth - 1))

    return make_tree(schema, sprout(depth))
