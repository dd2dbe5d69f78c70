"""Kernels: compiled for floats, interpreted for rationals, the same lines of code.

A kernel is a plain function over flat arrays. `jit` hands it to Numba and keeps the machine
code on disk: inside the package or, where that cannot be written, in the user's cache folder; where
neither can be written it compiles anew in each process. `interpreted` gives the same function back
as ordinary Python, which is how exact mode runs it on arrays of `Fraction`.

Kernels call each other across files, and Numba looks only at a kernel's own file to see whether its
machine code is still good. So the code is kept in a folder named after the contents of all files
with kernels: change one, and all are compiled again.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import hashlib
import importlib
import os
import shutil
import stat
import tempfile
import types
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar


@contextlib.contextmanager
def _collecting_later() -> Iterator[None]:
    """Keep Python from looking for garbage for a while: among new modules there is none."""
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
    from numba.core.runtime.nrt import rtsys
    from numba.core.typing.typeof import typeof_impl

Tuple = TypeVar("Tuple", bound=type)
settings: Any = numba.config


@cache
def _prepare_to_compile() -> None:
    """Let Numba load its support for NumPy without looking for SciPy's linear algebra.

    It asks whether that is there, once, by importing it, which takes a fifth of a second. It is
    there, since dicelab needs SciPy; and a kernel that uses it asks again.
    """
    from numba.np import linalg

    ask = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = ask


KERNELS = ("solvers", "rounds", "table")
"""The folders of the package that have kernels in them."""


@cache
def cache_folder() -> str | None:
    """Return the folder for machine code, or None where none can be written."""
    package = Path(__file__).parent.parent
    contents = hashlib.sha256()
    for folder in KERNELS:
        for path in sorted((package / folder).glob("*.py")):
            contents.update(path.read_bytes())
    name = f"kernels-{contents.hexdigest()[:16]}"
    own = package / "__pycache__"
    for place in _places(own):
        if not _is_writable(place):
            continue
        if place == own:
            for stale in own.glob("kernels-*"):
                if stale.name != name:
                    shutil.rmtree(stale, ignore_errors=True)
        elif (own / name).is_dir() and not (place / name).exists():
            shutil.copytree(own / name, place / name)  # a read-only install, compiled before
        return str(place / name)
    return None


def _places(own: Path) -> Iterator[Path]:
    """Yield where machine code may be kept, best first."""
    if settings.CACHE_DIR:
        yield Path(settings.CACHE_DIR) / "dicelab"
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


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function compiled, with its machine code kept on disk where possible.

    It may only read and write what it is given: arrays are borrowed, not counted, which in an inner
    loop costs more than the arithmetic. One that makes arrays, or calls one that does, is
    `allocating`.
    """
    return _compiled(function, _nrt=False)


def allocating(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function compiled as one that may make arrays."""
    return _compiled(function)


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function compiled into each place that calls it: for the innermost loops."""
    return _compiled(function, _nrt=False, forceinline=True)


def _compiled(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    folder = cache_folder()
    before = settings.CACHE_DIR
    settings.CACHE_DIR = folder or before
    try:
        kernel: Callable[..., Any] = njit(cache=folder is not None, nogil=True, **options)(function)
    finally:
        settings.CACHE_DIR = before
    if isinstance(kernel, Dispatcher):
        if folder is None:
            _prepare_to_compile()
        else:
            _load_alone(kernel)
            _save_alone(kernel, Path(folder))
    return kernel


def _load_alone(kernel: Any) -> None:
    """Let machine code that is there be loaded without what Numba needs to make some.

    Numba imports and lists all that it can compile before it looks for code on disk, which takes a
    quarter of a second. Code that was compiled needs the runtime for its arrays, and nothing else.
    """
    kept = kernel._cache

    def load(signature: Any, context: Any) -> Any:
        rtsys.initialize(context)
        found = kept._load_overload(signature, context)
        if found is None:
            _prepare_to_compile()
        return found

    kept.load_overload = load


def _save_alone(kernel: Any, folder: Path) -> None:
    """Let only one process at a time keep machine code in a folder.

    Numba reads which code a kernel has, adds to that and writes it back. Two processes at once may
    give two codes the same number, and one of them then runs for the arguments of the other.
    """
    save = kernel._cache.save_overload

    def save_locked(*what: Any) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            save(*what)
        finally:
            os.close(lock)

    kernel._cache.save_overload = save_locked


def unsigned(numbers: Any) -> Any:
    """Return an array of numbers to index by, none of them negative, as kernels read it fastest.

    Wherever an index has a sign, Numba asks whether it counts from the end.
    """
    return numbers if settings.DISABLE_JIT else numbers.view(f"u{numbers.itemsize}")


def register_tuple(kind: Tuple) -> Tuple:
    """Return a class of named tuples, known to Numba as something that kernels are given.

    It would find out by itself, by asking every sort of thing it knows whether this is one of them,
    which takes a hundredth of a second for each class.
    """
    typeof_impl.register(kind, typeof_impl.dispatch(tuple))
    return kind


def interpreted(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return the kernel, and the kernels it calls, as ordinary Python."""
    if not isinstance(kernel, Dispatcher):  # compiling is switched off (NUMBA_DISABLE_JIT=1)
        return kernel
    plain: types.FunctionType = kernel.py_func
    inner = {
        name: interpreted(value) if isinstance(value, Dispatcher) else value
        for name, value in plain.__globals__.items()
        if name in plain.__code__.co_names
    }
    return types.FunctionType(plain.__code__, {**plain.__globals__, **inner}, plain.__name__)
