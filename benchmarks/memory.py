"""How much memory fit and predict take beside the table, for every make of table.

python benchmarks/memory.py [--rows 1000000] [--columns 20] [--threads 2] [MAKE …]

Every make has a process of its own. Memory is the largest resident size during the call minus that
before it, in MB of 10^6 bytes; the size of the table is given beside it. Sparse tables have a size
of their own, of which 0.2 % is stored.
"""

import json
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import numpy as np

DTYPES = ("float64", "float32", "int64", "int32", "int16", "uint8")
MOST = 100  # MB, where tables can be read where they lie
MOST_SPARSE = 1.5  # times the size of the table
WARM_UP = 1_000  # rows, so that code that is loaded late is not counted


def of_pandas(X):
    import pandas as pd

    return pd.DataFrame(X, columns=[f"c{i}" for i in range(X.shape[1])])


def of_polars(X):
    import polars as pl

    return pl.DataFrame({f"c{i}": X[:, i] for i in range(X.shape[1])})


def of_arrow(X):
    import pyarrow as pa

    return pa.table({f"c{i}": X[:, i] for i in range(X.shape[1])})


LAYOUTS = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "pandas": of_pandas,
    "polars": of_polars,
    "Arrow": of_arrow,
}
SIZES = ((10_000, 20_000), (5_000, 100_000))
SPARSE = {f"{form} {n:,} × {m:,}": (form, n, m) for form in ("csr", "csc") for n, m in SIZES}
MAKES = [*(f"{dtype}/{layout}" for dtype in DTYPES for layout in LAYOUTS), *SPARSE]


def main():
    options = read_options()
    if options.one:
        print(json.dumps(measured(options.makes[0], options)))
        return
    print(f"{options.rows:,} × {options.columns}, {options.threads} threads; MB")
    print(f"{'table':22}{'size':>8}{'fit':>8}{'predict':>9}")
    too_much = []
    for make in options.makes:
        found = in_own_process(make, options)
        print(
            f"{make:22}{found['size']:8.0f}{found['fit']:8.0f}{found['predict']:9.0f}", flush=True
        )
        most = MOST_SPARSE * found["size"] if make in SPARSE else MOST
        too_much += [make] if max(found["fit"], found["predict"]) > most else []
    if too_much:
        sys.exit(f"Too much: {', '.join(too_much)}.")


def read_options():
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("makes", nargs="*", default=MAKES, metavar="MAKE")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--one", action="store_true", help="measure in this process")
    return parser.parse_args()


def in_own_process(make, options):
    sizes = [f"--{name}={getattr(options, name)}" for name in ("rows", "columns", "threads")]
    command = [sys.executable, __file__, make, "--one", *sizes]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def measured(make, options):
    from bough import DecisionTreeClassifier

    X, y = sparse_table(*SPARSE[make]) if make in SPARSE else table(make, options)
    model = DecisionTreeClassifier(max_depth=8, n_jobs=options.threads)
    few = X.slice(0, WARM_UP) if hasattr(X, "slice") else X[:WARM_UP]
    model.fit(few, y[:WARM_UP]).predict(few)
    fit = growth_of(lambda: model.fit(X, y))
    predict = growth_of(lambda: model.predict(X))
    return {"size": size_of(X, make, options) / 1e6, "fit": fit, "predict": predict}


def size_of(X, make, options):
    if make in SPARSE:
        return X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    return options.rows * options.columns * np.dtype(make.split("/")[0]).itemsize


def sparse_table(form, n_rows, n_columns):
    import scipy.sparse

    rng = np.random.default_rng(0)
    n = n_rows * n_columns // 500
    places = rng.integers(0, n_rows, n), rng.integers(0, n_columns, n)
    X = scipy.sparse.csr_matrix((rng.integers(1, 6, n) * 1.0, places), (n_rows, n_columns))
    y = (np.asarray(X[:, :200].sum(axis=1)).ravel() > 1) ^ (rng.random(n_rows) < 0.1)
    return X.asformat(form), y


def table(make, options):
    dtype, layout = make.split("/")
    rng = np.random.default_rng(0)
    X = np.empty((options.rows, options.columns), dtype)
    signal = np.zeros(options.rows)
    for i in range(options.columns):  # one after the other, so that little memory is ever taken
        column = rng.standard_normal(options.rows)
        X[:, i] = column if X.dtype.kind == "f" else np.clip(column * 40 + 100, 0, 255)
        signal += column * (i < 5)
    return LAYOUTS[layout](X), (signal > 0).astype(np.int64)


def growth_of(call):
    """Return by how many MB the largest resident size during a call exceeds that before it."""
    Path("/proc/self/clear_refs").write_text(
        "5", encoding="ascii"
    )  # the largest size so far is now
    before = status("VmRSS")
    call()
    return (status("VmHWM") - before) / 1e6


def status(name):
    """Return a size that Linux knows of this process, in bytes."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


if __name__ == "__main__":
    main()
