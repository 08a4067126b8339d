"""What the user says of the label: what guesses cost, and how shares become probabilities."""

from dataclasses import replace

from bough.costs import Costs, read_costs
from bough.errors import ParameterError
from bough.learn.plan import Plan


def with_label(plan: Plan, costs: Costs, probability: str) -> Plan:
    """Return a plan whose trees guess by these costs and have such probabilities."""
    if plan.task != "classification":
        how = "ranked by" if plan.task == "ranking" else "guessed as a number"
        _refuse_without_classes(f"{plan.target.name!r} is {how}", costs, probability)
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


def _refuse_without_classes(does: str, costs: Costs, probability: str) -> None:
    if costs is None and probability == "raw":
        return
    name = "probability" if costs is None else "costs"
    raise ParameterError(
        f"{name}=… is for classes, but {does}. Leave it out, or guess classes: "
        "task='classification'."
    )
