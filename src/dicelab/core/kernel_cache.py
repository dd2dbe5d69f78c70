"""Machine code kept on disk: a file for each kernel and the types it was compiled for.

Numba's own cache has an index for each function, which two processes may spoil for each other, and
reads whatever its files hold: one that was cut short fails, one with a bit changed may crash. Here
every file is written whole, begins with the checksum of the rest and is only trusted if that is
right. What cannot be read is compiled again and replaced; where nothing can be written, as on a
full disk, the code stays in memory and the work goes on.

Kernels call each other across files, and Numba looks only at a kernel's own file to see whether its
machine code is still good. Here it is good as long as the kernel's instructions, the numbers it
reads from its module and all that it calls are the same (`ingredients`).
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import sys
import types
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.caching import _Cache, _cache_log
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from dicelab.core.atomic_write import written_whole

# Numba has no types for these.
_rebuild: Any = CompileResult._rebuild
_log: Any = _cache_log
_dumps: Any = dumps

SEAL = 32
"""Bytes of the checksum that a file begins with."""


def ingredients(kernel: Any) -> str:
    """Return a text that changes whenever a kernel, or anything that it uses, changes.

    A kernel may use numbers of its module, modules such as NumPy, and other kernels.
    """
    found: dict[str, str] = {}
    _gather(kernel, found)
    return repr(sorted(found.items()))


def _gather(kernel: Any, found: dict[str, str]) -> None:
    function: types.FunctionType = kernel.py_func
    name = f"{function.__module__}.{function.__qualname__}"
    if name in found:
        return
    code = function.__code__
    found[name] = repr((code.co_code, code.co_consts, code.co_names, code.co_varnames))
    found[name] += repr(sorted(kernel.targetoptions.items()))
    for word in code.co_names:
        used = function.__globals__.get(word)
        if isinstance(used, Dispatcher):
            _gather(used, found)
        elif isinstance(used, int | float | np.generic):
            found[f"{name}, {word}"] = repr(used)
        elif used is not None and not isinstance(used, types.ModuleType):
            raise TypeError(
                f"{name} uses {word}, a {type(used).__name__}: a change of it would not be seen"
            )


class KernelCache(_Cache):
    """The machine code of one function, as Numba asks for it and hands it over."""

    def __init__(self, kernel: Any, folders: Sequence[Path], writable: bool) -> None:
        """Look in some folders, best first; new code goes to the first if that can be written."""
        self.kernel, self.folders, self.writable = kernel, folders, writable
        self.name = f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}"

    @property
    def cache_path(self) -> str:
        """The folder of the files."""
        return str(self.folders[0])

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return what was compiled for these types, or None where there is nothing to be trusted.

        Numba would first list all that it can compile; code that is compiled needs only the runtime
        for its arrays. Solving Pig in a new process takes 1.2 s of processor time this way, and
        1.5 s with that list.
        """
        rtsys.initialize(target_context)
        name = self._file(sig, target_context.codegen())
        for folder in self.folders:
            with contextlib.suppress(Exception):  # damaged in whatever way: the same as not there
                content = (folder / name).read_bytes()
                data = content[SEAL:]
                if hashlib.sha256(data).digest() != content[:SEAL]:
                    continue
                about, types, parts = pickle.loads(data)
                if (about, types) == (self._about, sig):
                    found = _rebuild(target_context, *parts)
                    _log("[cache] data loaded from %r", name)
                    return found
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for these types, if that can be done."""
        if not self.writable:
            return
        with contextlib.suppress(Exception):  # a full disk, or an interrupt while compiling
            content = _dumps((self._about, sig, data._reduce()))
            folder = self.folders[0]
            folder.mkdir(parents=True, exist_ok=True)
            name = self._file(sig, data.codegen)
            with written_whole(folder / name, "wb") as file:
                file.write(hashlib.sha256(content).digest())
                file.write(content)
            _log("[cache] data saved to %r", name)

    @cached_property
    def _about(self) -> tuple[str, str]:
        """Which function this is, and a checksum of all that it is made of."""
        return self.name, hashlib.sha256(ingredients(self.kernel).encode()).hexdigest()

    def _file(self, sig: Any, codegen: Any) -> str:
        """Return the file for some types on this machine, with this Numba and this Python."""
        key = (str(sig), codegen.magic_tuple(), numba.__version__, sys.version_info[:2])
        mark = hashlib.sha256(repr((self.name, key)).encode()).hexdigest()[:24]
        return f"{self.name}-{mark}.kernel"

    def enable(self) -> None:
        """Do nothing: it is always on."""

    def disable(self) -> None:
        """Do nothing: it is always on."""

    def flush(self) -> None:
        """Do nothing: what is out of date is replaced by itself."""
