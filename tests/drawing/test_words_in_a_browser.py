"""In a real browser, words of a picture stay in their boxes and meet nothing."""

import json
import shutil
import subprocess
from html import unescape

import hard_trees
import pytest

from bough.drawing.svg import svg

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--dump-dom"),
)
# For every picture: words that leave their box, and words that meet other words or boxes.
SCRIPT = """
const sides = element => element.getBoundingClientRect();
const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const shrunk = a => ({left: a.left + 1, right: a.right - 1, top: a.top + 3, bottom: a.bottom - 3});
const found = [...document.querySelectorAll("svg")].map(svg => {
    const wrong = [];
    const cards = [...svg.querySelectorAll(".nodes > g")].map(g => {
        const all = g.querySelectorAll(".card");
        return [g, sides(all[all.length - 1])];
    });
    const texts = [...svg.querySelectorAll("text")].map(text => [text, shrunk(sides(text))]);
    const whole = sides(svg);
    for (const [text, room] of texts) {
        if (room.left < whole.left || room.right > whole.right) wrong.push("outside: " + text.textContent);
        for (const [g, card] of cards) {
            const isOwn = g.contains(text) && !text.classList.contains("answer");
            const isIn = room.left >= card.left && room.right <= card.right
                && room.top >= card.top && room.bottom <= card.bottom;
            if (isOwn ? !isIn : meet(room, card)) wrong.push("box: " + text.textContent);
        }
    }
    texts.forEach(([text, room], i) => texts.slice(i + 1).forEach(([other, second]) => {
        if (meet(room, second)) wrong.push("words: " + text.textContent + " | " + other.textContent);
    }));
    return wrong;
});
document.body.textContent = JSON.stringify(found);
"""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")


@pytest.fixture(scope="module")
def wrong(tmp_path_factory):
    """Let the browser look at all pictures at once; give what it found wrong, by tree."""
    folder = tmp_path_factory.mktemp("browser")
    pictures = [svg(make()) for make in hard_trees.TREES.values()]
    page = folder / "page.html"
    page.write_text(
        f'<!doctype html><meta charset="utf-8">{"".join(pictures)}<script>{SCRIPT}</script>',
        encoding="utf-8",
    )
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={folder / 'profile'}", page.as_uri()]
    printed = subprocess.run(command, capture_output=True, check=True, timeout=300).stdout.decode()
    body = printed.partition("<body>")[2].partition("</body>")[0]
    return dict(zip(hard_trees.TREES, json.loads(unescape(body)), strict=True))


@pytest.mark.parametrize("name", hard_trees.TREES)
def test_words_stay_in_their_boxes_and_meet_nothing(wrong, name):
    assert wrong[name] == []
