"""The bar that shows while a command is at work, whether or not the work can say how far it is.

Every command has one from its beginning. Work that reports its share fills it; any other leaves it
moving. A bar of its own, such as that of solving a game, takes the place of the command's.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

PIPED_WIDTH = 100
PATIENCE = 1.0
"""Seconds of work before a progress bar shows."""

Report = Callable[[float], None]


def console(stderr: bool = False) -> Console:
    """Return where to print; colours are off unless a person is looking."""
    from rich.console import Console

    # hold-at:100: is a strategy, not an emoji
    screen = Console(stderr=stderr, highlight=False, soft_wrap=stderr, emoji=False)
    if not screen.is_terminal:
        screen.width = PIPED_WIDTH
    return screen


class _Bar:
    """A bar that shows by itself once the work has taken long."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.share: float | None = None
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._shown: Any = None

    def begin(self) -> None:
        """Wait for a while, and then show."""
        self._timer = threading.Timer(PATIENCE, self._show)
        self._timer.daemon = True
        self._timer.start()

    def _show(self) -> None:
        from rich.progress import Progress

        with self._lock:
            if self._timer is None:  # ended meanwhile
                return
            # What is printed goes where it belongs, and never through the bar.
            self._shown = Progress(
                console=console(stderr=True),
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            whole = None if self.share is None else 1.0
            self._shown.add_task(self.label, total=whole, completed=self.share or 0)
            self._shown.start()

    def report(self, share: float) -> None:
        """Show how much of the work is done."""
        with self._lock:
            self.share = share
            if self._shown is not None:
                self._shown.update(self._shown.task_ids[0], total=1.0, completed=share)

    def end(self) -> None:
        """Take the bar away, or show none."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = None
            if self._shown is not None:
                self._shown.stop()
            self._shown = None


_bars: list[_Bar] = []
"""The bars at work, the innermost last; only that one shows."""


@contextlib.contextmanager
def aside(stderr: bool = False) -> Iterator[None]:
    """Take away the bar while something is printed, unless that goes into a file or a pipe."""
    if not _bars or not (stderr or (sys.stdout is not None and sys.stdout.isatty())):
        yield
        return
    _bars[-1].end()
    yield
    if _bars:
        _bars[-1].begin()


@contextlib.contextmanager
def progress(label: str) -> Iterator[Report]:
    """Yield what to call with the share of the work done; a bar shows if that takes long."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda share: None
        return
    with aside(stderr=True):
        bar = _Bar(label)
        _bars.append(bar)
        bar.begin()
        try:
            yield bar.report
        finally:
            bar.end()
            if bar in _bars:
                _bars.remove(bar)


def no_bar() -> None:
    """Show no bar any more: this command runs until it is ended."""
    while _bars:
        _bars.pop().end()
