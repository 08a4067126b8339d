"""The tests of scikit-learn and imbalanced-learn that use trees, with bough's classes swapped in.

python benchmarks/drop_in.py [FOLDER]

Each file runs twice: as it is, and with bough's classes in place of scikit-learn's. Printed are the
cases that pass only as they are; `docs/scikit-learn.md` gives the reason of each. With FOLDER the
two reports of each file are kept there.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import bough

ROOT = Path(__file__).parents[1]
FILES = [
    "sklearn.tree.tests.test_tree",
    "sklearn.tree.tests.test_monotonic_tree",
    "sklearn.ensemble.tests.test_bagging",
    "sklearn.ensemble.tests.test_weight_boosting",
    "sklearn.ensemble.tests.test_voting",
    "sklearn.ensemble.tests.test_stacking",
    "sklearn.ensemble.tests.test_base",
    "sklearn.tests.test_calibration",
    "sklearn.tests.test_multiclass",
    "sklearn.tests.test_multioutput",
    "sklearn.inspection.tests.test_permutation_importance",
    "sklearn.inspection.tests.test_partial_dependence",
    "sklearn.model_selection.tests.test_search",
    "sklearn.model_selection.tests.test_validation",
    "imblearn.ensemble.tests.test_bagging",
    "imblearn.ensemble.tests.test_weight_boosting",
    "imblearn.ensemble.tests.test_easy_ensemble",
    "imblearn.ensemble.tests.test_forest",
]


def outcome(module, swap, folder):
    """Return how the cases of one file of tests went."""
    report = folder / f"{module}.{swap}.json"
    (folder / "pytest.ini").write_text("[pytest]\n")
    paths = [str(ROOT / "tests" / "support"), str(Path(bough.__file__).parents[1])]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "sklearn_shim", "-p", "no:cacheprovider"]
    command += ["-c", "pytest.ini", "--rootdir", ".", "--tb=line"]
    command += [f"--shim-report={report}", f"--shim-swap={swap}", "--pyargs", module]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1"}
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    return json.loads(report.read_text("utf-8")) if report.exists() else {}


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    totals = [0, 0, 0]
    for module in FILES:
        theirs, ours = (outcome(module, swap, folder) for swap in ("no", "yes"))
        grew = [name for name, case in ours.items() if case["criteria"]]
        missed = [
            name
            for name, case in ours.items()
            if not case["passed"] and theirs.get(name, {}).get("passed")
        ]
        print(f"{module}: {len(ours)} cases, {len(grew)} grow trees of bough, {len(missed)} differ")
        for name in missed:
            print(f"  {name}: {ours[name].get('why', '')}")
        for place, found in enumerate((ours, grew, missed)):
            totals[place] += len(found)
    print("{:,} cases, {:,} grow trees of bough, {:,} differ".format(*totals))


if __name__ == "__main__":
    main()
