"""explain: what each legal move is worth, what another would cost, and why, in words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from dicelab.core.arrays import Real
from dicelab.core.language import ENGLISH, language, number, tr
from dicelab.rules import LOSS, WIN, Game, Position
from dicelab.rules.sentences import in_a_row
from dicelab.verbs.solution import BEST, TIED, MoveValue, Solution


@dataclass(frozen=True)
class Explanation:
    """A position, what it is worth, its moves best first, and a sentence."""

    game: Game
    position: str
    value: Real
    lower: Real
    upper: Real
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


def sentence(
    game: Game,
    moves: list[MoveValue],
    amount_of: Callable[[Game, Real], str] | None = None,
    label: Callable[[str], str] = str,
) -> str:
    """Return advice in a sentence or two, in the players' words.

    `amount_of` tells a cost, in the game's unit unless another way is given; `label` tells a move.
    """
    amount_of = amount_of or amount
    best = moves[0]
    if len(moves) == 1:
        return tr("You can only {move} here.", move=label(best.move))
    tied = [label(move.move) for move in moves if move.status == TIED]
    if tied:
        said = tr("{moves} are equally good.", moves=_capital(in_a_row(tied)))
    else:
        assert best.status == BEST
        said = f"{_capital(label(best.move))}."
    costs = [
        tr(
            "{doing} would cost you {amount}",
            doing=gerund(label(move.move)),
            amount=amount_of(game, move.cost),
        )
        for move in moves
        if move.status not in (BEST, TIED)
    ]
    if not costs:
        return said
    if len(costs) > 3:
        costs = [costs[0], tr("the other {n} moves cost more", n=len(costs) - 1)]
    told = _capital(tr("; ").join(costs))
    return f"{said} {told}."


def stake(game: Game) -> tuple[float, float] | None:
    """Return the least and the most a game can bring; None where it counts turns or points."""
    if game.stakes is not None:
        return game.stakes
    if game.fewest or (game.players == 1 and game.unit != "chance to win"):
        return None
    low, high = float(game.worth[LOSS]), float(game.worth[WIN])
    return (low, high) if low < high else None


def per_cent(game: Game, cost: Real) -> str:
    """Return a cost as a share of all that can be won or lost; in its unit where that is open."""
    bounds = stake(game)
    if bounds is None:
        return amount(game, cost)
    share = percentage(float(cost) / (bounds[1] - bounds[0]))
    return tr("{share} of the game", share=share)


def percentage(share: float) -> str:
    """Return a share in per cent, with as many digits as it takes to see it."""
    digits = 1 if share >= 0.001 or share == 0 else 2 if share >= 0.0001 else 4
    if share and round(100 * share, digits) == 0:
        return tr("less than {share}", share=number(0.000001, ".4%"))
    return number(share, f".{digits}%")


def amount(game: Game, cost: Real) -> str:
    """Return a cost in the game's unit, with as many digits as it takes to see it."""
    if game.unit == "chance to win":
        return tr("{share} of the game", share=percentage(float(cost)))
    told = number(float(cost), ".3g")
    if game.unit in ("gain", "rating"):
        return tr("{amount} of the {unit}", amount=told, unit=tr(game.unit))
    return f"{told} {tr(game.unit)}"


def gerund(move: str) -> str:
    """Return the doing of a move: holding, throwing 3; other languages say the move itself."""
    if language() != ENGLISH:
        return move
    word = move.split()[0]
    rest = move[len(word) :]
    if not word.isalpha():
        return f"playing {move}"
    if word.endswith("e") and not word.endswith("ee"):
        word = word[:-1]
    elif re.fullmatch(r"[^aeiou]*[aeiou][bdgmnprt]", word):  # stop, put, run: stopping, putting
        word += word[-1]
    return f"{word}ing{rest}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
