"""What two trees differ in, as data and in words."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from bough.checks.note_words import note_lines, plain_notes
from bough.evidence import Estimate, Note
from bough.explain.rules_and_conditions import Rule, joined
from bough.figure_words import change_table
from bough.loss_kinds import LOSSES, signed
from bough.words import number, plain, row_count, share

MOST_RULES = 5  # of a kind that are listed


@dataclass(frozen=True)
class RuleChanges:
    """The rules of two trees, those of more rows first.

    A rule is the same in both trees if it asks the same of every feature and predicts the same.
    """

    same: tuple[Rule, ...]
    other_guess: tuple[tuple[Rule, Rule], ...]
    """Rules that ask the same but predict something else: as in the first, and as in the second tree."""
    only_first: tuple[Rule, ...]
    only_second: tuple[Rule, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "n_same": len(self.same),
            "other_guess": [
                {"first": one.as_dict(), "second": two.as_dict()} for one, two in self.other_guess
            ],
            "only_first": [rule.as_dict() for rule in self.only_first],
            "only_second": [rule.as_dict() for rule in self.only_second],
        }


@dataclass(frozen=True)
class Comparison:
    """How two models differ; without a table, only their rules are compared."""

    n_leaves: tuple[int, int]
    rules: RuleChanges
    loss: str | None = None
    """The loss that is compared: the one that both were tuned for, or the usual one of the task."""
    n_rows: int = 0
    first: dict[str, Estimate] = field(default_factory=dict)
    second: dict[str, Estimate] = field(default_factory=dict)
    difference: Estimate | None = None
    """The loss of the second minus that of the first, row by row."""
    share_other_guess: float | None = None
    """The share of the rows that they predict, or rank, differently."""
    share_other_leaf: float | None = None
    """The share of the rows that reach a leaf with another rule."""
    n_used: tuple[int, int] = (0, 0)
    """About how many of the rows are known to have been used to make the first, and the second."""
    notes: tuple[Note, ...] = ()
    """Rows that one of them has seen before, and rows without a label."""
    differences: dict[str, Estimate] = field(default_factory=dict)
    """Every figure of the second minus that of the first, on the same rows."""

    @property
    def is_on_used_rows(self) -> bool:
        """Whether rows were used to make one of them. Then there is no verdict."""
        return max(self.n_used) > 0

    @property
    def better(self) -> str | None:
        """'first' or 'second', or None where the difference may be chance, or the rows were used."""
        if self.difference is None or self.is_on_used_rows:
            return None
        if self.difference.high < 0:
            return "second"
        return "first" if self.difference.low > 0 else None

    def as_dict(self) -> dict[str, Any]:
        """Return plain data; what needs a table only if there was one."""
        plain: dict[str, Any] = {"n_leaves": self.n_leaves, "rules": self.rules.as_dict()}
        if self.difference is not None:
            plain |= {
                "loss": self.loss,
                "n_rows": self.n_rows,
                "first": {name: asdict(each) for name, each in self.first.items()},
                "second": {name: asdict(each) for name, each in self.second.items()},
                "difference": asdict(self.difference),
                "differences": {name: asdict(each) for name, each in self.differences.items()},
                "better": self.better,
                "n_used": self.n_used,
                "share_other_guess": self.share_other_guess,
                "share_other_leaf": self.share_other_leaf,
            }
        return plain | {"notes": plain_notes(self.notes)}

    def lines(
        self,
        names: Sequence[str] = ("first", "second"),
        digits: int = 3,
        most_rules: int | None = MOST_RULES,
        more: str = "rules",
        width: int | None = None,
    ) -> list[str]:
        """Return it as the terminal shows it: figures, verdict, rules.

        At most so many changed rules of a kind are listed, None: all; `more` says where others are.
        """
        found = []
        if self.difference is not None:
            both = self.first, self.second, self.differences
            found += change_table(*both, names, digits, width=width)
            found += ["", *_verdict(self, names, self.difference, digits), ""]
        return [*found, *_changes(self.rules, names, most_rules, more)]

    def __str__(self) -> str:
        notes = note_lines(self.notes)
        return "\n".join([*notes, *self.lines()])


def _verdict(
    found: Comparison, names: Sequence[str], change: Estimate, digits: int
) -> Iterator[str]:
    one, other = names
    is_ranking = LOSSES[found.loss or "error"].task.ranks
    pairs = f"{change.n:,} groups" if is_ranking else row_count(found.n_rows)
    yield f"{other} minus {one}: {_difference(found.loss or 'error', change, digits)}, measured on the same {pairs}"
    others = (found.share_other_guess or 0.0, found.share_other_leaf or 0.0)
    guesses, leaves = map(share, others)
    do = "rank" if is_ranking else "predict"
    if any(others):
        yield f"They {do} {guesses} of the rows differently; {leaves} reach a leaf with another rule."
    else:
        yield f"They {do} every row alike, by the same rules."
    if found.is_on_used_rows:
        n_used = max(found.n_used)
        yield (
            f"No verdict: about {n_used:,} of {row_count(found.n_rows)} are equal to rows that "
            f"{names[found.n_used.index(n_used)]} learnt from. Compare on rows that neither tree has seen."
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


def _changes(
    rules: RuleChanges, names: Sequence[str], most: int | None, more: str
) -> Iterator[str]:
    """Give which rules changed, the largest first; at most so many of each kind."""
    yield f"{_count(len(rules.same), 'is', 'are')} the same in both trees."
    if alike := rules.other_guess:
        verbs = ("asks the same but predicts", "ask the same but predict")
        yield f"{_count(len(alike), *verbs)} something else:"
        yield from _listed([_both_guesses(pair, names[1]) for pair in alike], most, more)
    for name, only in zip(names, (rules.only_first, rules.only_second), strict=True):
        if only:
            yield f"{_count(len(only), 'is', 'are')} only in {name}:"
            yield from _listed([str(rule) for rule in only], most, more)


def _both_guesses(pair: tuple[Rule, Rule], name: str) -> str:
    one, other = pair
    return f"{plain(joined(one.conditions))} → {one.verdict}, in {name} {other.verdict}"


def _listed(rules: Sequence[str], most: int | None, more: str) -> Iterator[str]:
    shown = rules if most is None or len(rules) <= most + 1 else rules[:most]
    yield from (f"  {rule}" for rule in shown)
    if n_more := len(rules) - len(shown):
        yield f"  … {n_more:,} more: {more}"


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
