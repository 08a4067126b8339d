"""The compiled core of bough: loops over rows, and nothing else."""

from collections.abc import Sequence
from typing import Any

import numpy
import numpy.typing
from numpy.typing import NDArray


def criteria() -> dict[str, str]:
    """Return the criteria by name, each with its task."""

def occurring(codes: numpy.typing.NDArray[Any], n_values: int) -> NDArray[numpy.uint8]:
    """Return 1 for each code from -1 on that is there, and 0 for others."""

def recode(codes: numpy.typing.NDArray[Any], positions: numpy.typing.NDArray[Any]) -> numpy.typing.NDArray[Any]:
    """Return for each code its position; the first one is that of -1."""

def pruning_path(parents: numpy.typing.NDArray[numpy.int32], impurities: numpy.typing.NDArray[numpy.float64], slack: float) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64]]:
    """
    Return the price at which each node is a leaf, all prices, and impurities.
    """

class InfiniteNumber(Exception):
    pass

class SparseTable:
    """Numbers that are not 0, one row or column after the other."""

    def __init__(self, n_rows: int, n_columns: int, by_row: bool, starts: numpy.typing.NDArray[numpy.int64], places: numpy.typing.NDArray[numpy.uint32], values: numpy.typing.NDArray[numpy.float64]) -> None: ...

def grow(columns: SparseTable | numpy.typing.NDArray[Any] | Sequence[numpy.typing.NDArray[Any]], kinds: numpy.typing.NDArray[numpy.uint8], n_choices: numpy.typing.NDArray[numpy.int32], labels: dict[str, Any], settings: dict[str, Any], n_threads: int) -> dict[str, Any]:
    """Grow a tree and return its arrays."""

def refill(first_child: numpy.typing.NDArray[numpy.int32], n_children: numpy.typing.NDArray[numpy.int32], stops: numpy.typing.NDArray[numpy.int32], labels: dict[str, Any], settings: dict[str, Any], n_threads: int) -> dict[str, Any]:
    """Return what the nodes of a tree say of rows that stop at these nodes."""

def first_broken(arrays: dict[str, Any], n_classes: Sequence[int]) -> tuple[str, int, int] | None:
    """
    Return the first rule that the arrays of a tree break, the node, and the code.
    """

def first_broken_shown(arrays: dict[str, Any], n_classes: Sequence[int]) -> tuple[str, int, int] | None:
    """
    Return the same of the numbers shown in place of pivots, where a tree is valid.
    """

def memory_handler() -> object:
    """Return the handler by which the arrays of NumPy keep to the budget."""

def use_handler(functions: object, handler: object) -> object:
    """Let NumPy take memory from a handler, and return the one before."""

def set_budget(n_bytes: int, folder: str) -> None:
    """
    Set how many bytes large blocks may take from the heap, below 0 any number.
    """

def spill_error() -> int:
    """
    Return why the last file could not be made, as errno says it; 0: there is none.
    """

class Router:
    """A tree made ready to lead rows down."""

    def __init__(self, arrays: dict[str, Any]) -> None: ...

    def look_up(self, columns: numpy.typing.NDArray[Any] | Sequence[numpy.typing.NDArray[Any]], of_nodes: numpy.typing.NDArray[numpy.uint8], of_rows: numpy.typing.NDArray[numpy.uint8], n_threads: int) -> None:
        """Copy to each row what stands at the node where it stops."""

    def look_up_sparse(self, starts: numpy.typing.NDArray[numpy.int64], columns: numpy.typing.NDArray[numpy.int32], values: numpy.typing.NDArray[numpy.float64], places: numpy.typing.NDArray[numpy.int32], of_nodes: numpy.typing.NDArray[numpy.uint8], of_rows: numpy.typing.NDArray[numpy.uint8], n_threads: int) -> None:
        """
        The same for rows of which only some values are stored; places says which feature each column is, or -1.
        """

    def answers(self, columns: numpy.typing.NDArray[Any] | Sequence[numpy.typing.NDArray[Any]], n_rows: int, row: int, weigh: bool) -> NDArray[numpy.int32]:
        """
        Return for each node the child that a row would go to from there; -1 if to none, -2 if to all.
        """

    def weighed_rows(self, columns: numpy.typing.NDArray[Any] | Sequence[numpy.typing.NDArray[Any]], n_rows: int, n_threads: int) -> NDArray[numpy.int64]:
        """
        Return the rows that a missing value can send to all answers of a query.
        """

    def parts(self, columns: numpy.typing.NDArray[Any] | Sequence[numpy.typing.NDArray[Any]], n_rows: int, rows: numpy.typing.NDArray[numpy.int64], flow: numpy.typing.NDArray[numpy.float64]) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64], NDArray[numpy.uint8]]:
        """
        Return where the nodes of each row begin, the nodes that it meets in parts, how much of it comes there, and whether that stops there.
        """

    def mix(self, columns: numpy.typing.NDArray[Any] | Sequence[numpy.typing.NDArray[Any]], n_rows: int, rows: numpy.typing.NDArray[numpy.int64], flow: numpy.typing.NDArray[numpy.float64], of_nodes: numpy.typing.NDArray[numpy.float64], of_rows: numpy.typing.NDArray[numpy.float64], n_threads: int) -> None:
        """
        Write for each row the mean of what stands at the nodes where its parts stop.
        """

def number_objects(cells: object) -> tuple[list[str], NDArray[numpy.int32]] | None:
    """
    Return the distinct texts, and the number of each row's, -1 where it is missing; None where there is no text, or anything else.
    """

def number_arrow(series: object) -> tuple[list[str], NDArray[numpy.int32]] | None:
    """
    Return the same for what shares its text by Arrow; None if it shares no text.
    """

def distinct(values: numpy.typing.NDArray[numpy.uint8]) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32]]:
    """
    Return the first row of each distinct value, and the number of each row's value.
    """

def criteria_of_sums() -> list[str]:
    """Return the criteria by which parts of a table add up."""

def exponents(values: numpy.typing.NDArray[numpy.float64], weights: numpy.typing.NDArray[numpy.float64] | None) -> tuple[int, int]:
    """Return the exponents of the lowest and the highest bit of any value."""

def grid(lowest: int, highest: int, n_rows: int, of_weights: bool) -> int:
    """Return the exponent of the grid of a table, from its exponents."""

def value_keys(columns: numpy.typing.NDArray[Any] | Sequence[numpy.typing.NDArray[Any]], kind: int, n_rows: int) -> NDArray[numpy.uint64]:
    """
    Return the key of each value, in the order of values; 0 where it is missing.
    """

def add_entries(one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the entries of two parts, added up."""

def sum_nodes(nodes: numpy.typing.NDArray[numpy.int32], labels: dict[str, Any], settings: dict[str, Any]) -> tuple[Any, ...]:
    """Return what the rows at each node add up to."""

def sum_values(columns: numpy.typing.NDArray[Any] | Sequence[numpy.typing.NDArray[Any]], kinds: numpy.typing.NDArray[numpy.uint8], nodes: numpy.typing.NDArray[numpy.int32], labels: dict[str, Any], settings: dict[str, Any], asked: numpy.typing.NDArray[numpy.int32], ranges: numpy.typing.NDArray[numpy.uint64], edges_start: numpy.typing.NDArray[numpy.int64], edges: numpy.typing.NDArray[numpy.uint64]) -> tuple[Any, ...]:
    """Return what the rows add up to, by node and by value or cell."""

def search_parts(columns: list[tuple[Any, ...]], kinds: numpy.typing.NDArray[numpy.uint8], node: tuple[Any, ...], n_classes: Sequence[int], settings: dict[str, Any]) -> dict[str, Any]:
    """Return what a node asks, or of which intervals it must know more."""

def finish_parts(first_child: numpy.typing.NDArray[numpy.int32], n_children: numpy.typing.NDArray[numpy.int32], leaves: tuple[Any, ...], n_classes: Sequence[int], settings: dict[str, Any]) -> dict[str, Any]:
    """Return what the nodes of a tree say, from what its leaves add up to."""
