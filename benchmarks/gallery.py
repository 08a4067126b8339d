"""Draw the pictures of `docs/gallery.md`.

Those of tables that come with bough can be drawn anywhere; the others need the real tables.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
import real_tables

import bough

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
OWN_TABLES = Path(bough.__file__).parent / "tables"
LARGEST = 60_000  # bytes


@dataclass(frozen=True)
class Picture:
    """A picture: of which table, and how it is drawn."""

    table: str
    target: str
    format: str = "svg"
    options: dict = field(default_factory=dict)
    is_own: bool = False  # whether the table comes with bough

    def draw(self, folder):
        return bough.draw(self.tree(folder), self.format, **self.options) + "\n"

    def tree(self, folder):
        if self.table == "play_tennis":  # the tree of the textbooks, from all of its 14 rows
            table = bough.datasets.load("play_tennis")
            rows = pd.DataFrame(table.features)
            return bough.DecisionTreeClassifier(criterion="entropy").fit(rows, table.labels)
        if self.is_own:
            return bough.fit(OWN_TABLES / f"{self.table}.csv", self.target).saved.tree
        about = next(each for each in real_tables.described(folder) if each["name"] == self.table)
        found = bough.fit(
            folder / about["files"][0],
            self.target,
            ignore=about["ignore"],
            types={
                name: "category" for name in about["categorical"] if name not in about["ignore"]
            },
        )
        return found.saved.tree


GALLERY = {
    "play_tennis": Picture("play_tennis", "play_tennis", is_own=True),
    "penguins": Picture("penguins", "species", is_own=True),
    "penguins_regions": Picture("penguins", "species", "regions", is_own=True),
    "titanic": Picture("titanic", "survived"),
    "adult": Picture("adult", "income", options={"max_depth": 4, "max_nodes": 24}),
    "soybean": Picture("soybean", "class", options={"max_depth": 4}),
    "california_housing": Picture(
        "california_housing", "median_house_value", options={"max_nodes": 20}
    ),
    "bike_sharing_hour": Picture(
        "bike_sharing_hour", "cnt", options={"max_nodes": 20, "theme": "dark"}
    ),
}


def main():
    folder = real_tables.find_folder(real_tables.parser(__doc__).parse_args().data)
    PICTURES.mkdir(exist_ok=True)
    for name, picture in GALLERY.items():
        if folder is None and not picture.is_own:
            print(f"{name}: left out. {real_tables.why_absent()}", file=sys.stderr)
            continue
        drawn = picture.draw(folder).encode()
        if len(drawn) > LARGEST:
            raise SystemExit(f"{name} has {len(drawn):,} bytes; at most {LARGEST:,} are wanted.")
        (PICTURES / f"{name}.svg").write_bytes(drawn)
        print(f"{name}: {len(drawn):,} bytes")


if __name__ == "__main__":
    main()
