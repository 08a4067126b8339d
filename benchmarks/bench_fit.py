"""Time the whole of `bough.fit` on adult beside one tree of scikit-learn on the one-hot table.

    python benchmarks/bench_fit.py [--data DIR] [--repeat 5]

bough reads the file, checks it, tunes two criteria and two ways to ask about categories, grows the
choice again and tests it. scikit-learn grows one tree, from a table that is read and encoded
before the clock starts.
"""

import sys

import real_tables
from quiet_timing import time_call

import bough

MOST = 3  # times scikit-learn's tree that the whole may take


def main():
    parser = real_tables.parser(__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    if (folder := real_tables.find_folder(options.data)) is None:
        sys.exit(real_tables.why_absent(options.data))
    path = folder / "adult_train.csv.gz"
    whole = time_call(lambda: bough.fit(path, target="income"), repeat=options.repeat)
    X, y = one_hot(path)
    tree = time_call(lambda: peer().fit(X, y), repeat=options.repeat)
    ratio = whole.seconds / tree.seconds
    print(f"bough.fit on {path.name}: {whole.seconds:.3f} s{disturbed(whole)}")
    print(
        f"DecisionTreeClassifier().fit on {X.shape[1]} columns: {tree.seconds:.3f} s{disturbed(tree)}"
    )
    print(f"bough.fit takes {ratio:.2f} times as long; at most {MOST} are wanted.")
    sys.exit(ratio > MOST)


def one_hot(path):
    """Return the table as scikit-learn can take it: a column for each value, nothing missing."""
    import pandas as pd

    frame = pd.read_csv(path)
    y = frame.pop("income")
    return pd.get_dummies(frame).to_numpy(dtype=float), y.to_numpy()


def peer():
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=0)


def disturbed(timing):
    return " (disturbed)" if timing.is_disturbed else ""


if __name__ == "__main__":
    main()
