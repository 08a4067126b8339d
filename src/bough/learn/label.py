"""What the user says of the label: what guesses cost, and how shares become probabilities."""

from dataclasses import replace

from bough.costs import Costs, read_costs
from bough.errors import ParameterError, did_you_mean, listed
from bough.learn.plan import Plan

WAYS = ("raw", "laplace", "honest")


def check_probability(probability: object) -> None:
    """Refuse a way to estimate probabilities that is not known."""
    if probability not in WAYS:
        raise ParameterError(
            f"probability={probability!r} is not known.{did_you_mean(str(probability), WAYS)} "
            f"Known: {listed(WAYS)}."
        )


def with_label(plan: Plan, costs: Costs, probability: str) -> Plan:
    """Return a plan whose trees guess by these costs and have such probabilities."""
    if plan.task != "classification":
        given = {"costs": costs is not None, "probability": probability != "raw"}
        for name in (name for name, is_given in given.items() if is_given):
            raise ParameterError(
                f"{name}=… is for classes, but {plan.target.name!r} is guessed as a number. Leave it "
                "out, or guess classes: task='classification'."
            )
        return plan
    # Costs are named for all classes, also those that no row to learn from has.
    classes = plan.target.labels.labels[0].classes
    matrix = read_costs(costs, classes)
    seen = plan.rows.labels.labels[0]
    kept = [classes.index(name) for name in seen.classes] if matrix else []
    label = replace(
        seen,
        costs=tuple(tuple(matrix[true][guess] for guess in kept) for true in kept),
        probability="laplace" if probability == "laplace" else "raw",
    )
    labels = replace(plan.rows.labels, labels=(label,))
    return replace(plan, rows=replace(plan.rows, labels=labels))
