"""explain: what each legal move is worth, what another would cost, and why, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dicelab.rules import Game, Position
from dicelab.verbs.solution import BEST, TIED, MoveValue, Solution


@dataclass(frozen=True)
class Explanation:
    """A position, what it is worth, its moves best first, and a sentence."""

    game: Game
    position: str
    value: Any
    lower: Any
    upper: Any
    moves: list[MoveValue]
    sentence: str


def explain(solution: Solution, at: Position | str) -> Explanation:
    """Return the value of each legal move at a position and what choosing another costs."""
    moves = solution.moves_at(at)
    lower, upper = solution.bounds_at(at)
    return Explanation(
        solution.game,
        solution.notation(at),
        solution.value_at(at),
        lower,
        upper,
        moves,
        solution.advice_at(at) or sentence(solution.game, moves),
    )


def sentence(game: Game, moves: list[MoveValue]) -> str:
    """Return advice in a sentence or two, in the players' words."""
    best = moves[0]
    if len(moves) == 1:
        return f"You can only {best.move} here."
    tied = [move.move for move in moves if move.status == TIED]
    if tied:
        said = f"{_list(tied).capitalize()} are equally good."
    else:
        assert best.status == BEST
        said = f"{best.move.capitalize()}."
    costs = [
        f"{gerund(move.move)} would cost you {amount(game, move.cost)}"
        for move in moves
        if move.status not in (BEST, TIED)
    ]
    if not costs:
        return said
    if len(costs) > 3:
        costs = [costs[0], f"the other {len(costs) - 1} moves cost more"]
    text = "; ".join(costs)
    return f"{said} {text[0].upper()}{text[1:]}."


def amount(game: Game, cost: Any) -> str:
    """Return a cost in the game's unit, with as many digits as it takes to see it."""
    cost = float(cost)
    if game.unit == "chance to win":
        digits = 1 if cost >= 0.001 else 2 if cost >= 0.0001 else 4
        return f"{100 * cost:.{digits}f}% of the game"
    if game.unit in ("gain", "rating"):
        return f"{cost:.3g} of the {game.unit}"
    return f"{cost:.3g} {game.unit}"


def gerund(move: str) -> str:
    """Return the doing of a move: holding, throwing 3."""
    word = move.split()[0]
    rest = move[len(word) :]
    if not word.isalpha():
        return f"playing {move}"
    if word.endswith("e") and not word.endswith("ee"):
        word = word[:-1]
    return f"{word}ing{rest}"


def _list(words: list[str]) -> str:
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else words[0]
