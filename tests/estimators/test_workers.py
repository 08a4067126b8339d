"""Functions and estimators that go to other processes, as ensembles and clusters send them."""

import multiprocessing
import pickle

import cloudpickle
import joblib
import numpy as np
import pytest
from sklearn.ensemble import BaggingRegressor

import bough

X = np.arange(60.0).reshape(20, 3) % 7
Y = X @ [1.0, 2.0, 3.0]


def grown(depth):
    return bough.DecisionTreeRegressor(max_depth=depth, n_jobs=1).fit(X, Y)


def written_in_a_script():
    """Return a function as a script has it: sent by its code, with the `bough` that it mentions."""
    script = {"__name__": "__main__", "bough": bough, "X": X, "Y": Y}
    exec("def grow(d): return bough.DecisionTreeRegressor(max_depth=d, n_jobs=1).fit(X, Y)", script)
    return script["grow"]


def test_a_function_that_mentions_bough_can_be_pickled():
    again = pickle.loads(cloudpickle.dumps(written_in_a_script()))
    assert again(2).get_depth() == 2


def test_joblib_sends_it_to_workers():
    trees = joblib.Parallel(n_jobs=2)(joblib.delayed(written_in_a_script())(d) for d in (1, 2))
    assert [tree.get_depth() for tree in trees] == [1, 2]
    assert trees[1].predict(X).tolist() == grown(2).predict(X).tolist()


def test_multiprocessing_sends_it_to_workers():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert [tree.get_depth() for tree in pool.map(grown, (1, 2))] == [1, 2]


def test_dask_sends_it_to_workers():
    distributed = pytest.importorskip("distributed")
    with distributed.Client(
        n_workers=1, threads_per_worker=1, dashboard_address=None, set_as_default=False
    ) as client:
        trees = client.gather(client.map(written_in_a_script(), (1, 2)))
    assert [tree.get_depth() for tree in trees] == [1, 2]


def test_a_bag_of_trees_is_the_same_from_workers():
    alone, together = (
        BaggingRegressor(bough.DecisionTreeRegressor(), 4, random_state=0, n_jobs=n).fit(X, Y)
        for n in (1, 2)
    )
    assert alone.predict(X).tolist() == together.predict(X).tolist()


def test_arrays_that_joblib_lends_from_a_file_are_taken_over(tmp_path):
    tree = grown(None)
    joblib.dump(tree, tmp_path / "tree.joblib")
    again = joblib.load(tmp_path / "tree.joblib", mmap_mode="r")
    assert type(again.grown_tree_.pivot) is np.ndarray
    assert again.predict(X).tolist() == tree.predict(X).tolist()
