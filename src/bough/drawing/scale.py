"""Where numbers lie between two ends."""

from typing import NamedTuple


class Scale(NamedTuple):
    """The numbers from one end to another."""

    low: float
    high: float

    def place(self, value: float) -> float:
        """Return where a number lies: 0 at the low end or below it, 1 at the high end or above.

        Examples
        --------
        >>> Scale(10.0, 30.0).place(15.0)
        0.25
        """
        span = self.high / 2 - self.low / 2  # halves, since the whole may be beyond all numbers
        return min(max((value / 2 - self.low / 2) / span, 0.0), 1.0) if span > 0 else 0.5
