"""The pictures of the gallery are those that the code draws."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))

import gallery  # noqa: E402
import scale_picture  # noqa: E402

OWN = [name for name, picture in gallery.GALLERY.items() if picture.is_own]


@pytest.mark.parametrize("name", OWN)
def test_a_picture_of_our_own_tables_is_up_to_date(name):
    drawn = gallery.GALLERY[name].draw(None)
    assert (gallery.PICTURES / f"{name}.svg").read_text("utf-8") == drawn, "make gallery"


def test_the_page_shows_every_picture():
    page = (ROOT / "docs" / "gallery.md").read_text("utf-8")
    shown = re.findall(r"\(pictures/(\w+)\.svg\)", page)
    assert sorted(shown) == sorted(gallery.GALLERY)


@pytest.mark.parametrize("name", gallery.GALLERY)
def test_pictures_are_small(name):
    assert (gallery.PICTURES / f"{name}.svg").stat().st_size <= gallery.LARGEST


def test_the_picture_of_what_rows_cost_is_that_of_the_table():
    page = (ROOT / "docs" / "scale.md").read_text("utf-8")
    assert "(pictures/scale.svg)" in page
    assert scale_picture.PICTURE.read_text("utf-8") == scale_picture.picture(page), "make gallery"
