"""Nasty files: what is read, said or refused; that advice works; that a model remembers the form."""

import datetime as dt
import random
import re
import shlex

import pytest
from nasty_files import NASTY, WRITTEN

import bough
from bough.cli import main
from bough.errors import DataError
from bough.table.column import Choices, Moments
from bough.table.file import read_file

OPTION = re.compile(r"--[a-z][a-z-]*(?: (?:'[^']*'|\"[^\"]*\"|[^\s'\";,)]+))?")
READ = [each for each in NASTY if not each.refused]
REFUSED = [each for each in NASTY if each.refused]


def named(cases):
    return {"argvalues": cases, "ids": [each.name for each in cases]}


@pytest.fixture
def placed(tmp_path, monkeypatch):
    """Write a file, and return its name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")  # so that no advice goes on in the next line

    def place(case):
        (tmp_path / case.file).write_bytes(case.content)
        return case.file

    return place


def values_of(source, name):
    column = source.column(source.names.index(name))
    known = ~column.missing_rows()
    if isinstance(column, Choices | Moments):
        return [column.value(row) if is_known else None for row, is_known in enumerate(known)]
    return column.values.tolist()


def test_there_are_many_nasty_files():
    assert len(NASTY) >= 65
    assert len({each.name for each in NASTY}) == len(NASTY)


@pytest.mark.parametrize("case", **named(READ))
def test_it_is_read_as_a_person_would(placed, case):
    source = read_file(placed(case))
    assert {name: values_of(source, name) for name in case.columns} == case.columns
    said = [remark.text for remark in source.remarks]
    assert all(any(part in text for text in said) for part in case.says), said


@pytest.mark.parametrize("case", **named(REFUSED))
def test_it_is_refused_with_the_reason(placed, case):
    with pytest.raises(DataError) as raised:
        bough.check(placed(case))
    assert case.refused in str(raised.value)


def checked(capsys, *words):
    status = main(["check", *words])
    captured = capsys.readouterr()
    return status, captured.out + captured.err


@pytest.mark.parametrize("case", **named(REFUSED))
def test_what_the_refusal_advises_works(placed, capsys, case):
    file = placed(case)
    status, said = checked(capsys, file)
    assert status == 2
    for advice in OPTION.findall(said):
        words = shlex.split(advice.removesuffix("."))
        status, said = checked(capsys, file, *words)
        assert status == 0, (advice, said)


@pytest.mark.parametrize("case", **named(READ))
def test_what_the_notes_advise_works(placed, capsys, case):
    file = placed(case)
    status, said = checked(capsys, file)
    assert status == 0
    for advice in OPTION.findall(said.split("next:")[0]):
        status, said = checked(capsys, file, *shlex.split(advice))
        assert status == 0, (advice, said)


@pytest.mark.parametrize("case", **named([each for each in READ if "NA" in each.name]))
def test_advised_marks_are_missing(placed, case):
    file = placed(case)
    fixes = [remark.fix for remark in read_file(file).remarks if "missing_marks" in remark.fix]
    for fix in fixes:
        source = read_file(file, **fix)
        assert source.column(0).missing_rows().any()
        assert not [remark for remark in source.remarks if "missing_marks" in remark.fix]


def rows_of(way, seed, n_rows=240):
    """Return cells and labels that depend on them."""
    chance = random.Random(seed)
    if way.is_date:
        days = [
            dt.datetime(2024, chance.randint(1, 12), chance.randint(1, 28), chance.randint(0, 23))
            for _ in range(n_rows)
        ]
        days[0] = dt.datetime(2024, 12, 31, 13)  # so that the order of day and month is clear
        return [way.write(day) for day in days], ["no" if day.month < 7 else "yes" for day in days]
    amounts = [chance.uniform(1, 3000) for _ in range(n_rows)]
    return [way.write(x) for x in amounts], ["no" if x < 1000 else "yes" for x in amounts]


def table_of(way, texts, labels):
    sign = way.delimiter
    rows = [f'"{text}"{sign}{label}' for text, label in zip(texts, labels, strict=True)]
    return "\n".join([f"a{sign}y", *rows, ""]).encode(way.encoding)


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    """Return the model that is learnt from a way of writing, and the file it was learnt from."""
    found = {}

    def learn(way):
        if way.name not in found:
            folder = tmp_path_factory.mktemp("way")
            (folder / "train.csv").write_bytes(table_of(way, *rows_of(way, seed=1)))
            result = bough.fit(folder / "train.csv", "y", encoding=way.encoding, seed=1)
            result.save(folder / "m.bough.json")
            found[way.name] = folder
        return found[way.name]

    return learn


@pytest.mark.parametrize("way", **named(WRITTEN))
def test_a_model_reads_the_same_form_again(learnt, way):
    folder = learnt(way)
    texts, labels = rows_of(way, seed=2, n_rows=60)
    if way.is_date:  # days 1 to 12 only, which alone would not tell their order
        kept = [number for number, text in enumerate(texts) if "31" not in text][:40]
        texts, labels = [texts[number] for number in kept], [labels[number] for number in kept]
    (folder / "new.csv").write_bytes(table_of(way, texts, labels))
    model = bough.load(folder / "m.bough.json")
    assert bough.evaluate(model, folder / "new.csv").n_rows == len(labels)
    assert model.predict(read_file(folder / "new.csv", encoding=way.encoding)).tolist() == labels


@pytest.mark.parametrize("way", **named(WRITTEN))
def test_a_model_refuses_what_contradicts_it(learnt, way):
    folder = learnt(way)
    texts, labels = rows_of(way, seed=3, n_rows=400)
    texts[7] = way.contradicts
    (folder / "new.csv").write_bytes(table_of(way, texts, labels))
    model = bough.load(folder / "m.bough.json")
    for source in (folder / "new.csv", read_file(folder / "new.csv", encoding=way.encoding)):
        with pytest.raises(DataError, match=re.escape(f"{way.contradicts!r} in line 9")):
            bough.evaluate(model, source)


def test_cells_that_were_missing_then_are_missing_again(tmp_path):
    rows = [f"{i % 50},{'ab'[i % 50 > 20]}" for i in range(400)]
    rows[7], rows[9] = "12a,a", "soon,b"
    (tmp_path / "x.csv").write_text("\n".join(["x,y", *rows, ""]))
    result = bough.fit(tmp_path / "x.csv", "y")
    assert bough.evaluate(result, tmp_path / "x.csv").n_rows == 400
    (tmp_path / "x.csv").write_text("x,y\n12a,a\n30,b\n")
    assert bough.evaluate(result, tmp_path / "x.csv").n_rows == 2
    (tmp_path / "x.csv").write_text("\n".join(["x,y", *rows, "1,234".join('""') + ",a", ""]))
    with pytest.raises(DataError, match="'1,234' in line 402, but the tree was grown from plain"):
        bough.evaluate(result, tmp_path / "x.csv")


def marked(folder, marks, header="x,y"):
    """Write a table of numbers, of which every sixth is one of some marks."""
    rows = []
    for i in range(300):
        x = marks[i // 6 % len(marks)] if i % 6 == 0 else f"{i * 1.37:.2f}"
        rows.append(
            ",".join([x, *(["1", "2"][i % 2] for _ in header.split(",")[2:]), "ab"[i > 150]])
        )
    (folder / "x.csv").write_text("\n".join([header, *rows, ""]))
    return folder / "x.csv"


def test_marks_that_cost_the_only_feature_are_named(tmp_path):
    with pytest.raises(DataError) as caught:
        bough.fit(marked(tmp_path, ["N/A"]), "y")
    assert str(caught.value) == (
        "No usable feature. x: treated as text because of 'N/A' in line 2; 250 of 300 cells are "
        "numbers. As text it is left out. Correct these cells, or make them missing: "
        "missing_marks=('', 'N/A')."
    )


def test_every_mark_is_advised_in_one_note(tmp_path):
    marks = ["N/A", "-", "?", "none", "unknown"]
    (note,) = [
        note
        for note in bough.fit(marked(tmp_path, marks, "x,z,y"), "y").notes
        if note.code == "B105"
    ]
    assert sorted(note.fix["missing_marks"]) == sorted(["", *marks])


@pytest.mark.parametrize(
    ("word", "n_words", "is_advised"),
    [("more", 2, True), ("more", 30, False), ("NA", 30, True), ("?", 30, True)],
)
def test_a_common_word_among_numbers_is_not_advised_to_be_missing(
    tmp_path, word, n_words, is_advised
):
    cells = [word] * n_words + ["2", "4"] * ((100 - n_words) // 2)
    path = tmp_path / "persons.csv"
    path.write_text("persons,y\n" + "".join(f"{cell},{n % 2}\n" for n, cell in enumerate(cells)))
    (note,) = [note for note in bough.check(path).notes if note.code == "B105"]
    assert f"{word!r} in line 2" in str(note)
    assert ("missing_marks" in note.fix) == is_advised
