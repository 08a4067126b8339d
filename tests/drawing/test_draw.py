"""`bough.draw`: what it takes, in which formats, and what it refuses."""

import handmade
import pytest
from sklearn.exceptions import NotFittedError

from bough.drawing import draw
from bough.drawing.text import text
from bough.errors import ParameterError


class Fitted:
    grown_tree_ = handmade.play_tennis()


class Unfitted:
    def fit(self):
        """Grow nothing yet."""


def test_a_tree_is_drawn_as_text():
    tree = handmade.play_tennis()
    assert draw(tree) == text(tree)


def test_a_fitted_estimator_is_drawn():
    assert draw(Fitted()) == text(Fitted.grown_tree_)


def test_options_reach_the_drawing():
    tree = handmade.play_tennis()
    assert draw(tree, "text", max_depth=1, ascii=True) == text(tree, max_depth=1, ascii=True)


def test_an_unknown_format_is_named():
    with pytest.raises(ParameterError) as error:
        draw(handmade.one_leaf(), "txt")
    assert (
        str(error.value)
        == "format='txt' is not known. Did you mean 'text'? Known: 'png', 'regions', 'svg' and 'text'."
    )


def test_an_estimator_without_a_tree_is_refused():
    with pytest.raises(NotFittedError) as error:
        draw(Unfitted())
    assert str(error.value) == "This Unfitted has no tree yet. Call 'fit' first."


def test_what_is_no_model_is_refused():
    with pytest.raises(ParameterError) as error:
        draw([1, 2])
    assert str(error.value) == "model is a list; it must be a Tree or a fitted estimator."


def test_an_option_that_a_drawing_does_not_have_is_named():
    with pytest.raises(ParameterError) as error:
        draw(handmade.play_tennis(), "svg", max_dept=2)
    assert str(error.value) == (
        "format='svg' has no option 'max_dept'. Did you mean 'max_depth'? It has 'max_depth', "
        "'max_nodes', 'theme', 'digits', 'ids' and 'legend'."
    )
