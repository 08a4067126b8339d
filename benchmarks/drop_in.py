"""The tests of scikit-learn and imbalanced-learn that use trees, with bough's classes swapped in.

python benchmarks/drop_in.py [FOLDER [FILE …]]

Each file runs with bough's classes in place of scikit-learn's, and the cases that fail once more as
they are. Printed are the cases that pass only as they are; `docs/scikit-learn.md` gives the reason of
each. With FOLDER the reports of each file are kept there.
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
    "sklearn.tree.tests.test_export",
    "sklearn.tree.tests.test_split",
    "sklearn.tree.tests.test_fenwick",
    "sklearn.tree.tests.test_reingold_tilford",
    "sklearn.tree.tests.test_swap",
    "sklearn.ensemble.tests.test_bagging",
    "sklearn.ensemble.tests.test_weight_boosting",
    "sklearn.ensemble.tests.test_voting",
    "sklearn.ensemble.tests.test_stacking",
    "sklearn.ensemble.tests.test_base",
    "sklearn.ensemble.tests.test_common",
    "sklearn.ensemble.tests.test_forest",
    "sklearn.ensemble.tests.test_gradient_boosting",
    "sklearn.ensemble.tests.test_iforest",
    "sklearn.ensemble.tests.test_bootstrap",
    "sklearn.tests.test_base",
    "sklearn.tests.test_common",
    "sklearn.tests.test_metaestimators",
    "sklearn.tests.test_metaestimators_metadata_routing",
    "sklearn.tests.test_metadata_routing",
    "sklearn.tests.test_pipeline",
    "sklearn.tests.test_calibration",
    "sklearn.tests.test_multiclass",
    "sklearn.tests.test_multioutput",
    "sklearn.inspection.tests.test_permutation_importance",
    "sklearn.inspection.tests.test_partial_dependence",
    "sklearn.inspection.tests.test_pd_utils",
    "sklearn.inspection._plot.tests.test_plot_partial_dependence",
    "sklearn.inspection._plot.tests.test_boundary_decision_display",
    "sklearn.metrics.tests.test_score_objects",
    "sklearn.metrics._plot.tests.test_common_curve_display",
    "sklearn.metrics.tests.test_classification",
    "sklearn.impute.tests.test_impute",
    "sklearn.utils.tests.test_class_weight",
    "sklearn.utils.tests.test_response",
    "sklearn.semi_supervised.tests.test_self_training",
    "sklearn.model_selection.tests.test_classification_threshold",
    "sklearn.model_selection.tests.test_plot",
    "sklearn.model_selection.tests.test_search",
    "sklearn.model_selection.tests.test_validation",
    "sklearn.model_selection.tests.test_split",
    "sklearn.model_selection.tests.test_successive_halving",
    "imblearn.ensemble.tests.test_bagging",
    "imblearn.ensemble.tests.test_weight_boosting",
    "imblearn.ensemble.tests.test_easy_ensemble",
    "imblearn.ensemble.tests.test_forest",
    "imblearn.tests.test_common",
    "imblearn.tests.test_base",
    "imblearn.tests.test_pipeline",
]


def outcome(folder, module, swap, cases=None):
    """Return how the cases of one file of tests went, or some of them."""
    report = folder / f"{module}.{swap}.json"
    (folder / "pytest.ini").write_text("[pytest]\n")
    paths = [str(ROOT / "tests" / "support"), str(Path(bough.__file__).parents[1])]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "sklearn_shim", "-p", "no:cacheprovider"]
    command += ["-c", "pytest.ini", "--rootdir", ".", "--tb=line"]
    command += [f"--shim-report={report}", f"--shim-swap={swap}", "--pyargs"]
    command += [module] if cases is None else [f"{module}::{case}" for case in cases]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1"}
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    return json.loads(report.read_text("utf-8")) if report.exists() else {}


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    totals = [0, 0, 0]
    for module in sys.argv[2:] or FILES:
        ours = outcome(folder, module, "yes")
        grew = [name for name, case in ours.items() if case["criteria"]]
        failed = [name for name, case in ours.items() if "why" in case]
        theirs = outcome(folder, module, "no", failed) if failed else {}
        missed = [name for name in failed if theirs.get(name, {}).get("passed")]
        print(
            f"{module}: {len(ours)} cases, {len(grew)} grow trees of bough, {len(missed)} differ",
            flush=True,
        )
        for name in missed:
            print(f"  {name}: {ours[name]['why']}", flush=True)
        for place, found in enumerate((ours, grew, missed)):
            totals[place] += len(found)
    print("{:,} cases, {:,} grow trees of bough, {:,} differ".format(*totals))


if __name__ == "__main__":
    main()
