"""Tables larger than memory on one machine: the same model, the memory that is used, and the cost of rows.

python benchmarks/scale.py --same 2          model files of 2 million rows, with and without a limit
python benchmarks/scale.py --limit 300MB     a table four times as large as the limit, and read whole
python benchmarks/scale.py --rows 1 5 20     millions of rows, beside LightGBM and XGBoost

Every figure is of a process of its own: seconds on the clock, seconds of the processor, and the
largest anonymous memory (RssAnon) in MB of 2^20 bytes. Files are made in --folder, and removed.
"""

import json
import subprocess
import sys
import time
from argparse import ArgumentParser
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

import numpy as np

MILLION = 1_000_000
N_COLUMNS = 11  # all are read, as rows are placed by what stands in them
FEATURES = [*(f"x{number}" for number in range(6)), "kind", "count"]
DEPTH = 8
LIMITS = {"max_depth": DEPTH, "min_rows_per_leaf": 20, "categorical": "group"}
ASKED = {
    "label": {"weight": "weight", "ignore": ["amount"], "criterion": "gini", **LIMITS},
    "amount": {"weight": "weight", "ignore": ["label"], "criterion": "squared_error", **LIMITS},
}


def main():
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--same", type=float, metavar="MILLIONS")
    parser.add_argument("--limit", metavar="SIZE")
    parser.add_argument("--rows", type=float, nargs="+", default=[], metavar="MILLIONS")
    parser.add_argument("--ways", nargs="+", default=[*WAYS], choices=WAYS)
    parser.add_argument("--within", default="200MB", metavar="SIZE", help="the limit of --same")
    parser.add_argument("--max-memory", metavar="SIZE", help="the limit of --rows")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--one", nargs=4, help="measure in this process")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measured(*options.one)))
        return
    with TemporaryDirectory(prefix="scale-", dir=options.folder) as folder:
        path = Path(folder, "rows.parquet")
        if options.same:
            show_same(path, options)
        if options.limit:
            show_limit(path, options)
        for n_millions in options.rows:
            made(path, int(n_millions * MILLION))
            for way in options.ways:
                show(f"{n_millions:g} million", way, path, "label", options.max_memory)


def show_same(path, options):
    """Say whether the models of two tasks are the same to the byte."""
    made(path, int(options.same * MILLION))
    for target in ASKED:
        found = [show(target, "bough.fit", path, target, each) for each in (None, options.within)]
        if len({each["model"] for each in found}) > 1:
            sys.exit(f"The models of {target} differ.")
        print("the same bytes")


def show_limit(path, options):
    """Say how much memory is used of a limit that is a quarter of the table, and what that costs."""
    from bough.machine_limits import read_size

    limit = read_size(options.limit)
    made(path, 4 * limit // (8 * N_COLUMNS))
    for streamed, same, in_memory in (
        ("one tree", "tree of a frame", "tree of a frame"),
        ("bough.fit", "bough.fit", "frame"),  # a model knows whether it comes from a file
    ):
        if streamed not in options.ways:
            continue
        within = show("four times", streamed, path, "label", options.limit)
        whole = show("four times", in_memory, path, "label", None)
        other = whole if same == in_memory else show("four times", same, path, "label", None)
        if not within["memory"] <= limit / 2**20 or within["model"] != other["model"]:
            sys.exit("It took more, or gave another model.")
        for way, found in {in_memory: whole, f"{same} without a limit": other}.items():
            times = [f"{within[each] / found[each]:.2f}" for each in ("wall", "processor")]
            print(f"{times[0]} times the wall, {times[1]} times the processor time of {way!r}")


def show(words, way, path, target, limit):
    command = [sys.executable, __file__, "--one", way, str(path), target, str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{words:>12} {way:14} {done.stderr.strip().splitlines()[-1]}", flush=True)
        return dict.fromkeys(("memory", "wall", "processor"), float("nan")) | {"model": None}
    found = json.loads(done.stdout.splitlines()[-1])
    figures = f"{found['wall']:9.1f} s {found['processor']:9.1f} s {found['memory']:8.0f} MB"
    print(f"{words:>12} {way:14} limit {limit!s:8} {figures}", flush=True)
    return found


def measured(way, path, target, limit):
    """Return time, memory and a hash of the model."""
    import pyarrow.parquet  # noqa: F401 - not part of what is measured

    peak, is_over = [0], Event()
    watch = Thread(target=watched, args=(peak, is_over), daemon=True)
    watch.start()
    wall, processor = time.perf_counter(), time.process_time()
    model = WAYS[way](path, target, None if limit == "None" else limit)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    is_over.set()
    watch.join()
    return {"wall": wall, "processor": processor, "memory": peak[0] / 1024, "model": model}


def watched(peak, is_over):
    while not is_over.wait(0.02):
        lines = Path("/proc/self/status").read_text().splitlines()
        peak[0] = max(peak[0], *(int(x.split()[1]) for x in lines if x.startswith("RssAnon")))


def by_protocol(table, target, limit):
    """Learn, choose, test and measure, as `bough fit` does."""
    import bough

    return saved(bough.fit(table, target, max_memory=limit, **ASKED[target]))


def by_frame(path, target, limit):
    """The same from a data frame that is in memory."""
    import pandas as pd

    return by_protocol(pd.read_parquet(path), target, limit)


def one_tree(path, target, limit):
    """Grow one tree from a stream of batches."""
    import pyarrow as pa
    from pyarrow import parquet

    import bough
    from bough.machine_limits import memory_budget

    file = parquet.ParquetFile(path, pre_buffer=False)  # else it holds the whole file
    y = is_yes(file.read([target])[target])
    pa.default_memory_pool().release_unused()
    schema = pa.schema([file.schema_arrow.field(name) for name in FEATURES])
    rows = pa.RecordBatchReader.from_batches(schema, file.iter_batches(columns=FEATURES))
    with memory_budget(limit):
        return saved(
            bough.DecisionTreeClassifier(max_depth=DEPTH, min_samples_leaf=20).fit(rows, y)
        )


def tree_of_frame(path, target, _):
    """Read the file whole, and grow one tree."""
    import bough

    X, y = whole(path, target)
    return saved(bough.DecisionTreeClassifier(max_depth=DEPTH, min_samples_leaf=20).fit(X, y))


def saved(model):
    """Return a hash of the model file."""
    with TemporaryDirectory() as folder:
        model.save(path := Path(folder, "model"))
        return sha256(path.read_bytes()).hexdigest()


def whole(path, target):
    from pyarrow import parquet

    rows = parquet.read_table(path, columns=[*FEATURES, target])
    X = rows.select(FEATURES).to_pandas(categories=["kind"])
    return X, is_yes(rows[target])


def is_yes(texts):
    from pyarrow import compute

    return compute.equal(texts, "yes").to_numpy()


def by_lightgbm(path, target, _):
    import lightgbm

    X, y = whole(path, target)
    settings = {"objective": "binary", "max_depth": DEPTH, "num_leaves": 2**DEPTH, "verbose": -1}
    lightgbm.train(settings, lightgbm.Dataset(X, y), num_boost_round=1)


def by_xgboost(path, target, _):
    import xgboost

    X, y = whole(path, target)
    rows = xgboost.QuantileDMatrix(X, y, enable_categorical=True)
    settings = {"objective": "binary:logistic", "max_depth": DEPTH, "tree_method": "hist"}
    xgboost.train(settings, rows, num_boost_round=1)


WAYS = {
    "bough.fit": by_protocol,
    "frame": by_frame,
    "one tree": one_tree,
    "tree of a frame": tree_of_frame,
    "LightGBM": by_lightgbm,
    "XGBoost": by_xgboost,
}


def made(path, n_rows):
    """Write a seeded table with missing values, categories, weights, a class and a number."""
    import pyarrow as pa
    from pyarrow import parquet

    rng, file = np.random.default_rng(18), None
    for start in range(0, n_rows, MILLION):
        size = min(MILLION, n_rows - start)
        x = rng.normal(size=(6, size))
        kind, count = rng.integers(0, 20, size), rng.integers(0, 1000, size)
        noise = rng.normal(size=size)
        amount = x[0] + 0.5 * (x[2] > 0.3) * x[3] + kind % 3 + 0.002 * count + noise
        columns = {f"x{number}": each for number, each in enumerate(x)}
        columns["x1"] = pa.array(x[1], mask=rng.random(size) < 0.05)
        columns["kind"] = pa.array([f"kind {each:02}" for each in range(20)]).take(pa.array(kind))
        columns |= {"count": count, "weight": rng.integers(1, 4, size)}
        columns |= {"label": np.where(amount > 2, "yes", "no"), "amount": amount.round(3)}
        rows = pa.table(columns)
        file = file or parquet.ParquetWriter(path, rows.schema)
        file.write_table(rows, row_group_size=250_000)
    file.close()


if __name__ == "__main__":
    main()
