"""What a notebook shows."""

import re
from base64 import b64decode
from html import unescape
from html.parser import HTMLParser

import pytest
from sklearn import config_context

import bough
from bough.result_words import verdict_lines


@pytest.fixture(scope="module")
def result():
    table = bough.datasets.load("penguins")
    return bough.fit({**table.features, "species": table.labels}, "species")


class Frames(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.tags = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))


def pictures(html):
    """Return the pictures of a card: the dark one, and the light one."""
    found = re.findall(r"data:image/svg\+xml;base64,([\w+/=]+)", html)
    return [b64decode(each).decode() for each in found]


def test_a_result_is_shown_as_a_card_and_as_text(result):
    shown = result._repr_mimebundle_(include=None, exclude=None)
    assert shown["text/plain"] == str(result)
    assert shown.keys() == {"text/plain", "text/html"}
    text = unescape(re.sub("<[^>]+>", "\n", shown["text/html"])).split("\n")
    for line in [result.headline(), *verdict_lines(result.evidence, result.grown_tree_)]:
        assert line in text
    assert all(
        any(line.strip(" !").startswith(note.code) for line in text) for note in result.notes
    )


def test_a_card_has_a_dark_and_a_light_picture_fitted_to_the_width(result):
    html = result._repr_mimebundle_()["text/html"]
    assert pictures(html) == [bough.draw(result, "svg", theme=each) for each in ("dark", "light")]
    assert 'media="(prefers-color-scheme: dark)"' in html
    assert "max-width: 100%" in html


def test_a_card_has_no_style_or_script_that_could_leak(result):
    html = result._repr_mimebundle_()["text/html"]
    assert "<style" not in html
    assert "<script" not in html


def test_names_from_the_data_are_text_in_a_card():
    hostile = "<img src=x onerror=alert(1)>"
    result = bough.fit({hostile: [1, 2] * 30, "y": [hostile, "b"] * 30}, "y")
    assert hostile not in result._repr_mimebundle_()["text/html"]


def test_a_fitted_estimator_is_shown_as_a_picture(result):
    shown = result.model._repr_mimebundle_()
    assert shown["text/plain"] == repr(result.model)
    assert shown["image/svg+xml"] == bough.draw(result, "svg")


def test_before_it_is_fitted_an_estimator_is_shown_as_others_are():
    assert "text/html" in bough.DecisionTreeClassifier()._repr_mimebundle_()


def test_who_wants_text_gets_text(result):
    with config_context(display="text"):
        assert result.model._repr_mimebundle_().keys() == {"text/plain"}


def test_the_page_lies_in_a_frame_from_which_nothing_gets_out(result):
    ((tag, attributes),) = Frames(result.page(height=500)._repr_html_()).tags
    assert tag == "iframe"
    assert attributes["sandbox"] == "allow-scripts"
    assert attributes["height"] == "500"
    assert attributes["srcdoc"] == result.report()


def test_a_frame_is_short_in_words(result):
    n_bytes = len(result.report().encode())
    assert repr(result.page()) == f"<Frame: a page of {n_bytes:,} bytes, which a notebook shows>"


def test_a_report_that_is_written_gives_its_path(result, tmp_path):
    path = result.report(tmp_path / "species.html")
    assert path == tmp_path / "species.html"
    assert path.read_text("utf-8") == result.report()
