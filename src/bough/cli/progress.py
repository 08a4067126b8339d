"""A bar that shows how far long work has come."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from bough.cli.terminal import Terminal

PATIENCE = 0.5  # seconds of work before the bar appears


@contextmanager
def progress(terminal: Terminal) -> Iterator[Callable[[str, float], None] | None]:
    """Give what reports a stage and the share of it that is done; None if nobody looks."""
    if terminal.quiet or terminal.json or not terminal.err.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    bar = Progress(*columns, console=terminal.err, transient=True)
    task = bar.add_task("reading", total=1.0)
    patience = Timer(PATIENCE, bar.start)
    patience.daemon = True
    patience.start()
    try:
        yield lambda stage, share: bar.update(task, description=stage, completed=share)
    finally:
        patience.cancel()
        patience.join()
        bar.stop()
