"""The application that the commands join, and its manners when something goes wrong.

An error of ours is one sentence on stderr, without a traceback, and exit code 1. A wrong option is
2. Ctrl-C is 130 and leaves no half-written file. A reader who closes the pipe hears nothing.
"""

from __future__ import annotations

import contextlib
import gc
import os
import re
import sys
import traceback
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from dicelab.console.interrupts import INTERRUPTED, answered_at_once
from dicelab.console.output import complain
from dicelab.console.progress import progress
from dicelab.core.typed_modules import looking_in
from dicelab.errors import DicelabError

OF_GAMES = ("from", "for")
"""Where to start instead, and what to play for: options of every command that takes a game, read as
its parameters."""
TRACEBACK = "--traceback"


@contextlib.contextmanager
def manners(show_traceback: bool = False) -> Iterator[None]:
    """Turn what went wrong into a sentence and an exit code.

    With `show_traceback`, where it went wrong is shown first: in one's own rules, if that is so.
    """
    try:
        yield
        if sys.stdout is not None:  # None where it was closed before the start
            sys.stdout.flush()
    except DicelabError as trouble:
        if show_traceback:
            traceback.print_exception(trouble.__cause__ or trouble)
        complain(type(trouble).__name__, str(trouble))
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        complain("", "interrupted")
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        with contextlib.suppress(OSError, ValueError):  # nobody is left to read the rest
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(1) from None
    except MemoryError:
        complain("MemoryError", "this machine ran out of memory: try a smaller game")
        raise typer.Exit(1) from None
    except OSError as trouble:
        where = f" {trouble.filename!r}" if trouble.filename else ""
        complain(type(trouble).__name__, f"{trouble.strerror or trouble}{where}")
        raise typer.Exit(1) from None


def present_folder() -> str | None:
    """Return the current folder, or None where it has been removed."""
    try:
        return os.getcwd()
    except OSError:
        return None


class Commands(TyperGroup):
    """The commands, each run with good manners."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options of every command, which may also stand behind its name."""
        before = args[: args.index("--")] if "--" in args else args
        after = args[len(before) :]
        for name in OF_GAMES:
            if f"--{name}" in before[:-1]:
                place = before.index(f"--{name}")
                before = [*before[:place], f"{name}={before[place + 1]}", *before[place + 2 :]]
            before = [re.sub(f"^--{name}=", f"{name}=", word) for word in before]
        if TRACEBACK in before:
            before = [TRACEBACK, *(word for word in before if word != TRACEBACK)]
        return super().parse_args(ctx, [*before, *after])

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        show = ctx.params.get("traceback", False)
        with manners(show), looking_in(present_folder()), progress("working"):
            return super().invoke(ctx)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands as they are listed: by the alphabet."""
        return sorted(super().list_commands(ctx))


app = typer.Typer(
    name="dicelab",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from dicelab import __version__

        typer.echo(f"dicelab {__version__}")
        raise typer.Exit


@app.callback()
def dicelab(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
    traceback: Annotated[
        bool,
        typer.Option(
            TRACEBACK,
            help="Also show the whole traceback of what went wrong, such as in your own rules. "
            "It may stand behind the command too.",
        ),
    ] = False,
) -> None:
    """Write the rules of a dice game once; know the best way to play, exactly.

    GAME is a name that `dicelab games` lists, or module:Class for rules of your own. Its
    parameters follow as name=value. A strategy is a name that `dicelab strategies` lists,
    file:PATH for a saved table, or module:function for a function of your own.
    """


def run() -> None:
    """Run the command line with the commands that have joined it."""
    # A watcher that joblib starts would complain about what Ctrl-C did not let it tidy up.
    os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker")
    gc.freeze()  # what is imported stays, and need not be looked at again
    gc.enable()
    try:
        with answered_at_once():
            app()
    finally:
        # Python ends by looking for garbage among all that Numba ever made, several times over, for
        # memory that goes back to the system anyway. Measured on `dicelab solve pig`: 1.9 seconds
        # of processor time with these lines, 2.3 without.
        gc.disable()
        gc.freeze()
