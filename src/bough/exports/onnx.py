"""The tree as an ONNX file: a TreeEnsemble that finds the node, and tables of what nodes predict."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.explain.rules_and_conditions import Condition
from bough.exports.node_conditions import Branch, branch_of, double_pivot, integer_pivots
from bough.exports.refusals import package, refusal, refuse_words
from bough.exports.rows_to_predict import fields_of
from bough.predict import features_asked
from bough.query_kinds import Below, IsMissing
from bough.schema import MISSING_INTEGER, Feature, Kind, Part, Value
from bough.tree import Tree
from bough.walk import steps_below, walk

ML = "ai.onnx.ml"
DAY = 86_400_000_000
GREATEST = np.finfo(np.float64).max
AT_MOST, LESS, EQUAL, MEMBER = 0, 1, 4, 6  # of the modes of a TreeEnsemble
IR, OPSETS = 10, {"": 18, ML: 5}
Slot = tuple[int, bool]  # a question, and whether its true side is meant


def onnx(tree: Tree) -> bytes:
    """Return a graph with an input for each column that is asked about, of shape (rows, 1).

    Numbers are doubles, nan where missing; integers, and dates in microseconds since 1970, are int64,
    the least of them where missing; text is a string, empty where missing; booleans are doubles. The
    outputs are `prediction` and, for classes, `probability`.
    """
    return Graph(tree).written()


class Graph:
    """A graph on its way into a file."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._n = 0
        self.inputs = {field.column: tree.schema.columns[field.column] for field in fields_of(tree)}
        self._refuse()

    def written(self) -> bytes:
        asked = features_asked(self.tree)
        columns = [self._column(number) for number in asked]
        rows = self._add("Concat", columns, axis=1)
        ensemble = Ensemble(self.tree, {number: place for place, number in enumerate(asked)})
        at = self._add("TreeEnsemble", [rows], domain=ML, **ensemble.attributes())
        at = self._cast(at, np.int64)
        at = self._add("Reshape", [at, self._constant([-1])])
        outputs = [out for k in range(len(self.tree.schema.labels)) for out in self._outputs(k, at)]
        inputs = [
            _value(self.inputs[each.column], _dtype(each), 1) for each in fields_of(self.tree)
        ]
        helper = _library().helper
        graph = helper.make_graph(self.nodes, "bough", inputs, outputs, self.constants)
        opsets = [helper.make_opsetid(*each) for each in OPSETS.items()]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=IR, producer_name="bough")
        return bytes(model.SerializeToString())

    def _refuse(self) -> None:
        tree = self.tree
        if len(tree) == 1:
            raise refusal(
                0, "a tree without questions has no input, and ONNX needs one", "Predict its label."
            )
        refuse_words(tree, "[\ud800-\udfff]", "ONNX")
        for number in features_asked(tree):
            feature = tree.schema.features[number]
            at = int(np.argmax(tree.feature == number))
            if "" in feature.choices:
                raise refusal(
                    at, f"{feature.name!r} may be the empty text, which in ONNX is a missing one"
                )
            if not tree.schema.columns[feature.column]:
                raise refusal(at, "an input of ONNX must have a name")
            if any(type(each) is int and abs(each) > 2**53 for each in feature.choices):
                raise refusal(at, f"the values of {feature.name!r} are beyond 2^53")

    def _column(self, number: int) -> str:
        """Return the name of what holds a feature as doubles."""
        feature = self.tree.schema.features[number]
        name = self.inputs[feature.column]
        if feature.is_about_dates or feature.kind is Kind.INTEGER:
            return self._integers(number, name)
        if not feature.choices:
            return name
        if isinstance(feature.choices[0], str):
            keys = _tensor(["", *feature.choices])
            codes = np.array([np.nan, *range(len(feature.choices))])
        else:
            keys = _tensor([float(each) for each in feature.choices])
            codes = np.arange(len(feature.choices), dtype=np.float64)
        found = self._add(
            "LabelEncoder",
            [name],
            domain=ML,
            keys_tensor=keys,
            values_tensor=_tensor(codes),
            default_tensor=_tensor([-1.0]),
        )
        if isinstance(feature.choices[0], str):
            return found
        return self._add("Where", [self._add("IsNaN", [name]), name, found])

    def _integers(self, number: int, name: str) -> str:
        feature, found = self.tree.schema.features[number], name
        if feature.part is not Part.ITSELF:
            found = self._part(feature.part, name)
        elif pivots := integer_pivots(self.tree, number):
            reached = self._add("GreaterOrEqual", [name, self._constant(np.array([pivots]))])
            reached = self._cast(reached, np.int64)
            found = self._add("ReduceSum", [reached, self._constant([1])], keepdims=1)
        gap = self._add("Equal", [name, self._constant([MISSING_INTEGER])])
        double = self._cast(found, np.float64)
        return self._add("Where", [gap, self._constant([np.nan]), double])

    def _part(self, part: Part, name: str) -> str:
        """Return the weekday, month or hour of microseconds since 1970."""
        of_day = self._whole("Mod", name, DAY)
        if part is Part.HOUR:
            return self._whole("Div", of_day, DAY // 24)
        days = self._whole("Div", self._add("Sub", [name, of_day]), DAY)
        if part is Part.WEEKDAY:
            return self._whole("Mod", self._whole("Add", days, 3), 7)
        # The day of an era of 400 years that begin in March, then its month.
        of_era = self._whole("Mod", self._whole("Add", days, 719_468), 146_097)
        leaps = self._sum((of_era, 1), (self._whole("Div", of_era, 1460), -1))
        leaps = self._sum(
            (leaps, 1),
            (self._whole("Div", of_era, 36_524), 1),
            (self._whole("Div", of_era, 146_096), -1),
        )
        year = self._whole("Div", leaps, 365)
        before = self._sum(
            (year, 365), (self._whole("Div", year, 4), 1), (self._whole("Div", year, 100), -1)
        )
        of_year = self._sum((of_era, 1), (before, -1))
        month = self._whole("Div", self._whole("Add", self._whole("Mul", of_year, 5), 2), 153)
        return self._whole("Mod", self._whole("Add", month, 2), 12)

    def _sum(self, *terms: tuple[str, int]) -> str:
        found = self._whole("Mul", *terms[0])
        for name, factor in terms[1:]:
            found = self._add("Add", [found, self._whole("Mul", name, factor)])
        return found

    def _whole(self, op: str, name: str, number: int) -> str:
        return self._add(op, [name, self._constant([number])])

    def _outputs(self, k: int, at: str) -> list[Any]:
        tree, label = self.tree, self.tree.schema.labels[k]
        end = "" if len(tree.schema.labels) == 1 else f"_{k}"
        if tree.guess is not None:
            return [self._output(f"prediction{end}", tree.guess[:, k], at)]
        guessed = [label.classes[code] for code in tree.class_guess[:, k].tolist()]
        shares = tree.probabilities[:, k, : len(label.classes)]
        return [
            self._output(f"prediction{end}", _array(guessed), at),
            self._output(f"probability{end}", shares, at),
        ]

    def _output(self, name: str, said: NDArray[Any], at: str) -> Any:
        while name in self.inputs.values():
            name += "_"
        self.nodes.append(_library().helper.make_node("Gather", [self._constant(said), at], [name]))
        return _value(name, said.dtype, *said.shape[1:])

    def _add(self, op: str, given: Sequence[str], **attributes: Any) -> str:
        made = self._name()
        self.nodes.append(_library().helper.make_node(op, given, [made], **attributes))
        return made

    def _cast(self, name: str, dtype: Any) -> str:
        return self._add("Cast", [name], to=_type(dtype))

    def _constant(self, values: NDArray[Any] | Sequence[Value]) -> str:
        self.constants.append(_tensor(values, self._name()))
        return str(self.constants[-1].name)

    def _name(self) -> str:
        self._n += 1
        return f"{max((*self.inputs.values(), 'bough'), key=len)}/{self._n}"


class Ensemble:
    """The tree as questions that are true or false, and leaves that hold the numbers of nodes."""

    def __init__(self, tree: Tree, place: dict[int, int]) -> None:
        self.tree, self.place = tree, place
        self.asked: list[tuple[int, float, int, int]] = []  # feature, pivot, mode, where nan goes
        self.ids: dict[bool, list[int]] = {True: [], False: []}
        self.is_leaf: dict[bool, list[int]] = {True: [], False: []}
        self.leaves: list[int] = []
        self.members: list[float] = []
        self.pivots = {number: integer_pivots(tree, number) for number in place}
        self.waiting: dict[int, Slot | None] = {0: None}
        for step in walk(tree):
            slot = self.waiting.pop(step.node.id)
            if step.node.is_leaf:
                self._stop(slot, step.node.id)
            else:
                self._ask(
                    slot,
                    branch_of(step.node),
                    [each.node.id for each in steps_below(tree, step.node.id)],
                )

    def attributes(self) -> dict[str, Any]:
        features, pivots, modes, tracks = zip(*self.asked, strict=True)
        members = {"membership_values": _tensor(self.members)} if self.members else {}
        return {
            "n_targets": 1,
            "aggregate_function": 1,
            "post_transform": 0,
            "tree_roots": [0],
            "nodes_featureids": features,
            "nodes_splits": _tensor(np.array(pivots, np.float64)),
            "nodes_modes": _tensor(np.array(modes, np.uint8)),
            "nodes_missing_value_tracks_true": tracks,
            "nodes_truenodeids": self.ids[True],
            "nodes_falsenodeids": self.ids[False],
            "nodes_trueleafs": self.is_leaf[True],
            "nodes_falseleafs": self.is_leaf[False],
            "leaf_targetids": [0] * len(self.leaves),
            "leaf_weights": _tensor(np.array(self.leaves, np.float64)),
            **members,
        }

    def _ask(self, slot: Slot | None, branch: Branch, children: list[int]) -> None:
        """Add the questions of a branch where its parent leads, and let its children wait."""
        query, number = branch.query, int(self.tree.feature[branch.node])
        if isinstance(query, IsMissing):
            at = self._question(slot, number, AT_MOST, GREATEST)
            self.waiting |= {children[0]: (at, False), children[1]: (at, True)}
            return
        if isinstance(query, Below):
            self._compare(slot, branch.node, query, children)
            return
        for condition, child in zip(branch.conditions, children, strict=True):
            if not condition.may_be_known:  # the answer of missing values alone
                at = self._question(slot, number, AT_MOST, GREATEST)
                self.waiting[child], slot = (at, False), (at, True)
        for condition, child in zip(branch.conditions, children, strict=True):
            if condition.may_be_known and condition.codes:
                slot = self._among(slot, number, condition, child)
        self._stop(slot, branch.node)

    def _compare(self, slot: Slot | None, node: int, query: Below, children: list[int]) -> None:
        number, feature = int(self.tree.feature[node]), query.feature
        if query.missing is None:
            at = self._question(slot, number, AT_MOST, GREATEST)
            self._stop((at, False), node)
            slot = (at, True)
        if feature.kind.has_choices:  # an unseen one is -1
            at = self._question(slot, number, LESS, 0.0)
            self._stop((at, True), node)
            slot = (at, False)
        pivot = double_pivot(feature, self.pivots[number], query.pivot)
        at = self._question(slot, number, LESS, pivot, tracks=query.missing == 0)
        self.waiting |= {children[0]: (at, True), children[1]: (at, False)}

    def _among(self, slot: Slot | None, number: int, condition: Condition, child: int) -> Slot:
        """Ask for one of some codes, and return where others go."""
        codes = condition.codes or ()
        mode = EQUAL if len(codes) == 1 else MEMBER
        if mode == MEMBER:
            self.members += [*map(float, codes), np.nan]
        pivot = float(codes[0]) if mode == EQUAL else 0.0
        at = self._question(slot, number, mode, pivot, tracks=condition.may_be_missing)
        self.waiting[child] = (at, True)
        return at, False

    def _question(
        self, slot: Slot | None, number: int, mode: int, pivot: float, *, tracks: bool = False
    ) -> int:
        at = len(self.asked)
        self.asked.append((self.place[number], pivot, mode, int(tracks)))
        for side in (True, False):
            self.ids[side].append(0)
            self.is_leaf[side].append(0)
        self._lead(slot, at, 0)
        return at

    def _stop(self, slot: Slot | None, node: int) -> None:
        self._lead(slot, len(self.leaves), 1)
        self.leaves.append(node)

    def _lead(self, slot: Slot | None, to: int, is_leaf: int) -> None:
        if slot is not None:
            at, side = slot
            self.ids[side][at], self.is_leaf[side][at] = to, is_leaf


def _library() -> Any:
    return package("onnx", "'bough[onnx]'", "The format 'onnx'")


def _dtype(field: Feature) -> Any:
    """Return the type of an input."""
    if field.kind.has_choices:
        return np.dtype(object if isinstance(field.choices[0], str) else np.float64)
    return np.dtype(np.int64 if field.kind.is_integer else np.float64)


def _type(dtype: Any) -> int:
    return int(_library().helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))


def _value(name: str, dtype: Any, *shape: int) -> Any:
    """Return an input or an output."""
    return _library().helper.make_tensor_value_info(name, _type(dtype), ["rows", *shape])


def _tensor(values: NDArray[Any] | Sequence[Value], name: str = "") -> Any:
    return _library().numpy_helper.from_array(_array(values), name)


def _array(values: NDArray[Any] | Sequence[Value]) -> NDArray[Any]:
    """Return values as a tensor has them; texts are objects."""
    is_text = not isinstance(values, np.ndarray) and isinstance(values[0], str)
    return np.array(values, object) if is_text else np.ascontiguousarray(values)
