"""The tree as a function in a programming language: nested tests, or a table of nodes and a loop."""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import numpy as np

from bough.explain.rules_and_conditions import Condition
from bough.exports.code.languages import LANGUAGES, Language
from bough.exports.node_conditions import EXACT, branch_of, double_pivot, integer_pivots
from bough.exports.refusals import refusal, refuse_words
from bough.exports.rows_to_predict import fields_of, rows_for_test
from bough.predict import features_asked
from bough.query_kinds import QueryKind
from bough.schema import Kind, Part
from bough.tree import Node, Tree
from bough.walk import depths, fold, parents

DEEPEST = 40  # Python's blocks are at most 100 deep
FIXED = {"head", "follow", "foot", "test", "replay"}
LOWEST = -1.7976931348623157e308  # a known number is never below it


def code(tree: Tree, language: str, *, with_test: bool = False) -> str:
    """Return a file with functions that predict for a row, in one of `LANGUAGES`; it may test itself when run."""
    written = Code(tree, LANGUAGES[language])
    return written.text(with_test=with_test)


class Code:
    """A tree on its way into a language."""

    def __init__(self, tree: Tree, language: Language) -> None:
        self.tree, self.language = tree, language
        self.asked = features_asked(tree)
        self.fields = fields_of(tree)
        self.pivots = {number: integer_pivots(tree, number) for number in self.asked}
        self._refuse()

    def text(self, *, with_test: bool) -> str:
        sections, language = sections_of(self.language.name), self.language
        names = [self.tree.schema.columns[each.column] for each in self.fields]
        lines = [*language.row_lines(self.fields, names), *self._data()]
        nested = self._nested()
        lines += ["", *(self._node(nested) if nested else self._table(sections["follow"]))]
        lines += ["", sections["loop"]] if nested and "loop" in sections else []
        lines += [*language.predicting(self.tree.schema.labels), "", sections.get("foot", "")]
        if with_test:
            lines += self._test(names, sections["test"])
        body = "\n".join(lines).strip("\n")
        helpers = _helpers(sections, body)
        return "\n".join([sections["head"], *helpers, body, *language.last])

    def _refuse(self) -> None:
        """Refuse what the language has no words for."""
        if self.language.name == "c":
            refuse_words(self.tree, "[\0\ud800-\udfff]", "C")
        for number in self.asked:
            choices = self.tree.schema.features[number].choices
            is_large = any(type(each) is int and abs(each) > EXACT for each in choices)
            if is_large and self.language.name != "python":
                node = int(np.argmax(self.tree.feature == number))
                raise refusal(
                    node, f"its values are beyond 2^53, which {self.language.name} rounds"
                )

    def _data(self) -> list[str]:
        """Return what is looked up: values, pivots beyond doubles, and what the nodes predict."""
        language, tree, lines = self.language, self.tree, []
        for place, number in enumerate(self.asked):
            feature, pivots = tree.schema.features[number], self.pivots[number]
            if pivots:
                lines.append(language.numbers(f"PIVOTS_{place}", "long", pivots))
            elif feature.part is Part.ITSELF and feature.choices:
                lines.append(language.positions(f"CHOICES_{place}", feature.choices))
        for k, label in enumerate(tree.schema.labels):
            suffix = "" if len(tree.schema.labels) == 1 else f"_{k}"
            if tree.guess is not None:
                lines.append(language.numbers(f"GUESS_{k}", "double", tree.guess[:, k].tolist()))
                continue
            shares = tree.probabilities[:, k, : len(label.classes)]
            lines += language.class_lines(label.classes, k, suffix)
            lines.append(language.numbers(f"GUESS_{k}", "int", tree.class_guess[:, k].tolist()))
            lines.append(language.numbers(f"SHARES_{k}", "double", shares.ravel().tolist()))
        return lines

    def _node(self, nested: list[str]) -> list[str]:
        """Return the function that tells where a row stops, by tests within one another."""
        language = self.language
        lines = [
            language.local.format(f"x{place}", value) for place, value in enumerate(self._values())
        ]
        head = language.function.format(kind="int", name=language.node)
        return language.block(head, [*(lines or language.ignored), *nested])

    def _values(self) -> list[str]:
        """Return the expressions that read the features as doubles."""
        return [self._value(place, number) for place, number in enumerate(self.asked)]

    def _value(self, place: int, number: int) -> str:
        """Return the expression that reads a feature as a double."""
        feature, language = self.tree.schema.features[number], self.language
        name = language.text(self.tree.schema.columns[feature.column])
        cell = language.cell.format(name=name, column=feature.column)
        if feature.kind.has_choices and feature.part is Part.ITSELF:
            return language.looked_up(cell, f"CHOICES_{place}", feature.choices)
        if feature.kind is Kind.NUMBER and feature.part is Part.ITSELF:
            return language.called("number", cell)
        raw = language.called("moment" if feature.is_about_dates else "whole", cell)
        if self.pivots[number]:
            return language.ranked(raw, f"PIVOTS_{place}", len(self.pivots[number]))
        return f"{'real' if feature.part is Part.ITSELF else feature.part.value}({raw})"

    def _nested(self) -> list[str] | None:
        """Return tests within one another; None if they would be too many."""
        tree = self.tree
        if (
            len(tree) + len(tree.codes) > self.language.most_nested
            or int(depths(tree).max()) > DEEPEST
        ):
            return None
        place = {number: place for place, number in enumerate(self.asked)}
        language = self.language

        def branch(node: Node, below: Sequence[list[str]]) -> list[str]:
            found = branch_of(node)
            lines: list[str] = []
            number = int(tree.feature[node.id])
            for answer, condition in enumerate(found.conditions):
                if found.answered is None and answer == len(below) - 1:
                    return [*lines, *below[answer]]
                test = language.test.format(self._condition(condition, f"x{place[number]}", number))
                lines += language.block(test, below[answer])
            return [*lines, language.statement(str(node.id))]

        return fold(tree, lambda leaf: [language.statement(str(leaf.id))], branch)

    def _condition(self, condition: Condition, x: str, number: int) -> str:
        """Return a condition; a missing value is nan, an unseen one -1."""
        language, feature = self.language, condition.feature
        if not condition.may_be_known:
            return f"{x} != {x}"
        gap = f"{language.any_of}{x} != {x}" if condition.may_be_missing else ""
        if condition.codes is not None:
            return language.any_of.join(f"{x} == {each}" for each in condition.codes) + gap
        low, high = condition.low, condition.high
        if low is None and high is None:
            return f"{x} == {x}"
        end = high if low is None else low
        assert end is not None
        pivot = double_pivot(feature, self.pivots[number], end)
        if feature.kind.has_choices:
            test = (
                f"{x} >= {pivot!r}" if high is None else f"{x} >= 0{language.all_of}{x} < {pivot!r}"
            )
            return f"({test}){gap}" if gap else test
        sign = ("<", ">=") if low is None else (">=", "<")
        if condition.may_be_missing:
            return language.negated.format(f"{x} {sign[1]} {pivot!r}")
        return f"{x} {sign[0]} {pivot!r}"

    def _table(self, follow: str) -> list[str]:
        """Return the nodes as arrays, and the loop that follows them."""
        tree, number = self.tree, self.language.numbers
        place = np.full(len(tree.schema.features) + 1, -1)
        place[self.asked] = range(len(self.asked))
        above = parents(tree)
        child = np.searchsorted(above[1:], np.arange(len(tree))) + 1
        missing = np.where(tree.missing_child >= 0, tree.missing_child - child, -1)
        pivots, codes, answers, start = self._questions()
        lines = [
            number("FEATURE", "int", place[tree.feature].tolist()),
            number("PIVOT", "double", pivots),
            number("MISSING", "int", missing.tolist()),
            number("CHILD", "int", child.tolist()),
        ]
        if codes or not self.language.leaves_out_codes:
            lines += [
                number("START", "int", start),
                number("CODE", "int", codes or [0]),
                number("ANSWER", "int", answers or [0]),
            ]
        return [*lines, *self.language.following(self._values(), follow, has_codes=bool(codes))]

    def _questions(self) -> tuple[list[float], list[int], list[int], list[int]]:
        """Return the pivot of each node; codes and their answers; where those of each node begin."""
        tree, features = self.tree, self.tree.schema.features
        whole = [0] * len(tree) if tree.pivot_int is None else tree.pivot_int.tolist()
        is_whole, starts = tree.has_integer_pivot.tolist(), tree.codes_start.tolist()
        pivots, start = [LOWEST] * len(tree), [0]
        codes: list[int] = []
        answers: list[int] = []
        pairs = zip(
            tree.feature.tolist(), tree.query_kind.tolist(), tree.pivot.tolist(), strict=True
        )
        for node, (number, kind, double) in enumerate(pairs):
            if number >= 0 and kind == QueryKind.BELOW:
                pivot, feature = whole[node] if is_whole[node] else double, features[number]
                if feature.kind.has_choices:  # an unseen one has no answer
                    codes += range(len(feature.choices))
                    answers += [int(code >= pivot) for code in range(len(feature.choices))]
                else:
                    pivots[node] = double_pivot(feature, self.pivots[number], pivot)
            elif (
                number >= 0 and kind != QueryKind.IS_MISSING
            ):  # there, any known value has the second
                codes += tree.codes[starts[node] : starts[node + 1]].tolist()
                answers += tree.answers[starts[node] : starts[node + 1]].tolist()
            start.append(len(codes))
        return pivots, codes, answers, start

    def _test(self, names: Sequence[str], text: str) -> list[str]:
        """Return rows, where they must stop, and what checks it."""
        rows = rows_for_test(self.tree)
        cells = [
            [self.language.field(*each) for each in zip(self.fields, row, strict=True)]
            for row in rows.cells()
        ]
        lines = [*self.language.test_lines(cells, names, rows.stops(self.tree).tolist()), "", text]
        return ["#ifdef BOUGH_TEST", *lines, "#endif"] if self.language.name == "c" else lines


@cache
def sections_of(language: str) -> dict[str, str]:
    """Return the fixed parts of a file by name."""
    text = files(__package__).joinpath(f"{language}.txt").read_text("utf-8")
    parts = re.split(r"^@@ (\w+)\n", text, flags=re.M)[1:]
    return {
        name: text.rstrip("\n") + "\n" for name, text in zip(parts[::2], parts[1::2], strict=True)
    }


def _helpers(sections: dict[str, str], body: str) -> list[str]:
    """Return the helpers that are called, in the order in which the language wants them."""
    known = {name: text for name, text in sections.items() if name not in FIXED}
    called: set[str] = set()
    waiting = [body]
    while waiting:
        new = (known.keys() - called) & set(re.findall(r"\b([a-z]+)\(", waiting.pop()))
        called |= new
        waiting += [known[name] for name in new]
    return [text for name, text in known.items() if name in called]
