"""`bough compare`: two trees on the same rows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from rich.console import RenderableType
from rich.text import Text

from bough.cli.arguments import AS_FOUND, Reading, read_model
from bough.cli.printing import ALL_CHECKS, Checks, estimates_table, print_notes
from bough.cli.terminal import AS_USUAL, FLAG, Beside, Terminal
from bough.evidence import Estimate
from bough.explain import Rule
from bough.explain.condition import joined
from bough.learn.compare import Comparison, RuleChanges
from bough.learn.compare import compare as compared
from bough.loss_kinds import LOSSES, signed
from bough.words import number, plain, row_count, share

MOST_RULES = 5  # of a kind that are listed


def compare(
    model: Path,
    other: Path,
    data: str | None = None,
    /,
    *,
    full: Annotated[bool, FLAG] = False,
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
        Another one that predicts the same column.
    data
        A table with the target, if possible of rows that neither tree has seen; '-' reads a pipe. Without one, only rules are compared.
    full
        List every rule that changed.
    """
    one, two = (read_model(path) for path in (model, other))
    table = None if data is None else reading.open(data, one.tree.schema.reading)
    found = compared(one, two, table, digits=terminal.digits)
    found = replace(found, notes=checks.made(found.notes))
    if terminal.json:
        terminal.document("compare", found.as_dict())
        return
    print_notes(terminal, found.notes)
    names = [plain(path.name.removesuffix(".bough.json")) for path in (model, other)]
    if names[0] == names[1]:
        names = ["the first", "the second"]
    if found.difference is not None:
        headings = dict(zip(names, (found.first, found.second), strict=True))
        terminal.say(estimates_table(headings, terminal.digits))
        terminal.say("")
        for line in _verdict(found, names, found.difference, terminal.digits):
            terminal.say(Text(line))
        terminal.say("")
    for words in _changes(found.rules, names, most=None if full else MOST_RULES):
        terminal.say(words)


def _verdict(found: Comparison, names: list[str], change: Estimate, digits: int) -> Iterator[str]:
    one, other = names
    is_ranking = LOSSES[found.loss or "error"].task.ranks
    pairs = f"{change.n:,} groups" if is_ranking else row_count(found.n_rows)
    yield f"{other} minus {one}: {_difference(found.loss or 'error', change, digits)}, measured on the same {pairs}"
    guesses, leaves = (
        share(each or 0.0) for each in (found.share_other_guess, found.share_other_leaf)
    )
    do = "rank" if is_ranking else "predict"
    yield f"They {do} {guesses} of the rows differently; {leaves} reach a leaf with another rule."
    if found.is_on_used_rows:
        n_used = max(found.n_used)
        yield (
            f"No verdict: about {n_used:,} of {row_count(found.n_rows)} were used to make "
            f"{names[found.n_used.index(n_used)]}. Compare on rows that neither tree has seen."
        )
        return
    if found.better is not None:
        yield f"{one if found.better == 'first' else other} is better."
        return
    n_one, n_other = found.n_leaves
    if n_one == n_other:
        yield "No clear difference."
        return
    simpler = one if n_one < n_other else other
    yield f"No clear difference: keep {simpler}, which is simpler ({min(n_one, n_other):,} leaves, not {max(n_one, n_other):,})."


def _changes(rules: RuleChanges, names: list[str], most: int | None) -> Iterator[RenderableType]:
    """Give which rules changed, the largest first; at most so many of each kind."""
    yield Text(f"{_count(len(rules.same), 'is', 'are')} the same in both trees.")
    if alike := rules.other_guess:
        verbs = ("asks the same but predicts", "ask the same but predict")
        yield Text(f"{_count(len(alike), *verbs)} something else:")
        yield from _listed([_both_guesses(pair, names[1]) for pair in alike], most)
    for name, only in zip(names, (rules.only_first, rules.only_second), strict=True):
        if only:
            yield Text(f"{_count(len(only), 'is', 'are')} only in {name}:")
            yield from _listed([str(rule) for rule in only], most)


def _both_guesses(pair: tuple[Rule, Rule], name: str) -> str:
    one, other = pair
    return f"{plain(joined(one.conditions))} → {one.verdict}, in {name} {other.verdict}"


def _listed(rules: Sequence[str], most: int | None) -> Iterator[RenderableType]:
    shown = rules if most is None or len(rules) <= most + 1 else rules[:most]
    for rule in shown:
        yield Beside(Text("  "), Text(rule))
    if n_more := len(rules) - len(shown):
        yield Text(f"  … {n_more:,} more: --full", "dim")


def _count(n_rules: int, does: str, do: str) -> str:
    if n_rules < 2:
        return f"{'1' if n_rules else 'No'} rule {does}"
    return f"{n_rules:,} rules {do}"


def _difference(loss: str, change: Estimate, digits: int) -> str:
    """Return a difference with its interval; that of errors as one of accuracies."""
    known = LOSSES[loss]
    values = change.value, change.low, change.high
    if known.is_share or known.task.ranks:  # people know the score, which falls as the loss grows
        values = -change.value, -change.high, -change.low
    value, low, high = (
        signed(f"{100 * abs(each):.1f}" if known.is_share else number(abs(each), digits), each)
        for each in values
    )
    what, points = ("accuracy", " points") if known.is_share else (known.figure_word, "")
    return f"{what} {value}{points} (95 % interval {low} to {high})"
