"""Time growing by absolute error, Poisson deviance and quantiles beside scikit-learn, in turns.

python benchmarks/bench_criteria.py [--threads 2] [--repeat 5]

Other processes may be busy: seconds of the processor are given beside those of the clock.
"""

import time
from statistics import median

import numpy as np
from sklearn.tree import DecisionTreeRegressor as SklearnRegressor
from time_one_stage import note, parser

from bough import DecisionTreeRegressor

N_ROWS, N_COLUMNS, MAX_DEPTH = 100_000, 10, 8
CLOSE = 1e-9


def tables():
    """Yield the name of a task, its criterion, labels and weights, and whether scikit-learn has it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, N_COLUMNS)).astype(np.float32)
    signal = X[:, 0] * X[:, 1] + np.sin(3 * X[:, 2])
    y = signal + rng.normal(size=N_ROWS)
    weights = rng.uniform(size=N_ROWS)
    counts = rng.poisson(np.exp(signal / 2))
    yield "absolute error", {"criterion": "absolute_error"}, (X, y), True
    yield "absolute error, weighted", {"criterion": "absolute_error"}, (X, y, weights), True
    yield "poisson, counts", {"criterion": "poisson"}, (X, counts), True
    yield "poisson, numbers", {"criterion": "poisson"}, (X, np.exp(y)), True
    yield "quantile 0.9", {"criterion": "quantile", "quantile": 0.9}, (X, y), False


def measured(name, choices, rows, options, *, has_peer):
    """Fit both in turns, check that the first gains agree, and return the record."""
    makers = {"bough": lambda: DecisionTreeRegressor(n_jobs=options.threads, **choices)}
    if has_peer:
        makers["scikit-learn"] = lambda: SklearnRegressor(random_state=0, **choices)
    seconds, busy, gains = {}, {}, {}
    for _ in range(options.repeat):
        for peer, make in makers.items():
            tree = make().set_params(max_depth=MAX_DEPTH)
            start, start_busy = time.perf_counter(), time.process_time()
            tree.fit(*rows)
            seconds.setdefault(peer, []).append(time.perf_counter() - start)
            busy.setdefault(peer, []).append(time.process_time() - start_busy)
            gains[peer] = first_gain(tree.tree_)
    assert max(gains.values()) - min(gains.values()) < CLOSE, f"{name}: first gains differ: {gains}"
    clock, processor = ({peer: median(each) for peer, each in of.items()} for of in (seconds, busy))
    line = f"{name:26} {clock['bough']:7.3f} s, processor {processor['bough']:7.3f} s"
    if has_peer:
        times = [of["scikit-learn"] / of["bough"] for of in (clock, processor)]
        line += f", {times[0]:4.1f} times as fast as scikit-learn, processor {times[1]:4.1f} times"
    print(line)
    record = {"stage": "criteria", "table": name, "n_rows": N_ROWS, "threads": options.threads}
    return record | {"seconds": clock, "processor": processor}


def first_gain(tree):
    children = [tree.children_left[0], tree.children_right[0]]
    shares = tree.weighted_n_node_samples[children] / tree.weighted_n_node_samples[0]
    return tree.impurity[0] - shares @ tree.impurity[children]


if __name__ == "__main__":
    given = parser(__doc__).parse_args()
    note(
        [
            measured(name, choices, rows, given, has_peer=has_peer)
            for name, choices, rows, has_peer in tables()
        ]
    )
