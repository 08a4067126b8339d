"""Losses and scores as a table."""

from collections.abc import Mapping

from rich.table import Table

from bough.evidence import Estimate
from bough.report.words import interval_text, value_text


def estimates_table(estimates: Mapping[str, Mapping[str, Estimate]], digits: int) -> Table:
    """Return one line for each loss or score, and two columns for each heading.

    `estimates` has the losses and scores under each heading. Those that are not under every one
    cannot be compared, and are left out.
    """
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    for heading in estimates:
        table.add_column(heading, justify="right")
        table.add_column("95 % interval")
    first = next(iter(estimates.values()))
    for name in first:
        if any(name not in under for under in estimates.values()):
            continue
        cells = []
        for under in estimates.values():
            cells += [
                value_text(name, under[name].value, digits),
                interval_text(name, under[name], digits),
            ]
        table.add_row(name, *cells)
    return table
