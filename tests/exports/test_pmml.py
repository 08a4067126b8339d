"""PMML is valid by its schema, and JPMML, which others wrote, says of rows at edges what the tree says."""

import os
import re
import shutil
import zipfile
from pathlib import Path

import handmade
import numpy as np
import pytest
from replays import hostile_columns, hostile_names, hostile_values, rows_at_edges, unlike

from bough.exports import export
from bough.exports.pmml import UNWRITABLE
from bough.exports.replay import expected, replay
from bough.walk import walk

jpmml = pytest.importorskip("jpmml_evaluator")
jpype = pytest.importorskip("jpype")
if shutil.which("java") is None:
    pytest.skip("Java is not installed", allow_module_level=True)


N_ROWS, N_NAMES = (10_000, 300) if "BOUGH_THOROUGH" in os.environ else (300, 80)


def writable_names():
    return [name for name in hostile_names(N_NAMES) if not re.search(UNWRITABLE, name)]


TREES = {
    name: handmade.TREES[name]
    for name in ("leaf", "play_tennis", "missing_values", "one_of", "ranked", "costs")
} | {
    "hostile columns": lambda: hostile_columns(writable_names()),
    "hostile values": lambda: hostile_values(writable_names()),
}


@pytest.fixture(scope="module")
def validate(tmp_path_factory):
    """Return what checks a text by the schema of PMML, which JPMML brings along."""
    [jar] = (Path(jpmml.__file__).parent / "dependencies").glob("pmml-model-[0-9]*.jar")
    path = tmp_path_factory.mktemp("schema") / "pmml.xsd"
    with zipfile.ZipFile(jar) as packed:
        [name] = [each for each in packed.namelist() if each.endswith("pmml.xsd")]
        path.write_bytes(packed.read(name))
    jpmml.make_backend("jpype")
    factory = jpype.JClass("javax.xml.validation.SchemaFactory")
    schema = factory.newInstance("http://www.w3.org/2001/XMLSchema").newSchema(
        jpype.JClass("java.io.File")(str(path))
    )
    source = jpype.JClass("javax.xml.transform.stream.StreamSource")
    reader = jpype.JClass("java.io.StringReader")
    return lambda text: schema.newValidator().validate(source(reader(text)))


@pytest.mark.parametrize("name", TREES)
def test_jpmml_says_what_the_tree_says(name, validate):
    tree = TREES[name]()
    content = export(tree, "pmml")
    validate(content)
    rows = rows_at_edges(tree, N_ROWS)
    found, wanted = replay(content, "pmml", tree, rows, {}), expected(tree, rows.stops(tree))
    assert unlike(found.guesses, wanted.guesses) == []
    if (
        tree.schema.has_classes
    ):  # JPMML divides probabilities by their sum: those of the file are exact
        shares = [float(each) for each in re.findall(r' probability="(.*?)"', content)]
        in_order = [step.node.id for step in walk(tree)]
        assert shares == tree.probabilities[in_order, 0].ravel().tolist()


@pytest.mark.filterwarnings("ignore:DataFrame is highly fragmented")  # by JPMML itself
@pytest.mark.parametrize("name", ["play_tennis", "missing_values", "hostile values"])
def test_jpmml_gives_the_probability_of_each_class(name, tmp_path):
    from pandas import DataFrame

    tree = TREES[name]()
    path = tmp_path / "tree.pmml"
    path.write_text(export(tree, "pmml"), "utf-8", newline="")
    rows = rows_at_edges(tree, 300)
    names = [tree.schema.columns[field.column] for field in rows.fields]
    columns = dict(zip(names, rows.columns(), strict=True))
    found = jpmml.make_evaluator(str(path)).evaluateAll(DataFrame(columns, dtype=object))
    classes = tree.schema.labels[0].classes
    assert list(found.columns[1:]) == [f"probability({each})" for each in classes]
    wanted = tree.probabilities[rows.stops(tree), 0]
    # JPMML divides by the sum of a node's probabilities, which may differ from 1 in the last digit.
    assert np.allclose(found.iloc[:, 1:].astype(float), wanted, rtol=4e-16 * len(classes), atol=0)


def test_a_schema_that_is_not_kept_is_seen(validate):
    with pytest.raises(jpype.JException):
        validate(export(handmade.play_tennis(), "pmml").replace("TreeModel", "TreeModels"))
