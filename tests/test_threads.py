"""How many threads a call may use."""

import pytest
from joblib import Parallel, cpu_count, delayed

from bough import DecisionTreeClassifier, ParameterError
from bough.threads import threads


def test_none_is_all_cores():
    assert threads(None) == cpu_count()


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_none_is_one_thread_inside_a_joblib_worker(backend):
    found = Parallel(n_jobs=2, backend=backend)(delayed(threads)(None) for _ in range(2))
    assert found == [1, 1]


def test_none_is_all_cores_where_joblib_runs_one_job():
    assert Parallel(n_jobs=1)(delayed(threads)(None) for _ in range(1)) == [cpu_count()]


@pytest.mark.parametrize(("n_jobs", "n_threads"), [(1, 1), (3, 3), (-1, cpu_count()), (-999, 1)])
def test_a_number_is_read_as_joblib_does(n_jobs, n_threads):
    assert threads(n_jobs) == n_threads


@pytest.mark.parametrize("n_jobs", [0, 1.5, "two", True])
def test_anything_else_is_refused(n_jobs):
    with pytest.raises(ParameterError) as error:
        DecisionTreeClassifier(n_jobs=n_jobs).fit([[1], [2]], [0, 1])
    assert str(error.value) == (
        f"n_jobs={n_jobs!r} must be a whole number: 1 or more threads, or -1 for all cores."
    )
