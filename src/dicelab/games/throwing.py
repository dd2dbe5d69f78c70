"""Moves of games in which a turn is one throw, and the choice is how many dice."""

from __future__ import annotations


def throw(dice: int) -> str:
    """Return the move that throws so many dice."""
    return f"throw {dice}"


def number_of_dice(move: str) -> int:
    """Return how many dice a move throws."""
    return int(move.removeprefix("throw "))
