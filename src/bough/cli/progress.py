"""A bar that shows how far long work has come."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from rich.progress import BarColumn, Progress, TextColumn

from bough.cli.terminal import Terminal
from bough.words import share

PATIENCE = 0.5  # seconds of work before the bar appears


@contextmanager
def progress(terminal: Terminal) -> Iterator[Callable[[str, float], None] | None]:
    """Give what reports a stage and the share of it that is done; None if nobody looks."""
    if terminal.quiet or terminal.json or not terminal.err.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[done]}"))
    bar = Progress(*columns, console=terminal.err, transient=True)
    task = bar.add_task("reading", start=False, done="")

    def report(stage: str, done: float) -> None:
        bar.reset(
            task,
            description=stage,
            start=done > 0,  # until then, the bar moves to and fro
            total=100,
            completed=round(100 * done),
            done=share(done) if done > 0 else "",
        )

    patience = Timer(PATIENCE, bar.start)
    patience.daemon = True
    patience.start()
    try:
        yield report
    finally:
        patience.cancel()
        patience.join()
        bar.stop()
