"""The model file: written, and read back by one strict loader. `docs/format.md` describes it."""

import json
import os
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

from numpy.typing import NDArray

import bough
from bough.errors import ModelFormatError
from bough.evidence import Edit
from bough.exports.model_file_evidence import evidence_about, read_edits
from bough.exports.model_file_parts import (
    plain_arrays,
    plain_schema,
    read_schema,
    read_tree,
    refuse_unused_columns,
)
from bough.exports.strict_json import (
    entries,
    items,
    kind_of,
    plain_data,
    read_document,
    scalar,
    shortened,
    word,
)
from bough.files import read_file, too_large, write_file
from bough.predict import RULES
from bough.schema import Schema
from bough.settings import COLUMN_LISTS
from bough.tree import Tree, TreeLike, tree_of
from bough.tree.check import ARRAYS, check_shown

FORMAT = 2
MAX_BYTES = 2**30
Packed: TypeAlias = tuple[bytes, bytes, dict[str, NDArray[Any]]]
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


@dataclass(frozen=True)
class Model:
    """What a model file holds."""

    tree: Tree
    settings: dict[str, Any]
    """How the tree was grown, by the names of `Settings`; empty if that is not known."""
    estimator: dict[str, Any] | None = None
    """The `class` and the `parameters` of the estimator that grew it."""
    evidence: dict[str, Any] | None = None
    """Estimates and sketches of the rows that were used."""
    edits: tuple[Edit, ...] = ()
    """What was changed by hand in a tree without evidence; evidence has a list of its own."""

    @property
    def grown_tree_(self) -> Tree:
        """The tree, by the name that estimators have for it, so that it is drawn and exported alike."""
        return self.tree

    @property
    def missing(self) -> str:
        """Where a missing value goes when rows are guessed, as `bough.predict.said_of` has it."""
        parameters = (self.estimator or {}).get("parameters", {})
        return str(parameters.get("missing", "stop"))

    def by_name(self) -> "Model":
        """Return the model with columns found by name, in any order and among others."""
        schema = self.tree.schema
        if schema.match_by_name or not schema.named:
            return self
        tree = replace(self.tree, schema=replace(schema, match_by_name=True))
        return replace(self, tree=tree)

    def __bough_model__(self) -> "Model":
        return self


def model_of(given: TreeLike) -> Model:
    """Return what the model file of a tree, an estimator or a result holds."""
    tree = tree_of(given)  # which an estimator may not have yet
    # Estimators and results know what else belongs into their file.
    found: Model = given.__bough_model__() if hasattr(given, "__bough_model__") else Model(tree, {})
    return found


def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model file. A kill at any moment leaves the old file or the new one."""
    write_file(path, dumps(model))


def load(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> Model:
    """Read a model file, which may come from anybody: any bytes give a valid model or a `ModelFormatError`."""
    return loads(read_file(path, max_bytes), str(path), max_bytes=max_bytes)


def dumps(model: Model) -> bytes:
    """Return the bytes of the model file, the same for the same model.

    Examples
    --------
    >>> model = loads(dumps(Model(play_tennis_tree, {"criterion": "gini"})))
    >>> len(model.tree), model.settings
    (8, {'criterion': 'gini'})
    """
    schema = plain_schema(model.tree.schema)
    read_schema(schema)  # what could not be read back is not written
    return _written(model, schema=_lines(schema), tree=_lines(plain_arrays(model.tree)))


def packed(model: Model) -> Packed:
    """Return a model as a pickle holds it: its schema, the rest of its file, and the tree's arrays."""
    schema = _encoded(_text(plain_schema(model.tree.schema)))
    _schema_in(schema)  # what could not be read back is not written
    arrays = {name: getattr(model.tree, name) for name in ARRAYS}
    return (
        schema,
        _written(model),
        {name: each for name, each in arrays.items() if each is not None},
    )


@lru_cache(maxsize=1)  # the trees of a bag all have the same
def _schema_in(data: bytes) -> Schema:
    return read_schema(read_document(data, "schema"))


def _written(model: Model, schema: str | None = None, tree: str | None = None) -> bytes:
    written = {
        "bough": _text(bough.__version__),
        "format": _text(FORMAT),
        "schema": schema,
        "settings": _text(model.settings, "settings"),
        "tree": tree,
    }
    sections = {name: text for name, text in written.items() if text is not None}
    for name in ("estimator", "evidence"):
        if (value := getattr(model, name)) is not None:
            sections[name] = _text(value, name)
    if model.edits:
        sections["edits"] = _text([asdict(edit) for edit in model.edits], "edits")
    lines = ",\n".join(f"{_text(name)}: {text}" for name, text in sections.items())
    return _encoded(f"{{\n{lines}\n}}\n")


def loads(data: bytes, name: str = "model", *, max_bytes: int = MAX_BYTES) -> Model:
    """Return the model in the bytes of a model file; `name` is what messages call it."""
    if len(data) > max_bytes:
        raise too_large(name, len(data), max_bytes)
    return _read(read_document(data, name), name)


def unpacked(found: object, name: str) -> Model:
    """Return the model that `packed` gave, or one in the bytes of a model file, as pickles had them.

    Whatever else is found is refused as strictly as a file.
    """
    match found:
        case bytes():
            return loads(found, name)
        case (bytes() as schema, bytes() as rest, dict() as arrays) if all(
            type(key) is str for key in arrays
        ):
            document = read_document(rest, name)
            if not document.keys() & {"schema", "tree"}:
                return _read({**document, "schema": schema, "tree": arrays}, name)
    raise ModelFormatError(f"{name!r} is damaged: it holds no model.")


def _read(document: dict[str, Any], name: str) -> Model:
    _check_format(document, name)
    try:
        return _model(document)
    except ModelFormatError as error:
        raise ModelFormatError(f"{name!r} is damaged: {error}") from None


def _check_format(document: dict[str, Any], name: str) -> None:
    if "bough" not in document or "format" not in document:
        raise ModelFormatError(f"{name!r} is not a bough model: it has no 'bough' and 'format'.")
    found = document["format"]
    if type(found) is not int or found < 1:
        raise ModelFormatError(
            f"{name!r} is damaged: its format must be a whole number, 1 or more."
        )
    if found > FORMAT:
        raise ModelFormatError(
            f"{name!r} has format {found}, but this bough reads formats up to {FORMAT}. "
            "Upgrade it: pip install --upgrade bough."
        )


def _model(document: dict[str, Any]) -> Model:
    found = entries(
        document,
        "the file",
        ("bough", "format", "schema", "settings", "tree"),
        ("estimator", "evidence", "edits"),
    )
    scalar(found["bough"], "bough", str)
    estimator = found.get("estimator")
    if estimator is not None:
        estimator = entries(estimator, "estimator", ("class", "parameters"))
        scalar(estimator["class"], "estimator.class", str)
        parameters = scalar(estimator["parameters"], "estimator.parameters", dict)
        if "missing" in parameters:
            rules = dict.fromkeys(RULES)
            word(parameters["missing"], "estimator.parameters.missing", rules)
        plain_data(estimator, "estimator")
    schema = found["schema"]
    schema = _schema_in(schema) if isinstance(schema, bytes) else read_schema(schema)
    tree = read_tree(schema, found["tree"], "tree")
    evidence = found.get("evidence")
    check_shown(tree.schema, vars(tree))
    columns = [*tree.schema.columns, *(label.name for label in tree.schema.labels)]
    if evidence is not None:
        known = evidence_about(tree, scalar(evidence, "evidence", dict))
        columns += [each for each in (known.group, known.time, known.weight) if each is not None]
    refuse_unused_columns(tree.schema.reading, columns)
    return Model(
        tree=tree,
        settings=_settings(found["settings"]),
        estimator=estimator,
        evidence=evidence,
        edits=read_edits(found.get("edits", []), "edits"),
    )


def _settings(value: object) -> dict[str, Any]:
    found: dict[str, Any] = scalar(value, "settings", dict)
    settings = {name: each for name, each in found.items() if not name.startswith("x-")}
    for name, setting in settings.items():
        of_columns = name in COLUMN_LISTS and setting is not None
        for each in items(setting, f"settings.{name}") if of_columns else [setting]:
            if isinstance(each, (dict, list)):
                raise ModelFormatError(f"settings.{name} must not be {kind_of(each)}.")
    plain_data(settings, "settings")
    return settings


def _lines(section: dict[str, Any]) -> str:
    """Return an object with one line for each entry, and for each object in a list."""
    return "{\n" + ",\n".join(f" {_text(k)}: {_entry(v)}" for k, v in section.items()) + "\n}"


def _entry(value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(f"  {_text(each)}" for each in value) + "\n ]"
    return _text(value)


def _text(value: object, name: str = "the file") -> str:
    try:
        return _ENCODER.encode(value)
    except (TypeError, ValueError):
        plain_data(value, name)  # says what is wrong
        raise


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        before, after = text[: error.start], text[error.start :]
        word = before.rpartition('"')[2] + after.partition('"')[0]
        raise ModelFormatError(
            f"{shortened(word)} holds half a surrogate pair, which is not valid text and "
            "cannot be saved. Rename it."
        ) from None
