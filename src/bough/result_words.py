"""What a result says, in the words that the terminal, `print(result)` and the page share; and how its tree came about."""

from math import hypot
from typing import NamedTuple

from bough.errors import as_argument, as_option, listed
from bough.evidence import Candidate, Estimate, Evidence
from bough.figure_words import (
    FIGURES,
    estimate_texts,
    figure_lines,
    loss_figure,
    loss_text,
    value_text,
)
from bough.loss_kinds import LOSSES
from bough.schema import Kind
from bough.tree import Tree
from bough.walk import depths
from bough.words import amount, guess_word, leaf_count, plain, share

MOST_CLASSES = 4  # that the headline names
SLACK = 1e-9  # of a loss, so that rounding does not show
HARDLY = 0.1  # of a loss: what is not worth twice the rows
SMALL_GAP = 0.05  # of the loss of the baseline: less matters to nobody
FEWEST_ROWS = 30  # nothing is concluded from fewer
AS_A_WHOLE = ("pessimistic", "reduced_error")  # prunings that each give one tree, and no series


def target_text(tree: Tree) -> str:
    """Return what is predicted, as in 'survived (0 62 %, 1 38 %)'."""
    label = tree.schema.labels[0]
    name = plain(label.name)
    if not label.classes:
        return f"{name} ({'for ranking' if label.ranks else 'a number'})"
    shares = tree.shares[0, 0]
    order = sorted(range(len(label.classes)), key=lambda code: -shares[code])
    named = [
        f"{plain(guess_word(label.classes[code]))} {share(float(shares[code]))}"
        for code in order[:MOST_CLASSES]
    ]
    if len(order) > MOST_CLASSES:
        named.append(f"{len(order) - MOST_CLASSES} more")
    return f"{name} ({', '.join(named)})"


def rows_text(evidence: Evidence) -> str:
    """Return how the rows were used."""
    if evidence.folds:
        forward = "" if evidence.time is None else " forward in time"
        tried = f"cross-validated in {evidence.folds} folds{forward}"
        if evidence.folds == 1:  # of two times, the older one predicts the newer
            tried = "of which the newest chose the tree"
        tuned = f"{evidence.n_train:,} training rows, {tried}"
    else:
        tuned = f"{evidence.n_train:,} training rows · {evidence.n_dev:,} development rows"
    how = [f"seed {evidence.seed}"]
    if evidence.group is not None:
        how.insert(0, f"whole groups of {plain(evidence.group)}")
    if evidence.time is not None:
        how[0] = f"the newest by {plain(evidence.time)}"
    if evidence.weight is not None:
        how.append(f"weighted by {plain(evidence.weight)}")
    return f"{tuned} · {evidence.n_test:,} test rows kept aside ({', '.join(how)})"


def verdict_lines(
    evidence: Evidence, tree: Tree, digits: int = 3, width: int | None = None, *, cli: bool = False
) -> list[str]:
    """Return the estimate, what it is to be compared with, and the diagnosis.

    Its interval is below it where `width` is too small. With `cli`, arguments are typed as options.
    """
    says_nothing = bool(evidence.edits) or tree.n_leaves == 1  # of what other figures measure
    return [
        *_expected(evidence, digits, width),
        *edits(evidence),
        *doubts(evidence),
        _compared(evidence, tree, digits),
        *([] if says_nothing else figure_lines(evidence.test, tree, digits)),
        _chosen(evidence, tree),
        *sentences(evidence, digits, cli=cli),
    ]


def sentences(evidence: Evidence, digits: int = 3, *, cli: bool = False) -> list[str]:
    """Return the diagnosis: over- or underfit, what cannot be avoided, whether more rows help."""
    typed = as_option if cli else as_argument
    found = ["Before it was edited by hand:"] if evidence.edits else []
    found.append(_fit_sentence(evidence, digits, typed(evidence.limits)))
    found += _simpler_sentence(evidence, digits, typed({"choose": "simple"}))
    found += _agreement_sentence(evidence, digits)
    least = loss_text(evidence.loss, evidence.unavoidable or 0.0, digits)
    if least != loss_text(evidence.loss, 0.0, digits):
        found.append(
            f"Some rows differ only in the answer, so no tree can get below {least} on the training rows."
        )
    return [*found, _learning_sentence(evidence, digits), *_spread_sentence(evidence, digits)]


def _fit_sentence(evidence: Evidence, digits: int, limits: str) -> str:
    loss, chosen = evidence.loss, evidence.chosen
    train, test = evidence.train[loss], evidence.test[loss]
    if chosen.n_leaves == 1:
        return _leaf_sentence(evidence, limits)
    units = LOSSES[loss].units
    on_new = loss_text(loss, test.value, digits)
    on_training = f"{loss_figure(loss, train.value, digits)} on training {units}"
    if test.n < FEWEST_ROWS:
        n_test = f"{test.n:,} test {units if test.n > 1 else units[:-1]}"
        return f"Cannot tell from {n_test} whether it overfits: {on_new} there, {on_training}."
    both = f"{on_new[0].upper()}{on_new[1:]} on test {units}, {on_training}"
    if _is_above(test, train):
        return _gap_sentence(evidence, both)
    is_short_of_best = train.value > (evidence.unavoidable or 0.0) * (1 + SLACK)
    if chosen.n_leaves == _most_leaves(evidence) and is_short_of_best:
        allowed = f" that {limits} allows" if limits else ""
        return f"{both}. It may underfit: the largest tree{allowed} did best."
    return f"{both}{_small_gap(evidence, digits)}."


def _small_gap(evidence: Evidence, digits: int) -> str:
    """Return what to say of a gap that may be chance; nothing reassuring if other evidence is against it."""
    loss = evidence.loss
    train, test, dev = evidence.train[loss], evidence.test[loss], evidence.dev.get(loss)
    is_gap = loss_text(loss, test.value, digits) != loss_text(loss, train.value, digits)
    said = ": the gap is within chance" if test.value > train.value and is_gap else ""
    if dev is not None and dev.n >= FEWEST_ROWS and _is_above(dev, train):
        tried = f"{loss_figure(loss, dev.value, digits)} {where_tried(evidence)}"
        return f"{said}, but {tried} shows a real gap"
    return said or ("" if evidence.simpler is not None else ": no sign of overfitting")


def _leaf_sentence(evidence: Evidence, limits: str) -> str:
    """Say why the tree is a single leaf."""
    if limits and all(each.n_leaves == 1 for each in evidence.curve):
        return f"A single leaf, which always predicts the same: {limits} allows no question."
    if few := _too_few_tried(evidence):
        return f"Cannot tell from {few} whether any question helps: a single leaf did best on them."
    return "No question helps: the best tree is a single leaf, which always predicts the same."


def _gap_sentence(evidence: Evidence, both: str) -> str:
    """Say whether a gap that is no chance matters: it does if a smaller tree would be better."""
    loss, smaller = evidence.loss, evidence.simpler
    train, test = evidence.train[loss], evidence.test[loss]
    if train.value >= test.value / 2:
        return f"{both}: a normal gap."
    overfits = smaller is not None and _is_above(test, smaller.test[loss])
    if not overfits and test.value - train.value < SMALL_GAP * evidence.baseline[loss].value:
        return f"{both}: a small gap."
    if few := _too_few_tried(evidence):
        return f"{both}: a large gap. {few} cannot tell whether a smaller tree would be better."
    if smaller is None:
        has_smaller = any(2 * each.n_leaves <= evidence.chosen.n_leaves for each in evidence.curve)
        worse = f", but much smaller trees do worse {where_tried(evidence)}" if has_smaller else ""
        return f"{both}: a large gap{worse}."
    if overfits:
        return f"{both}. It overfits: a tree of {leaf_count(smaller.n_leaves)} is better on test {LOSSES[loss].units}."
    return f"{both}: a large gap, but no smaller tree is clearly better."


def _too_few_tried(evidence: Evidence) -> str:
    """Return how few rows or groups the tree was chosen by, where nothing is concluded from them."""
    tried, units = evidence.dev.get(evidence.loss), LOSSES[evidence.loss].units
    if tried is None or tried.n >= FEWEST_ROWS:
        return ""
    return f"{tried.n:,} development {units if tried.n > 1 else units[:-1]}"


def _simpler_sentence(evidence: Evidence, digits: int, typed: str) -> list[str]:
    found = evidence.simpler
    if found is None:
        return []
    less = loss_text(evidence.loss, found.chosen.dev, digits)
    more = loss_figure(evidence.loss, evidence.chosen.dev, digits)
    return [
        f"A tree of {leaf_count(found.n_leaves)} does about as well: {less} {where_tried(evidence)}, "
        f"against {more} (within one standard error). To get it: {typed}."
    ]


def _agreement_sentence(evidence: Evidence, digits: int) -> list[str]:
    """Reconcile what was measured when the tree was chosen with what the test rows say."""
    dev, test = evidence.dev.get(evidence.loss), evidence.test[evidence.loss]
    if dev is None or min(dev.n, test.n) < FEWEST_ROWS or evidence.chosen.n_leaves == 1:
        return []
    on_dev = loss_text(evidence.loss, dev.value, digits)
    on_test = loss_figure(evidence.loss, test.value, digits)
    both = f"{on_dev[0].upper()}{on_dev[1:]} {where_tried(evidence)}, {on_test} on the test rows"
    if _is_above(test, dev):
        newer = "" if evidence.time is None else ": newer rows may differ"
        return [f"{both}, more than chance explains{newer}. Go by the test rows."]
    if _is_above(dev, test):
        return [f"{both}, more than chance explains. Expect something between the two."]
    if abs(dev.value - test.value) > (test.high - test.low) / 4:
        return [f"{both}: this may be chance. Expect something between the two."]
    return []


def where_tried(evidence: Evidence) -> str:
    """Return which rows trees were compared on."""
    return "in cross-validation" if evidence.folds else "on the development rows"


def _is_above(one: Estimate, other: Estimate) -> bool:
    """Return whether it is above one from other rows beyond chance (Zou and Donner, 2008)."""
    return one.value - other.value > hypot(one.value - one.low, other.high - other.value)


def _most_leaves(evidence: Evidence) -> int | None:
    """Return the number of leaves of the largest tree; None if no tree was tried as it grew."""
    as_grown = [each.n_leaves for each in evidence.curve if each.pruned_by not in AS_A_WHOLE]
    return max(as_grown, default=None)


def _learning_sentence(evidence: Evidence, digits: int) -> str:
    if evidence.chosen.pruned_by == "reduced_error":
        return (
            "Cannot tell whether more rows would help: the development rows were used for pruning."
        )
    if evidence.chosen.n_leaves == 1:
        return "Cannot tell whether more rows would help: a single leaf learns nothing from them."
    (n_before, before), (n_after, after) = evidence.learning[-2:]
    step = (
        f"{loss_text(evidence.loss, before, digits)} with {n_before:,} training rows, "
        f"{loss_figure(evidence.loss, after, digits)} with {n_after:,}"
    )
    found = evidence.learning_step
    is_nothing_left = loss_text(evidence.loss, after, digits) == loss_text(evidence.loss, 0, digits)
    if found.high < 0 and found.n >= FEWEST_ROWS and not is_nothing_left:
        return f"More rows would probably help: {step}."
    if found.n >= FEWEST_ROWS and (is_nothing_left or -found.low <= HARDLY * after):
        return f"More rows would hardly help: {step}."
    return f"Cannot tell whether more rows would help: {step}."


def _spread_sentence(evidence: Evidence, digits: int) -> list[str]:
    """Say how much the estimate and the size vary over several seeds of the split."""
    if not evidence.spread:
        return []
    name = headline_loss(evidence)
    found, leaves = evidence.spread[name], evidence.spread["n_leaves"]
    mean, deviation, least, most = (
        value_text(name, each, digits)
        for each in (found.mean, found.deviation, found.least, found.most)
    )
    points = " points" if mean.endswith("%") else ""
    sizes = " to ".join(dict.fromkeys(f"{each:,.0f}" for each in (leaves.least, leaves.most)))
    return [
        f"Over {len(evidence.repeats):,} splits, {expected(evidence).what} is {mean} on average "
        f"(standard deviation {deviation.removesuffix(' %')}{points}, from "
        f"{least.removesuffix(' %')} to {most}), and trees have {sizes} leaves."
    ]


class Expected(NamedTuple):
    """The estimate that a tree is judged by first, in words."""

    what: str
    """As in 'accuracy'."""
    value: str
    interval: str
    n: int
    units: str
    """What it was measured on: 'rows' or 'groups'."""
    baseline: str
    """The same for always predicting the same, or for a random order."""


def expected(evidence: Evidence, digits: int = 3) -> Expected:
    """Return what is to be expected on new rows."""
    name = headline_loss(evidence)
    estimate, always = evidence.test[name], evidence.baseline[name]
    return Expected(
        FIGURES[name].word,
        *estimate_texts(name, estimate, digits),
        estimate.n,
        LOSSES[evidence.loss].units,
        value_text(name, always.value, digits),
    )


def _expected(evidence: Evidence, digits: int, width: int | None) -> list[str]:
    found = expected(evidence, digits)
    since = ", before it was edited by hand" if evidence.edits else ""
    figure = f"Expected {found.what} on new {found.units}{since}: {found.value}"
    certainty = f"95 % interval {found.interval}   ({found.n:,} test {found.units})"
    line = f"{figure}   {certainty}"
    return [line] if width is None or len(line) <= width else [figure, f"  {certainty}"]


def headline_loss(evidence: Evidence) -> str:
    """Return the loss or score that the tree is judged by first."""
    task, loss = evidence.task, evidence.loss
    is_usual = loss == task.loss or (task.has_classes and loss != "cost")
    return task.headline if is_usual else loss


def edits(evidence: Evidence) -> list[str]:
    """Return what was changed by hand, if anything was."""
    if not evidence.edits:
        return []
    return [
        "Edited by hand since then; on the development rows:",
        *(f"  {each}" for each in evidence.edits),
    ]


def doubts(evidence: Evidence) -> list[str]:
    """Return a warning, if a loud note says that the estimate may mean nothing."""
    loud = [note for note in evidence.notes if note.is_loud]
    if not loud:
        return []
    codes = ", ".join(dict.fromkeys(note.code for note in loud))
    columns = listed(dict.fromkeys(name for note in loud for name in note.columns))
    return [
        f"Read the notes ({codes}) before you trust this figure: {plain(columns)} may give the "
        "answer away."
    ]


def _compared(evidence: Evidence, tree: Tree, digits: int) -> str:
    guess = tree[0].guess
    always = amount(guess, digits) if isinstance(guess, float) else plain(guess_word(guess, digits))
    if evidence.task.ranks:
        always = evidence.task.baseline
    else:
        quoted = repr(always) if tree.schema.has_classes else always
        always = f"always predict {quoted}"
    return f"Baseline ({always}): {expected(evidence, digits).baseline}"


def _chosen(evidence: Evidence, tree: Tree) -> str:
    since = " after the edits; before them" if evidence.edits else ":"
    is_simple = evidence.choose == "simple"
    best = f"{'smallest within one standard error of the ' if is_simple else ''}best of"
    among = f"; {best} {tried(evidence)}"
    if all(each.n_leaves == 1 for each in evidence.curve):
        among = ""
    return (
        f"{leaf_count(tree.n_leaves)}, depth {int(depths(tree).max())}{since} the "
        f"{grown(evidence, tree)}, {made_smaller(evidence)}{among}."
    )


def grown(evidence: Evidence, tree: Tree) -> str:
    """Return how the chosen tree was grown, as in 'entropy tree (one branch per category)'."""
    chosen, how = evidence.chosen, []
    if any(feature.kind is Kind.CHOICE for feature in tree.schema.features):
        is_each = chosen.categorical == "each"
        how.append("one branch per category" if is_each else "grouped categories")
    if chosen.smallest_leaf > 1:
        how.append(f"at least {leaf_words(evidence, chosen)} per leaf")
    if chosen.without:
        how.append(f"without {plain(listed(chosen.without))}")
    words = f"{chosen.criterion.replace('_', '-')} tree"
    return f"{words} ({', '.join(how)})" if how else words


def leaf_words(evidence: Evidence, candidate: Candidate) -> str:
    """Return how many rows a leaf must have at least, as in '5 rows'."""
    rows = "row" if candidate.smallest_leaf == 1 else "rows"
    weight = "" if evidence.weight is None else " of mean weight"
    return f"{candidate.smallest_leaf:,} {rows}{weight}"


def made_smaller(evidence: Evidence) -> str:
    """Return how the chosen tree came to its size."""
    merged = ", leaves with the same prediction merged" if "merge" in evidence.prune else ""
    return cut_words(evidence.chosen) + merged


def cut_words(candidate: Candidate) -> str:
    """Return how a tree of the curve came to its size."""
    return {
        "": f"cut at depth {candidate.depth}",
        "impurity": "cost-complexity pruned",
        "pessimistic": f"pessimistically pruned (confidence {candidate.price:g})",
        "reduced_error": "pruned on the development rows",
    }.get(candidate.pruned_by, f"cost-complexity pruned by {candidate.pruned_by}")


def tried(evidence: Evidence) -> str:
    """Return what the chosen tree was chosen among."""
    cut_at = [each.depth for each in evidence.curve if each.depth is not None]
    found = [f"all depths 0–{max(cut_at)}"] if cut_at else []
    prunings = {each.pruned_by for each in evidence.curve} - {""}
    if prunings:
        found.append("pruned trees" if prunings.issubset(AS_A_WHOLE) else "pruned sizes")
    return " and ".join(found) + _varied(evidence)


def _varied(evidence: Evidence) -> str:
    """Return which smallest leaves were tried, and whether with and without some columns."""
    leaves = sorted({each.smallest_leaf for each in evidence.curve})
    *first, last = map(str, leaves)
    words = f", with smallest leaves of {', '.join(first)} or {last} rows" if first else ""
    without = sorted({name for each in evidence.curve for name in each.without})
    return f"{words}, with and without {plain(listed(without))}" if without else words
