"""What a notebook shows."""

import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from sklearn import config_context

import bough


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


def test_a_result_is_shown_as_a_picture_and_as_text(result):
    shown = result._repr_mimebundle_(include=None, exclude=None)
    assert shown["text/plain"] == str(result)
    assert ET.fromstring(shown["image/svg+xml"]).tag.endswith("svg")
    assert shown.keys() == {"text/plain", "image/svg+xml"}


def test_a_picture_in_a_notebook_has_no_style_that_could_leak(result):
    picture = result._repr_mimebundle_()["image/svg+xml"]
    assert "<style" not in picture
    assert "<script" not in picture


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
