"""Take the pictures of `docs/use/report.md`: what other tools show of the penguins.

    python benchmarks/report_peers.py [--keep FOLDER]

Wants dtreeviz, ydf, skrub and pillow (pip), Graphviz and Chromium. Each tool gets the table that comes
with bough and its own defaults; dtreeviz, which draws trees of other libraries, gets a tree of
scikit-learn's that looks at the numbers.
"""

import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from importlib.metadata import version
from pathlib import Path

import pandas as pd
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
TABLE = ROOT / "src" / "bough" / "tables" / "penguins.csv"
LARGEST = 150_000  # bytes
SIZES = {"dtreeviz": (800, 560), "ydf": (1130, 210), "skrub": (1000, 430)}
PRESS = "{1}.querySelector('{0}').click()"  # the tab that shows most


def dtreeviz_page(rows):
    import dtreeviz
    from sklearn.tree import DecisionTreeClassifier

    known = rows.dropna()
    numbers = known.select_dtypes("number").drop(columns="year")
    classes = sorted(set(known["species"]))
    labels = known["species"].map(classes.index)
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(numbers, labels)
    about = {"feature_names": list(numbers), "class_names": classes, "target_name": "species"}
    drawn = dtreeviz.model(tree, numbers, labels, **about).view(scale=1.3).svg()
    return f"<!DOCTYPE html><body style='margin:8px;background:#fff'>{drawn}</body>"


def ydf_page(rows):
    import ydf

    ydf.verbose(0)
    page = ydf.CartLearner(label="species").train(rows).describe("html")
    return f"<!DOCTYPE html>{page}<script>{PRESS.format('[id$=_structure]', 'document')}</script>"


def skrub_page(rows):
    import skrub

    page = skrub.TableReport(rows, verbose=0).html()
    inside = "document.querySelector('skrub-table-report').shadowRoot"
    press = PRESS.format("[data-test=summaries-tab]", inside)
    return page.replace("</body>", f"<script>setTimeout(() => {{{press}}}, 500)</script></body>")


def photograph(page, size, picture):
    """Have Chromium draw a page, and keep the picture in few colours."""
    width, height = size
    with tempfile.TemporaryDirectory() as own:
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
        options += ["--disable-background-networking", "--hide-scrollbars", "--disable-sync"]
        options += [f"--user-data-dir={own}", f"--window-size={width},{height}"]
        options += ["--virtual-time-budget=4000", f"--screenshot={picture}", page.as_uri()]
        subprocess.run(["chromium", *options], check=True, capture_output=True)
    Image.open(picture).convert("RGB").quantize(64).save(picture, optimize=True)
    if picture.stat().st_size > LARGEST:
        sys.exit(f"{picture.name} has {picture.stat().st_size:,} bytes, more than {LARGEST:,}.")


def main():
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--keep", type=Path, help="a folder for the pages themselves")
    folder = parser.parse_args().keep or Path(tempfile.mkdtemp())
    folder.mkdir(exist_ok=True)
    rows = pd.read_csv(TABLE)
    for name, make in {"dtreeviz": dtreeviz_page, "ydf": ydf_page, "skrub": skrub_page}.items():
        page = (folder / f"{name}.html").resolve()
        page.write_text(make(rows), "utf-8")
        picture = PICTURES / f"peer_{name}.png"
        photograph(page, SIZES[name], picture)
        sizes = page.stat().st_size, picture.stat().st_size
        print(f"{name} {version(name)}: page {sizes[0]:,} bytes, picture {sizes[1]:,} bytes")


if __name__ == "__main__":
    main()
