"""How a file was read, in a model file: written, and read back with every value checked."""

from collections.abc import Container
from dataclasses import asdict
from typing import Any

from bough.errors import ModelFormatError, ParameterError
from bough.exports.read_evidence import read_record
from bough.exports.strict_json import shortened
from bough.reading import DECIMALS, FOUND, THOUSANDS, FileReading, Form


def plain_reading(reading: FileReading) -> dict[str, Any]:
    """Return how a file was read as JSON can hold it; what has its usual value is left out."""
    plain = _without_usual(asdict(reading), asdict(FileReading()))
    if reading.columns:
        plain["columns"] = {
            name: _without_usual(asdict(form), asdict(Form()))
            for name, form in reading.columns.items()
        }
    if reading.strays:
        plain["strays"] = {name: list(texts) for name, texts in reading.strays.items()}
    return plain


def _without_usual(given: dict[str, Any], usual: dict[str, Any]) -> dict[str, Any]:
    found = {name: value for name, value in given.items() if value != usual[name]}
    return {name: list(each) if isinstance(each, tuple) else each for name, each in found.items()}


def read_reading(value: object, where: str) -> FileReading:
    """Return how a file was read, or refuse it."""
    try:
        reading: FileReading = read_record(FileReading, value, where)
        for name, form in reading.columns.items():
            _check(form, f"{where}.columns[{name!r}]")
            FileReading(date_format=form.dates)
    except ParameterError as error:
        raise ModelFormatError(f"{where}: {error}") from None
    return reading


def refuse_other_columns(reading: FileReading | None, known: Container[str]) -> None:
    """Refuse what a reading says of columns that the model does not use."""
    for part in FOUND:
        for name in getattr(reading, part, ()):
            if name not in known:
                raise ModelFormatError(
                    f"schema.reading.{part} has {shortened(name)}, a column that the model does not use."
                )


def _check(form: Form, where: str) -> None:
    if form.decimal not in DECIMALS or form.thousands not in THOUSANDS:
        raise ModelFormatError(f"{where} has an unknown sign between digits.")
    if form.decimal == form.thousands:
        raise ModelFormatError(f"{where} has the same sign before decimals and between thousands.")
    for each in (*([form.before] if form.before else []), *form.after):
        if not each.strip() or any(map(str.isdigit, each)):
            raise ModelFormatError(f"{where} has {each!r} beside numbers, which is no unit.")
