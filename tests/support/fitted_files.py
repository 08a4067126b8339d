"""Model files that hold all that `bough.fit` knows: of small made tables, with lists cut short."""

import json
import random
import tempfile
from functools import cache
from pathlib import Path

import bough

FEW = 2  # entries of a list that has many of a kind
PAYS = ("12,5 €", "9,0 €", "1.250,0 €", "n/a", "")


@cache
def fitted_files():
    """Return the bytes of model files of two classes, of an amount and of relevances."""
    with tempfile.TemporaryDirectory() as folder:
        of_classes = _of_classes(random.Random(4), Path(folder) / "mixed.csv")
    return [of_classes, _of_an_amount(random.Random(0)), _of_relevances(random.Random(1))]


def _of_classes(chance, path):
    lines = ["when;size;colour;pay;answer"]
    for _ in range(160):
        when = f"{chance.randint(1, 28):02}.{chance.randint(1, 12):02}.2024"
        size, colour = chance.choice("SML"), chance.choice(("red", "green", "blue", ""))
        pay = (
            chance.choice(PAYS)
            if chance.random() < 0.1
            else f"{chance.randint(20, 900) / 10}".replace(".", ",") + " €"
        )
        is_yes = (size == "S") != (colour == "red") and chance.random() < 0.9
        lines.append(f"{when};{size};{colour};{pay};{'yes' if is_yes else 'no'}")
    lines.append("01.01.2024;S;blue;12 or 13;no")
    path.write_text("\n".join(lines))
    result = bough.fit(
        path, "answer", types={"size": list("SML")}, decimal=",", missing_marks=("", "n/a")
    )
    return _short(result.cut(1))


def _of_an_amount(chance):
    cells = [[chance.random() for _ in range(300)] for _ in range(2)]
    amount = [
        (a > 0.5) + 2 * (b > 0.3) + (a > 0.8 and b > 0.6) + chance.gauss(0, 0.6)
        for a, b in zip(*cells, strict=True)
    ]
    return _short(bough.fit({"a": cells[0], "b": cells[1], "amount": amount}, "amount"))


def _of_relevances(chance):
    table = {"query": [row // 6 for row in range(180)], "x": [chance.random() for _ in range(180)]}
    table["relevance"] = [int(3 * x + chance.random()) for x in table["x"]]
    return _short(bough.fit(table, "relevance", task="ranking", group="query"))


def _short(result):
    document = json.loads(bough.export(result, "json"))
    evidence = document["evidence"]
    for name in ("curve", "notes"):
        evidence[name] = evidence[name][:FEW]
    for part, hashes in evidence["sketches"].items():
        evidence["sketches"][part] = hashes[:FEW]
    return json.dumps(document, ensure_ascii=False).encode()
