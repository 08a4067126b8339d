"""Ties: which questions are equally good, and by which rule the first of them is asked."""

from bough.reference import Candidate
from bough.teach.node_questions import NodeQuestions
from bough.teach.steps import TieBreak


def tie_of(questions: NodeQuestions, tied: list[Candidate], criterion: str) -> TieBreak | None:
    """Return the tie at a node; None if one question is better than all others.

    `tied` has the questions that are equally good, the one that is asked first.
    """
    rivals, reasons = tied, []
    gini_gains: tuple[float, ...] = ()
    if criterion == "error" and len(by_gain := questions.tied_by_gain(criterion)) > len(tied):
        rivals = [tied[0], *(each for each in by_gain if each is not tied[0])]
        gini_gains = tuple(map(questions.gini_gain, rivals))
        reasons.append(f"{_words(questions, tied[0])} has the larger Gini gain")
    if len(rivals) < 2:
        return None
    if len(tied) > 1:
        reasons.append(_order(questions, tied))
    gain = questions.question(tied[0], criterion)
    return TieBreak(
        tuple(dict.fromkeys(_words(questions, each) for each in rivals)),
        gain.gain_ratio if criterion == "gain_ratio" else gain.gain,
        " and ".join(reasons),
        gini_gains,
    )


def _words(questions: NodeQuestions, found: Candidate) -> str:
    query = found.query
    if query.kind == "EachValue":
        return query.column
    return f"{query.column} {questions.table.query(query, questions.rows).answers[0]}"


def _order(questions: NodeQuestions, tied: list[Candidate]) -> str:
    """Return the rule that puts the first of equally good questions before the others."""
    first = tied[0].query
    columns = list(dict.fromkeys(each.query.column for each in tied))
    if len(columns) > 1:
        return f"{first.column} is the {'earlier' if len(columns) == 2 else 'earliest'} column"
    if any(each.query.kind != first.kind for each in tied):
        return "a comparison comes before 'is missing'"
    if any(each.query.pivot != first.pivot for each in tied):
        pivots = {each.query.pivot for each in tied}
        said = questions.table.query(first, questions.rows).answers[0].removeprefix("< ")
        return f"{said} is the {'lower' if len(pivots) == 2 else 'lowest'} pivot"
    if any(each.query.groups != first.groups for each in tied):
        return "its list of values comes first"
    return "missing values go with the first answer"
