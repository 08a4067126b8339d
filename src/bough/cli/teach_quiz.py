"""Asks what to do at each node, and keeps the score."""

from collections.abc import Callable
from dataclasses import dataclass

from rich.text import Text

from bough.cli.terminal import Terminal
from bough.errors import listed
from bough.teach.arithmetic import Figures
from bough.teach.growth_as_text import in_ascii
from bough.teach.step_words import Manners, StepWriter
from bough.teach.steps import AnswerRows, CandidateQuestion, GrowthStep, Walkthrough
from bough.text_layout import filled
from bough.words import guess_word, number, plain, row_count

STOP, ASK, QUIT = "s", "a", "q"
DOES = ("s", "stop", "a", "ask", "ask on")
MOST_NAMES = 10  # of classes


@dataclass
class Quiz:
    """A quiz about a growth, and how it has gone so far."""

    growth: Walkthrough
    terminal: Terminal
    n_asked: int = 0
    n_right: int = 0

    @property
    def figures(self) -> Figures:
        return Figures(self.growth, self.terminal.digits)

    def run(self) -> None:
        """Ask about every node, and say how many answers were right."""
        try:
            for step in self.growth.steps:
                self.ask_about(step)
        except EOFError:  # somebody has had enough
            pass
        score = {"n_right": self.n_right, "n_asked": self.n_asked}
        if self.terminal.json:
            self.terminal.document("teach", score)
        else:
            self.terminal.say(Text(f"{self.n_right} of {self.n_asked} right"))

    def ask_about(self, step: GrowthStep) -> None:
        """Ask whether a node goes on, with which question, and what a leaf predicts."""
        self._show(step)
        right = STOP if step.asks is None else ASK
        why = step.leaf_reason or "labels differ, and there is something to ask"
        typed = self._typed(
            "Ask on or stop? [a/s]",
            lambda words: words.casefold() in DOES,
            "Type a to ask on, s to stop, or q to quit.",
        )
        does = "stop" if right == STOP else "ask on"
        self._check(typed.casefold()[:1] == right, f"{does}: {why}")
        if step.asks is not None:
            self._which(step, step.asks)
        elif self.growth.classes and step.rows:
            classes = [guess_word(name) for name in self.growth.classes]
            known = {name.casefold() for name in classes}
            typed = self._typed(
                "What does it predict?",
                lambda words: words.casefold() in known,
                f"Type one of {listed(classes, most=MOST_NAMES)}.",
            )
            guess = guess_word(step.guess)
            self._check(
                typed.casefold() == guess.casefold(), f"{guess}, {step.n_right}/{step.n_rows} right"
            )

    def _show(self, step: GrowthStep) -> None:
        *counts, _ = StepWriter(step, self.growth, Manners()).page().labels
        heading = f"node #{step.id} · {step.condition} · {row_count(step.n_rows)}"
        width = self.terminal.err.width - 2
        lines = [plain(heading), *(f"  {plain(line)}" for line in filled(counts, width, "   "))]
        for line in lines:
            self._print(Text(line))

    def _which(self, step: GrowthStep, asks: CandidateQuestion) -> None:
        """Ask for the question of the greatest gain; one that is as good is right, too."""
        choices = [each.best for each in step.features if each.best is not None]
        for place, each in enumerate(choices, start=1):
            answers = " · ".join(map(self._counted, each.answers))
            self._print(Text(plain(f"  [{place}] {each.words}   {answers}")))
        by_name = {each.words: each for each in choices} | {each.feature: each for each in choices}
        by_name |= {str(place): each for place, each in enumerate(choices, start=1)}
        typed = self._typed(
            "Which question is the best?",
            by_name.__contains__,
            f"Type a number from 1 to {len(choices)}, or the name of a column.",
        )
        picked = by_name[typed]
        tied = step.tie.questions if step.tie is not None else ()
        is_right = picked.words in (asks.words, *tied)
        lost = "" if is_right else f"; {self._rank(picked, choices)}"
        self._check(is_right, f"{asks.words}, {self._good(asks)}{lost}")

    def _rank(self, picked: CandidateQuestion, choices: list[CandidateQuestion]) -> str:
        rank = 1 + sum(self._value(each) > self._value(picked) + 1e-12 for each in choices)
        return f"{picked.words} is number {rank} of {len(choices)}, {self._good(picked)}"

    def _value(self, each: CandidateQuestion) -> float:
        return each.gain_ratio if self.figures.is_ratio else each.gain

    def _good(self, each: CandidateQuestion) -> str:
        what = "gain ratio" if self.figures.is_ratio else "gain"
        return f"{what} {self.figures.figure(self._value(each))}"

    def _counted(self, answer: AnswerRows) -> str:
        words = answer.words.removeprefix("= ")
        if not self.growth.classes:
            guess = number(float(answer.guess), self.terminal.digits)
            return f"{words}: {row_count(answer.n_rows)}, {guess}"
        counts = zip(self.growth.classes, answer.counts, strict=True)
        return f"{words}: {', '.join(f'{guess_word(name)} ×{n}' for name, n in counts if n)}"

    def _typed(self, question: str, is_answer: Callable[[str], bool], may_be: str) -> str:
        """Return an answer; what is none, as a slip of the finger, is no wrong one: ask again."""
        self._print(Text(question, "bold"))
        while not is_answer(typed := self.terminal.err.input("> ").strip()):
            if typed == QUIT:
                raise EOFError
            self._print(Text(plain(f"  {may_be}"), "dim"))
        return typed

    def _print(self, words: Text) -> None:
        ascii_ = Text(in_ascii(words.plain), words.style)
        self.terminal.err.print(ascii_ if self.terminal.is_ascii else words)

    def _check(self, is_right: bool, said: str) -> None:  # noqa: FBT001 - what is checked
        self.n_asked += 1
        self.n_right += is_right
        style = "green" if is_right else "yellow"
        self._print(Text(plain(f"  {'Right' if is_right else 'No'}: {said}"), style))
