"""The command line: `dicelab games`, `solve`, `evaluate`, `respond`, `density`, `explain`, ...

Every module of this package is found by itself, so a new command is one new file that says
``@app.command("name")``. So are the modules `commands...` in the folders of the games: what only
one game can be asked.
"""

from __future__ import annotations

import importlib
import pkgutil

from dicelab.console.app import app, main
from dicelab.rules.registry import load_at_home

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
load_at_home("commands")

__all__ = ["app", "main"]
