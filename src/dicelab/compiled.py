"""Kernels: compiled for floats, interpreted for rationals, the same lines of code.

A kernel is a plain function over flat arrays. `compiled` hands it to Numba and keeps the machine
code on disk: inside the package or, where that cannot be written, in the user's cache folder; where
neither can be written it compiles anew in each process. `interpreted` gives the same function back
as ordinary Python, which is how exact mode runs it on arrays of `Fraction`.

Kernels call each other across files, and Numba looks only at a kernel's own file to see whether its
machine code is still good. So the code is kept in a folder named after the contents of all files
with kernels: change one, and all are compiled again.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import types
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba import njit
from numba.core.dispatcher import Dispatcher

settings: Any = numba.config

KERNELS = ("solvers", "rounds")
"""The folders of the package that have kernels in them."""


@cache
def cache_folder() -> str | None:
    """Return the folder for machine code, or None where none can be written."""
    package = Path(__file__).parent
    contents = hashlib.sha256()
    for folder in KERNELS:
        for path in sorted((package / folder).glob("*.py")):
            contents.update(path.read_bytes())
    name = f"kernels-{contents.hexdigest()[:16]}"
    given = [Path(settings.CACHE_DIR) / "dicelab"] if settings.CACHE_DIR else []
    for place in [*given, package / "__pycache__", Path.home() / ".cache" / "dicelab"]:
        try:
            place.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=place):
                pass
        except (OSError, RuntimeError):
            continue
        for stale in place.glob("kernels-*"):
            if stale.name != name:
                shutil.rmtree(stale, ignore_errors=True)
        return str(place / name)
    return None


def compiled(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Return the function compiled, with its machine code kept on disk where possible."""
    folder = cache_folder()
    before = settings.CACHE_DIR
    settings.CACHE_DIR = folder or before
    try:
        kernel: Callable[..., Any] = njit(cache=folder is not None, nogil=True, **options)(function)
    finally:
        settings.CACHE_DIR = before
    return kernel


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function compiled into each place that calls it: for the innermost loops."""
    return compiled(function, forceinline=True)


def interpreted(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return the kernel, and the kernels it calls, as ordinary Python."""
    plain: types.FunctionType = kernel.py_func  # type: ignore[attr-defined]
    inner = {
        name: interpreted(value) if isinstance(value, Dispatcher) else value
        for name, value in plain.__globals__.items()
        if name in plain.__code__.co_names
    }
    return types.FunctionType(plain.__code__, {**plain.__globals__, **inner}, plain.__name__)
