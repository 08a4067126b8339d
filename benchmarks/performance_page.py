"""The page `docs/performance.md`, written from the records of one comparison."""

from pathlib import Path

from findings import LEAST_SIZE, by_table, findings, is_sloped, least, slope, title
from peers import OURS, PEERS, TITLES
from synthetic import WORKLOADS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
OPENING = """# How fast bough is

One tree from each library, grown from the same rows with the same limits of depth and leaves. bough
looks for the best pivot among all. Of the others, those marked *exact* do so too; the rest choose
among about 255 for each column.

Measured on {machine}, with {threads} threads, commit {commit}, {time}, with
{versions}.
Written by `benchmarks/compare.py --write`; `make bench` measures again on your machine.
"""
OTHERS = ("Options", "Options, larger tables")  # sections that other commands write
LAST = "## How it was measured\n"
WANTED = """What the project set itself, and what this run found. The seconds were set for another machine, as
a guide.
"""
TIME_GOES = """*The root* is the time of a tree of depth 1: reading and encoding the table, and finding the first
query. *One read* is the time in which this machine reads the bytes of the table once, at the speed
that was measured in the same process: no library that looks at every value can be faster. Where
the root takes most of the time, growing is bound by the one pass that encodes the values; where it
does not, by counting and sorting the rows of the nodes below.
"""
METHOD = """## How it was measured

- The tables are drawn with a fixed seed (`benchmarks/synthetic.py`). Labels depend on several columns
  together, so that no column decides alone and the accuracy of a tree says something.
- The clock runs from what a user has, a NumPy array or a pandas data frame with categories, to a
  fitted model: each library's own checks, copies and encodings count. bough counts its validation.
- Each library gets the form of call that is fastest for it, and categories as categories: in pandas
  for HistGradientBoosting, LightGBM and XGBoost, as text for YDF. Those that read numbers only, the
  decision tree of scikit-learn and XGBoost's exact method, are left out there.
- bough and scikit-learn's decision tree split by Gini impurity or squared error, the others by
  criteria of their own. Boosting libraries grow one round with a learning rate of 1 and without
  regularization, but keep their own limits on groups of values; with three classes a round is three
  trees.
- Every measurement has a process of its own, one after the other, after a small fit that loads the
  library. The time is that of the fastest run that no other process disturbed (`benchmarks/quiet_timing.py`).
- Memory is what a fit needs at its peak, over the table itself.
- Predicting is timed on the rows that the tree was grown from; *one row* is the median of calls with
  one row of an array each.
- Peers that take minutes are measured with `--slow` only. The commands of single stages are
  `benchmarks/bench_encode.py`, `bench_grow.py` and `bench_predict.py`.
- The whole of `bough.fit` has a command of its own, for an idle machine: `benchmarks/bench_fit.py`
  reads adult, tunes, grows the choice again and tests it, beside one tree of scikit-learn on the
  same rows after one-hot encoding. It ends with 1 if bough takes more than three times as long.
  `benchmarks/startup.py` times the commands that should answer at once.
"""


def write_page(records, growth, about):
    """Write the page, but for the sections that others write, and return its path."""
    kept = {each: section_of(PAGE.read_text("utf-8"), each) for each in OTHERS}
    PAGE.write_text(page(records, growth, about), "utf-8")
    for each, text in kept.items():
        if text:
            write_section(each, text)
    return PAGE


def write_section(name, text):
    """Write a section in the place of the one with the same title, or before the last."""
    old = PAGE.read_text("utf-8")
    head = f"## {name}\n\n"
    if found := section_of(old, name):
        new = old.replace(head + found, head + text)
    else:
        new = old.replace(LAST, f"{head}{text}\n{LAST}")
    PAGE.write_text(new, "utf-8")
    return PAGE


def section_of(text, name):
    """Return what stands below a title of the second order, or nothing."""
    _, _, rest = text.partition(f"## {name}\n\n")
    return rest.partition("\n## ")[0]


def page(records, growth, about):
    threads = records[0]["threads"] if records else 0
    versions = ", ".join(f"{name} {number}" for name, number in about["versions"].items())
    tables = by_table(records)
    parts = [OPENING.format(**about | {"threads": threads, "versions": versions})]
    parts += ["## Growing\n", growing(tables), "## Predicting\n", predicting(tables)]
    if growth:
        parts += ["## More rows\n", more_rows(growth)]
    parts += ["## Where the time goes\n", where_time_goes(tables), TIME_GOES]
    parts += ["## What was wanted\n", WANTED, wanted(records, growth)]
    parts += ["## Every library\n"]
    parts += [every_library(WORKLOADS[name], found) for name, found in tables.items()]
    parts.append(METHOD)
    if any(record["is_disturbed"] for record in records + growth):
        parts.append("\\* Other processes were busy during every run.\n")
    return "\n".join(parts)


def growing(tables):
    rows = []
    for name, records in tables.items():
        best, goal = least(records, "seconds"), WORKLOADS[name].goal
        for ours in ours_of(records):
            compared = ("", "", "", "")
            if best is not None:
                times = f"{best['seconds'] / ours['seconds']:.1f}"
                compared = (TITLES[best["peer"]], seconds(best), times, f"{goal:g}")
            rows.append((title(ours), seconds(ours), *compared))
    heads = ("table", "bough", "fastest other", "its time", "times as fast", "wanted")
    return markdown(heads, rows)


def predicting(tables):
    rows = []
    for records in tables.values():
        best = least(records, "predict_seconds")
        for ours in ours_of(records):
            compared = ("", "", "")
            if best is not None:
                times = f"{best['predict_seconds'] / ours['predict_seconds']:.1f}"
                compared = (TITLES[best["peer"]], rate(best), times)
            rows.append((title(ours), rate(ours), *compared, one_row(ours)))
    heads = ("tree grown from", "bough, M rows/s", "fastest other", "its M rows/s")
    return markdown((*heads, "times as fast", "one row, bough"), rows)


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
    if is_sloped(growth):
        text += (
            f"\nFrom {LEAST_SIZE:,} rows on, the slope of log time against log rows is "
            f"{slope(growth):.2f}; 1 is time in proportion to rows.\n"
        )
    return "bough, ten columns of float32, depth 8.\n\n" + text


def where_time_goes(tables):
    rows = []
    for ours in (record for records in tables.values() for record in ours_of(records)):
        one_read = ours["table_mb"] / ours["read_gb_per_second"] / 1000
        rows.append(
            (
                title(ours),
                seconds(ours),
                f"{100 * min(1, ours['root_seconds'] / ours['seconds']):.0f} %",
                f"{ours['table_mb']:.3g} MB",
                f"{ours['read_gb_per_second']:.0f} GB/s",
                f"{ours['copy_gb_per_second']:.0f} GB/s",
                f"{1000 * one_read:.1f} ms",
                f"{100 * one_read / ours['seconds']:.0f} %",
            )
        )
    heads = ("table", "bough", "of it the root", "bytes", "memory is read at", "copied at")
    return markdown((*heads, "one read", "of the time"), rows)


def wanted(records, growth):
    rows = [
        (
            each.where,
            each.what,
            f"{each.figure:.3g}",
            f"{each.limit} {each.wanted:g}",
            "" if each.is_reached else "missed",
        )
        for each in findings(records, growth)
    ]
    return markdown(("table", "figure", "found", "wanted", ""), rows, n_text=2)


def every_library(workload, records):
    """Return the table of all libraries for one workload."""
    score = "RMSE" if workload.task == "regression" else "accuracy"
    first = next(iter(ours_of(records)), records[0])
    rows = [
        (
            library(record["peer"]),
            seconds(record),
            f"{record['seconds'] / first['seconds']:.1f}",
            leaves(record),
            f"{record['train']:.4f}",
            f"{record['test']:.4f}",
            f"{record['memory_mb']:.0f} MB",
            rate(record),
            one_row(record),
        )
        for record in records
    ]
    heads = ("library", "time", "× bough", "leaves", f"training {score}", f"held-out {score}")
    heads += ("memory", "M rows/s", "one row")
    return f"### {workload.title}; {workload.limits}\n\n" + markdown(heads, rows)


def ours_of(records):
    return [record for record in records if record["peer"] in OURS]


def library(peer):
    name = f"**{TITLES[peer]}**" if peer in OURS else TITLES[peer]
    return name + (", *exact*" if PEERS[peer].is_exact else "")


def leaves(record):
    return f"{record['leaves']:,}" + (f" in {record['trees']} trees" if record["trees"] > 1 else "")


def seconds(record):
    taken = record["seconds"]
    text = f"{1000 * taken:.1f} ms" if taken < 0.1 else f"{taken:.3g} s"
    return text + (r"\*" if record["is_disturbed"] else "")


def rate(record):
    text = f"{record['n_rows'] / record['predict_seconds'] / 1e6:.1f}"
    return text + (r"\*" if record["predict_disturbed"] else "")


def one_row(record):
    return "" if record["one_row_us"] is None else f"{record['one_row_us']:.0f} µs"


def markdown(heads, rows, n_text=1):
    """Return a table in which all columns but the first ones are aligned to the right."""
    lines = [heads, [("---:", "---")[at < n_text] for at in range(len(heads))], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
