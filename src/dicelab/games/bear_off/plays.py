"""How a throw of two dice can be played from any points: what it adds to a side, and its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, permutations, product

TIMES_FOR_DOUBLES = 4

Moves = tuple[tuple[int, int], ...]  # from a point to a point, which is 0 off the board


def written_as(moves: Moves) -> str:
    """Return moves as players write them: 6/off 3/1(2)."""
    times = Counter(sorted(moves, reverse=True))
    return " ".join(
        f"{source}/{target or 'off'}{f'({number})' if number > 1 else ''}"
        for (source, target), number in times.items()
    )


def joined(moves: Iterable[tuple[int, int]]) -> Moves:
    """Return moves with those of one chequer made into one: 5/3 and 3/off are 5/off."""
    found: list[tuple[int, int]] = []
    for source, target in sorted(moves, reverse=True):
        before = next((move for move in found if move[1] == source), None)
        if before:
            found.remove(before)
        found.append((before[0] if before else source, target))
    return tuple(sorted(found, reverse=True))


def orders(dice: tuple[int, int]) -> list[tuple[int, ...]]:
    """Return the orders in which numbers can be played: doubles four times."""
    if dice[0] == dice[1]:
        return [dice[:1] * TIMES_FOR_DOUBLES]
    return sorted(permutations(dice), reverse=True)


@lru_cache(maxsize=256)
def names_of(points: int, base: int, dice: tuple[int, int]) -> dict[int, str]:
    """Return what plays with a throw are called, by what they add to a side."""
    found: dict[int, str] = {}
    for order in orders(dice):
        for number in range(len(order), 0, -1):
            for sources in _sources(points, order[:number]):
                played = zip(sources, order, strict=False)
                moves = [(source, max(0, source - die)) for source, die in played]
                change = sum(
                    one_on(target, base) - one_on(source, base) for source, target in moves
                )
                if change not in found:
                    found[change] = written_as(joined(moves))
    return found


def _sources(points: int, order: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield from where numbers can be played, higher points first; equal numbers in one order."""
    down = range(points, 0, -1)
    if len(set(order)) == 1:
        return combinations_with_replacement(down, len(order))
    return product(down, repeat=len(order))


def one_on(point: int, base: int) -> int:
    """Return a chequer on a point as a part of its side; off the board it is nothing."""
    return base ** (point - 1) if point else 0
