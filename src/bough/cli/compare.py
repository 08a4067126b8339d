"""`bough compare`: two trees on the same rows."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from rich.text import Text

from bough.cli.estimates import estimates_table
from bough.cli.model import by_name, read_model
from bough.cli.notes import ALL_CHECKS, Checks, print_notes
from bough.cli.reading import AS_FOUND, Reading
from bough.cli.terminal import AS_USUAL, Terminal
from bough.learn.compare import Comparison
from bough.learn.compare import compare as compared
from bough.losses import PLACES
from bough.words import number, plain, row_count, share


def compare(
    model: Path,
    other: Path,
    data: str,
    /,
    *,
    checks: Checks = ALL_CHECKS,
    reading: Reading = AS_FOUND,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Compare two trees.

    Parameters
    ----------
    model
        A model file, as 'bough fit' writes it.
    other
        Another one that guesses the same column.
    data
        A table with the target, best of rows that neither tree has seen; '-' is what is piped in.
    """
    one, two = (by_name(read_model(path)) for path in (model, other))
    found = compared(one, two, reading.open(data))
    found = replace(found, notes=checks.made(found.notes))
    if terminal.json:
        terminal.document("compare", {**asdict(found), "better": found.better})
        return
    print_notes(terminal, found.notes)
    names = [plain(path.name.removesuffix(".bough.json")) for path in (model, other)]
    if names[0] == names[1]:
        names = ["the first", "the second"]
    headings = dict(zip(names, (found.first, found.second), strict=True))
    terminal.say(estimates_table(headings, terminal.digits))
    terminal.say("")
    for line in _verdict(found, names, terminal.digits):
        terminal.say(Text(line))


def _verdict(found: Comparison, names: list[str], digits: int) -> Iterator[str]:
    one, other = names
    is_ranking = found.loss == "ndcg_loss"
    pairs = f"{found.difference.n:,} queries" if is_ranking else row_count(found.n_rows)
    yield f"{other} minus {one}: {_difference(found, digits)}, {pairs} in pairs"
    do = "give another place to" if is_ranking else "guess differently for"
    yield f"They {do} {share(found.share_other_guess)} of the rows."
    if found.better is not None:
        yield f"{one if found.better == 'first' else other} is better."
        return
    n_one, n_other = found.n_leaves
    if n_one == n_other:
        yield "No clear difference."
        return
    simpler = one if n_one < n_other else other
    yield f"No clear difference: keep {simpler}, which has {min(n_one, n_other):,} leaves and not {max(n_one, n_other):,}."


def _difference(found: Comparison, digits: int) -> str:
    """Return a difference with its interval; that of errors as one of accuracies."""
    change = found.difference
    if found.loss == "ndcg_loss":
        value, low, high = (
            _signed(number(abs(each), digits), -each)
            for each in (change.value, change.high, change.low)
        )
        return f"NDCG@{PLACES} {value} (95 % interval {low} to {high})"
    if found.loss != "error":
        value, low, high = (
            _signed(number(abs(each), digits), each)
            for each in (change.value, change.low, change.high)
        )
        return f"{found.loss.replace('_', ' ')} {value} (95 % interval {low} to {high})"
    value, low, high = (
        _signed(f"{100 * abs(each):.1f}", -each) for each in (change.value, change.high, change.low)
    )
    return f"accuracy {value} points (95 % interval {low} to {high})"


def _signed(words: str, value: float) -> str:
    return f"{'−' if value < 0 else '+'}{words}"
