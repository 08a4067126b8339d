"""Draw the picture of `docs/scale.md` from its table: what rows cost.

python benchmarks/scale_picture.py
"""

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"
PICTURE = DOCS / "pictures" / "scale.svg"
PROCESSOR = {
    "bough": 2,
    "LightGBM": 5,
    "XGBoost": 8,
}  # the column of the table that has seconds of each
COLOURS = {"bough": "#1a7f64", "LightGBM": "#8a6d00", "XGBoost": "#a0509a"}
LEFT, TOP, WIDTH, HEIGHT = 60, 40, 470, 250


def figures(page):
    """Return millions of rows, and seconds of the processor of each library."""
    table = page.split("One tree from a Parquet file", 1)[1].split("\n\n", 2)[1]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    seconds = {
        name: [float(re.sub("[^0-9.]", "", row[column])) for row in rows]
        for name, column in PROCESSOR.items()
    }
    return [float(row[0]) for row in rows], seconds


def picture(page):
    """Return a line for each library over rows, both axes from 0."""
    millions, seconds = figures(page)
    most = max(max(each) for each in seconds.values())
    step = 20 if most < 100 else 50
    top = step * -(-most // step)

    def at(million, second):
        return (
            f"{LEFT + WIDTH * million / max(millions):.1f}",
            f"{TOP + HEIGHT * (1 - second / top):.1f}",
        )

    said = ", ".join(f"{name} {each[-1]:g} s" for name, each in seconds.items())
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 340" role="img" font-size="13" '
        'font-family="system-ui, sans-serif">',
        f"<title>Processor time for one tree grows linearly with the rows: at {millions[-1]:g} million "
        f"{said}</title>",
        '<rect width="640" height="340" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" fill="#333333">processor seconds for one tree from a Parquet file</text>',
    ]
    for mark in range(0, int(top) + 1, step):
        _, y = at(0, mark)
        lines.append(f'<path d="M{LEFT} {y}H{LEFT + WIDTH}" stroke="#dddddd"/>')
        lines.append(
            f'<text x="{LEFT - 8}" y="{float(y) + 4:.1f}" text-anchor="end" fill="#333333">{mark}</text>'
        )
    for million in millions:
        x, _ = at(million, 0)
        lines.append(
            f'<text x="{x}" y="{TOP + HEIGHT + 20}" text-anchor="middle" fill="#333333">{million:g}</text>'
        )
    lines.append(
        f'<text x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 40}" text-anchor="middle" '
        'fill="#333333">million rows</text>'
    )
    for name, each in seconds.items():
        points = [at(*pair) for pair in zip(millions, each, strict=True)]
        path = "L".join(f"{x} {y}" for x, y in points)
        lines.append(f'<path d="M{path}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>')
        lines += [f'<circle cx="{x}" cy="{y}" r="3.5" fill="{COLOURS[name]}"/>' for x, y in points]
        x, y = map(float, points[-1])
        lines.append(f'<text x="{x + 10:.1f}" y="{y + 4:.1f}" fill="{COLOURS[name]}">{name}</text>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture((DOCS / "scale.md").read_text("utf-8")), "utf-8")
