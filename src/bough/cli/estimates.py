"""Losses and scores as a table."""

from collections.abc import Mapping

from rich.table import Table

from bough.evidence import Estimate
from bough.report.words import interval_text, value_text


def estimates_table(estimates: Mapping[str, Mapping[str, Estimate]], digits: int) -> Table:
    """Return one line for each loss or score, and two columns for each heading.

    `estimates` has the losses and scores under each heading.
    """
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    for heading in estimates:
        table.add_column(heading, justify="right")
        table.add_column("95 % interval")
    first = next(iter(estimates.values()))
    for name in first:
        cells = []
        for under in estimates.values():
            cells += [
                value_text(name, under[name].value, digits),
                interval_text(name, under[name], digits),
            ]
        table.add_row(name, *cells)
    return table
