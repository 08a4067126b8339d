"""Parquet files that an engine reads: the model of one file with all their rows, or what is wrong with one."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from partitioned_tables import bytes_of

import bough
from bough.errors import DataError
from bough.partitioned import InProcess, parquet_files

pytest.importorskip("fsspec")
pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


class Streaming(InProcess):
    """Lists are parts already."""

    def parts(self, values):
        return values

    def in_turn(self, parts):
        yield from parts


def rows(n_rows=60):
    rng = np.random.default_rng(n_rows)
    number = rng.normal(size=n_rows)
    frame = pd.DataFrame({"number": number, "count": rng.integers(0, 50, n_rows)})
    frame["letter"] = rng.choice(list("xyz"), n_rows)
    return frame.assign(label=np.where(number + rng.normal(size=n_rows) / 2 > 0, "yes", "no"))


def written(folder, *tables):
    folder.mkdir(exist_ok=True, parents=True)
    for number, table in enumerate(tables):
        is_frame = isinstance(table, pd.DataFrame)
        made = pa.Table.from_pandas(table, preserve_index=False) if is_frame else table
        parquet.write_table(made, folder / f"{number}.parquet")
    return f"{folder}/*.parquet"


def read(path):
    return parquet_files.stream_of_files(Streaming(), str(path)).read_all()


def learnt(table):
    return bytes_of(bough.fit(table, "label", max_depth=2))


def as_text(frame):
    return frame.assign(count=[f"of {each}" for each in frame["count"]])


def ordered(frame, *order):
    return frame.assign(letter=pd.Categorical(frame["letter"], order, ordered=True))


SAME = {
    "no rows": lambda a, b: [a[:0], a, b],
    "one row": lambda a, b: [a[:1], a[1:2], pd.concat([a[2:], b])],
    "columns in another order": lambda a, b: [a, b[["label", "letter", "number", "count"]]],
    "narrow integers first": lambda a, b: [a.astype({"count": "int32"}), b],
    "fractions later": lambda a, b: [a, b.assign(count=b["count"] + 0.5)],
    "a column of nulls": lambda a, b: [a.assign(letter=None), b],
    "a column that a file lacks": lambda a, b: [a.drop(columns="count"), b],
    "one more column": lambda a, b: [a, b.assign(more=1.5)],
    "other categories": lambda a, b: [
        a.astype({"letter": "category"}),
        b.assign(letter=pd.Categorical(b["letter"], list("wzyx"))),
    ],
    "large integers and nulls": lambda a, b: [
        a.assign(count=2**60 + a["count"]), b.assign(count=pd.array([None] * len(b), "Int64")),
    ],
    "odd names": lambda a, b: [
        each.rename(columns={"number": "größe ☃", "count": "a'\n\"b[x]"}) for each in (a, b)
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_files_give_the_model_of_one_file_with_all_rows(tmp_path, name):
    tables = SAME[name](rows(60), rows(80))
    tables = [pa.Table.from_pandas(each, preserve_index=False) for each in tables]
    whole = pa.concat_tables(
        [each.replace_schema_metadata(None) for each in tables], promote_options="permissive"
    )
    path = written(tmp_path / "parts", *tables)
    assert learnt(read(path)) == learnt(whole)


REFUSED = {
    "column 'count' is of type int64 in .*0.parquet, but of type .*string in .*1.parquet": (
        lambda a, b: [a, as_text(b)]
    ),
    "column 'letter' has its categories in the order 'x', 'y' and 'z' in some": (
        lambda a, b: [ordered(a, *"xyz"), ordered(b, *"zyx")]
    ),
    "column 'count' is of type int64 in .*1.parquet, but of type double in all files together": (
        lambda a, b: [a.assign(count=0.5), b.assign(count=2**60 + 1)]
    ),
    "0.parquet has 'count' twice. Give each column its own name.": lambda a, _: [
        pa.Table.from_arrays([pa.array(a["count"])] * 2, ["count", "count"])
    ],
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_does_not_fit_together_is_refused_by_name(tmp_path, message):
    path = written(tmp_path, *REFUSED[message](rows(60), rows(80)))
    with pytest.raises(DataError, match=message):
        learnt(read(path))


@pytest.mark.parametrize("order", [*permutations(range(4))])
def test_columns_stand_as_in_the_files_whatever_is_put_together_first(tmp_path, order):
    frames = [rows()[names] for names in (["number"], ["label", "count"], ["letter"], ["count"])]
    looks = [
        parquet_files.look_at_file(file)[0]
        for file in parquet_files.files_at(written(tmp_path, *frames))
    ]
    one, two, three, four = (looks[each] for each in order)
    found = parquet_files.both_looks(
        parquet_files.both_looks(one, two), parquet_files.both_looks(three, four)
    )
    assert found.in_order().names == ["number", "label", "count", "letter"]


def test_categories_and_text_are_text(tmp_path):
    a, b = rows(60), rows(80)
    path = written(tmp_path, a.astype({"letter": "category"}), b)
    assert learnt(read(path)) == learnt(pd.concat([a, b]))


def test_categories_of_more_values_than_a_file_numbers(tmp_path):
    each = [rows(100 + number) for number in range(3)]
    for number, frame in enumerate(each):
        frame["letter"] = [f"{number} {row}" for row in range(len(frame))]
    path = written(tmp_path, *(frame.astype({"letter": "category"}) for frame in each))
    tree = bough.DecisionTreeClassifier(max_depth=2)
    table = read(path)
    assert table.schema.field("letter").type.index_type == pa.int8()
    found = tree.fit(table.drop_columns("label"), table["label"].to_pylist())
    assert len(found.grown_tree_.schema.features[2].choices) == 303


def test_the_index_of_a_frame_is_a_column(tmp_path):
    rows().set_index("count").to_parquet(tmp_path / "0.parquet")
    assert set(read(tmp_path / "0.parquet").column_names) == {"number", "letter", "label", "count"}


def test_names_of_folders_are_columns(tmp_path):
    for letter, some in rows().groupby("letter"):
        written(tmp_path / f"letter={letter}", some.drop(columns="letter"))
    (tmp_path / "_unfinished").mkdir()
    (tmp_path / "_unfinished" / "1.parquet").write_text("half")
    (tmp_path / "read me.txt").write_text("Letters.")
    for path in (tmp_path, tmp_path / "letter=*" / "*.parquet"):
        assert read(path)["letter"].value_counts().to_pylist() == [
            {"values": letter, "counts": count}
            for letter, count in rows()["letter"].value_counts().sort_index().items()
        ], path


@pytest.mark.parametrize("year", ["int64", "str"])
def test_a_column_that_folders_name_too_is_that_of_the_files(tmp_path, year):
    for number in (2025, 2026):
        some = rows(40 + number % 7).assign(year=number).astype({"year": year})
        written(tmp_path / f"year={number}" / "half=1", some)
    found = read(tmp_path)
    assert found.column_names[-2:] == ["year", "half"]
    assert set(found["year"].to_pylist()) == set(map(np.dtype(year).type, (2025, 2026)))


def test_row_groups_are_read_together_up_to_a_size(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_files, "PIECE", 1000)
    parquet.write_table(pa.Table.from_pandas(rows(500)), tmp_path / "0.parquet", row_group_size=9)
    [(file, folders)] = parquet_files.files_at(str(tmp_path / "0.parquet"))
    [look] = parquet_files.look_at_file((file, folders))
    assert 10 < len(look.pieces) < 56
    assert read(tmp_path / "0.parquet")["count"].to_pylist() == rows(500)["count"].tolist()


@pytest.mark.parametrize("number", [0, 1])
def test_a_file_of_another_make_is_named(tmp_path, number):
    path = written(tmp_path, rows(), rows())
    (tmp_path / f"{number}.parquet").write_text("a,b\n1,2\n")
    with pytest.raises(
        DataError, match=r"parquet is not a Parquet file\. Engines read Parquet only"
    ):
        read(path)


def test_a_file_that_is_cut_off_while_it_is_read_is_named(tmp_path):
    path = written(tmp_path, rows())
    [(file, folders)] = parquet_files.files_at(path)
    [look] = parquet_files.look_at_file((file, folders))
    (tmp_path / "0.parquet").unlink()
    found = parquet_files.read_piece(look.pieces[0], look.schema)
    assert "0.parquet cannot be read as Parquet" in str(found)


@pytest.mark.parametrize("name", ["*.parquet", "none.parquet", "empty"])
def test_no_file_is_said(tmp_path, name):
    (tmp_path / "empty").mkdir()
    words = "no files in it that end with .parquet" if name == "empty" else "there is no such file"
    with pytest.raises(FileNotFoundError, match=words):
        read(tmp_path / name)
