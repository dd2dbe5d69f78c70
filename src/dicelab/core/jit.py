"""Kernels: compiled for floats, interpreted for rationals, the same lines of code.

Their machine code is kept on disk (`kernel_cache`), in a folder that this module chooses.
"""

from __future__ import annotations

import contextlib
import gc
import os
import stat
import tempfile
import types
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from dicelab.core.arrays import Ints


@contextlib.contextmanager
def _collecting_later() -> Iterator[None]:
    """Keep Python from looking for garbage for a while: among new modules there is none.

    To import Numba then takes 0.28 s of processor time, and else 0.31 s.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


with _collecting_later():
    import numba
    from numba import njit
    from numba.core.dispatcher import Dispatcher

    from dicelab.core.kernel_cache import KernelCache

settings: Any = numba.config

Kernel = TypeVar("Kernel", bound=Callable[..., object])


@cache
def cache_folders() -> tuple[tuple[Path, ...], bool]:
    """Return the folders for machine code, best first, and whether the first can be written.

    The package's own comes last where it is not the first: a read-only install may have been
    compiled before.
    """
    own = Path(__file__).parent.parent / "__pycache__"
    for place in _places(own):
        if _is_writable(place):
            folders = (place,) if place == own else (place, own)
            return tuple(folder / "kernels" for folder in folders), True
    return (own / "kernels",), False


def _places(own: Path) -> Iterator[Path]:
    """Yield where machine code may be kept, best first."""
    # Not numba.config.CACHE_DIR: a .numba_config.yaml in the current folder may set that.
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(named) / "dicelab"
    yield own
    with contextlib.suppress(OSError, RuntimeError):  # no home, or no temporary folder
        yield Path.home() / ".cache" / "dicelab"
    with contextlib.suppress(OSError):
        place = Path(tempfile.gettempdir()) / f"dicelab-{os.getuid()}"
        place.mkdir(mode=0o700, exist_ok=True)
        about = place.lstat()
        # Machine code from here will be run: the folder must be this user's alone.
        if stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid() and not about.st_mode & 0o77:
            yield place


def _is_writable(place: Path) -> bool:
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            return True
    except (OSError, RuntimeError):
        return False


def jit(function: Kernel) -> Kernel:
    """Return the function compiled, with its machine code kept on disk where possible.

    It may only read and write what it is given: arrays are borrowed, not counted, which in an inner
    loop costs more than the arithmetic (`_nrt=False` is Numba's own flag, outside its promises:
    with the counting, solving Pig to 100 took 0.19 s in place of 0.06 s). One that makes arrays, or
    calls one that does, is `allocating`.
    """
    return _compiled(function, _nrt=False)


def allocating(function: Kernel) -> Kernel:
    """Return the function compiled as one that may make arrays.

    One that Python calls must not return them: Numba makes the Python object for an array without
    looking whether that failed, and an interrupt that waits for the kernel to end makes it fail.
    The caller makes what is to be filled instead.
    """
    return _compiled(function)


def inlined(function: Kernel) -> Kernel:
    """Return the function compiled into each place that calls it: for the innermost loops."""
    return _compiled(function, _nrt=False, forceinline=True)


def _compiled(function: Kernel, **options: Any) -> Kernel:
    kernel: Any = njit(nogil=True, **options)(function)
    if not settings.DISABLE_JIT:
        kernel._cache = KernelCache(kernel, *cache_folders())
    return kernel


def unsigned(numbers: Ints) -> Ints:
    """Return an array of numbers to index by, none of them negative, as kernels read it fastest.

    Wherever an index has a sign, Numba asks whether it counts from the end.
    """
    return numbers if settings.DISABLE_JIT else numbers.view(f"u{numbers.itemsize}")


def interpreted(kernel: Kernel) -> Kernel:
    """Return the kernel, and the kernels it calls, as ordinary Python."""
    if not isinstance(kernel, Dispatcher):  # compiling is switched off (NUMBA_DISABLE_JIT=1)
        return kernel
    plain: types.FunctionType = kernel.py_func
    inner = {
        name: interpreted(value) if isinstance(value, Dispatcher) else value
        for name, value in plain.__globals__.items()
        if name in plain.__code__.co_names
    }
    made: Any = types.FunctionType(plain.__code__, {**plain.__globals__, **inner}, plain.__name__)
    return made
