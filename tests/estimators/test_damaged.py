"""Damaged files of real estimators, through `bough.load` and through a pickle."""

import datetime as dt
import random
from functools import cache

import numpy as np
import pandas as pd
import pytest
from damaged_files import DAMAGES

import bough
from bough import BoughError, DecisionTreeClassifier, DecisionTreeRegressor, ModelFormatError
from bough.exports.model_file import dumps

SEEDS, FILES = range(4), 1_000
PICKLED = "bough model"

TABLE = pd.DataFrame(
    {
        "size": ["S", "M", "L", None, "M", "L"],
        "age": [1.5, 2.0, np.nan, 4.25, 3.0, 1.0],
        "zip": [10115, 20095, 10115, 50667, 20095, 50667],
        "day": [dt.date(2024, 2, 26 + day % 3) for day in range(6)],
        "color": ["red", "blue", "red", "green", None, "blue"],
    }
)
FRUIT = ["fig", "fig", "plum", "kiwi", "plum", "kiwi"]
TYPES = {"size": ["S", "M", "L"], "zip": "category"}


@cache
def fitted():
    """Return estimators of every make."""
    weights = {"fig": 1.5, "kiwi": 1, "plum": 2}
    both = np.array([FRUIT, [0, 1, 0, 1, 0, 1]], dtype=object).T
    return [
        DecisionTreeClassifier(types=TYPES, class_weight=weights, n_jobs=1).fit(TABLE, FRUIT),
        DecisionTreeClassifier(categorical="group", max_features="sqrt", random_state=0).fit(
            TABLE, both
        ),
        DecisionTreeRegressor(ccp_alpha=0.01, types=TYPES).fit(TABLE, np.arange(6) ** 0.5),
        DecisionTreeRegressor().fit(np.arange(12).reshape(6, 2), np.arange(12).reshape(6, 2)),
    ]


@cache
def files():
    return [(estimator, dumps(estimator.__bough_model__())) for estimator in fitted()]


def use(estimator):
    """Do with an estimator what users do; what it refuses, it refuses in its own words."""
    repr(estimator)
    bough.draw(estimator)
    _ = estimator.feature_importances_, estimator.get_depth()
    try:
        X = TABLE if estimator.grown_tree_.schema.named else np.arange(12.0).reshape(6, 2)
        estimator.predict(X)
        estimator.predict(X.iloc[::-1] if isinstance(X, pd.DataFrame) else X * 1e300)
    except BoughError:
        pass
    return dumps(estimator.__bough_model__())


def through_a_file(_, data, folder):
    path = folder / "model.bough.json"
    path.write_bytes(data)
    return bough.load(path)


def through_a_pickle(estimator, data, _):
    # The first pickles held the bytes of the model file.
    copied = type(estimator)()
    copied.__setstate__(estimator.__getstate__() | {PICKLED: data})
    return copied


@pytest.mark.parametrize("seed", SEEDS)
def test_a_damaged_model_gives_an_estimator_that_works_or_a_clear_error(seed, tmp_path):
    n_loaded = 0
    for number in range(FILES):
        chance = random.Random(f"{seed} {number}")
        estimator, data = chance.choice(files())
        for _ in range(chance.choice((1, 1, 1, 2))):
            data = chance.choice(DAMAGES)(chance, data)
        try:
            use(through_a_file(estimator, data, tmp_path))
            n_loaded += 1
        except ModelFormatError:
            pass
        except Exception as error:
            raise AssertionError(f"model {number} of seed {seed}: {error!r}\n{data!r}") from error
    assert 0 < n_loaded < FILES


@pytest.mark.parametrize("read", [through_a_file, through_a_pickle])
@pytest.mark.parametrize("number", range(4))
def test_a_whole_model_gives_the_same_estimator(number, read, tmp_path):
    estimator, data = files()[number]
    assert use(read(estimator, data, tmp_path)) == data


def other_entry(chance, array):
    """Change one entry, if there is any."""
    array = array.copy()
    if array.size:
        array.ravel()[chance.randrange(array.size)] = chance.choice(
            [0, 1, 2, 3, 7, *([-1, -2, 2**31 - 1] if array.dtype.kind != "u" else [255])]
            if array.dtype.kind in "iu"
            else [0.0, -1.0, 0.5, np.nan, np.inf, -np.inf, 1e300]
        )
    return array


class Odd(np.ndarray):
    """An array that is not quite one."""


ARRAY_DAMAGES = [
    other_entry,
    other_entry,
    other_entry,
    lambda _, array: array[:-1],
    lambda _, array: np.concatenate([array, array]),
    lambda _, array: array.astype(object),
    lambda _, array: array.astype(np.float32),
    lambda _, array: array[np.newaxis],
    lambda _, array: array.sum(),
    lambda _, array: np.array(array.sum()),
    lambda _, array: array.tolist(),
    lambda _, array: np.asfortranarray(array).view(Odd),
    lambda *_: None,
    lambda *_: "array",
]


@pytest.mark.parametrize("seed", SEEDS)
def test_damaged_arrays_in_a_pickle_give_an_estimator_that_works_or_a_clear_error(seed):
    n_loaded = 0
    for number in range(FILES // 4):
        chance = random.Random(f"{seed} {number}")
        estimator = chance.choice(fitted())
        state = estimator.__getstate__()
        *texts, arrays = state[PICKLED]
        name = chance.choice(list(arrays))
        damaged = chance.choice(ARRAY_DAMAGES)(chance, arrays[name])
        state[PICKLED] = (*texts, arrays | {name: damaged})
        copied = type(estimator)()
        try:
            copied.__setstate__(state)
            use(copied)
            n_loaded += 1
        except ModelFormatError:
            pass
        except Exception as error:
            raise AssertionError(f"case {number} of seed {seed}, {name}: {damaged!r}") from error
    assert 0 < n_loaded < FILES // 4


@pytest.mark.parametrize(
    "held",
    [
        *(None, 3, (), (b"{}",), (b"{}", {}), (b"{}", b"{}", {}), (b"{}", b"{}", {3: 4})),
        *(({}, b"{}", {}), b"", [b"{}", b"{}", {}], (b"[", b"{}", {}), ("{}", "{}", {})),
    ],
)
def test_a_pickle_without_a_model_is_refused(held):
    with pytest.raises(ModelFormatError):
        DecisionTreeClassifier().__setstate__({PICKLED: held})
