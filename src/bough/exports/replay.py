"""Runs an export on rows, in whatever it is for, and compares what it says with what the tree predicts."""

import pickle
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.errors import Argument, ExportError, ParameterError
from bough.exports.code import sections_of
from bough.exports.code.languages import LANGUAGES
from bough.exports.refusals import package, tool
from bough.exports.rows_to_predict import Rows, read_rows
from bough.exports.sql import columns_of, query_rows
from bough.schema import Feature, Schema, Value
from bough.table import TableLike
from bough.tree import Tree
from bough.walk import trail
from bough.words import plain

BUG = "This is a bug in bough: please report it with the model."
ROUNDED = (
    "This format may round numbers to float32, and sends a missing value on where bough stops. "
    "If such rows matter, choose another format."
)


def check_export(
    content: str | bytes,
    format: str,  # noqa: A002
    tree: Tree,
    table: TableLike,
    options: Mapping[str, Any],
) -> int:
    """Run an export on the rows of a table, and refuse it at the first row that differs; return how many there are."""
    rows = read_rows(tree, table)
    nodes = rows.stops(tree)
    wanted, found = expected(tree, nodes, format), replay(content, format, tree, rows, options)
    advice = ROUNDED if format in ("sklearn", "treelite") else BUG
    parts: list[tuple[Sequence[Sequence[object]], Sequence[Sequence[object]]]] = [
        (found.guesses, wanted.guesses)
    ]
    if any(found.shares):
        parts.append((found.shares, wanted.shares))
    for row, node in enumerate(nodes.tolist()):
        for said, true in parts:
            if said[row] != true[row]:  # databases may give 1 for true
                words = _first_difference(tree, said[row], true[row])
                raise _difference(tree, row, node, words, advice)
    return rows.n_rows


def _difference(tree: Tree, row: int, node: int, difference: str, advice: str) -> ExportError:
    path = [
        f"{step.parent.query.feature.name} {step.answer}"
        for step in trail(tree, node)
        if step.parent is not None and step.parent.query is not None
    ]
    words = " → ".join(path) or "all rows"
    return ExportError(f"row {row}: {difference} (node {node}: {plain(words)}). {advice}")


def _first_difference(tree: Tree, found: Sequence[object], wanted: Sequence[object]) -> str:
    """Say which prediction, or else which probability, is the first that differs: there may be hundreds."""
    if len(found) != len(wanted):
        return f"the export gives {len(found):,} values, but the tree {len(wanted):,}"
    pairs = zip(found, wanted, strict=True)
    at = next(place for place, (one, other) in enumerate(pairs) if one != other)
    labels = tree.schema.labels
    if isinstance(wanted, tuple):
        of = f" for {labels[at].name!r}" if len(labels) > 1 else ""
    else:
        classes = [(label.name, each) for label in labels for each in label.classes]
        name, each = classes[at]
        of = f" as the probability of {each!r}" + (f" for {name!r}" if len(labels) > 1 else "")
    return plain(f"the export gives {found[at]!r}{of}, but the tree {wanted[at]!r}")


class Said(NamedTuple):
    """What an export says of each row: predictions, and for classes their probabilities."""

    guesses: list[tuple[Value, ...]]
    shares: list[list[float]]
    """Those of all labels, one after the other."""


def expected(tree: Tree, nodes: NDArray[np.int32], format: str | None = None) -> Said:  # noqa: A002
    """Return what the tree says of rows that stop at these nodes, as a format says it."""
    said = columns_of(tree)[1]
    n_classes = [len(label.classes) for label in tree.schema.labels]
    found = split([said[node] for node in nodes.tolist()], n_classes)
    if format == "treelite" and tree.schema.has_classes:
        return found._replace(shares=_over_their_sums(found.shares, n_classes))
    return found


def _over_their_sums(shares: list[list[float]], n_classes: Sequence[int]) -> list[list[float]]:
    """Return probabilities divided by their sum, added up in order: treelite does, which may round."""
    found = np.array(shares).reshape(len(shares), sum(n_classes))
    parts = np.split(found, np.cumsum(n_classes)[:-1], axis=1)
    divided = np.hstack([part / part.cumsum(axis=1)[:, -1:] for part in parts])
    return [row.tolist() for row in divided]


def split(rows: Sequence[Sequence[Value]], n_classes: Sequence[int]) -> Said:
    """Return predictions and probabilities of rows that have them label by label."""
    places = np.cumsum([0, *(1 + n for n in n_classes)])[:-1].tolist()
    guesses = [tuple(row[place] for place in places) for row in rows]
    taken = set(places)
    shares = [[float(each) for at, each in enumerate(row) if at not in taken] for row in rows]
    return Said(guesses, shares)


def replay(
    content: str | bytes,
    format: str,  # noqa: A002
    tree: Tree,
    rows: Rows,
    options: Mapping[str, Any],
) -> Said:
    """Return what an export says of rows."""
    run = RUNNERS.get(format)
    if run is None:
        raise ParameterError(
            Argument("format", format),
            f" makes no predictions that could be checked. These do: {', '.join(RUNNERS)}.",
        )
    return run(content, tree, rows, options)


def _sql(content: str, tree: Tree, rows: Rows, options: Mapping[str, Any]) -> Said:
    said = query_rows(content, tree, rows, options)
    if options.get("expression"):
        return Said([tuple(row) for row in said], [[] for _ in said])
    return split(said, [len(label.classes) for label in tree.schema.labels])


def _python(content: str, tree: Tree, rows: Rows, _: Mapping[str, Any]) -> Said:
    space: dict[str, Any] = {"__name__": "tree"}
    exec(compile(content, "tree.py", "exec"), space)  # noqa: S102 - bough has just written it
    names = [tree.schema.columns[field.column] for field in rows.fields]
    several, guesses, shares = len(tree.schema.labels) > 1, [], []
    for cells in rows.cells():
        row = dict(zip(names, cells, strict=True))
        guess = space["predict"](row)
        guesses.append(guess if several else (guess,))
        found = space["predict_proba"](row) if "predict_proba" in space else []
        shares.append(
            [each for part in found for each in part] if several and found else list(found)
        )
    return Said(guesses, shares)


class Program(NamedTuple):
    """A file of an export, another that runs it on rows, and the commands that build and start it."""

    language: str
    file: str
    driver: str
    steps: list[list[str]]

    def run(self, content: str, tree: Tree, rows: Rows) -> Said:
        """Return what the export says of rows."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / self.file).write_text(content, "utf-8")
            (root / self.driver).write_text(_driver(self.language, tree, rows), "utf-8")
            lines = ["\t".join(map(_cell, row)) for row in rows.cells()]
            (root / "rows.txt").write_text("".join(f"{line}\n" for line in lines), "ascii")
            printed = ""
            for step in self.steps:
                with (root / "rows.txt").open("rb") as given:
                    done = subprocess.run(
                        step, cwd=root, stdin=given, capture_output=True, check=False
                    )
                printed = done.stdout.decode()
                if done.returncode:
                    words = done.stderr.decode(errors="replace").strip()[:500]
                    raise ExportError(
                        f"the export as {self.language} does not compile or run: {words}. "
                        "This may be a bug in bough: please report it with the model."
                    )
        n_labels = len(tree.schema.labels)
        said = [_values(line) for line in printed.splitlines()]
        return Said([tuple(row[:n_labels]) for row in said], [row[n_labels:] for row in said])


def _javascript(content: str, tree: Tree, rows: Rows, _: Mapping[str, Any]) -> Said:
    node = tool("Node.js", "Install it (Debian: apt install nodejs).", "node", "nodejs")
    steps = [[node, "replay.js"]]
    return Program("javascript", "tree.js", "replay.js", steps).run(content, tree, rows)


def _java(content: str, tree: Tree, rows: Rows, _: Mapping[str, Any]) -> Said:
    advice = "Install it (Debian: apt install default-jdk-headless)."
    javac, java = (tool("a JDK", advice, each) for each in ("javac", "java"))
    steps = [[javac, "BoughTree.java", "Replay.java"], [java, "Replay"]]
    return Program("java", "BoughTree.java", "Replay.java", steps).run(content, tree, rows)


def _c(content: str, tree: Tree, rows: Rows, options: Mapping[str, Any]) -> Said:
    advice = "Install one (Debian: apt install gcc)."
    cc = options.get("compiler") or tool("a C compiler", advice, "cc", "gcc", "clang")
    build = [cc, "-O1", "-Wall", "-Wextra", "-Werror", "-o", "replay", "replay.c", "-lm"]
    steps = [build, ["./replay"]]
    said = Program("c", "tree.c", "replay.c", steps).run(content, tree, rows)
    classes = [label.classes for label in tree.schema.labels]
    guesses = [
        tuple(of[int(each)] if of else each for of, each in zip(classes, guess, strict=True))
        for guess in said.guesses
    ]
    return Said(guesses, said.shares)


def _driver(language: str, tree: Tree, rows: Rows) -> str:
    text = LANGUAGES[language].text
    schema = tree.schema
    kinds = [_kind(field) for field in rows.fields]
    classes = [len(label.classes) for label in schema.labels]
    return Template(sections_of(language)["replay"]).safe_substitute(
        NAMES=", ".join(text(schema.columns[field.column]) for field in rows.fields),
        KINDS=", ".join(f'"{kind}"' for kind in kinds),
        PROBA="say(said, BoughTree.predict_proba(row));" if schema.has_classes else "",
        MOST=max(1, *classes),
        READ="\n".join(
            f"        rows[n].c{field.column} = read_{'double' if kind == 'truth' else kind}(next(&line));"
            for field, kind in zip(rows.fields, kinds, strict=True)
        ),
        **_c_says(schema),
    )


def _c_says(schema: Schema) -> dict[str, str]:
    """Return the statements that predict for all rows, and those that print what is said of one."""
    batches, guesses, shares = [], [], []
    for k, label in enumerate(schema.labels):
        end, n = "" if len(schema.labels) == 1 else f"_{k}", len(label.classes)
        kind, form = ("int", "%d") if n else ("double", "%.17g")
        batches.append(f"    {kind} *said_{k} = malloc((n + 1) * sizeof *said_{k});")
        batches.append(f"    bough_predict_rows{end}(rows, n, said_{k});")
        guesses.append(
            f"        if (bough_predict{end}(&rows[i]) != said_{k}[i]) return differs(i);"
        )
        guesses.append(f'        printf("{form}\\t", said_{k}[i]);')
        if n:
            shares.append(f"        bough_predict_proba{end}(&rows[i], shares);")
            shares.append(f'        for (k = 0; k < {n}; ++k) printf("%.17g\\t", shares[k]);')
    return {"ALL": "\n".join(batches), "SAY": "\n".join(guesses + shares)}


def _kind(field: Feature) -> str:
    if field.kind.has_choices:
        kinds = {str: "text", bool: "truth"}
        return kinds.get(type(field.choices[0]), "double")
    return "integer" if field.kind.is_integer else "double"


def _cell(value: Value | None) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return "s" + value.encode().hex()
    return str(int(value)) if isinstance(value, bool) else repr(value)


def _values(line: str) -> list[Any]:
    """Return what a program has printed for a row."""
    return [_value(word) for word in line.rstrip("\t").split("\t")]


def _value(word: str) -> Value:
    if word.startswith("s"):
        return bytes.fromhex(word[1:]).decode()
    if word in ("true", "false"):
        return word == "true"
    return int(word) if word.lstrip("-").isdigit() else float(word)


def _onnx(content: bytes, tree: Tree, rows: Rows, _: Mapping[str, Any]) -> Said:
    onnxruntime = package("onnxruntime", "'bough[onnx]'")
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    given = {}
    for field, values, cells in zip(rows.fields, rows.values, rows.columns(), strict=True):
        if _kind(field) == "text":
            array = np.array(["" if cell is None else cell for cell in cells], object)
        elif field.kind.has_choices:
            array = np.array([np.nan if cell is None else float(cell) for cell in cells])
        else:
            array = values.astype(np.int64 if field.kind.is_integer else np.float64)
        given[tree.schema.columns[field.column]] = array.reshape(-1, 1)
    found = [each.reshape(rows.n_rows, -1).tolist() for each in session.run(None, given)]
    joined = [[each for part in row for each in part] for row in zip(*found, strict=True)]
    return split(joined, [len(label.classes) for label in tree.schema.labels])


def _pmml(content: str, tree: Tree, rows: Rows, _: Mapping[str, Any]) -> Said:
    jpmml = package("jpmml_evaluator", "'bough[pmml]'")
    from pandas import DataFrame  # which JPMML needs, too

    tool("Java", "Install it (Debian: apt install default-jre).", "java")
    columns = {
        tree.schema.columns[f.column]: c for f, c in zip(rows.fields, rows.columns(), strict=True)
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tree.pmml"
        path.write_text(content, "utf-8", newline="")
        evaluator = jpmml.make_evaluator(str(path))
    if not columns:  # a frame without columns would have no rows
        guesses = list(evaluator.evaluate({}).values())[:1] * rows.n_rows
    else:
        with warnings.catch_warnings():  # JPMML adds the columns of its answer one by one
            warnings.filterwarnings("ignore", "DataFrame is highly fragmented")
            guesses = evaluator.evaluateAll(DataFrame(columns, dtype=object)).iloc[:, 0].tolist()
    # Without probabilities: JPMML divides them by their sum, and so changes the last digit.
    return Said([(each,) for each in guesses], [[] for _ in range(rows.n_rows)])


def _sklearn(content: bytes, tree: Tree, rows: Rows, _: Mapping[str, Any]) -> Said:
    model, X = pickle.loads(content), _matrix(tree, rows)  # noqa: S301 - bough has just written it
    vars(model).pop("feature_names_in_", None)  # which an array does not have
    guesses = model.predict(X).reshape(rows.n_rows, -1).tolist()
    if not tree.schema.has_classes:
        return Said([tuple(row) for row in guesses], [[] for _ in guesses])
    shares = model.predict_proba(X)
    joined = np.hstack(shares) if isinstance(shares, list) else shares
    return Said([tuple(row) for row in guesses], joined.tolist())


def _treelite(content: bytes, tree: Tree, rows: Rows, _: Mapping[str, Any]) -> Said:
    import treelite  # which has written it

    model = treelite.Model.deserialize_bytes(content)
    said = treelite.gtil.predict(model, _matrix(tree, rows), nthread=1)
    if not tree.schema.has_classes:
        return Said([tuple(row) for row in said.reshape(rows.n_rows, -1).tolist()], [])
    labels = tree.schema.labels
    shares = [said[:, k, : len(label.classes)] for k, label in enumerate(labels)]
    guesses = zip(*(each.argmax(axis=1).tolist() for each in shares), strict=True)
    named = [
        tuple(label.classes[code] for label, code in zip(labels, codes, strict=True))
        for codes in guesses
    ]
    return Said(named, np.hstack(shares).tolist())


def _matrix(tree: Tree, rows: Rows) -> NDArray[np.float64]:
    """Return rows as arrays hold them, with all columns of the training table."""
    X = np.zeros((rows.n_rows, len(tree.schema.columns)))
    for field, cells in zip(rows.fields, rows.columns(), strict=True):
        X[:, field.column] = [np.nan if cell is None else float(cell) for cell in cells]
    return X


RUNNERS: dict[str, Callable[..., Said]] = {
    "sql": _sql,
    "python": _python,
    "c": _c,
    "javascript": _javascript,
    "java": _java,
    "onnx": _onnx,
    "pmml": _pmml,
    "sklearn": _sklearn,
    "treelite": _treelite,
}
