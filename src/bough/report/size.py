"""The section on size: what deeper and smaller trees would have cost."""

from math import sqrt
from typing import Any

from bough.choice_words import cut_words
from bough.evidence import Candidate, Evidence
from bough.figure_words import value_text
from bough.loss_kinds import LOSSES
from bough.report.chart import Axis, Line, line_chart, range_of
from bough.report.subject import Subject


def depth(subject: Subject) -> dict[str, Any] | None:
    """Return the loss on training and development rows of every size that was tried."""
    evidence = subject.evidence
    if evidence is None:
        return None
    family = _family(evidence)
    return {
        "chart": _chart(evidence, family) if len(family) > 1 else "",
        "loss": _loss_word(evidence),
        "by_depth": not evidence.chosen.pruned_by,
        "tried": "in cross-validation" if evidence.folds else "on the development rows",
        "lines": [_line(evidence, each, subject.digits) for each in family],
        "others": _others(evidence, subject.digits),
        "has_without": any(each.without for each in evidence.curve),
    }


def _family(evidence: Evidence) -> list[Candidate]:
    """Return the trees that were read off the same growth in the same way as the chosen one.

    Where that way gives a single tree, all that were read off its growth.
    """
    chosen = evidence.chosen
    found = [each for each in evidence.curve if _way(each) == _way(chosen)]
    if len(found) < 2:
        found = [each for each in evidence.curve if each.setting == chosen.setting]
    if chosen not in found:
        found.append(chosen)
    return sorted(found, key=lambda each: (each.n_leaves, each.depth or 0))


def _way(candidate: Candidate) -> tuple[object, ...]:
    return *candidate.setting, candidate.pruned_by


def _chart(evidence: Evidence, family: list[Candidate]) -> str:
    by_depth = not evidence.chosen.pruned_by

    def x(each: Candidate) -> float:
        return float(each.depth or 0) if by_depth else float(max(each.n_leaves, 1))

    shown = [_shown(evidence, each.train) for each in family]
    shown += [_shown(evidence, each.dev) for each in family]
    is_share = evidence.loss == "error"
    low, high = range_of(shown, from_zero=True)
    what = "depth" if by_depth else "leaves"
    ends = min(map(x, family)), max(map(x, family))
    across = Axis(what, *ends, is_log=not by_depth, is_count=True)
    up = Axis(_loss_word(evidence), low, high, is_share=is_share)
    train = Line("training", [(x(each), _shown(evidence, each.train)) for each in family])
    dev = Line(
        "development",
        [(x(each), _shown(evidence, each.dev)) for each in family],
        [_shown_error(evidence, each) for each in family],
    )
    chosen = evidence.chosen
    size = f"depth {chosen.depth}" if by_depth else f"{chosen.n_leaves:,} leaves"
    mark = x(chosen), _shown(evidence, chosen.dev), f"{size} chosen"
    return line_chart(across, up, [train, dev], mark)


def _loss_word(evidence: Evidence) -> str:
    return "root-mean-square error" if _is_root(evidence) else LOSSES[evidence.loss].word


def _is_root(evidence: Evidence) -> bool:
    return evidence.loss == "squared_error"


def _shown(evidence: Evidence, loss: float) -> float:
    """Return a loss in the unit of the labels: of squares, the root."""
    return sqrt(loss) if _is_root(evidence) else loss


def _shown_error(evidence: Evidence, candidate: Candidate) -> float:
    """Return the standard error of a shown loss."""
    if not _is_root(evidence) or candidate.dev == 0:
        return candidate.dev_error
    return candidate.dev_error / (2 * sqrt(candidate.dev))


def _line(evidence: Evidence, candidate: Candidate, digits: int) -> dict[str, Any]:
    losses = {
        name: value_text(evidence.loss, _shown(evidence, loss), digits)
        for name, loss in (("train", candidate.train), ("dev", candidate.dev))
    }
    return {
        "depth": candidate.depth,
        "n_leaves": candidate.n_leaves,
        **losses,
        "is_chosen": candidate == evidence.chosen,
    }


def _others(evidence: Evidence, digits: int) -> list[dict[str, Any]]:
    """Return the best tree of every way that was tried."""
    best: dict[tuple[object, ...], Candidate] = {}
    for each in evidence.curve:
        way = _way(each)
        if way not in best or each.dev < best[way].dev:
            best[way] = each
    best[_way(evidence.chosen)] = evidence.chosen
    return [
        {
            "criterion": each.criterion,
            "categorical": each.categorical,
            "smallest_leaf": each.smallest_leaf,
            "without": ", ".join(each.without),
            "how": cut_words(each),
            **_line(evidence, each, digits),
        }
        for each in sorted(best.values(), key=lambda each: each.dev)
    ]
