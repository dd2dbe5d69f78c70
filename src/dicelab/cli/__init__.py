"""The command line: `dicelab games`, `solve`, `evaluate`, `respond`, `density`, `explain`, ...

Every module of this package is found by itself, so a new command is one new file that says
``@app.command("name")``.
"""

from __future__ import annotations

import importlib
import pkgutil

from dicelab.cli.app import app, main

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

__all__ = ["app", "main"]
