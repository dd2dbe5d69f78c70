"""Classes that a function makes, such as the positions of a table for three.

Other processes find a class by its name in its module. One that was made is in no module, so it
says what it was made by, and is made again there.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence
from typing import Any


def made_tuple(name: str, fields: Sequence[str], by: Callable[..., Any], *arguments: object) -> Any:
    """Return a new kind of named tuple; `by` makes it again from the arguments."""
    made = namedtuple(name, fields)  # type: ignore[misc]
    made.made_by = by, arguments  # type: ignore[attr-defined]
    return made


def as_made(thing: Any) -> Any:
    """Return how a class is made again, as `pickle` asks for it; NotImplemented for all else."""
    return vars(thing).get("made_by", NotImplemented) if isinstance(thing, type) else NotImplemented
