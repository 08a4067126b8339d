"""How a loss reads: its word, its figure, and what it is measured on."""

from bough.ranking import PLACES
from bough.words import hundredths, number

RANKING = "ndcg_loss"
"""The one loss of queries and not of rows; people know the score, which is 1 less the loss."""
_WORDS = {
    "brier": "Brier score",
    "poisson": "Poisson loss",
    "pinball": "pinball loss",
    RANKING: "NDCG loss",
}


def loss_word(loss: str) -> str:
    """Return a loss as it is called in a sentence.

    Examples
    --------
    >>> loss_word("absolute_error"), loss_word("pinball")
    ('absolute error', 'pinball loss')
    """
    return _WORDS.get(loss, loss.replace("_", " "))


def figure_word(loss: str) -> str:
    """Return what the figure is called that people know: of rankings the score and not the loss."""
    return f"NDCG@{PLACES}" if loss == RANKING else loss_word(loss)


def figure(loss: str, value: float) -> float:
    """Return the figure that people know.

    Examples
    --------
    >>> figure("error", 0.25), figure("ndcg_loss", 0.25)
    (0.25, 0.75)
    """
    return 1 - value if loss == RANKING else value


def figure_text(loss: str, value: float) -> str:
    """Return the figure of a loss in words, as in '25.0 %'."""
    return f"{hundredths(value)} %" if loss == "error" else number(figure(loss, value), 3)


def change_texts(loss: str, values: tuple[float, float, float]) -> list[str]:
    """Return a change of a loss, the least and the greatest that it may be, as changes of the figure.

    Examples
    --------
    >>> change_texts("error", (0.02, -0.01, 0.05)), change_texts("ndcg_loss", (0.02, -0.01, 0.05))
    (['+2.0', '−1.0', '+5.0'], ['−0.02', '−0.05', '+0.01'])
    """
    if loss == RANKING:
        value, low, high = values
        values = -value, -high, -low
    words = [hundredths(abs(each)) if loss == "error" else number(abs(each), 3) for each in values]
    return [signed(word, each) for word, each in zip(words, values, strict=True)]


def signed(words: str, value: float) -> str:
    """Return an amount with the sign of a value."""
    return f"{'−' if value < 0 else '+'}{words}"


def units(loss: str) -> str:
    """Return what a loss is measured on."""
    return "queries" if loss == RANKING else "rows"
