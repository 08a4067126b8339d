"""The picture of a tree as pixels."""

import struct
import sys

import handmade
import pytest
from pictures import parsed

from bough.drawing import draw
from bough.drawing.svg import svg
from bough.errors import ParameterError

SIGNATURE = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("scale", [1, 3])
def test_a_picture_has_so_many_pixels_for_each(scale):
    pytest.importorskip("resvg_py")
    found = draw(handmade.play_tennis(), "png", scale=scale)
    root = parsed(svg(handmade.play_tennis()))
    sides = [float(root.get(side)) * scale for side in ("width", "height")]
    assert found.startswith(SIGNATURE)
    assert struct.unpack(">II", found[16:24]) == pytest.approx(sides, abs=scale)


def test_the_options_of_the_picture_are_known():
    pytest.importorskip("resvg_py")
    tree = handmade.play_tennis()
    assert draw(tree, "png", theme="dark") != draw(tree, "png")


def test_what_must_be_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ParameterError) as error:
        draw(handmade.play_tennis(), "png")
    assert str(error.value) == (
        "format='png' needs the package resvg-py. Install it with pip install 'bough[png]', "
        "or draw format='svg', which needs nothing."
    )


def test_a_scale_that_makes_no_sense_is_refused():
    with pytest.raises(ParameterError) as error:
        draw(handmade.play_tennis(), "png", scale=0)
    assert str(error.value) == "scale=0 must be a whole number, 1 or more."
