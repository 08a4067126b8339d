"""The honest protocol: look, split, seal, grow, choose, test."""

from bough.learn.fit import fit
from bough.learn.result import Result

__all__ = ["Result", "fit"]
