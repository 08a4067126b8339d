"""The section on size: what deeper and smaller trees would have cost."""

from math import sqrt
from typing import Any

from bough.evidence import Candidate, Evidence
from bough.figure_words import value_text
from bough.loss_kinds import LOSSES
from bough.report.chart import Axis, Dot, Line, Mark, line_chart, range_of
from bough.report.subject import Subject
from bough.result_words import cut_words, where_tried
from bough.words import leaf_count


def depth(subject: Subject) -> dict[str, Any] | None:
    """Return the loss on training and development rows of every size that was tried."""
    evidence = subject.evidence
    if evidence is None:
        return None
    family = _family(evidence)
    return {
        "chart": _chart(evidence, family, subject.tree.n_leaves) if len(family) > 1 else "",
        "learning": _learning(evidence),
        "refit": evidence.refit,
        "loss": _loss_word(evidence),
        "by_depth": not evidence.chosen.pruned_by,
        "tried": where_tried(evidence),
        "tried_word": _tried_word(evidence),
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


def _chart(evidence: Evidence, family: list[Candidate], n_leaves: int) -> str:
    """Return the loss by size: of trees grown from the training rows, and of those grown at last."""
    by_depth = not evidence.chosen.pruned_by

    def x(each: Candidate) -> float:
        return float(each.depth or 0) if by_depth else float(max(each.n_leaves, 1))

    dots = [] if by_depth else _tests(evidence, n_leaves)
    shown = [_shown(evidence, loss) for each in family for loss in (each.train, each.dev)]
    low, high = range_of([*shown, *(dot.y for dot in dots)], from_zero=True)
    places = [*map(x, family), *(dot.x for dot in dots)]
    across = Axis(
        "depth" if by_depth else "leaves",
        min(places),
        max(places),
        is_log=not by_depth,
        is_count=True,
    )
    up = Axis(_axis_word(evidence), low, high, is_share=evidence.loss == "error")
    train = Line("training", [(x(each), _shown(evidence, each.train)) for each in family])
    dev = Line(
        "development",
        [(x(each), _shown(evidence, each.dev)) for each in family],
        [_shown_error(evidence, each) for each in family],
        told=_tried_word(evidence),
    )
    marks = [Mark(dot.x, name) for dot, name in zip(dots, ("chosen", "simpler"), strict=False)]
    marks = marks or [Mark(x(evidence.chosen), "chosen")]
    return line_chart(across, up, [train, dev], marks, dots)


def _tests(evidence: Evidence, n_leaves: int) -> list[Dot]:
    """Return what the test rows say of the chosen tree and of the simpler one, as grown at last."""
    trees = [("the tree shown here", n_leaves, evidence.test)]
    if evidence.simpler is not None:
        trees.append(("the simpler tree", evidence.simpler.n_leaves, evidence.simpler.test))
    found = []
    for name, size, test in trees:
        value, low, high = (
            _shown(evidence, getattr(test[evidence.loss], end)) for end in ("value", "low", "high")
        )
        told = f"{name}, {leaf_count(size)}: {value_text(evidence.loss, value)} on test rows"
        found.append(Dot(float(size), value, 4, told, (low, high), "test"))
    return found


def _learning(evidence: Evidence) -> str:
    """Return the loss by the number of rows that were learnt from."""
    points = [(float(max(n, 1)), _shown(evidence, loss)) for n, loss in evidence.learning]
    places = [x for x, _ in points]
    low, high = range_of([y for _, y in points], from_zero=True)
    across = Axis("rows learnt from", min(places), max(places), is_log=True, fixed=tuple(places))
    up = Axis(_axis_word(evidence), low, high, is_share=evidence.loss == "error")
    dots = [
        Dot(x, y, 4, f"{x:,.0f} rows: {value_text(evidence.loss, y)}", name="development")
        for x, y in points
    ]
    line = Line("development", points, told=_tried_word(evidence))
    return line_chart(across, up, [line], [], dots)


def _tried_word(evidence: Evidence) -> str:
    return "cross-validation" if evidence.folds else "development"


def _loss_word(evidence: Evidence) -> str:
    return "root-mean-square error" if _is_root(evidence) else LOSSES[evidence.loss].word


def _axis_word(evidence: Evidence) -> str:
    return "RMSE" if _is_root(evidence) else LOSSES[evidence.loss].word  # beside the names of lines


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
