"""Functions and estimators that go to other processes, as ensembles and clusters send them."""

import pickle
import subprocess
import sys

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


SCRIPT = """
import multiprocessing, sys
import bough, joblib, numpy as np

X = np.arange(60.0).reshape(20, 3) % 7

def grow(depth):
    return bough.DecisionTreeRegressor(max_depth=depth, n_jobs=1).fit(X, X[:, 0])

class Mine(bough.DecisionTreeRegressor):
    pass

if __name__ == "__main__":
    trees = joblib.Parallel(n_jobs=2)(map(joblib.delayed(grow), (1, 2)))
    print(*(tree.get_depth() for tree in trees))
    mine = Mine().fit(X, X[:, 0])
    print(*joblib.Parallel(n_jobs=2)(joblib.delayed(mine.predict)(rows) for rows in (X[:1], X[1:2])))
    for method in sys.argv[1:]:
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(*(tree.get_depth() for tree in pool.map(grow, (1, 2))))
"""


@pytest.mark.parametrize(
    ("begin", "methods"),
    [(["script.py"], ["spawn", "fork"]), (["-c", SCRIPT], ["fork"])],
    ids=["script", "-c"],
)
def test_what_stands_in_a_script_goes_to_workers(begin, methods, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT, "utf-8")
    command = [sys.executable, *begin, *methods]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == ["1 2", "[0.] [3.]", *["1 2"] * len(methods)]


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
