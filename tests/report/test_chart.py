"""Charts: axes with round numbers, and points between them."""

import re
import xml.etree.ElementTree as ET
from importlib.resources import files

import pytest

from bough.histograms import Histogram
from bough.report.chart import Axis, Dot, Line, Mark, bars, dot_chart, line_chart, range_of


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.0, 1.0, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (0.0, 0.37, [0.0, 0.1, 0.2, 0.3]),
        (-120.0, 480.0, [0.0, 200.0, 400.0]),
        (2.0, 2.5, [2.0, 2.1, 2.2, 2.3, 2.4, 2.5]),
    ],
)
def test_ticks_are_round_numbers(low, high, ticks):
    assert Axis("", low, high).ticks() == pytest.approx(ticks)


def test_between_whole_numbers_there_is_no_tick():
    assert Axis("depth", 0, 1, is_count=True).ticks() == [0, 1]


def test_ticks_of_powers_are_powers_of_two():
    assert Axis("", 1, 40, is_log=True).ticks() == [1, 2, 4, 8, 16, 32]


def test_shares_are_told_in_per_cent():
    assert Axis("", 0, 1, is_share=True).word(0.25) == "25 %"


@pytest.mark.parametrize(
    "values",
    [[0.0, 0.0], [3.0, 3.0], [1e308, -1e308], [5e-324, 0.0], [1e-300, 2e-300], [-5.0, 7.0]],
)
def test_any_numbers_have_room(values):
    low, high = range_of(values)
    assert low < high
    axis = Axis("", low, high)
    assert axis.ticks()
    assert all(0 <= axis.place(value) <= 1 for value in values)


def test_a_line_is_drawn_from_its_first_point_to_its_last():
    lines = [Line("training", [(1, 0.5), (4, 0.2)], [0.1, 0.1])]
    picture = line_chart(Axis("leaves", 1, 4), Axis("error", 0, 1), lines, [Mark(4, "4 leaves")])
    found = ET.fromstring(picture)
    words = [each.text for each in found.iter("text")]
    assert {"leaves", "error", "training", "4 leaves"} <= set(words)
    assert len(found.findall("path[@class='line training']")) == 2  # and one in the key


@pytest.mark.parametrize(("high", "n_lines"), [(1.0, 1), (2.0, 0)])
def test_equal_axes_have_a_line_on_which_both_are_equal(high, n_lines):
    picture = dot_chart(Axis("said", 0, 1), Axis("was", 0, high), [Dot(0.5, 0.5, 3, "a < b")])
    found = ET.fromstring(picture)
    assert len(found.findall("path[@class='diagonal']")) == n_lines
    assert found.find("circle/title").text == "a < b"


def test_bars_within_a_line_are_as_large_as_the_page_gives_them_room():
    drawn = bars(Histogram((1, 3), codes=(0, 1)), ("one", "three"))
    styles = files("bough.report").joinpath("static", "evidence.css").read_text("utf-8")
    room = re.search(r"svg\.bins { [^}]*width: (\d+)px; height: (\d+)px", styles)
    assert f'viewBox="0 0 {room[1]} {room[2]}"' in drawn
    assert drawn.count("M") == 2
