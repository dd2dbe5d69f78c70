"""The command line: `dicelab games`, `solve`, `evaluate`, `respond`, `density`, `explain`, ...

A command is one file, called as the command is, that says ``@app.command("name")``. What only one
game can be asked is in its folder, in a file called `commands_name`. The command that is asked for
is imported and no other, so that nobody waits for what they do not use; `app` has them all.
"""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module
from typing import Any

from dicelab.console.app import app as _app
from dicelab.console.app import run
from dicelab.rules.registry import load_at_home

OWN = tuple(module.name for module in pkgutil.iter_modules(__path__))


def load(command: str | None = None) -> None:
    """Import a command by its name, or all of them where there is none of that name."""
    wanted = [] if command is None else [name for name in OWN if name == command.replace("-", "_")]
    for name in wanted:
        import_module(f"{__name__}.{name}")
    if command is not None and not wanted:
        load_at_home(f"commands_{command.replace('-', '_')}")
    known = [*_app.registered_commands, *_app.registered_groups]
    if command not in {each.name for each in known}:  # type: ignore[attr-defined]
        for name in OWN:
            import_module(f"{__name__}.{name}")
        load_at_home("commands")


def main() -> None:
    """Run the command line."""
    load(next((word for word in sys.argv[1:] if not word.startswith("-")), None))
    run()


def __getattr__(name: str) -> Any:
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    load()
    return _app
