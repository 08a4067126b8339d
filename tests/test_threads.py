"""How many threads a call may use."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from joblib import Parallel, cpu_count, delayed

from bough import DecisionTreeClassifier, ParameterError
from bough.machine_limits import MOST_THREADS, threads

ROOT = Path(__file__).resolve().parents[1]
COMPILER = shutil.which(os.environ.get("CXX", "c++"))
GROW_IN_LITTLE_MEMORY = """
import resource
import numpy as np
from bough import DecisionTreeClassifier
rng = np.random.default_rng(0)
X = rng.normal(size=(1000, 3))
y = (X[:, 0] * X[:, 1] > 0).astype(int)
DecisionTreeClassifier(n_jobs=2).fit(X, y)
in_use = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (in_use + 2**26, in_use + 2**26))
print(DecisionTreeClassifier(n_jobs=500).fit(X, y).score(X, y))
"""


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
        f"n_jobs={n_jobs!r} must be a whole number of threads, 1 or more, or -1 for all cores."
    )


@pytest.mark.skipif(COMPILER is None, reason="needs a compiler")
def test_threads_that_cannot_be_started_are_done_without(tmp_path):
    program = tmp_path / "threads_without_memory"
    source = ROOT / "tests" / "native" / "threads_without_memory.cpp"
    flags = ["-std=c++20", "-pthread", f"-I{ROOT / 'core'}"]
    subprocess.run([COMPILER, *flags, str(source), "-o", str(program)], check=True)
    assert subprocess.run([program], check=False).returncode == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_system_that_gives_few_threads_grows_the_same_tree():
    command = [sys.executable, "-c", GROW_IN_LITTLE_MEMORY]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1.0\n", "")


def test_a_small_number_needs_no_count_of_cores(monkeypatch):
    monkeypatch.setattr("bough.machine_limits._n_cores", None)
    assert threads(MOST_THREADS) == MOST_THREADS
