"""Run the lessons about rows kept aside on real tables, and check the signs of what comes out.

    python benchmarks/lessons.py [--data FOLDER] [--seeds 50]

Ends with 1 if a sign is not as it must be.
"""

import sys
import time
from argparse import ArgumentParser

import real_tables

from bough.teach.lessons import rows_kept_aside

TABLES = ("titanic", "adult", "car")


def main():
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data")
    parser.add_argument("--seeds", type=int, default=rows_kept_aside.PEEKS)
    given = parser.parse_args()
    rows_kept_aside.PEEKS = given.seeds
    folder = real_tables.find_folder(given.data)
    if folder is None:
        print(real_tables.why_absent(given.data))
        return 0
    missed = 0
    for name in TABLES:
        real = real_tables.read(folder, name)
        table = real.columns.assign(the_label=real.labels)
        for lesson, signs in SIGNS.items():
            start = time.process_time()
            found = rows_kept_aside.LESSONS[lesson](table, "the_label").data
            for what, figure, holds in signs(found):
                missed += not holds
                print(f"{name:8} {lesson:6} {what:42} {figure:24}{'' if holds else '  MISSED'}")
            print(f"{name:8} {lesson:6} {time.process_time() - start:.2f} s")
    return int(missed > 0)


def peek(found):
    for way, off in found["difference"].items():
        error = found["difference_error"][way]
        is_honest = way == "development, test"
        holds = abs(off) <= 2 * error if is_honest else off < 0
        yield f"claimed − true, {way}", f"{off:+.4f} ± {error:.4f}", holds


def rows(found):
    wrong = list(found["wrong"].values())
    yield "more rows, fewer errors", " ".join(f"{each:.3f}" for each in wrong), wrong[-1] < wrong[0]


def refit(found):
    figure = f"{found['saved']:+.4f} ± {found['saved_error']:.4f}"
    yield "saved by learning again", figure, found["saved"] > -2 * found["saved_error"]


def prune(found):
    leaves, wrong = (list(found[what].values()) for what in ("leaves", "wrong"))
    words = " ".join(f"{n:.0f}: {share:.3f}" for n, share in zip(leaves, wrong, strict=True))
    yield "fewer leaves: errors", words, leaves[0] >= leaves[1] and leaves[0] > leaves[2]


def shift(found):
    figure = f"{found['usual']:.3f} → {found['shifted']:.3f}"
    yield f"a kind of {found['column']} not seen", figure, found["shifted"] > found["usual"]


SIGNS = {"peek": peek, "rows": rows, "refit": refit, "prune": prune, "shift": shift}

if __name__ == "__main__":
    sys.exit(main())
