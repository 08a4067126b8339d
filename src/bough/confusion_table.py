"""`Confusion`: which classes were predicted as which."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.figure_words import LONGEST
from bough.schema import Value
from bough.text_layout import shortened, table_lines, table_rows
from bough.words import amount, guess_word, plain


@dataclass(frozen=True)
class Confusion:
    """Which classes were predicted as which.

    `numpy.asarray` gives a square of true classes (rows) by predicted ones (columns), as
    `sklearn.metrics.confusion_matrix` does; `print` shows it.
    """

    classes: tuple[Value, ...]
    cells: tuple[tuple[int, int, float], ...]
    """A true and a predicted class, by number, and the weight of these rows; others have none."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: ANN401, FBT001
        found = np.zeros((len(self.classes), len(self.classes)))
        for true, predicted, weight in self.cells:
            found[true, predicted] = weight
        if dtype is None and np.all(found == np.round(found)):
            dtype = np.int64
        return found.astype(dtype)

    def lines(self, digits: int = 3, width: int | None = None) -> list[str]:
        """Return a line for each true class, of classes that occur; several where it is too long."""
        names = [shortened(plain(guess_word(each)), LONGEST, "…") for each in self.classes]
        there = sorted({code for true, said, _ in self.cells for code in (true, said)})
        weights = {(true, said): weight for true, said, weight in self.cells}
        lines = [["true \\ predicted", *(names[code] for code in there)]]
        for true in there:
            cells = [weights.get((true, said), 0.0) for said in there]
            lines.append([names[true], *(_count(each, digits) for each in cells)])
        aligned = "<" + ">" * len(there)
        if table_rows(lines, aligned, width)[0]:
            return table_lines(lines, aligned, width)
        told = [["", *(f"predicted {name}" for name in lines[0][1:])]]  # as each row tells it
        told += [[f"true {name}", *cells] for name, *cells in lines[1:]]
        return table_lines(told, aligned, width)

    def __str__(self) -> str:
        return "\n".join(self.lines())


def _count(weight: float, digits: int) -> str:
    return amount(weight, digits) if weight % 1 else f"{int(weight):,}"
