"""Wilson's interval: between what a share of rows may lie."""

from math import sqrt

NORMAL = 1.959963984540054  # 97.5 % of a normal distribution lie below


def wilson(share: float, n: float, quantile: float = NORMAL) -> tuple[float, float]:
    """Return Wilson's interval (1927) of a share among so many rows.

    Examples
    --------
    >>> [round(each, 3) for each in wilson(0.2, 100)]
    [0.133, 0.289]
    """
    squared = quantile**2 / n
    middle = (share + squared / 2) / (1 + squared)
    reach = sqrt(squared * (share * (1 - share) + squared / 4)) / (1 + squared)
    return max(middle - reach, 0.0), min(middle + reach, 1.0)
