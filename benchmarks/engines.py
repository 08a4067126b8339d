"""The same bytes on Dask and on Spark, with workers that are killed and tasks that fail.

    python benchmarks/engines.py dask --runs 20
    python benchmarks/engines.py lost
    python benchmarks/engines.py spark --runs 5
    python benchmarks/engines.py master

Every run grows a tree from partitions in another order and compares its model file with that of the
tree grown in memory. `dask` kills a worker process of a `LocalCluster` at a random moment of each run;
`lost` kills the scheduler, and in another run presses Ctrl-C; `spark` makes the first attempt of a
task fail; `master` runs `bough fit --engine spark://…` on a master and a worker that are processes.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.errors import BoughError
from bough.exports import model_file

STALL = 60  # seconds
PORT = 7077  # of Spark's master


def made(n_rows):
    """Return a table with numbers, integers, categories, dates and missing values."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "number": rng.normal(size=n_rows),
            "count": rng.integers(0, 20, n_rows),
            "letter": rng.choice(list("uvwxyz12"), n_rows),
            "gaps": np.where(rng.random(n_rows) < 0.2, np.nan, rng.normal(size=n_rows).round(2)),
            "word": pd.Series(rng.choice(["p", "q", None], n_rows)),
            "flag": rng.random(n_rows) < 0.5,
            "day": pd.Timestamp("2020-01-01")
            + pd.to_timedelta(rng.integers(0, 10**7, n_rows), unit="s").astype("timedelta64[us]"),
        }
    )
    score = frame["number"] + 0.1 * frame["count"] + 2 * (frame["letter"] == "u")
    score += frame["gaps"].fillna(1.5) + rng.normal(size=n_rows) / 2
    frame["class"] = np.select([score < 1, score < 2.5], ["no", "maybe"], "yes")
    frame["value"] = score
    frame["weight"] = rng.choice([0.0, 0.5, 1.0, 1 / 3, 2.7], n_rows)
    return frame


def bytes_of(tree):
    return model_file.dumps(tree.__bough_model__())


def tasks(frame, module, most_rows, depth):
    """Give for classification and regression what to fit, on what, and the bytes to compare with."""
    features = frame.drop(columns=["class", "value", "weight"])
    for name, target in (("DecisionTreeClassifier", "class"), ("DecisionTreeRegressor", "value")):
        known = {"DecisionTreeClassifier": DecisionTreeClassifier}.get(name, DecisionTreeRegressor)
        in_memory = known(max_depth=depth).fit(
            features, frame[target], sample_weight=frame["weight"]
        )
        tree = getattr(module, name)(max_depth=depth)
        tree.gather_rows = most_rows
        columns = [*features.columns, target, "weight"]
        yield tree, columns, target, bytes_of(in_memory)


def shuffled(frame, seed):
    order = np.random.default_rng(seed).permutation(len(frame))
    return frame.iloc[order].reset_index(drop=True)


def on_dask(args):
    import dask
    import dask.dataframe
    from dask.distributed import Client, LocalCluster

    import bough.dask

    frame = made(args.rows)
    all_tasks = list(tasks(frame, bough.dask, args.gather, args.depth))
    n_equal, n_killed, longest = 0, 0, 0.0
    took = {}
    # On a machine with other work a worker may need minutes to start again.
    dask.config.set({"distributed.deploy.lost-worker-timeout": "600s"})
    local = LocalCluster(
        args.workers, threads_per_worker=1, dashboard_address=None, death_timeout=600
    )
    with local, Client(local) as client:
        run = -len(args.partitions)  # the first ones say how long it takes without a kill
        while n_killed < args.runs:
            tree, columns, target, expected = all_tasks[run % 2]
            n = args.partitions[run % len(args.partitions)]
            lazy = dask.dataframe.from_pandas(
                shuffled(frame[columns], run + 100), npartitions=n, sort=False
            )
            pids = _alive(client)
            victim = random.choice(pids)
            moment = random.uniform(0, 0.8 * took.get(n, 0))
            killing = threading.Timer(moment, os.kill, (victim, signal.SIGKILL))
            if run >= 0:
                killing.start()
            begin = time.monotonic()
            tree.fit(lazy, target, "weight")
            seconds = time.monotonic() - begin
            killing.cancel()
            is_equal = bytes_of(tree) == expected
            is_killed = run >= 0 and seconds > moment
            what = f"killed {victim} after {moment:.1f} s" if is_killed else "none killed"
            print(
                f"run {run}: {n} partitions, {what}, {seconds:.1f} s, equal: {is_equal}", flush=True
            )
            if not is_killed:
                took[n] = seconds
            if is_killed:
                n_killed += 1
                n_equal += is_equal
                longest = max(longest, seconds)
            run += 1
    print(f"Dask: {n_equal} of {n_killed} equal with a worker killed, the longest {longest:.1f} s")
    if n_equal < n_killed or longest > STALL:
        sys.exit("A run gave other bytes or stalled.")


def _alive(client):
    """Return the processes of workers, once there are two at least."""
    while True:
        time.sleep(1)
        with suppress(OSError):  # one that is just lost
            pids = client.run(os.getpid, on_error="ignore")
            if len(pids) >= 2:
                return list(pids.values())


def slowly(frame, seconds):
    time.sleep(seconds)
    return frame


def on_lost(args):
    """Lose the scheduler, or press Ctrl-C, in the middle of a growth."""
    import dask
    import dask.dataframe
    from dask.distributed import Client

    import bough.dask

    folder = tempfile.mkdtemp()
    address = Path(folder) / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    command = ["--scheduler-file", str(address)]
    start = "from distributed.cli.dask_{0} import main; main()"
    scheduler = subprocess.Popen(
        [
            sys.executable,
            "-c",
            start.format("scheduler"),
            *command,
            "--port",
            "0",
            "--no-dashboard",
        ],
        **quiet,
    )
    worker = subprocess.Popen([sys.executable, "-c", start.format("worker"), *command], **quiet)
    try:
        with dask.config.set({"distributed.comm.timeouts.connect": "10s"}):
            client = Client(scheduler_file=str(address), timeout=300)
            client.wait_for_workers(1)
            frame = made(args.rows)[["number", "count", "class"]]
            lazy = dask.dataframe.from_pandas(frame, npartitions=4)
            lazy = lazy.map_partitions(slowly, 5, meta=frame.iloc[:0])
            if args.interrupt:
                threading.Timer(3, os.kill, (os.getpid(), signal.SIGINT)).start()
            else:
                threading.Timer(3, scheduler.kill).start()
            begin = time.monotonic()
            try:
                bough.dask.DecisionTreeClassifier().fit(lazy, "class")
            except (BoughError, KeyboardInterrupt) as error:
                seconds = time.monotonic() - begin
                print(f"{type(error).__name__} after {seconds:.1f} s: {error}", flush=True)
    finally:
        for process in (worker, scheduler):
            process.kill()
        for process in (worker, scheduler):
            process.wait()
    print("left behind:", sorted(path.name for path in Path(folder).iterdir()))
    os._exit(0)  # the client would go on looking for its scheduler


def on_spark(args):
    from pyspark.sql import SparkSession

    import bough.spark

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = (
        SparkSession.builder.master("local[2,4]").appName("bough")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false").config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )  # fmt: skip
    session.sparkContext.setLogLevel("OFF")
    frame = made(args.rows)
    all_tasks = list(tasks(frame, bough.spark, args.gather, args.depth))
    n_equal, n_failed, longest = 0, 0, 0.0
    run = -len(args.partitions)
    while n_failed < args.runs:
        tree, columns, target, expected = all_tasks[run % 2]
        n = args.partitions[run % len(args.partitions)]
        lazy = session.createDataFrame(shuffled(frame[columns], run + 100)).repartition(n)
        marker = None
        if run >= 0:  # the first task that gets to a random pass fails once
            marker = str(Path(tempfile.mkdtemp()) / "failed")
        begin = time.monotonic()
        with failing(bough.spark, marker, random.randrange(1, 7)):
            tree.fit(lazy, target, "weight")
        seconds = time.monotonic() - begin
        is_equal = bytes_of(tree) == expected
        failed = marker is not None and Path(marker).exists()
        print(
            f"run {run}: {n} partitions, failed once: {failed}, {seconds:.1f} s, equal: {is_equal}",
            flush=True,
        )
        if failed:
            n_failed += 1
            n_equal += is_equal
            longest = max(longest, seconds)
        run += 1
    print(f"Spark: {n_equal} of {n_failed} equal with a failed task, the longest {longest:.1f} s")
    session.stop()
    if n_equal < n_failed or longest > STALL:
        sys.exit("A run gave other bytes or stalled.")


def on_master(args):
    import pyspark

    import bough

    frame = shuffled(made(args.rows), 1)
    options = ["-t", "class", "--weight", "weight", "--ignore", "value", "--no-report"]
    deploy = [f"{Path(pyspark.__file__).parent}/bin/spark-class", "org.apache.spark.deploy"]
    address = f"spark://localhost:{PORT}"
    with tempfile.TemporaryDirectory() as folder:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
        started = [
            subprocess.Popen([deploy[0], f"{deploy[1]}.{what}", *words], **quiet)
            for what, words in (
                ("master.Master", ["--host", "localhost", "--port", str(PORT)]),
                ("worker.Worker", ["--cores", "2", "--memory", "1g", address]),
            )
        ]
        frame.to_parquet(whole := f"{folder}/whole")
        bough.fit(whole, "class", weight="weight", ignore="value").save(f"{folder}/one.json")
        for number, rows in enumerate(np.array_split(np.arange(len(frame)), 3)):
            frame.iloc[rows].to_parquet(f"{folder}/{number}.parquet")
        command = [sys.executable, "-m", "bough", "fit", f"{folder}/*.parquet", *options]
        try:
            subprocess.run(
                [*command, "-o", f"{folder}/many.json", "--engine", address],
                check=True,
                stdout=subprocess.DEVNULL,
            )
        finally:
            for process in started:
                process.terminate()
            for process in started:
                process.wait()
        models = [Path(folder, name).read_bytes() for name in ("one.json", "many.json")]
    print(f"{address}, 3 files: equal: {models[0] == models[1]}")
    if models[0] != models[1]:
        sys.exit("It gave other bytes.")


class failing:  # noqa: N801
    """Makes the map of some pass fail in the task that comes first."""

    def __init__(self, module, marker, number):
        self.module, self.marker, self.number = module, marker, number

    def __enter__(self):
        engine, marker, state = self.module.SparkEngine, self.marker, {"left": self.number}
        self.map = original = engine.map

        def mapped(this, function, parts, *shared, **options):
            state["left"] -= 1
            if marker is not None and state["left"] == 0:
                function = Failing(function, marker)
            return original(this, function, parts, *shared, **options)

        engine.map = mapped

    def __exit__(self, *_):
        self.module.SparkEngine.map = self.map


class Failing:
    """A function whose first call anywhere fails."""

    def __init__(self, function, marker):
        self.function, self.marker = function, marker

    def __call__(self, *args):
        try:
            with Path(self.marker).open("x"):
                pass
        except FileExistsError:
            return self.function(*args)
        raise RuntimeError("made to fail")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", choices=["dask", "lost", "spark", "master"])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--gather", type=int, default=2_000)
    parser.add_argument("--workers", type=int, default=3, help="processes of Dask")
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--partitions", type=int, nargs="+", default=[1, 3, 7, 40])
    parser.add_argument("--interrupt", action="store_true", help="lost: press Ctrl-C instead")
    args = parser.parse_args()
    ways = {"dask": on_dask, "lost": on_lost, "spark": on_spark, "master": on_master}
    ways[args.engine](args)
