"""Rows a second, and the time of one row, of exports beside `predict` on one thread."""

import ctypes
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

import bough
from bough.exports.rows_to_predict import fields_of

N_ROWS, N_FEATURES, REPEATS = 200_000, 20, 15
SIZES = [(6, 20), (8, 20), (10, 20), (14, 20), (20, 1)]  # depth, fewest rows of a leaf


def made(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, N_FEATURES))
    y = (X[:, 0] * X[:, 1] + np.sin(3 * X[:, 2]) + X[:, 3] > 0).astype(int) ^ (
        rng.random(N_ROWS) < 0.1
    )
    return X, y


def least(work):
    """Return the least processor time of some runs, and what the work returns."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        found = work()
        times.append(time.process_time() - start)
    return min(times), found


def latency(work, n=300):
    """Return the median time of a call in microseconds."""
    times = []
    for _ in range(n):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def in_c(model, X, folder, compiler="gcc"):
    """Return a function that predicts with the exported C, compiled."""
    tree = model.grown_tree_
    source, library = folder / "tree.c", folder / f"{compiler}.so"
    source.write_text(bough.export(model, "c"))
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
    many = ctypes.CDLL(str(library)).bough_predict_rows
    columns = [field.column for field in fields_of(tree)]
    given, said = np.ascontiguousarray(X[:, columns]), np.empty(len(X), np.int32)
    at = [given.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(len(X))]

    def run():
        many(*at, said.ctypes.data_as(ctypes.c_void_p))
        return said

    return run


def in_onnx(model, X):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(bough.export(model, "onnx"), options)
    fields = fields_of(model.grown_tree_)
    names = [model.grown_tree_.schema.columns[field.column] for field in fields]
    given = {
        name: np.ascontiguousarray(X[:, [field.column]])
        for name, field in zip(names, fields, strict=True)
    }
    one = {name: values[:1] for name, values in given.items()}
    return lambda: session.run(["prediction"], given)[0], lambda: session.run(["prediction"], one)


def in_treelite(X, y, depth, fewest, folder):
    """Return what treelite's compiler makes of scikit-learn's tree of the same depth, and its nodes."""
    import tl2cgen
    import treelite
    from sklearn.ensemble import RandomForestClassifier

    peer = RandomForestClassifier(
        1,
        bootstrap=False,
        max_features=None,
        max_depth=depth,
        min_samples_leaf=fewest,
        random_state=0,
    ).fit(X, y)  # treelite reads no single tree
    model = treelite.sklearn.import_model(peer)
    path = str(folder / "peer.so")
    tl2cgen.export_lib(model, toolchain="gcc", libpath=path, params={})
    predictor, rows = tl2cgen.Predictor(path, nthread=1), tl2cgen.DMatrix(X)
    return lambda: predictor.predict(rows), peer.estimators_[0].tree_.node_count


def in_lleaves(X, y, depth, fewest, folder):
    """Return what lleaves compiles from LightGBM's tree of the same depth, and its nodes."""
    import lightgbm
    import lleaves

    told = {"objective": "binary", "num_leaves": 2**depth, "max_depth": depth, "verbose": -1}
    told |= {"min_data_in_leaf": fewest, "max_bin": 65_535, "num_threads": 1}
    peer = lightgbm.train(told, lightgbm.Dataset(X, y, params={"max_bin": 65_535}), 1)
    path = str(folder / "peer.txt")
    peer.save_model(path)
    model = lleaves.Model(model_file=path)
    model.compile()
    return lambda: model.predict(X, n_jobs=1), len(peer.trees_to_dataframe())


def in_sql(model, X):
    import duckdb

    names = model.grown_tree_.schema.columns
    connection = duckdb.connect(config={"threads": 1})
    table = dict(zip(names, X.T, strict=True))
    connection.register("arrays", table)
    connection.execute("CREATE TABLE data AS SELECT * FROM arrays")
    connection.execute("CREATE TABLE one AS SELECT * FROM data LIMIT 1")
    query = bough.export(model, "sql", expression=True)
    many = f"SELECT {query} AS prediction FROM data"
    single = f"SELECT {query} AS prediction FROM one"
    return lambda: connection.execute(many).fetchnumpy()["prediction"], lambda: connection.execute(
        single
    ).fetchall()


def compare_compiled(model, X, y, depth, fewest):
    """Print the speed of `predict`, of exported C, and of what other compilers make of such a tree."""
    seconds, wanted = least(lambda: model.predict(X))
    print(f"  predict            {N_ROWS / seconds / 1e6:8.1f} M rows/s")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for compiler in ("gcc", "clang"):
            seconds, said = least(in_c(model, X, folder, compiler))
            assert (said == wanted).all()
            print(f"  C, {compiler:6}          {N_ROWS / seconds / 1e6:8.1f} M rows/s", flush=True)
        for title, make in (("treelite (tl2cgen)", in_treelite), ("lleaves", in_lleaves)):
            try:
                run, n_nodes = make(X, y, depth, fewest, folder)
            except ImportError:
                print(f"  {title}: not installed")
                continue
            seconds, _ = least(run)
            print(
                f"  {title:18} {N_ROWS / seconds / 1e6:8.1f} M rows/s, {n_nodes} nodes", flush=True
            )
    return wanted


def compare_served(model, X, wanted):
    """Print the speed of engines that read the exported tree, and of one row."""
    one = X[:1]
    print(f"  predict, one row   {latency(lambda: model.predict(one)):8.0f} µs")
    for title, make in (("SQL, DuckDB", in_sql), ("ONNX", in_onnx)):
        try:
            many, single = make(model, X)
        except ImportError:
            print(f"  {title}: not installed")
            continue
        seconds, said = least(many)
        assert (np.asarray(said) == wanted).all()
        speed, each = N_ROWS / seconds / 1e6, latency(single)
        print(f"  {title:18} {speed:8.1f} M rows/s, one row {each:6.0f} µs", flush=True)


def main():
    X, y = made()
    for depth, fewest in SIZES:
        model = bough.DecisionTreeClassifier(max_depth=depth, min_samples_leaf=fewest, n_jobs=1)
        model.fit(X, y)
        print(f"depth {depth}, {len(model.grown_tree_)} nodes, {N_ROWS:,} rows, one thread")
        wanted = compare_compiled(model, X, y, depth, fewest)
        if depth == SIZES[0][0]:
            compare_served(model, X, wanted)


if __name__ == "__main__":
    main()
