"""`Wishes`: what the user wants of the tree, checked once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bough.errors import ParameterError
from bough.learn.choose import check_way
from bough.settings import check_level


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What the user wants of the tree."""

    criterion: str | Sequence[str] | None
    categorical: str | Sequence[str] | None
    loss: str | None
    quantile: float | None
    monotonic_cst: Mapping[str, int] | None = None
    choose: str
    refit: bool
    seed: int
    n_jobs: int

    def __post_init__(self) -> None:
        check_way(self.choose)
        check_level("quantile", self.quantile)
        if not isinstance(self.refit, bool):
            raise ParameterError(f"refit={self.refit!r} must be True or False.")
        if not isinstance(self.seed, int) or isinstance(self.seed, bool) or self.seed < 0:
            raise ParameterError(f"seed={self.seed!r} must be a whole number, 0 or more.")
