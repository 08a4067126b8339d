"""Parquet files → a stream of their rows, which the workers of an engine read piece by piece.

Columns of the files are put together by name, in the order of the files. One that a file lacks is missing in
its rows, and numbers of several kinds become the widest: decimals beside floats are floats. A whole number that
does not fit is an error.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bough.errors import DataError
from bough.partitioned import Engine, Message, Parts, over_all_parts, raised

Arrow = Any  # of PyArrow, which is imported where it is used
PIECE = 2**26
"""A worker reads row groups of a file together until they have so many bytes."""
SUFFIXES = (".parquet", ".parq", ".pq")


class StreamingEngine(Engine, Protocol):
    """An engine that also takes parts from this process, and gives back what was made of them."""

    def parts(self, values: Sequence[Message]) -> Parts:
        """Return values as parts."""

    def in_turn(self, parts: Parts) -> Iterator[Message]:
        """Give part after part; few are held at a time."""


@dataclass(frozen=True)
class FilesLook:
    """What some files hold, in any order: the columns of all, and the pieces of each."""

    schema: Any
    first_at: dict[str, tuple[str, int]]
    """The first file that has each column, and its place there."""
    pieces: tuple[Any, ...]

    def in_order(self) -> Arrow:
        """Return the columns as they would stand in a single file with all rows."""
        import pyarrow as pa

        return pa.schema(sorted(self.schema, key=lambda field: self.first_at[field.name]))


def stream_of_files(engine: StreamingEngine, path: str) -> Arrow:
    """Return the rows of the Parquet files at a path, which may have wildcards or be a folder."""
    import pyarrow as pa

    files = engine.parts(files_at(path))
    look: FilesLook = over_all_parts(engine, look_at_file, both_looks, files)
    schema = look.in_order()
    pieces = engine.parts(sorted(look.pieces, key=lambda piece: piece.path))
    reading = engine.map(read_piece, pieces, engine.share(schema))
    batches = (batch for piece in engine.in_turn(reading) for batch in raised(piece))
    return pa.RecordBatchReader.from_batches(schema, batches)


def files_at(path: str) -> list[tuple[Any, Any]]:
    """Return the files, each with the columns that the names of its folders give, as `year=2026` does."""
    import pyarrow as pa
    from fsspec.core import has_magic, url_to_fs
    from pyarrow import dataset, fs

    system, root = url_to_fs(path)
    has_wildcards = has_magic(root) and not system.exists(root)
    files: list[str] = []
    for each in sorted(system.glob(root)) if has_wildcards else [root]:
        is_folder = system.isdir(each)
        files += (
            [x for x in system.find(each) if _is_wanted(x[len(each) :])] if is_folder else [each]
        )
    if not files and system.exists(root):
        raise FileNotFoundError(f"there are no files in it that end with {SUFFIXES[0]}.")
    if not files or not system.exists(files[0]):
        raise FileNotFoundError("there is no such file.")
    options = dataset.FileSystemFactoryOptions()
    if files != [root]:
        base = re.split(r"[*?\[]", root)[0].rpartition("/")[0] if has_wildcards else root
        of_folders = dataset.HivePartitioning.discover()
        options = dataset.FileSystemFactoryOptions(base, partitioning=of_folders)
    factory = dataset.FileSystemDatasetFactory(
        fs.PyFileSystem(fs.FSSpecHandler(system)), files, dataset.ParquetFileFormat(), options
    )
    whole = factory.finish(factory.inspect(fragments=0))  # the columns of folders alone
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
    twice = [name for name, count in Counter(schema.names).items() if count > 1]
    if twice:
        return [
            DataError(f"{fragment.path} has {twice[0]!r} twice. Give each column its own name.")
        ]
    places = {name: (fragment.path, place) for place, name in enumerate(schema.names)}
    return [FilesLook(schema, places, pieces)]


def both_looks(one: FilesLook | DataError, other: FilesLook | DataError) -> FilesLook | DataError:
    """Return what two groups of files hold together."""
    import pyarrow as pa

    if isinstance(one, DataError) or isinstance(other, DataError):
        return one if isinstance(one, DataError) else other
    fields = {field.name: field for field in one.schema}
    first_at = dict(one.first_at)
    for field in other.schema:
        name, at = field.name, other.first_at[field.name]
        try:
            fields[name] = _joined(fields.get(name, field), field)
        except pa.ArrowTypeError:
            (first, type_there), (second, type_here) = sorted(
                [(first_at[name][0], fields[name].type), (at[0], field.type)], key=lambda x: x[0]
            )
            return DataError(
                f"column {name!r} is of type {type_there} in {first}, but of type {type_here} in "
                f"{second}. Write all files with one type."
            )
        first_at[name] = min(first_at.get(name, at), at)
    return FilesLook(pa.schema(fields.values()), first_at, one.pieces + other.pieces)


def _joined(one: Arrow, other: Arrow) -> Arrow:
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


def read_piece(piece: Arrow, schema: Arrow) -> list[Any] | DataError:
    """Return the rows of a piece as batches."""
    import pyarrow as pa

    try:
        batches: list[Any] = piece.to_table(schema=schema).to_batches()
    except (pa.ArrowException, OSError) as error:
        return _not_of_one_type(piece, schema) or _unreadable(piece.path, error)
    return batches


def _not_of_one_type(piece: Arrow, schema: Arrow) -> DataError | None:
    """Return what to say of a column whose values are too large, or too fine, for the type of all files."""
    import pyarrow as pa

    for field in piece.physical_schema:
        wanted = schema.field(field.name).type
        try:
            piece.to_table(columns=[field.name]).column(0).cast(wanted)
        except (pa.ArrowException, OSError):
            if field.type == wanted:  # it cannot be read at all
                return None
            return DataError(
                f"column {field.name!r} is of type {field.type} in {piece.path}, but of type {wanted} in "
                f"all files together, which cannot hold all of its values. Write all files "
                "with one type."
            )
    return None


def _unreadable(path: str, error: Exception) -> DataError:
    if any(words in str(error) for words in ("magic bytes", "file footer")):
        return DataError(
            f"{path} is not a Parquet file. Engines read Parquet only: leave the engine out to read CSV "
            "and other files."
        )
    return DataError(f"{path} cannot be read as Parquet: {error}".split("\n", 1)[0])
