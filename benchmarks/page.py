"""The page `docs/performance.md`, written from the records of one comparison."""

from pathlib import Path

import numpy as np
from peers import OURS, PEERS
from synthetic import WORKLOADS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
TITLES = {
    "bough": "**bough**",
    "bough-group": '**bough**, `categorical="group"`',
    "sklearn": "scikit-learn, decision tree",
    "histgb": "scikit-learn, HistGradientBoosting",
    "lightgbm": "LightGBM",
    "xgb-hist": "XGBoost, hist",
    "xgb-exact": "XGBoost, exact",
    "ydf": "YDF, CART",
}
PREDICTED = ("million", "million-deep", "mixed", "regression")
LEAST_SIZE = 100_000  # from here on the slope is measured
OPENING = """# How fast bough is

One tree from each library, grown from the same rows with the same limits of depth and leaves, through
its Python interface, from a NumPy array or a pandas data frame to a fitted model. Boosting libraries
grow one round with a learning rate of 1; with three classes that is three trees. The seconds are those
of the fastest run that no other process disturbed, with {threads} threads for libraries that use
threads. Memory is what a fit needs at its peak, over the table itself. *Exact* libraries consider
every pivot; the others consider about 255 for each column.

Written by `benchmarks/compare.py --write` on {machine}, commit {commit}, {time}, with
{versions}.

The tables are drawn with a fixed seed (`benchmarks/synthetic.py`), and labels depend on
several columns together. `make bench` measures again on your machine.
"""


def write_page(records, growth, about):
    """Write the page and return its path."""
    threads = records[0]["threads"] if records else 0
    versions = ", ".join(f"{name} {number}" for name, number in about["versions"].items())
    parts = [OPENING.format(**about | {"threads": threads, "versions": versions})]
    tables = {name: [each for each in records if each["table"] == name] for name in WORKLOADS}
    tables = {name: found for name, found in tables.items() if found}
    parts += ["## Growing\n", summary(tables)]
    parts += [section(WORKLOADS[name], found) for name, found in tables.items()]
    if any(name in PREDICTED for name in tables):
        parts += ["## Predicting\n", prediction(tables)]
    if growth:
        parts += ["## More rows\n", more_rows(growth)]
    if any(record["is_disturbed"] for record in records + growth):
        parts.append("\\* Other processes were busy during every run.\n")
    PAGE.write_text("\n".join(parts), "utf-8")
    return PAGE


def summary(tables):
    rows = []
    for name, records in tables.items():
        best = fastest(records)
        for ours in (record for record in records if record["peer"] in OURS):
            way = ", in groups" if ours["peer"] == "bough-group" else ""
            compared = ("", "", "")
            if best is not None:
                ratio = best["seconds"] / ours["seconds"]
                compared = (TITLES[best["peer"]], seconds(best), f"{ratio:.1f}")
            title = f"{WORKLOADS[name].title}, {depth(WORKLOADS[name])}{way}"
            rows.append((title, seconds(ours), *compared))
    return markdown(("table", "bough", "fastest other", "its time", "times as fast"), rows)


def section(workload, records):
    """Return the table of all libraries for one workload."""
    score = "RMSE" if workload.task == "regression" else "accuracy"
    first = next((record for record in records if record["peer"] in OURS), records[0])
    rows = [
        (
            TITLES[record["peer"]],
            "exact" if PEERS[record["peer"]].is_exact else "",
            seconds(record),
            f"{record['seconds'] / first['seconds']:.1f}",
            leaves(record),
            f"{record['test']:.4f}",
            f"{record['memory_mb']:.0f} MB",
        )
        for record in records
    ]
    heads = ("library", "", "time", "× bough", "leaves", f"held-out {score}", "memory")
    return f"### {workload.title}; {workload.limits}\n\n" + markdown(heads, rows)


def prediction(tables):
    """Return how many rows are predicted in a second, and how long one row takes."""
    rows = [
        (
            f"{WORKLOADS[name].title}, {depth(WORKLOADS[name])}",
            TITLES[record["peer"]],
            f"{record['n_rows'] / record['predict_seconds'] / 1e6:.1f}",
            "" if record["one_row_us"] is None else f"{record['one_row_us']:.0f} µs",
        )
        for name, records in tables.items()
        if name in PREDICTED
        for record in records
    ]
    return markdown(("tree grown from", "library", "million rows a second", "one row alone"), rows)


def more_rows(growth):
    rows = [
        (
            f"{record['n_rows']:,}",
            seconds(record),
            f"{1e9 * record['seconds'] / record['n_rows'] / record['n_columns']:.1f}",
        )
        for record in growth
    ]
    text = markdown(("rows", "time", "nanoseconds a value"), rows)
    if sum(record["n_rows"] >= LEAST_SIZE for record in growth) > 1:
        text += (
            f"\nFrom {LEAST_SIZE:,} rows on, the slope of log time against log rows is "
            f"{slope(growth):.2f}; 1 is time in proportion to rows.\n"
        )
    return "bough, ten columns of float32, depth 8.\n\n" + text


def fastest(records):
    """Return the record of the fastest peer, or None where only bough was measured."""
    peers = [record for record in records if record["peer"] not in OURS]
    return min(peers, key=lambda record: record["seconds"], default=None)


def slope(growth):
    """Return the slope of log time against log rows, of tables with many rows."""
    large = [record for record in growth if record["n_rows"] >= LEAST_SIZE]
    rows = np.log([record["n_rows"] for record in large])
    return float(np.polyfit(rows, np.log([record["seconds"] for record in large]), 1)[0])


def leaves(record):
    return f"{record['leaves']:,}" + (f" in {record['trees']} trees" if record["trees"] > 1 else "")


def seconds(record):
    taken = record["seconds"]
    text = f"{1000 * taken:.1f} ms" if taken < 0.1 else f"{taken:.3g} s"
    return text + (r"\*" if record["is_disturbed"] else "")


def depth(workload):
    return "any depth" if workload.max_depth is None else f"depth {workload.max_depth}"


def markdown(heads, rows):
    """Return a table in which all columns but the first are aligned to the right."""
    lines = [heads, ("---", *("---:" for _ in heads[1:])), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
