"""Files are written whole or not at all, and nothing but a regular file is ever replaced.

A new file is written beside its place, under a hidden name, and renamed when it is complete: an
interrupted run leaves the old file, or none, but never half of one. A link is followed to the file
it stands for, so that the link stays. A device or a pipe is written to directly, since a rename
would put a file where it was.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

_unfinished: set[str] = set()
_changing = threading.RLock()


@contextlib.contextmanager
def written_whole(path: str | Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Yield a file that takes its place under `path` only once it is complete."""
    text: dict[str, Any] = {} if "b" in mode else {"encoding": "utf-8", "newline": ""}
    before = _status(path)
    if before is not None and not stat.S_ISREG(before.st_mode):
        with open(path, mode, **text) as file:
            yield file
        return
    place = Path(os.path.realpath(path))
    name = str(place.with_name(f".{place.name}.{secrets.token_hex(4)}"))
    with _changing:
        _unfinished.add(name)
        try:
            handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        except BaseException:
            _unfinished.discard(name)
            raise
    try:
        with os.fdopen(handle, mode, **text) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if before is not None:
            os.chmod(name, stat.S_IMODE(before.st_mode))
        os.replace(name, place)
    except BaseException:  # a full disk, or Ctrl-C: leave nothing behind
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise
    finally:
        _unfinished.discard(name)


def _status(path: str | Path) -> os.stat_result | None:
    """Return what stands at a path, links followed, or None where nothing does yet."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def require_regular(path: str | Path) -> None:
    """Refuse what is there and is no regular file, for files that are read and added to."""
    before = _status(path)
    if before is not None and not stat.S_ISREG(before.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))


def require_end(path: str | Path) -> None:
    """Refuse to read a device: /dev/zero never ends. Files and pipes do, and so does a terminal."""
    mode = os.stat(path).st_mode
    if stat.S_ISCHR(mode):
        with open(path, "rb", buffering=0) as device:
            if device.isatty():
                return
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise OSError(errno.EINVAL, "it is a device", str(path))


def remove_unfinished() -> None:
    """Remove every file that is being written, for a process about to end; none begins after it."""
    _changing.acquire(timeout=0.2)
    for name in list(_unfinished):
        with contextlib.suppress(OSError):
            os.unlink(name)
