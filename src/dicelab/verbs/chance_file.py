"""Chances of cards in a file that is worked on in place, so that a stop loses next to nothing.

The file begins with a line that says whose chances they are, then has a byte for each card that is
1 once its chances are there, and the chances themselves. It is mapped into memory: what is written
is in the file, also where the process is killed.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicelab.core.arrays import Bools, Floats, Ints
from dicelab.core.atomic_write import require_regular, written_whole
from dicelab.core.version import __version__
from dicelab.errors import WrongCheckpoint

FORMAT = "dicelab chances 1"
HEAD = 4096
"""Bytes for the line that says what the file is."""


class ChanceFile:
    """The chances of all cards of a game, some of them known."""

    chance: Floats
    done: NDArray[np.uint8]  # [cards]

    def __init__(
        self, path: str | Path, label: Mapping[str, object], cards: int, chances: int
    ) -> None:
        self.path, self.cards, self.chances = Path(path), cards, chances
        about = {"format": FORMAT, "dicelab": __version__, **label, "chances": chances}
        self.head = json.dumps(about).encode().ljust(HEAD - 1) + b"\n"
        self.begins = HEAD + -(-cards // 8) * 8  # chances stand at whole words

    @contextlib.contextmanager
    def opened(self, make: bool = False) -> Iterator[ChanceFile]:
        """Yield the file with its arrays; `make` makes it where there is none, and may write."""
        with self._refusing():
            require_regular(self.path)
            if make and not self.path.exists():
                self._made()
            with self.path.open("r+b" if make else "rb") as file:
                head = file.read(HEAD)
                self._refuse_other(head, self.path.stat().st_size)
                access = mmap.ACCESS_WRITE if make else mmap.ACCESS_READ
                self.map = mmap.mmap(file.fileno(), 0, access=access)
        self.done = np.frombuffer(self.map, np.uint8, self.cards, HEAD)
        self.chance = np.frombuffer(self.map, np.float64, self.chances, self.begins)
        yield self
        if make:
            self.map.flush()

    def _made(self) -> None:
        # All of its room is taken now: a disk that fills up later would end the process at once.
        with written_whole(self.path, "wb") as file:
            file.write(self.head)
            file.truncate(self.begins + 8 * self.chances)
            if sys.platform == "linux":
                os.posix_fallocate(file.fileno(), 0, self.begins + 8 * self.chances)

    def keep(self, cards: Ints) -> None:
        """Say that some cards are done; their chances are in the file before that is."""
        self.map.flush()
        self.done[cards] = 1

    def refuse_unfinished(self, wanted: Bools) -> None:
        """Refuse a file that was never completed; `wanted` says which cards have chances."""
        left = int((wanted[:-1] & (self.done[:-1] == 0)).sum())  # the full card needs no work
        if left:
            raise WrongCheckpoint(
                f"{str(self.path)!r} is not complete, {left:,} cards are missing: go on with "
                f"`dicelab solve ... --checkpoint {self.path.name}`"
            )

    def _refuse_other(self, head: bytes, size: int) -> None:
        theirs, ours = _about(head), _about(self.head)
        if theirs.get("format") != FORMAT:
            raise WrongCheckpoint(
                f"{str(self.path)!r} is no file of chances of cards: name another file"
            )
        if theirs != ours:
            key = next(key for key in ours if theirs.get(key) != ours[key])
            raise WrongCheckpoint(
                f"{str(self.path)!r} is the checkpoint of other work ({key} is "
                f"{theirs.get(key)!r} there and {ours[key]!r} here): "
                f"name another file, or remove it"
            )
        if size != self.begins + 8 * self.chances:
            raise WrongCheckpoint(
                f"{str(self.path)!r} is not as long as it should be: remove it, or name another"
            )

    @contextlib.contextmanager
    def _refusing(self) -> Iterator[None]:
        """Turn what the system says into a sentence that names the file."""
        try:
            yield
        except OSError as trouble:
            raise WrongCheckpoint(
                f"cannot use {str(self.path)!r} as a checkpoint: {trouble.strerror}; "
                f"name another file"
            ) from None


def _about(head: bytes) -> dict[str, Any]:
    """Return what the line of a file says; nothing where it is no such line."""
    try:
        found = json.loads(head)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
