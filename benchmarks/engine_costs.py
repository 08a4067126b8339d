"""What growing from parts sends and takes, by a model: checked where it can be, and reckoned beyond.

    python benchmarks/engine_costs.py

prints the table of `docs/engines.md`. A test compares `sent_bytes` with what parts do send.
"""

from dataclasses import dataclass
from math import ceil, log2


def entry_bytes(n_sums: int, limbs: int = 1, n_ends: int = 2) -> int:
    """Return the bytes of one entry: its place and key, its ends, and its sums."""
    return 4 + 8 + 8 * n_ends + 8 * n_sums * limbs


def sent_bytes(
    n_parts: int, n_nodes: int, n_cells: int, n_sums: int, *, limbs: int = 1, n_outputs: int = 0
) -> int:
    """Return the bytes that all parts together send in one pass.

    Parameters
    ----------
    n_parts, n_nodes
        How many parts count, and at how many nodes.
    n_cells
        How many cells of all columns have rows, at all these nodes together, in each part.
    n_sums
        Rows, weight, and the weight of each class; or, of each output, the sum and the squares.
    limbs
        Words of 64 bits that the widest sum needs.
    n_outputs
        How many labels are numbers.
    """
    of_nodes = entry_bytes(n_sums, limbs, 2 * n_outputs)
    return n_parts * (n_nodes * of_nodes + n_cells * entry_bytes(n_sums, limbs))


@dataclass(frozen=True)
class Cluster:
    """A table and the workers that it lies on; times as measured on one core."""

    n_rows: float
    n_columns: int
    n_workers: int
    cores: int = 8
    """Of each worker."""
    n_parts: int = 1_000
    gather_rows: float = 2e7
    n_classes: int = 2
    n_cells: int = 130
    """Of a column, at most."""
    count_ns: float = 50.0
    """To count a value of a row."""
    route_ns: float = 40.0
    """To find the node of a row, in each pass."""
    network: float = 1e9
    """Bytes in a second, of each worker."""
    task_ms: float = 1.0
    """Of the scheduler."""
    finer_passes: int = 4
    """That look into intervals which may hold the best cut."""
    alive: int = 30
    """How many such intervals a node has."""

    @property
    def n_levels(self) -> int:
        return max(0, ceil(log2(self.n_rows / self.gather_rows)))

    def level(self, number: int) -> dict[str, float]:
        """Return bytes, tasks and seconds of one level."""
        n_nodes, n_sums = 2**number, 2 + self.n_classes
        n_intervals = self.n_columns + self.finer_passes * self.alive  # that a node asks for
        sent = sent_bytes(self.n_parts, n_nodes, n_nodes * n_intervals * self.n_cells, n_sums)
        tasks = (1 + self.finer_passes) * self.n_parts * (1 + 1 / 7)  # count, and add up by eights
        counted = self.n_rows * n_intervals * self.count_ns
        routed = self.n_rows * (1 + self.finer_passes) * self.route_ns
        seconds = (counted + routed) * 1e-9 / (self.n_workers * self.cores)
        seconds += sent / (self.network * self.n_workers) + tasks * self.task_ms / 1e3
        return {"nodes": n_nodes, "bytes": sent, "tasks": tasks, "seconds": seconds}


if __name__ == "__main__":
    cluster = Cluster(n_rows=1e10, n_columns=100, n_workers=100)
    levels = [cluster.level(number) for number in range(cluster.n_levels)]
    for level in (*levels[::4], {key: sum(each[key] for each in levels) for key in levels[0]}):
        print(
            f"{level['nodes']:6.0f} nodes {level['bytes'] / 1e9:8.1f} GB {level['tasks']:8,.0f} tasks "
            f"{level['seconds'] / 60:6.1f} minutes"
        )
