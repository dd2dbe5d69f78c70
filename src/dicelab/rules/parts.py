"""The parts of a position by name, whatever a stranger took for positions.

>>> parts_of((3, 0)), part_of((3, 0), "part_2")
({'part_1': 3, 'part_2': 0}, 0)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, NamedTuple

from dicelab.rules.speech import Position

SO_FAR_FIELD = "so_far"


class Tallied(NamedTuple):
    """A position of house rules, and what the player about to move has gained so far."""

    at: Position
    so_far: int


def has_names(at: Position) -> bool:
    """Return whether the parts of a position have names that the game gave them."""
    return has_names(at.at) if isinstance(at, Tallied) else hasattr(at, "_fields")


def parts_of(at: Position) -> dict[str, Any]:
    """Return the parts of a position by name; those of a plain tuple are part_1, part_2 ..."""
    if isinstance(at, Tallied):
        return {**parts_of(at.at), SO_FAR_FIELD: at.so_far}
    if dataclasses.is_dataclass(at):
        return {field.name: getattr(at, field.name) for field in dataclasses.fields(at)}
    parts = at if isinstance(at, tuple) else (at,)
    names = getattr(at, "_fields", None) or [f"part_{n}" for n in range(1, len(parts) + 1)]
    return dict(zip(names, parts, strict=True))


def with_parts(at: Position, parts: Mapping[str, Any]) -> Position:
    """Return a position of the same kind with other parts."""
    if isinstance(at, Tallied):
        own = {name: part for name, part in parts.items() if name != SO_FAR_FIELD}
        return Tallied(with_parts(at.at, own), parts[SO_FAR_FIELD])
    if dataclasses.is_dataclass(at) or hasattr(at, "_replace"):
        return type(at)(**parts)
    return tuple(parts.values()) if isinstance(at, tuple) else next(iter(parts.values()))


def part_of(at: Position, name: str) -> Any:
    """Return one part of a position by its name; of an array of positions, an array."""
    if isinstance(at, Tallied) and name != SO_FAR_FIELD:
        return part_of(at.at, name)
    return getattr(at, name) if hasattr(at, name) else parts_of(at)[name]
