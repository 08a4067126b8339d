"""What works with NumPy, scikit-learn and narwhals alone, and what the rest says that it needs."""

import subprocess
import sys

ALONE = """
import sys

MORE = {"cyclopts", "dask", "duckdb", "jinja2", "matplotlib", "onnx", "pandas", "polars", "pyarrow",
        "pyspark", "resvg_py", "rich", "treelite"}

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MORE:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())

import bough
TABLE = {"age": [4, 9, 34, 40] * 20, "sex": ["m", "f", "f", "m"] * 20, "y": ["a", "a", "a", "b"] * 20}
X = {name: TABLE[name] for name in ("age", "sex")}
tree = bough.DecisionTreeClassifier().fit(X, TABLE["y"])
"""
WORKS = """
import pickle
from sklearn.model_selection import cross_val_score

numbers = [[age] for age in X["age"]]
cross_val_score(bough.DecisionTreeRegressor(max_depth=1), numbers, X["age"], cv=2)
bough.DecisionTreeRanker().fit(numbers, [0, 1, 2, 2] * 20, group=[1, 1, 2, 2] * 20)
assert tree.predict(X).tolist() == pickle.loads(pickle.dumps(tree)).predict(X).tolist() == TABLE["y"]
print(tree.explain(X)[0], tree.rules(), tree.ask().question, tree.shap_values(X))
tree.save("tree.json")
bough.draw(bough.load("tree.json"), "svg")
for form in ("c", "dot", "java", "javascript", "json", "mermaid", "pmml", "python", "rules", "sql", "text"):
    bough.export(tree, form)
print(bough.check(TABLE, "y"), bough.score(TABLE, "y"))
result = bough.fit(TABLE, "y")
print(result, bough.evaluate(result, TABLE), result._repr_mimebundle_()["text/html"])
"""


NEEDS = {  # the extra that each asks for
    "bough.fit('a.csv', 'y')": "cli",
    "bough.check('a.csv', 'y')": "cli",
    "bough.score('a.csv', 'y')": "cli",
    "bough.read_file('a.csv')": "cli",
    "bough.evaluate(tree, 'a.csv')": "cli",
    "bough.compare(tree, tree, 'a.csv')": "cli",
    "bough.fit(TABLE, 'y').report('a.html')": "cli",
    "bough.export(tree, 'html')": "cli",
    "bough.export(tree, 'sql', check=X)": "cli",
    "bough.export(tree, 'onnx')": "onnx",
    "bough.draw(tree, 'png')": "png",
    "__import__('bough.dask')": "dask",
    "__import__('bough.spark')": "spark",
}
ASKS = f"""
for code in {list(NEEDS)}:
    try:
        eval(code)
    except (bough.BoughError, ImportError) as error:
        print(type(error).__name__, error)
    else:
        print("works")
"""


def said(code, folder):
    command = [sys.executable, "-c", ALONE + code]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_estimators_and_the_protocol_need_no_more(tmp_path):
    assert said(WORKS, tmp_path)


def test_what_needs_more_says_what_to_install(tmp_path):
    (tmp_path / "a.csv").write_text("age,sex,y\n1,m,a\n2,f,b\n", "utf-8")
    for (code, extra), words in zip(NEEDS.items(), said(ASKS, tmp_path), strict=True):
        assert f"pip install 'bough[{extra}]'" in words, code
        assert not words.startswith("ModuleNotFoundError"), code
