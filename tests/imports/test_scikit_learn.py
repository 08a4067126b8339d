"""Trees of scikit-learn, alone and in pipelines: every row is predicted alike, or the reason is said."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

import bough
from bough.errors import ParameterError

RANDOM = np.random.default_rng(5)
IRIS, KIND = load_iris(return_X_y=True)
MANY = 9e9


def around(theirs, X, n=2_000):
    """Return rows with numbers just where scikit-learn's rounding to float32 decides."""
    arrays = theirs.tree_
    asks = np.flatnonzero(np.isfinite(arrays.threshold) & (arrays.feature >= 0))
    node = RANDOM.choice(asks, n)
    threshold = arrays.threshold[node]
    low = threshold.astype(np.float32)
    middle = (low.astype(float) + np.nextafter(low, np.float32(MANY))) / 2
    edges = [threshold, low, middle, -0.0 * threshold, 1e30 * threshold]
    edges += [np.nextafter(each, end) for each in edges[:3] for end in (-MANY, MANY)]
    rows = X[RANDOM.integers(0, len(X), n)]
    rows[np.arange(n), arrays.feature[node]] = np.array(edges)[
        RANDOM.integers(0, len(edges), n), np.arange(n)
    ]
    return rows


@pytest.mark.parametrize(
    "theirs", [DecisionTreeClassifier(), DecisionTreeRegressor(), ExtraTreeClassifier()]
)
def test_every_number_goes_the_same_way(theirs):
    theirs.set_params(random_state=0).fit(IRIS, KIND)
    ours, X = bough.from_sklearn(theirs), around(theirs, IRIS)
    assert np.array_equal(ours.predict(X), theirs.predict(X))
    if hasattr(theirs, "predict_proba"):
        assert np.array_equal(ours.predict_proba(X), theirs.predict_proba(X))


def test_missing_values_names_and_outputs_are_kept():
    X = pd.DataFrame(IRIS, columns=list("abcd")).mask(RANDOM.random(IRIS.shape) < 0.3)
    names = np.array(["setosa", "versicolor", "virginica"])[KIND]
    theirs = DecisionTreeClassifier(random_state=0).fit(X, names)
    ours = bough.from_sklearn(theirs)
    assert np.array_equal(ours.predict(X), theirs.predict(X))
    assert ours.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert ours.feature_names_in_.tolist() == list("abcd")
    two = DecisionTreeClassifier(random_state=0).fit(IRIS, np.stack([KIND, KIND % 2], axis=1))
    assert np.array_equal(bough.from_sklearn(two).predict(IRIS), two.predict(IRIS))


def people(n=300):
    table = pd.DataFrame(
        {
            "age": np.where(RANDOM.random(n) < 0.2, np.nan, RANDOM.normal(40, 10, n)),
            "fare": RANDOM.exponential(30, n),
            "sex": RANDOM.choice(["m", "f"], n),
            "port": RANDOM.choice(np.array(["C", "Q", "S", None], object), n),
            "deck": RANDOM.integers(1, 5, n),
        }
    )
    table["port"] = table["port"].astype(object).where(table["port"].notna(), np.nan)
    young = table["age"].fillna(0) < 20
    return table, (table["sex"].eq("f") & table["fare"].gt(20)) | table["port"].eq("C") | young


NUMBERS, WORDS = ["age", "fare"], ["sex", "port"]
STEPS = {
    "one hot": [
        ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), NUMBERS),
        ("words", OneHotEncoder(handle_unknown="ignore"), WORDS),
    ],
    "ordinal": [
        ("numbers", SimpleImputer(strategy="median"), [0, 1]),
        ("words", OrdinalEncoder(), ["port", "sex", "deck"]),
    ],
    "filled in": [
        ("numbers", MinMaxScaler(), NUMBERS),
        ("words", make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(drop="first")), WORDS),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("remainder", ["drop", "passthrough"])
def test_a_tree_behind_encoders_asks_about_the_columns_themselves(name, remainder, tmp_path):
    table, labels = people()
    if name == "ordinal" and remainder == "passthrough":
        table = table.drop(columns="deck").assign(deck=table["deck"])
    theirs = make_pipeline(
        ColumnTransformer(STEPS[name], remainder=remainder), DecisionTreeClassifier(random_state=0)
    ).fit(table, labels)
    ours = bough.from_sklearn(theirs)
    assert np.array_equal(ours.predict(table), theirs.predict(table))
    others, _ = people()
    assert np.array_equal(ours.predict(others), theirs.predict(others))
    ours.save(tmp_path / "tree.bough.json")
    again = bough.load(tmp_path / "tree.bough.json")
    assert np.array_equal(again.predict(others), theirs.predict(others))
    assert {feature.name for feature in ours.grown_tree_.schema.features} <= set(table.columns)


def test_it_is_drawn_explained_reported_and_exported():
    table, labels = people()
    theirs = make_pipeline(ColumnTransformer(STEPS["one hot"]), DecisionTreeClassifier(max_depth=3))
    ours = bough.from_sklearn(theirs.fit(table, labels))
    assert "port = " in bough.draw(ours)
    assert str(ours.explain(table.head(1))[0])
    assert "<html" in bough.export(ours, "html")
    total = ours.shap_values(table.head(5))
    assert np.allclose(
        total.base_values + total.values.sum(axis=1), ours.predict_proba(table.head(5))
    )


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (RandomForestClassifier(2), "tree is a RandomForestClassifier; it must be a decision tree of scikit-learn, or a Pipeline that ends in one. Pass one tree of a forest: forest.estimators_[0]."),
        (make_pipeline(PCA(2), DecisionTreeClassifier()), "The step 'pca' is a PCA, whose columns bough cannot trace back to those of the table. It can for StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler, OneHotEncoder, OrdinalEncoder, SimpleImputer, ColumnTransformer and Pipeline."),
        (make_pipeline(SimpleImputer(add_indicator=True), DecisionTreeClassifier()), "The step 'simpleimputer' replaces nan, adds columns or drops some, which bough cannot trace."),
        (make_pipeline(StandardScaler(), SimpleImputer(), DecisionTreeClassifier()), "The step 'simpleimputer' fills in columns that were scaled or encoded before."),
        (make_pipeline(StandardScaler(), OrdinalEncoder(), DecisionTreeClassifier()), "The step 'ordinalencoder' encodes columns that were scaled or encoded before."),
        (make_pipeline(OneHotEncoder(max_categories=3), DecisionTreeClassifier()), "The step 'onehotencoder' puts rare categories together, which bough cannot trace."),
    ],
)  # fmt: skip
def test_what_is_not_exact_is_refused(model, says):
    with pytest.raises(ParameterError) as error:
        bough.from_sklearn(model.fit(IRIS, KIND))
    assert str(error.value) == says
