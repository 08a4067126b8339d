"""Are the tally, the impurity and the guess of a node right? Part of the audit."""

from fractions import Fraction
from math import ulp

import numpy as np
from audit_scores import TIE

LARGEST = float(np.finfo(np.float64).max)  # numbers beyond are stored as this
SMALLEST = Fraction(ulp(0.0))


def check_numbers(tree, node, cells, members, tally, impurity):
    """Yield what is wrong with the numbers of a node."""
    yield from _differs("impurity", float(tree.impurity[node]), impurity, impurity)
    of_output = _check_classes if cells.n_classes else _check_labels
    for output, where in enumerate(cells.by_output):
        yield from of_output(tree, node, output, cells, members, tally[where])


def is_close(stored, exact, size):
    """Tell whether a stored number is right to 1e-12 of a size, or as large as a number can be."""
    if abs(exact) > LARGEST:
        return stored == (LARGEST if exact > 0 else -LARGEST)
    return abs(Fraction(stored) - exact) <= TIE * size + SMALLEST


def in_words(exact):
    return repr(float(exact)) if abs(exact) <= LARGEST else "beyond all numbers"


def _differs(name, stored, exact, size):
    if not is_close(stored, exact, size):
        yield f"{name} is {stored!r}, not {in_words(exact)}"


def _check_classes(tree, node, output, cells, _, counts):
    for stored, count in zip(tree.tally[node, output].tolist(), counts, strict=True):
        weight = count * cells.weight_unit
        yield from _differs("a weight in the tally", stored, weight, weight)
    common = max(counts) - TIE * sum(counts)
    guess = next(code for code, count in enumerate(counts) if count >= common)
    if tree.class_guess[node, output] != guess:
        yield f"guesses class {tree.class_guess[node, output]}, not {guess}"


def _check_labels(tree, node, output, cells, members, tally):
    unit, columns = cells.label_units[output], cells.by_output[output]
    pairs = cells.cells[members, columns].tolist()  # weight, weight times label
    weight, total = tally[0] * cells.weight_unit, tally[1] * cells.weight_unit * unit
    squares = sum(part * (part // own) for own, part in pairs) * cells.weight_unit * unit**2
    size = sum(abs(part) for _, part in pairs) * cells.weight_unit * unit
    stored = tree.tally[node, output].tolist()
    yield from _differs("the weight in the tally", stored[0], weight, weight)
    yield from _differs("the sum in the tally", stored[1], total, size)
    yield from _differs("the squares in the tally", stored[2], squares, squares)
    labels = {part // own for own, part in pairs}
    mean, guess = total / weight, float(tree.guess[node, output])
    if len(labels) == 1:
        if guess != float(mean):
            yield f"guesses {guess!r}, though every label is {float(mean)!r}"
    else:
        spread = (max(labels) - min(labels)) * unit
        if abs(Fraction(guess) - mean) > TIE * spread + Fraction(ulp(float(mean))):
            yield f"guesses {guess!r}, not {float(mean)!r}"
