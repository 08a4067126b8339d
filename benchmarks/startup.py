"""Measure how much processor time commands take that should answer at once.

    python benchmarks/startup.py [--repeat 9]

Stops with status 1 if one takes more than it may.
"""

import os
import statistics
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

MODEL = Path(__file__).parents[1] / "tests" / "golden" / "play_tennis.bough.json"
LIMITS = {  # seconds of processor time
    ("--help",): 0.2,
    ("show", MODEL): 0.3,
    ("show", MODEL, "--rules"): 0.3,
    ("ask", MODEL): 0.3,
    ("explain", MODEL, "--set", "outlook=Rain"): 0.3,
    ("export", MODEL, "--to", "text"): 0.3,
    ("export", MODEL, "--to", "mermaid"): 0.3,
}
# As it is installed, compiled before; the first run of all makes sure.
SURROUNDINGS = {key: each for key, each in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
ANSWERS = b"1\n1\n"  # to what `ask` asks


def main():
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--repeat", type=int, default=9)
    options = parser.parse_args()
    is_slow = False
    for words, limit in LIMITS.items():
        processor_seconds(words)
        seconds = [processor_seconds(words) for _ in range(options.repeat)]
        median = statistics.median(seconds)
        is_slow |= median > limit
        shown = " ".join(Path(word).name for word in words)
        print(
            f"bough {shown:48} {median:.3f} s (least {min(seconds):.3f}, may take {limit} s)"
            + ("  TOO SLOW" if median > limit else "")
        )
    sys.exit(is_slow)


def processor_seconds(words):
    """Run a command line to its end, and return the processor time that it took."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "bough", *words],
        env=SURROUNDINGS,
        input=ANSWERS,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
