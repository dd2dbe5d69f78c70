"""Where rules that raised did so: the position, the move, and the line of the user's own file.

Rules on arrays are asked about many positions in one call; the position at fault is found by asking
about one after another.
"""

from __future__ import annotations

import inspect
import math
import sysconfig
import traceback
from pathlib import Path
from typing import Any

import numpy as np

from dicelab.errors import RulesError
from dicelab.rules import ONGOING, SAME, Game, Outcome, Position, Throw, Way

HASHABLE = "a position is a tuple, a word or a number, and holds no list, set or dictionary"

ON_ARRAYS = ("truth value", "only integer scalar arrays", "only length-1 arrays", "0-dimensional")
"""What NumPy says where a rule treats an array of positions as a single one."""

MOST_ASKED = 20_000
"""Positions asked one by one to find the one at which rules on arrays fail."""


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number."""
    return isinstance(value, int | np.integer)


def check_mover(mover: Any, players: int = 2) -> None:
    """Refuse an outcome after which nobody at the table moves."""
    if is_whole(mover) and SAME <= mover < max(2, players):
        return
    if players > 2:
        raise ValueError(
            f"who moves next is SAME, OTHER for the next player, or so many seats on, up to "
            f"{players - 1}: got {mover!r}"
        )
    raise ValueError(
        f"who moves next is SAME or OTHER, not {mover!r}; where that depends on the position, "
        f"yield both outcomes with chances that depend on it"
    )


def shape_of(at: Position) -> tuple[int, ...]:
    """Return the shape of an array of positions."""
    return np.broadcast_shapes(*(np.shape(field) for field in at))


def one_of(at: Position, number: int) -> Position:
    """Return one position of an array of them, its fields plain numbers."""
    place = np.unravel_index(number, shape_of(at))
    return type(at)(*(field[place].item() for field in np.broadcast_arrays(*at)))


def noted(game: Game, at: Position) -> str:
    """Return the notation of a position, or how Python writes it if that fails too."""
    try:
        return game.notation(at)
    except Exception:
        return repr(at)


def failure(
    game: Game, trouble: BaseException, at: Position | None = None, move: str | None = None
) -> RulesError:
    """Return the error for rules that raised: at which position and move, and in which line."""
    place = "" if at is None else f" at {noted(game, at)}"
    after = "" if move is None else f" after {move!r}"
    said = f"{type(trouble).__name__}: {trouble}".removesuffix(": ")
    if isinstance(trouble, TypeError) and "unhashable" in str(trouble):
        said += f"; {HASHABLE}"
    line = f" ({found})" if (found := line_of(trouble)) else ""
    return RulesError(f"the rules of {game} failed{after}{place}: {said}{line}")


def failure_on_arrays(game: Game, trouble: BaseException, at: Position) -> RulesError:
    """Return the error for rules that raised on an array of positions, found by asking each."""
    size = math.prod(shape_of(at))
    for number in range(min(size, MOST_ASKED)):
        here, move = one_of(at, number), None
        try:
            if (game.result(here) or ONGOING) != ONGOING:
                continue
            for move in game.moves:
                if game.legal(here, move):
                    for each in game.outcomes(here, move):
                        for one in _followed(game, here, move, each):
                            check_mover(one.mover, game.players)
        except Exception as same:
            return failure(game, same, here, move)
    found = failure(game, trouble)
    if any(sign in str(trouble) for sign in ON_ARRAYS):
        return RulesError(
            f"{found}; one call is about {size:,} positions: choose with dicelab.where instead of "
            f"`if`, join with both and either instead of `and` and `or`, or derive from HouseRules"
        )
    return found


def _followed(game: Game, at: Position, move: str, each: Any) -> list[Outcome | Way]:
    """Return what chance did: an outcome, or all the ways after a throw."""
    if not isinstance(each, Throw):
        return [Outcome(*each)]
    return [Way(*way) for way in game.ways(at, move, each.dice)] if each.chance else []


def line_of(trouble: BaseException) -> str:
    """Return the line of the user's own file that raised, or nothing where there is none."""
    frames = traceback.extract_tb(trouble.__traceback__)
    own = [frame for frame in frames if _is_own(frame.filename)]
    if not own:
        return ""
    last = own[-1]
    code = f": {last.line}" if last.line else ""
    return f"{Path(last.filename).name}, line {last.lineno}{code}"


def line_of_definition(function: object) -> str:
    """Return where a function of the user's own file begins, or nothing where it is not his."""
    code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
    if code is None or not _is_own(code.co_filename):
        return ""
    return f"{Path(code.co_filename).name}, line {code.co_firstlineno}"


def _is_own(filename: str) -> bool:
    """Return whether a file is of rules: neither of Python, nor of a package, nor ours."""
    here, file = Path(__file__).parent.parent, Path(filename)
    if file.is_relative_to(here):
        return file.is_relative_to(here / "games")
    paths = (sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))
    return not any(file.is_relative_to(path) for path in paths) and "<" not in filename[:1]
