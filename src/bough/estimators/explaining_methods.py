"""What the estimators offer to explain a tree: why, rules, questions, SHAP values; and the tree as scikit-learn's."""

from typing import Any

from bough.estimators.decision_tree import DecisionTree
from bough.explain.explanation import Explanation
from bough.explain.row import explain
from bough.explain.rules import Rule, rules
from bough.explain.shap_values import ShapValues, shap_values
from bough.exports.scikit_learn import sklearn_tree
from bough.interview import Interview
from bough.predict import check_missing
from bough.table import TableLike


class Explainable(DecisionTree):
    """A fitted tree that explains its predictions."""

    def explain(self, X: TableLike, *, digits: int = 3) -> list[Explanation]:
        """Explain the prediction of each row, and what would change it.

        Numbers are printed with at least so many significant digits.

        Examples
        --------
        >>> from bough import DecisionTreeClassifier
        >>> X = {"age": [4, 9, 34, 40], "sex": ["m", "f", "f", "m"]}
        >>> tree = DecisionTreeClassifier().fit(X, ["yes", "yes", "yes", "no"])
        >>> print(tree.explain({"age": [31], "sex": ["m"]})[0])
        yes 100 % (3 rows)
          75 %  all rows
           +25  age < 37 (it is 31, 6 away)
        nearest flip: age ≥ 37 → no 100 %
        """
        check_missing(self.missing)
        return explain(self._tree, self._read(X), digits=digits, missing=self.missing)

    def rules(self, *, digits: int | None = 3) -> list[Rule]:
        """Return one rule for each leaf, with at least so many significant digits; None: all.

        Examples
        --------
        >>> from bough import DecisionTreeRegressor
        >>> for rule in DecisionTreeRegressor(max_depth=1).fit([[1], [2], [8]], [1, 2, 8]).rules():
        ...     print(rule)
        x0 < 5 → 1.5 ± 0.5 (2 rows)
        x0 ≥ 5 → 8 ± 0 (1 row)
        """
        return rules(self._tree, digits=digits)

    def ask(self, *, digits: int = 3) -> Interview:
        """Return an interview that asks one question at a time until the tree can predict.

        Examples
        --------
        >>> from bough import DecisionTreeClassifier
        >>> tree = DecisionTreeClassifier().fit({"color": ["red", "blue"]}, ["cherry", "plum"])
        >>> interview = tree.ask()
        >>> interview.question.feature
        'color'
        >>> interview.answer("red")
        >>> interview.result.guess
        'cherry'
        """
        return Interview(self._tree, digits=digits, missing=self.missing)

    def shap_values(self, X: TableLike) -> ShapValues:
        """Return how much each column adds to each prediction: exact path-dependent SHAP values.

        They are shap's `tree_path_dependent` values, for every tree of bough: with categories, many
        answers and missing values. The values of a row and the base value add up to the
        probabilities of its classes, or to its prediction. `values` are of shape (n_rows, n_columns),
        or (…, n_classes) where the tree predicts classes; `explanation()` makes of them, of
        `base_values` and `data` what `shap.plots` takes.

        Examples
        --------
        >>> from bough import DecisionTreeRegressor
        >>> tree = DecisionTreeRegressor().fit({"age": [4, 9, 34, 40]}, [0, 0, 1, 3])
        >>> found = tree.shap_values({"age": [36]})
        >>> found.base_values.tolist(), found.values.tolist()
        ([1.0], [[0.0]])
        """
        check_missing(self.missing)
        return shap_values(self._tree, self._read(X), missing=self.missing)

    def to_sklearn(self) -> Any:  # noqa: ANN401 - scikit-learn's class
        """Return the tree as a fitted tree of scikit-learn, for the tools that read those.

        It predicts the same for rows without missing values whose numbers float32 holds exactly,
        as scikit-learn rounds all others. A tree that asks about anything but numbers is refused.

        Examples
        --------
        >>> from bough import DecisionTreeRegressor
        >>> from sklearn.tree import export_text
        >>> tree = DecisionTreeRegressor().fit({"age": [4, 9, 34]}, [0, 0, 1])
        >>> print(export_text(tree.to_sklearn(), feature_names=["age"]))
        |--- age <= 21.50
        |   |--- value: [0.00]
        |--- age >  21.50
        |   |--- value: [1.00]
        <BLANKLINE>
        """
        return sklearn_tree(self._tree, self.settings_.criterion)
