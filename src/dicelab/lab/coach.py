"""The coach: what a position is worth, what each move is, and what the others would cost.

It speaks from `explain`, so the numbers are those of the solver. A value also comes as a share from
0 to 1, to be drawn as a bar.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from dicelab.core.arrays import Real
from dicelab.core.exact import at_least, at_most
from dicelab.core.json_object import JsonObject
from dicelab.lab import narration
from dicelab.rules import Game, Position
from dicelab.verbs.explain import gerund, per_cent, sentence, stake
from dicelab.verbs.mixtures import SimultaneousSolution
from dicelab.verbs.solution import BEST, TIED, WORSE, MoveValue, Solution

CERTAIN = 0.9995  # from this chance on, a move is as good as always made
MOST_NAMED = 3  # best moves that a sentence names
GOOD = {BEST: "Best.", TIED: "As good as any."}


def share(game: Game, value: float) -> float | None:
    """Return a value as a share of what can be won; None where the game counts turns or points."""
    bounds = stake(game)
    if bounds is None:
        return None
    low, high = bounds
    return min(1.0, max(0.0, (value - low) / (high - low)))


def said(game: Game, value: float) -> str:
    """Return a value in a few words."""
    part = share(game, value)
    if part is not None:
        means = game.counts_as.partition(",")[0]
        return f"{100 * part:.1f}% {'to win' if means == 'chance to win' else means}"
    return f"{value:.2f} {game.unit}{' to go' if game.fewest else ''}"


def exact(value: object) -> str | None:
    """Return a value as a fraction, where the game was solved in fractions."""
    return str(value) if isinstance(value, Fraction) else None


def valued(game: Game, value: Real, lower: Real, upper: Real) -> JsonObject:
    """Return a value with its bounds, rounded outward, and as a share of what can be won."""
    return {
        "value": float(value),
        "lower": at_most(lower),
        "upper": at_least(upper),
        "share": share(game, float(value)),
    }


def scale(game: Game) -> JsonObject | None:
    """Return between what numbers a value lies, and what its percentage means."""
    bounds = stake(game)
    if bounds is None:
        return None
    return {"low": bounds[0], "high": bounds[1], "means": game.counts_as}


def advice(solution: Solution, at: Position) -> JsonObject:
    """Return what the coach says about a position, to the player about to move there."""
    game = solution.game
    moves = solution.moves_at(at)
    value = solution.value_at(at)
    return {
        **valued(game, value, *solution.bounds_at(at)),
        "said": said(game, float(value)),
        "exact": exact(value),
        "moves": [told_move(game, at, move) for move in moves],
        "sentence": solution.advice_at(at)
        or sentence(game, moves, per_cent, partial(game.spoken, narration.told_at(game, at))),
        "mixture": _mixture(solution, at),
        "assumes": f"{assumed(game)} from here",
        "heading": "Where all play the strategy found"
        if game.players > 2
        else "Against perfect play",
        "against": None,
    }


def assumed(game: Game) -> str:
    """Return how everybody is taken to play, where values and costs are told."""
    if game.players > 2:
        return "all play the strategy found"
    return "both play their best" if game.players == 2 else "you play your best"


def _mixture(solution: Solution, at: Position) -> dict[str, float] | None:
    """Return the chances of moves where best play must not be predictable; None where it may be."""
    if not isinstance(solution, SimultaneousSolution):
        return None
    mixed = {move: float(chance) for move, chance in solution.mixture_at(at).items() if chance}
    return mixed if max(mixed.values()) < CERTAIN else None


def told_move(game: Game, at: Position, move: MoveValue) -> JsonObject:
    """Return what the coach says about one move, or one way after a throw."""
    at = narration.told_at(game, at)
    doing = gerund(game.spoken(at, move.move))
    costs = f"{doing[0].upper()}{doing[1:]} would cost you {per_cent(game, move.cost)}."
    return {
        "move": move.move,
        "label": game.label(at, move.move),
        **valued(game, move.value, move.lower, move.upper),
        "exact": exact(move.value),
        "cost": float(move.cost),
        "status": move.status,
        "sentence": GOOD.get(move.status, costs),
    }


# Against the one who sits opposite.


def against(reply: Solution, at: Position, label: str) -> JsonObject:
    """Return what a position is worth against one opponent whose way to play is known."""
    game, value = reply.game, float(reply.value_at(at))
    best = [move.move for move in reply.moves_at(at) if move.status != WORSE]
    doing = " or ".join(
        game.spoken(narration.told_at(game, at), move) for move in best[:MOST_NAMED]
    )
    return {
        "label": label,
        **valued(game, value, *reply.bounds_at(at)),
        "said": said(game, value),
        "best": best,
        "sentence": f"Against {label}, with the best reply to "
        f"{'them' if game.players > 2 else 'it'}: {said(game, value)}. "
        f"Here that is to {doing}.",
        "pending": False,
    }


def unknown(label: str, sentence: str, pending: bool = False) -> JsonObject:
    """Return that what a position is worth against an opponent is not known, or not yet."""
    names = ("value", "lower", "upper", "share", "said")
    return {
        "label": label,
        **dict.fromkeys(names),
        "best": [],
        "sentence": sentence,
        "pending": pending,
    }
