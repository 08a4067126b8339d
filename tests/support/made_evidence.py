"""Evidence about any tree, made by hand: what the loader takes, measured on nothing."""

from bough.evidence import Calibration, CalibrationBin, Candidate, Estimate, Evidence, Note, Stop
from bough.schema import Task

LOSSES = {
    Task.CLASSIFICATION: "error",
    Task.REGRESSION: "squared_error",
    Task.RANKING: "ndcg_loss",
}


def made_evidence(tree):
    """Return plain data, as the model file of a tree that `bough.fit` measured holds it."""
    schema, loss = tree.schema, LOSSES[tree.schema.task]
    candidate = Candidate("gini", "each", 3, "", 0.0, tree.n_leaves, 0.125, 0.25, 0.03)
    measured = {loss: Estimate(0.25, 0.125, 0.5, 20, "Wilson")}
    figures = measured | dict.fromkeys(("accuracy", "cost", "rmse", "ndcg"), measured[loss])
    tally = (1.0,) * tree.tally.shape[2]
    of_classes = {
        "calibration": Calibration(0, (CalibrationBin(0.0, 1.0, 0.5, measured[loss]),), 0.1),
        "confusion": ((0, 0, 12.0),),
    }
    return Evidence(
        task=schema.task, target=schema.labels[0].name, loss=loss,
        n_train=70, n_dev=10, n_test=20, folds=0, seed=0,
        group=None, time=None, weight=None, choose="best", refit=True,
        chosen=candidate, curve=(candidate,),
        train=figures, dev=measured, test=figures, baseline=figures,
        learning=((10, 0.5), (20, 0.25)), learning_step=measured[loss], unavoidable=0.0,
        notes=(Note("B104", "Many values.", ("zip",), {"types": {"zip": "category"}}),),
        sketches={"train": ("00000000000000ff",), "dev": (), "test": ("0123456789abcdef",)},
        ranges={feature.name: (0.5, 80.0) for feature in schema.features if feature.kind.is_compared},
        stops=(Stop(0, 4, tally),),
        **(of_classes if schema.has_classes else {}),
    ).as_dict()  # fmt: skip
