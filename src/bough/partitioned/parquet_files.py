"""Parquet files → a stream of their rows, which the workers of an engine read piece by piece.

Columns of the files are put together by name. One that a file lacks is missing in its rows, and numbers
of several widths become the widest. Nothing that a file holds is left out or rounded.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bough.errors import DataError
from bough.partitioned.engine import Engine, as_it_is, raised

PIECE = 2**26
"""A worker reads row groups of a file together until they have so many bytes."""
SUFFIXES = (".parquet", ".parq", ".pq")


class StreamingEngine(Engine, Protocol):
    """An engine that also takes parts from this process, and gives back what was made of them."""

    def parts(self, values: Sequence[Any]) -> Any:  # noqa: ANN401
        """Return values as parts."""

    def in_turn(self, parts: Any) -> Iterator[Any]:  # noqa: ANN401
        """Give part after part; few are held at a time."""


@dataclass(frozen=True)
class FilesLook:
    """What some files hold: the columns of all, and the pieces of each, in order."""

    schema: Any
    seen_in: dict[str, str]
    """A file that has each column."""
    pieces: tuple[Any, ...]


def stream_of_files(engine: StreamingEngine, path: str) -> Any:  # noqa: ANN401
    """Return the rows of the Parquet files at a path, which may have wildcards or be a folder."""
    import pyarrow as pa

    looking = engine.map(look_at_file, engine.parts(files_at(path)))
    look: FilesLook = raised(engine.reduce(both_looks, looking, 1, as_it_is)[0])
    pieces = engine.parts(sorted(look.pieces, key=lambda piece: piece.path))
    reading = engine.map(read_piece, pieces, engine.share(look.schema))
    batches = (batch for piece in engine.in_turn(reading) for batch in raised(piece))
    return pa.RecordBatchReader.from_batches(look.schema, batches)


def files_at(path: str) -> list[tuple[Any, Any]]:
    """Return the files, each with the columns that the names of its folders give, as `year=2026` does."""
    import pyarrow as pa
    from fsspec.core import has_magic, url_to_fs
    from pyarrow import dataset

    system, root = url_to_fs(path)
    has_wildcards = has_magic(root) and not system.exists(root)
    files: list[str] = []
    for each in sorted(system.glob(root)) if has_wildcards else [root]:
        is_folder = system.isdir(each)
        files += (
            [x for x in system.find(each) if _is_wanted(x[len(each) :])] if is_folder else [each]
        )
    if not files or not system.exists(files[0]):
        raise FileNotFoundError("there is no such file.")
    of_folders: dict[str, Any] = {}
    if files != [root]:
        base = root.split("*", 1)[0].rpartition("/")[0] if has_wildcards else root
        of_folders = {"partitioning": "hive", "partition_base_dir": base}
    try:
        whole = dataset.dataset(files, filesystem=system, format="parquet", **of_folders)
    except pa.ArrowInvalid as error:
        raise _unreadable(path, error) from error
    found = []
    for file in whole.get_fragments():
        names = dataset.get_partition_keys(file.partition_expression)
        found.append((file, pa.schema([whole.schema.field(name) for name in names])))
    return found


def _is_wanted(path: str) -> bool:
    """Say whether a file in a folder is part of the table, and not a log or an unfinished one."""
    hidden = any(word.startswith((".", "_")) for word in path.split("/"))
    return path.endswith(SUFFIXES) and not hidden


def look_at_file(file: tuple[Any, Any]) -> list[FilesLook | DataError]:
    """Return what a file holds, as one piece to reduce."""
    import pyarrow as pa

    fragment, of_folders = file
    try:
        own = fragment.physical_schema.remove_metadata()
        schema = pa.schema([*own, *(field for field in of_folders if field.name not in own.names)])
        groups: list[list[int]] = [[]]
        n_bytes = 0
        for group in fragment.row_groups:
            if n_bytes >= PIECE:
                groups.append([])
                n_bytes = 0
            groups[-1].append(group.id)
            n_bytes += group.total_byte_size
        pieces = tuple(fragment.subset(row_group_ids=each) for each in groups if each)
    except (pa.ArrowException, OSError) as error:
        return [_unreadable(fragment.path, error)]
    return [FilesLook(schema, dict.fromkeys(schema.names, fragment.path), pieces)]


def both_looks(one: FilesLook | DataError, other: FilesLook | DataError) -> FilesLook | DataError:
    """Return what two groups of files hold together; columns stand as in the first file."""
    import pyarrow as pa

    if isinstance(one, DataError) or isinstance(other, DataError):
        return one if isinstance(one, DataError) else other
    first, second = sorted((one, other), key=lambda look: min(look.seen_in.values()))
    fields = {field.name: field for field in first.schema}
    for field in second.schema:
        try:
            fields[field.name] = _joined(fields.get(field.name, field), field)
        except pa.ArrowTypeError:
            return DataError(
                f"column {field.name!r} is of type {fields[field.name].type} in "
                f"{first.seen_in[field.name]}, but of type {field.type} in "
                f"{second.seen_in[field.name]}. Write all files with one type."
            )
    return FilesLook(
        pa.schema(fields.values()), second.seen_in | first.seen_in, first.pieces + second.pieces
    )


def _joined(one: Any, other: Any) -> Any:  # noqa: ANN401
    """Return a column of two files; categories are text where the other file has text."""
    import pyarrow as pa

    kinds = [pa.types.is_dictionary(each.type) for each in (one, other)]
    if kinds[0] != kinds[1]:
        one, other = (
            each.with_type(each.type.value_type)
            if is_dictionary and not each.type.ordered
            else each
            for each, is_dictionary in zip((one, other), kinds, strict=True)
        )
    schemas = [pa.schema([each]) for each in (one, other)]
    return pa.unify_schemas(schemas, promote_options="permissive").field(0)


def read_piece(piece: Any, schema: Any) -> list[Any] | DataError:  # noqa: ANN401
    """Return the rows of a piece as batches."""
    import pyarrow as pa

    try:
        batches: list[Any] = piece.to_table(schema=schema).to_batches()
    except (pa.ArrowException, OSError) as error:
        return _unreadable(piece.path, error)
    return batches


def _unreadable(path: str, error: Exception) -> DataError:
    if any(words in str(error) for words in ("magic bytes", "file footer")):
        return DataError(
            f"{path} is not a Parquet file. Engines read Parquet only: leave the engine out to read CSV "
            "and other files."
        )
    return DataError(f"{path} cannot be read as Parquet: {error}".split("\n", 1)[0])
