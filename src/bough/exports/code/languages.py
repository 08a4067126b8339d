"""What the languages of code do not all write alike: literals, tests, declarations."""

import json
import re
from collections.abc import Iterable, Sequence

from bough.exports.node_conditions import EXACT
from bough.schema import Feature, Label, Value

WIDTH = 12  # numbers a line
BATCH = """
void bough_predict_rows{end}(const struct bough_row *rows, size_t n, {kind} *predictions) {{
    int nodes[256];
    size_t i, from, size;
    for (from = 0; from < n; from += size) {{
        size = n - from < 256 ? n - from : 256;
        bough_nodes(rows + from, size, nodes);
        for (i = 0; i < size; ++i) predictions[from + i] = GUESS_{k}[nodes[i]];
    }}
}}"""  # in C
LONGEST_STRING = 60_000  # bytes; Java has 65,535 at most


class Language:
    """JavaScript, from which the others differ in a few words."""

    name = "javascript"
    truths = ("false", "true")
    none = "null"
    whole = "{}n"
    """An integer of 64 bits."""
    cell = "cell(row, {name})"
    """What a row has in a column, of which name and number are known."""
    local = "const {} = {};"
    values = "follow([{}])"
    """The node of a row with these values."""
    several = "[{}]"
    place = "const at = node(row);"
    node = "node"
    tested = "[{}, {}]"
    array = "const {name} = [\n{items}];"
    objects = "const {name} = [{items}];"
    index = "const {name} = index([{items}]);"
    """The position of each of some values."""
    test, close, end = "if ({}) {{", "}", ";"
    all_of, any_of, negated = " && ", " || ", "!({})"
    function = "function {name}(row) {{"
    shares = "SHARES_{k}.slice(at * {n}, at * {n} + {n})"
    cells = "{{{}}}"
    pair = "[{name}]: {value}"  # in brackets, as `__proto__` means something else without
    tests = "const TESTS = [\n{}];"
    ignored: tuple[str, ...] = ()
    """What says that nothing is asked about a row."""
    last: tuple[str, ...] = ("",)
    most_nested = 1_000
    """Nodes and values that tests are written out for."""
    leaves_out_codes = False
    """Whether a table has no codes where no value is looked up."""

    def text(self, text: str) -> str:
        return json.dumps(text).replace("<", "\\u003c")

    def literal(self, value: Value | None) -> str:
        if value is None:
            return self.none
        if isinstance(value, bool):
            return self.truths[value]
        if isinstance(value, str):
            return self.text(value)
        return self.whole.format(value) if isinstance(value, int) else repr(value)

    def key(self, value: Value) -> str:
        """Return a value among others of which any number may be given."""
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return repr(value) if is_number else self.literal(value)

    def numbers(self, name: str, kind: str, values: Iterable[float]) -> str:
        """Return an array of 'double', 'int' or 'long'."""
        write = self.whole.format if kind == "long" else repr
        words = list(map(write, values))
        lines = [", ".join(words[at : at + WIDTH]) for at in range(0, len(words), WIDTH)]
        items = ",\n".join(lines)
        return self.array.format(kind=kind, name=name, items=items or "0")  # C has no empty ones

    def positions(self, name: str, values: Sequence[Value]) -> str:
        """Return what tells the position of a value among these."""
        return self.index.format(name=name, items=", ".join(map(self.key, values)))

    def called(self, how: str, cell: str) -> str:
        """Return a cell as a number, an integer ('whole') or a moment."""
        return f"{how}({cell})"

    def looked_up(self, cell: str, table: str, choices: Sequence[Value]) -> str:  # noqa: ARG002
        """Return the position of a cell among choices."""
        return f"choice({cell}, {table})"

    def ranked(self, raw: str, table: str, n: int) -> str:  # noqa: ARG002
        """Return the rank of an integer among pivots."""
        return f"rank({raw}, {table})"

    def field(self, field: Feature, value: Value | None) -> str:  # noqa: ARG002
        return self.literal(value)

    def class_lines(self, values: Sequence[Value], k: int, suffix: str) -> list[str]:  # noqa: ARG002
        """Return the classes of a label by number."""
        return [self.objects.format(name=f"CLASSES_{k}", items=", ".join(map(self.label, values)))]

    def label(self, value: Value) -> str:
        is_small = type(value) is int and abs(value) <= EXACT
        return repr(value) if is_small else self.literal(value)

    def block(self, head: str, lines: Iterable[str]) -> list[str]:
        """Return statements that belong to a test or a function."""
        return [head, *(f"    {line}" for line in lines), *([self.close] if self.close else [])]

    def following(self, values: Sequence[str], follow: str, *, has_codes: bool) -> list[str]:  # noqa: ARG002
        """Return the functions that go through a table of nodes."""
        head = self.function.format(kind="int", name=self.node)
        stop = self.statement(self.values.format(", ".join(values)))
        return [follow, "", *self.block(head, [stop])]

    def statement(self, value: str) -> str:
        """Return the end of a function."""
        return f"return {value}{self.end}"

    def predicting(self, labels: Sequence[Label]) -> list[str]:
        guesses = [
            f"CLASSES_{k}[GUESS_{k}[at]]" if each.classes else f"GUESS_{k}[at]"
            for k, each in enumerate(labels)
        ]
        shares = [
            self.shares.format(k=k, n=len(each.classes))
            for k, each in enumerate(labels)
            if each.classes
        ]
        found: list[str] = []
        for name, values in (("predict", guesses), ("predict_proba", shares)):
            if values:
                said = values[0] if len(values) == 1 else self.several.format(", ".join(values))
                head = self.function.format(kind=self.kind_of(name, labels), name=name)
                found += ["", *self.block(head, [self.place, self.statement(said)])]
        return found

    def kind_of(self, name: str, labels: Sequence[Label]) -> str:  # noqa: ARG002
        """Return the type of what a function returns."""
        return ""

    def row_lines(self, fields: Sequence[Feature], names: Sequence[str]) -> list[str]:  # noqa: ARG002
        return []

    def test_lines(
        self, rows: Sequence[Sequence[str]], names: Sequence[str], stops: Sequence[int]
    ) -> list[str]:
        written = []
        for row, stop in zip(rows, stops, strict=True):
            pairs = [
                self.pair.format(name=self.text(name), value=value)
                for name, value in zip(names, row, strict=True)
            ]
            written.append(self.tested.format(self.cells.format(", ".join(pairs)), stop))
        return ["", self.tests.format(",\n".join(written))]


class Python(Language):
    """Python."""

    name = "python"
    truths, none, whole = ("False", "True"), "None", "{}"
    cell = "row[{name}]"
    local = "{} = {}"
    place = "at = node(row)"
    several = "({})"
    tested = "({}, {})"
    array = "{name} = [\n{items}]"
    objects = "{name} = [{items}]"
    index = "{name} = index([{items}])"
    test, close, end = "if {}:", "", ""
    all_of, any_of, negated = " and ", " or ", "not {}"
    function = "\ndef {name}(row):"
    shares = "SHARES_{k}[at * {n} : at * {n} + {n}]"
    pair = "{name}: {value}"
    tests = "TESTS = [\n{}]"

    def text(self, text: str) -> str:
        return ascii(text)


class Java(Language):
    """Java, of which a literal array, a text and a method must not be long."""

    name = "java"
    whole = "{}L"
    local = "double {} = {};"
    values = "follow(new double[] {{{}}})"
    several = "new Object[] {{{}}}"
    place = "int at = node(row);"
    tested = "{}, {}"
    array = "static final {kind}[] {name} = {kind}s({items});"
    objects = "static final Object[] {name} = {{{items}}};"
    index = "static final Map<Object, Integer> {name} = index({items});"
    function = "public static {kind} {name}(Map<String, ?> row) {{"
    shares = "Arrays.copyOfRange(SHARES_{k}, at * {n}, at * {n} + {n})"
    cells = "row({})"
    pair = "{name}, {value}"
    tests = "static final Object[] TESTS = {{\n{}}};"
    last = ("}", "")

    def key(self, value: Value) -> str:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return repr(float(value)) if is_number else self.literal(value)

    def kind_of(self, name: str, labels: Sequence[Label]) -> str:
        one = "double[]" if name == "predict_proba" else "Object" if labels[0].classes else "double"
        return one if len(labels) == 1 else "Object[]"

    def numbers(self, name: str, kind: str, values: Iterable[float]) -> str:
        parts: list[list[str]] = [[]]
        size = 0
        for word in map(repr, values):
            size += len(word) + 1
            if size > LONGEST_STRING:
                parts, size = [*parts, []], 0
            parts[-1].append(word)
        items = ", ".join(f'"{" ".join(part)}"' for part in parts)
        return self.array.format(kind=kind, name=name, items=items)


class C(Language):
    """C, to which a row is a struct, and a class a number."""

    name = "c"
    node = "bough_node"
    truths, none = ("0.0", "1.0"), "NULL"
    whole = "INT64_C({})"
    cell = "row->c{column}"
    local = "const double {} = {};"
    array = "static const {kind} {name}[] = {{\n{items}}};"
    function = "{kind} {name}(const struct bough_row *row) {{"
    ignored = ("(void)row;",)
    most_nested = 100  # from here on, the table is faster
    leaves_out_codes = True

    def called(self, how: str, cell: str) -> str:  # noqa: ARG002
        return cell

    def looked_up(self, cell: str, table: str, choices: Sequence[Value]) -> str:
        how = "choice" if isinstance(choices[0], str) else "level"
        return f"{how}({cell}, {table}_values, {table}, {len(choices)})"

    def ranked(self, raw: str, table: str, n: int) -> str:
        return f"rank({raw}, {table}, {n})"

    def field(self, field: Feature, value: Value | None) -> str:
        kind = _c_type(field)
        if value is None:
            return {"const char *": "NULL", "int64_t ": "INT64_MIN"}.get(kind, "NAN")
        return repr(float(value)) if kind == "double " else self.literal(value)

    def text(self, text: str) -> str:
        written = re.sub(rb"[^ A-Za-z0-9_]", lambda found: b"\\%03o" % found[0][0], text.encode())
        return f'"{written.decode()}"'

    def texts(self, name: str, values: Iterable[Value], kind: str = "") -> str:
        """Return an array of texts, of which there is one at least."""
        items = ", ".join(self.text(str(value)) for value in values) or "NULL"
        return f"{kind}const char *const {name}[] = {{{items}}};"

    def numbers(self, name: str, kind: str, values: Iterable[float]) -> str:
        return super().numbers(name, "int64_t" if kind == "long" else kind, values)

    def positions(self, name: str, values: Sequence[Value]) -> str:
        is_text = isinstance(values[0], str)
        order = sorted(range(len(values)), key=lambda code: str(values[code]).encode())
        in_order = [values[code] for code in order]
        keys = (
            self.texts(f"{name}_values", in_order, "static ")
            if is_text
            else self.numbers(f"{name}_values", "double", [float(each) for each in in_order])
        )
        return f"{keys}\n{self.numbers(name, 'int', order)}"

    def class_lines(self, values: Sequence[Value], k: int, suffix: str) -> list[str]:  # noqa: ARG002
        return [self.texts(f"bough_classes{suffix}", values)]

    def row_lines(self, fields: Sequence[Feature], names: Sequence[str]) -> list[str]:
        typed = [f"    {_c_type(each)}c{each.column};" for each in fields] or ["    int none;"]
        return ["struct bough_row {", *typed, "};", "", self.texts("bough_columns", names), ""]

    def following(self, values: Sequence[str], follow: str, *, has_codes: bool) -> list[str]:
        head = "static void read_row(const struct bough_row *row, double *x) {"
        lines = self.block(head, [f"x[{place}] = {value};" for place, value in enumerate(values)])
        known = "!(value < PIVOT[at])"
        if has_codes:
            among = "CODE + START[at], ANSWER + START[at], START[at + 1] - START[at]"
            known = f"START[at] < START[at + 1] ? listed(value, {among}) : {known}"
        return [*lines, "", follow.replace("$KNOWN", known).replace("$WIDTH", str(len(values)))]

    def predicting(self, labels: Sequence[Label]) -> list[str]:
        found = []
        for k, label in enumerate(labels):
            end, n = "" if len(labels) == 1 else f"_{k}", len(label.classes)
            kind = "int" if label.classes else "double"
            head = self.function.format(kind=kind, name=f"bough_predict{end}")
            found += ["", *self.block(head, [f"return GUESS_{k}[bough_node(row)];"])]
            found += [BATCH.format(kind=kind, end=end, k=k)]
            if label.classes:
                head = (
                    f"void bough_predict_proba{end}(const struct bough_row *row, double *shares) {{"
                )
                copy = f"memcpy(shares, SHARES_{k} + (size_t)bough_node(row) * {n}, {n} * sizeof *shares);"
                found += ["", *self.block(head, [copy])]
        return found

    def test_lines(
        self,
        rows: Sequence[Sequence[str]],
        names: Sequence[str],  # noqa: ARG002
        stops: Sequence[int],
    ) -> list[str]:
        written = ",\n".join("{" + (", ".join(row) or "0") + "}" for row in rows)
        return [
            "",
            f"static const struct bough_row TESTS[] = {{\n{written}}};",
            self.numbers("STOPS", "int", stops),
        ]


def _c_type(field: Feature) -> str:
    if field.kind.has_choices and isinstance(field.choices[0], str):
        return "const char *"
    return "int64_t " if field.kind.is_integer else "double "


LANGUAGES: dict[str, Language] = {each.name: each for each in (Python(), C(), Language(), Java())}
