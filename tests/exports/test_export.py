"""`bough.export`: what it takes, in which formats, and what it refuses."""

import handmade
import pytest
from sklearn.exceptions import NotFittedError

from bough.drawing import draw
from bough.drawing.text import text
from bough.errors import ParameterError
from bough.estimators import DecisionTreeClassifier
from bough.exports import export
from bough.exports.model_file import Model, dumps


class Fitted:
    grown_tree_ = handmade.play_tennis()

    def __bough_model__(self):
        return Model(self.grown_tree_, {"criterion": "gini"})


def test_json_is_the_model_file():
    tree = handmade.play_tennis()
    assert export(tree, "json") == dumps(Model(tree, {})).decode()


def test_an_estimator_says_what_belongs_into_its_file():
    assert export(Fitted(), "json") == dumps(Fitted().__bough_model__()).decode()


def test_an_estimator_without_a_tree_is_refused():
    with pytest.raises(NotFittedError) as error:
        export(DecisionTreeClassifier(), "json")
    assert str(error.value) == "This DecisionTreeClassifier has no tree yet. Call 'fit' first."


def test_text_is_the_tree_as_a_table():
    assert export(Fitted(), "text", digits=2) == text(Fitted.grown_tree_, digits=2)


@pytest.mark.parametrize("name", ["svg", "png"])
def test_pictures_are_those_of_draw(name):
    pytest.importorskip("resvg_py")
    assert export(Fitted(), name, theme="dark") == draw(Fitted(), name, theme="dark")


def test_an_unknown_format_is_named():
    with pytest.raises(ParameterError) as error:
        export(handmade.one_leaf(), "jason")
    assert str(error.value) == (
        "format='jason' is not known. Did you mean 'json'? Known: 'c', 'dot', 'html', 'java', "
        "'javascript', 'json', 'mermaid', 'onnx', 'pmml', 'png', 'python', 'regions', 'rules', "
        "'sklearn', 'sql', 'svg', 'text' and 'treelite'."
    )
