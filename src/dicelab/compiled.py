"""Kernels: compiled for floats, interpreted for rationals, the same lines of code.

A kernel is a plain function over flat arrays. `compiled` hands it to Numba and keeps the machine
code on disk, beside the source or, where that cannot be written, in the user's cache folder;
where neither can be written it compiles anew in each process. `interpreted` gives the same
function back as ordinary Python, which is how exact mode runs it on arrays of `Fraction`.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from numba import njit
from numba.core.dispatcher import Dispatcher


def compiled(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Return the function compiled, with its machine code kept on disk where possible."""
    try:
        kernel: Callable[..., Any] = njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:  # no folder for the cache can be written: a read-only install
        kernel = njit(nogil=True, **options)(function)
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
