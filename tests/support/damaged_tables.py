"""Damages files that hold tables, the same for the same seed, and reads what comes of them."""

import gzip
from pathlib import Path

from bough.errors import BoughError
from bough.table.file import read_file

STARTS = [
    b'a,b,c\n1,x,2024-01-01\n2,"y ""q""",2024-02-01\n3,,\n',
    b'a;b\r\n1,5;x\r\n2,5;"a\r\nb"\r\n',
    b'{"a":1,"b":"x"}\n{"a":2.5,"b":null,"c":true}\n',
    b"\xef\xbb\xbfa\tb\n01\t5\n02\tNA\n",
    gzip.compress(b"a,b\n1,2\n", mtime=0),
]
PARTS = [
    b'"', b'""', b",", b";", b"\n", b"\r", b"\r\n", b"\0", b"\xff", b"\xc3\xa9", b"1e999", b"inf",
    b"00", b"+-1", b"1_0", b"{", b"}", b"[]", b":", b"\x1f", b"\\u0000", b"'", b"NaN", b"9" * 25,
    b" ", b"\xef\xbb\xbf", b"\x1f\x8b", b"PAR1",
]  # fmt: skip
OPTIONS = [
    {},
    {},
    {"header": True},
    {"header": False},
    {"short_rows": "missing"},
    {"quote": ""},
    {"encoding": "latin-1"},
    {"encoding": "utf-16"},
    {"missing_marks": ()},
    {"missing_marks": ("", "NA", "x'")},
]


def damaged(chance):
    """Return a damaged file; what happens to it depends on the state of `chance` alone."""
    data = bytearray(chance.choice(STARTS))
    for _ in range(chance.randint(1, 5)):
        place = chance.randrange(len(data) + 1)
        match chance.randrange(4):
            case 0:
                data[place:place] = chance.choice(PARTS)
            case 1:
                data[place : place + 1] = bytes([chance.randrange(256)])
            case 2:
                del data[place : place + chance.randint(1, 8)]
            case _:
                data[place:place] = data[chance.randrange(len(data) + 1) :][:30]
    return bytes(data)


def outcome(path, chance):
    """Read a file in one of the ways there are, each of its columns too; return what was said."""
    try:
        found = read_file(path, **chance.choice(OPTIONS))
        for number in range(len(found.names)):
            assert len(found.text(number).codes) == found.n_rows
            found.column(number)
    except BoughError as error:
        said = str(error)
    else:
        said = ""
    is_parquet = Path(path).read_bytes().startswith(b"PAR1")  # which DuckDB alone reads
    assert is_parquet or "cannot be read" not in said, "DuckDB saw what bough should have seen"
    return said
