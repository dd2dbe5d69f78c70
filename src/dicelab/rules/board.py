"""What lies on the table, told in parts that a page can draw without knowing the game.

A game says in `Speech.board_parts` what there is: heaps of counters, a card of boxes, tiles that
are up or down, squares with pieces, dice. A part is a plain JSON object with its kind as ``part``,
a ``label`` that names it aloud, its ``items``, sentences that stand below it (``says``) and the
``fields`` of the position that it shows, which then need not be shown again.

An item with a ``key`` can be clicked where a move touches that key (`Speech.touched`): so people
play by pointing at a box, a tile, a piece or a die. An item with a ``seat`` belongs to somebody who
sits so many seats after you; the lab writes the name there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr

MOST_TILES = 24  # things in a row that are still worth drawing one by one
MOST_COUNTERS = 60


class Done(NamedTuple):
    """A decision of the past, for boards that show more than a position holds."""

    seat: int  # how many seats after you who made it sits
    at: str  # the position in notation
    move: str
    faces: tuple[int, ...]


def part(
    kind: str,
    label: str,
    items: Iterable[JsonObject],
    says: Sequence[str] = (),
    fields: Sequence[str] = (),
    **more: Any,
) -> JsonObject:
    """Return a part of a board; `more` is what only its kind has."""
    told = {"part": kind, "label": label, "items": list(items), "says": list(says)}
    return {**told, "fields": list(fields), **more}


def heap(number: int, seat: int | None = None, name: str = "", tag: str = "") -> JsonObject:
    """Return a heap of counters: of somebody, or with a name of its own; `tag` is a remark."""
    return {"name": name, "seat": seat, "count": int(number), "tag": tag}


def heaps(
    label: str, items: Iterable[JsonObject], says: Sequence[str] = (), fields: Sequence[str] = ()
) -> JsonObject:
    """Return heaps of counters side by side."""
    return part("heaps", label, items, says, fields)


def row_of_tiles(
    label: str, names: Iterable[object], up: Iterable[object], fields: Sequence[str] = ()
) -> JsonObject:
    """Return tiles in a row, of which some are up; the key of a tile is its name."""
    standing = set(map(str, up))
    items = [{"key": str(each), "name": str(each), "up": str(each) in standing} for each in names]
    return part("tiles", label, items, (), fields)


def thrown_dice(
    label: str, thrown: Sequence[int], free: Sequence[int], aside: Sequence[int] = ()
) -> JsonObject:
    """Return the dice on the table; those that are `free` to be picked have their face as key."""
    left, items = list(free), []
    for face in thrown:
        if face in left:
            left.remove(face)
            items.append({"key": str(face), "face": int(face)})
        else:
            items.append({"key": None, "face": int(face)})
    return part("dice", label, items, aside=[int(face) for face in aside])


def square(
    row: int,
    column: int,
    name: str,
    key: str | None = None,
    mine: int = 0,
    yours: int = 0,
    marked: bool = False,
) -> JsonObject:
    """Return a place of a board in a row and a column, from 1, with pieces of both sides."""
    told = {"row": row, "column": column, "name": name, "key": key, "marked": marked}
    return {**told, "mine": int(mine), "yours": int(yours)}


def squares(
    label: str, items: Iterable[JsonObject], says: Sequence[str] = (), fields: Sequence[str] = ()
) -> JsonObject:
    """Return a board of places with pieces on them."""
    return part("squares", label, items, says, fields)


def keys_of(parts: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the keys that items of some parts have."""
    return {item["key"] for each in parts for item in each["items"] if item.get("key")}


def plain_parts(game: Any, at: Any) -> list[JsonObject]:
    """Return what can be drawn of any position: a row of things as tiles, a number as a heap.

    A thing that was there at the start and is gone is a tile that is down.
    """
    begun = game.start()
    if is_count(at) and is_count(begun):
        if not 0 <= at <= MOST_COUNTERS:
            return []
        return [heaps(tr("The table"), [heap(at, name=tr("On the table"))])]
    if hasattr(at, "_asdict"):
        now, first = game.counters(at), game.counters(begun)
    elif isinstance(at, tuple) and isinstance(begun, tuple) and _is_row(at):
        now, first = {"": at}, {"": begun}
    elif isinstance(at, tuple | frozenset) and type(at) is type(begun):
        now, first = (dict(enumerate(each)) for each in (at, begun))
        now, first = ({"": at}, {"": begun}) if isinstance(at, frozenset) else (now, first)
    else:
        return []
    found = []
    for name, value in now.items():
        every = first.get(name)
        if _is_row(value) and _is_row(every) and set(value) <= set(every) and every:
            label = str(name).replace("_", " ").capitalize() if isinstance(name, str) else ""
            ordered = sorted(every) if isinstance(every, frozenset) else every
            shown = [name] if isinstance(name, str) and name else []
            found.append(row_of_tiles(label or tr("The table"), ordered, value, shown))
    return found


def is_count(value: object) -> bool:
    """Return whether something is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def _is_row(value: object) -> bool:
    """Return whether something is a few different numbers or words."""
    if not isinstance(value, list | tuple | frozenset | set) or len(value) > MOST_TILES:
        return False
    each = list(value)
    return all(isinstance(one, int | str) for one in each) and len(set(each)) == len(each)
