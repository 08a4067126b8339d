"""Measure one option in one library, in a process of its own, and print a line of JSON.

    python benchmarks/measure_option.py OPTION TASK LIBRARY [--depth 8] [--rows N] [--columns N]

`options.py` starts it. Both are given one thread and timed by the processor, so that other processes
hardly matter; bough is then timed by the clock with all threads.
"""

import json
import resource
import time
import warnings
from argparse import ArgumentParser

import numpy as np
from option_tables import OPTIONS, TASKS

N_WARM_UP = 500


def main():
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("option", choices=OPTIONS)
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("library", choices=("bough", "sklearn"))
    parser.add_argument("--depth", type=int, default=None)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--budget", type=float, default=10.0, help="seconds for all runs")
    parser.add_argument("--most", type=int, default=300, help="seconds of the processor in all")
    given = parser.parse_args()
    # By the processor, not the clock: what other processes do must not decide who gives up.
    resource.setrlimit(resource.RLIMIT_CPU, (given.most, given.most))
    warnings.simplefilter("ignore")  # of the libraries that are measured
    option = OPTIONS[given.option]
    rows = option.make(given.task, given.rows, given.columns)
    record = {name: getattr(given, name) for name in ("option", "task", "library", "depth")}
    print(json.dumps(record | {"rows": given.rows, **measured(option, rows, given)}))


def measured(option, rows, given):
    fit, predict = ways(option, given)
    fit(few(rows), 1)  # loads what is loaded late
    model, processor, _ = fastest(lambda: fit(rows, 1), given)
    leaves = model[-1].get_n_leaves() if isinstance(model, tuple) else model.get_n_leaves()
    found = {
        "processor": processor,
        "leaves": int(leaves),
        "loss": loss(option, given, rows, predict(model, rows.X)),
    }
    if given.library == "bough":
        found["clock"] = fastest(lambda: fit(rows, -1), given)[2]
    return found


def few(rows):
    """The first rows, with at least two classes among them."""
    X = rows.X.iloc[:N_WARM_UP] if hasattr(rows.X, "iloc") else rows.X[:N_WARM_UP]
    weights = None if rows.weights is None else rows.weights[:N_WARM_UP]
    return type(rows)(X, rows.y[:N_WARM_UP], weights)


def fastest(call, given):
    """Call some times within the budget; return the last result and the least seconds of each kind."""
    busy, clock, start = [], [], time.perf_counter()
    while not busy or (
        len(busy) < given.repeat and time.perf_counter() - start + clock[-1] < given.budget
    ):
        before, before_busy = time.perf_counter(), time.process_time()
        result = call()
        busy.append(time.process_time() - before_busy)
        clock.append(time.perf_counter() - before)
    return result, min(busy), min(clock)


def ways(option, given):
    """Return how a library fits rows with so many threads, and how it predicts them."""
    settings = option.settings_of(given.library, given.columns)
    settings |= {"max_depth": given.depth, "random_state": 0}
    if given.library == "bough":
        import bough as library
    else:
        import sklearn.tree as library
    is_number = given.task == "numbers"
    kind = library.DecisionTreeRegressor if is_number else library.DecisionTreeClassifier

    def fit(rows, n_jobs):
        threads = {"n_jobs": n_jobs} if given.library == "bough" else {}
        return kind(**settings, **threads).fit(rows.X, rows.y, sample_weight=rows.weights)

    def fit_encoded(rows, n_jobs):
        encoder = encoder_of(rows.X).fit(rows.X)
        encoded = type(rows)(encoder.transform(rows.X), rows.y, rows.weights)
        return encoder, fit(encoded, n_jobs)

    if option.has_strings and given.library == "sklearn":
        return fit_encoded, lambda model, X: model[1].predict(model[0].transform(X))
    return fit, lambda model, X: model.predict(X)


def encoder_of(X):
    from sklearn.compose import make_column_transformer
    from sklearn.preprocessing import OrdinalEncoder

    texts = [name for name in X if X[name].dtype.kind not in "iuf"]
    return make_column_transformer((OrdinalEncoder(), texts), remainder="passthrough")


def loss(option, given, rows, guesses):
    """The mean loss on the rows that the tree was grown from, by the criterion that grew it."""
    y = rows.y.astype(float)
    if given.task == "classes":
        each = guesses != y
    else:
        each = number_loss(option.settings_of(given.library, given.columns), y, guesses)
    each = each if each.ndim == 1 else each.mean(axis=1)
    return float(np.average(each, weights=rows.weights))


def number_loss(settings, y, guesses):
    away = y - guesses
    match settings.get("criterion"):
        case "absolute_error":
            return np.abs(away)
        case "quantile":
            return np.where(
                away > 0, settings["quantile"] * away, (settings["quantile"] - 1) * away
            )
        case "poisson":
            return 2 * (np.where(y > 0, y * np.log(np.where(y > 0, y, 1) / guesses), 0) - away)
    return away**2


if __name__ == "__main__":
    main()
