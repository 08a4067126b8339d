"""The tree as PMML, which scoring engines of many makers read."""

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from bough.explain.rules_and_conditions import Condition
from bough.exports.node_conditions import EXACT, Branch, branch_of, guesses_of, integer_pivots
from bough.exports.refusals import refusal, refuse_words
from bough.exports.rows_to_predict import fields_of
from bough.predict import features_asked
from bough.schema import Value
from bough.tree import Tree
from bough.walk import answer_numbers, walk

UNWRITABLE = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
TREE = (
    '<TreeModel functionName="{}" missingValueStrategy="none" '
    'noTrueChildStrategy="returnLastPrediction" splitCharacteristic="multiSplit">'
)


def pmml(tree: Tree) -> str:
    """Return a TreeModel of PMML 4.4; a row that has no answer gets the prediction of its node."""
    _refuse(tree)
    return "".join(f"{line}\n" for line in _lines(tree))


def _refuse(tree: Tree) -> None:
    if len(tree.schema.labels) > 1:
        raise refusal(
            0, "it predicts several labels, and a tree of PMML has one", "Fit a tree for each."
        )
    refuse_words(tree, UNWRITABLE, "PMML")
    remedy = "Choose another format, such as 'onnx' or 'c'."
    for number in features_asked(tree):
        feature, at = tree.schema.features[number], int((tree.feature == number).argmax())
        if feature.is_about_dates:
            raise refusal(
                at, f"{feature.name!r} is a date, which PMML does not compare exactly", remedy
            )
        values = (*integer_pivots(tree, number), *feature.choices)
        if any(isinstance(each, int) and abs(each) > EXACT for each in values):
            raise refusal(
                at, f"{feature.name!r} has integers beyond 2^53, which PMML rounds", remedy
            )


def _lines(tree: Tree) -> Iterator[str]:
    label, fields = tree.schema.labels[0], fields_of(tree)
    names = [quoteattr(tree.schema.columns[each.column]) for each in fields]
    target, task = (
        quoteattr(_unused(tree, label.name)),
        "classification" if label.classes else "regression",
    )
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4">'
    yield '<Header><Application name="bough"/></Header>'
    yield "<DataDictionary>"
    for name, field in zip(names, fields, strict=True):
        yield f"<DataField name={name} {_typed(field.choices)}/>"
    yield f"<DataField name={target} {_typed(label.classes)}>"
    yield from (f"<Value value={_attribute(each)}/>" for each in label.classes)
    yield "</DataField></DataDictionary>"
    yield TREE.format(task)
    yield "<MiningSchema>"
    yield from (f'<MiningField name={name} invalidValueTreatment="asIs"/>' for name in names)
    yield f'<MiningField name={target} usageType="target"/></MiningSchema>'
    if label.classes:
        yield from _outputs(tree)
    yield from _nodes(tree)
    yield "</TreeModel></PMML>"


def _outputs(tree: Tree) -> Iterator[str]:
    """Yield the outputs that evaluators give only if asked: the probability of each class."""
    yield "<Output>"
    for each in tree.schema.labels[0].classes:
        value = _attribute(each)
        name = quoteattr(_unused(tree, f"probability({each})"))
        yield (
            f'<OutputField name={name} optype="continuous" dataType="double" '
            f'feature="probability" value={value}/>'
        )
    yield "</Output>"


def _nodes(tree: Tree) -> Iterator[str]:
    guesses, answers, depth = guesses_of(tree), answer_numbers(tree).tolist(), -1
    above: dict[int, Branch] = {}
    for step in walk(tree):
        yield "</Node>" * (depth - step.depth + 1)
        node, depth = step.node, step.depth
        yield f'<Node id="{node.id}" score={_attribute(guesses[node.id][0])} recordCount="{node.weight!r}">'
        predicate = "<True/>"
        if step.parent is not None:
            predicate = _predicate(tree, above[step.parent.id].conditions[answers[node.id]])
        yield predicate
        for code, each in enumerate(tree.schema.labels[0].classes):
            share, count = tree.probabilities[node.id, 0, code].item(), node.tally[0, code].item()
            yield (
                f"<ScoreDistribution value={_attribute(each)} "
                f'recordCount="{count!r}" probability="{share!r}"/>'
            )
        if not node.is_leaf:
            above[node.id] = branch_of(node)
    yield "</Node>" * (depth + 1)


def _predicate(tree: Tree, condition: Condition) -> str:
    field = f"<SimplePredicate field={quoteattr(tree.schema.columns[condition.feature.column])} operator="
    missing, feature = f'{field}"isMissing"/>', condition.feature
    if not condition.may_be_known:
        return missing
    low, high, codes = condition.low, condition.high, condition.known_codes
    if codes is not None:
        tests = [f'{field}"equal" value={_attribute(feature.choices[code])}/>' for code in codes]
    elif low is None and high is None:
        tests = [f'{field}"isNotMissing"/>']
    else:
        sign, pivot = ("lessThan", high) if low is None else ("greaterOrEqual", low)
        tests = [f'{field}"{sign}" value="{pivot!r}"/>']
    tests += [missing] if condition.may_be_missing else []
    if not tests:
        return "<False/>"
    if len(tests) == 1:
        return tests[0]
    return f'<CompoundPredicate booleanOperator="or">{"".join(tests)}</CompoundPredicate>'


def _unused(tree: Tree, name: str) -> str:
    while name in tree.schema.columns:
        name += "_"
    return name


def _typed(values: tuple[Value, ...]) -> str:
    kinds = {str: "string", bool: "boolean", int: "integer", float: "double"}
    if not values:
        return 'optype="continuous" dataType="double"'
    return f'optype="categorical" dataType="{kinds[type(values[0])]}"'


def _attribute(value: Value) -> str:
    if isinstance(value, bool):
        return f'"{str(value).lower()}"'
    return quoteattr(value) if isinstance(value, str) else f'"{value!r}"'
