"""Modules of one's own, named at the terminal as ``module:name``.

A module is imported from where Python's modules are. The command line alone allows one more place,
the current folder, for what the person at it has typed. Nobody else's words are looked up there.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.abc
import importlib.machinery
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

_allowed: list[str] = []
_found: dict[str, str] = {}


@contextlib.contextmanager
def looking_in(folder: str | None) -> Iterator[None]:
    """Let `import_typed` look in a folder too; with None, among installed modules only."""
    before = _allowed[:]
    _allowed[:] = [] if folder is None else [folder]
    try:
        yield
    finally:
        _allowed[:] = before


def import_typed(module: str) -> ModuleType:
    """Import a module by its name, also from the folder that is allowed."""
    return import_from(module, _allowed[0]) if _allowed else import_module(module)


def found_so_far() -> dict[str, str]:
    """Return the modules found in an allowed folder, for processes that will need them too."""
    return dict(_found)


def codes_so_far() -> dict[str, str]:
    """Return a mark of the code of each module found in an allowed folder, as long as it stands.

    What such a module imports of its own folder counts as well.
    """
    folders = set(_found.values())
    packages = tuple(
        os.path.join(folder, module.partition(".")[0], "") for module, folder in _found.items()
    )
    marks: dict[str, str] = {}
    for name, module in sorted(sys.modules.copy().items()):
        place = os.path.abspath(getattr(module, "__file__", None) or "")
        beside = os.path.dirname(place) in folders or place.startswith(packages)
        if beside and place.endswith(".py"):
            with contextlib.suppress(OSError):
                marks[name] = hashlib.sha256(Path(place).read_bytes()).hexdigest()[:12]
    return marks


def import_from(module: str, folder: str) -> ModuleType:
    """Import a module that was asked for by name, looking in a folder for this import only.

    The module itself is looked for there first. What it imports in its turn is looked for there
    last, so that nothing in the folder takes the place of what is installed.
    """
    if module in sys.modules:
        return sys.modules[module]
    finder = _InFolder(module.partition(".")[0], folder)
    sys.meta_path.insert(0, finder)
    sys.path.append(folder)
    try:
        imported = import_module(module)
    finally:
        sys.meta_path.remove(finder)
        sys.path.remove(folder)
        sys.path_importer_cache.pop(folder, None)
    if finder.found:
        _found[module] = os.path.abspath(folder)
    return imported


class _InFolder(importlib.abc.MetaPathFinder):
    """Finds one module in one folder, and nothing else."""

    def __init__(self, name: str, folder: str) -> None:
        self.name, self.folder, self.found = name, folder, False

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
        """Return where the module is, or None."""
        if name != self.name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, [self.folder])
        self.found = spec is not None
        return spec
