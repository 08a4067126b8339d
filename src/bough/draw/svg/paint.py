"""Rectangles of a few colours, written as one path for each colour."""

from collections import defaultdict

from bough.draw.svg.element import element, short


class Paint:
    """Collects the rectangles of one box."""

    def __init__(self) -> None:
        self.paths: dict[str, str] = defaultdict(str)

    def rectangle(self, color: str, x: float, y: float, width: float, height: float) -> None:
        across, down = short(width), short(height)
        self.paths[color] += f"M{short(x)} {short(y)}h{across}v{down}h-{across}"

    def write(self) -> str:
        return "".join(
            element("path", fill=color, d=path, class_="bar") for color, path in self.paths.items()
        )
