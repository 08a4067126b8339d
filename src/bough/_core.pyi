"""The compiled core of bough: loops over rows, and nothing else."""

from collections.abc import Sequence
from typing import Any

import numpy
import numpy.typing


def criteria() -> dict[str, str]:
    """Return the criteria by name, each with its task."""

def grow(columns: Sequence[numpy.typing.NDArray[Any]], n_choices: Sequence[int], classes: numpy.typing.NDArray[numpy.int32] | None, n_classes: Sequence[int], numbers: numpy.typing.NDArray[numpy.float64] | None, weights: numpy.typing.NDArray[numpy.float64] | None, settings: dict[str, Any], n_threads: int) -> dict[str, Any]:
    """Grow a tree and return its arrays."""

def stops(feature: numpy.typing.NDArray[numpy.int32], query_kind: numpy.typing.NDArray[numpy.uint8], pivot: numpy.typing.NDArray[numpy.float64], pivot_int: numpy.typing.NDArray[numpy.int64] | None, codes: numpy.typing.NDArray[numpy.int32], answers: numpy.typing.NDArray[numpy.int32], codes_start: numpy.typing.NDArray[numpy.int32], first_child: numpy.typing.NDArray[numpy.int32], n_children: numpy.typing.NDArray[numpy.int32], missing_child: numpy.typing.NDArray[numpy.int32], columns: Sequence[numpy.typing.NDArray[Any]], n_choices: Sequence[int], n_rows: int, n_threads: int) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64]]:
    """
    Return the node where each row stops, and for each feature the rows that stop at a value unseen there.
    """
