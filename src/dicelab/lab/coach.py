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
from dicelab.core.language import mark, number, tr
from dicelab.lab import narration
from dicelab.rules import Game, Position
from dicelab.rules.sentences import upper_first
from dicelab.verbs.explain import gerund, per_cent, sentence, stake
from dicelab.verbs.mixtures import SimultaneousSolution
from dicelab.verbs.solution import BEST, TIED, WORSE, MoveValue, Solution

CERTAIN = 0.9995  # from this chance on, a move is as good as always made
MOST_NAMED = 3  # best moves that a sentence names
GOOD = {BEST: mark("Best."), TIED: mark("As good as any.")}


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
        means, chance = game.counts_as.partition(",")[0], number(part, ".1%")
        if means == tr("chance to win"):
            return tr("{chance} to win", chance=chance)
        return tr("{share} {means}", share=chance, means=means)
    told = {"number": number(value, ".2f"), "unit": tr(game.unit)}
    return tr("{number} {unit} to go", **told) if game.fewest else tr("{number} {unit}", **told)


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
        "assumes": assumed_from_here(game),
        "heading": tr("Where all play the strategy found")
        if game.players > 2
        else tr("Against perfect play"),
        "against": None,
    }


def assumed(game: Game) -> str:
    """Return how everybody is taken to play, where values and costs are told."""
    if game.players > 2:
        return tr("all play the strategy found")
    return tr("both play their best") if game.players == 2 else tr("you play your best")


def assumed_from_here(game: Game) -> str:
    """Return how everybody is taken to play from here on."""
    if game.players > 2:
        return tr("all play the strategy found from here")
    if game.players == 2:
        return tr("both play their best from here")
    return tr("you play your best from here")


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
    told = {"doing": upper_first(doing), "cost": per_cent(game, move.cost)}
    good = GOOD.get(move.status)
    return {
        "move": move.move,
        "label": game.label(at, move.move),
        **valued(game, move.value, move.lower, move.upper),
        "exact": exact(move.value),
        "cost": float(move.cost),
        "status": move.status,
        "sentence": tr(good) if good else tr("{doing} would cost you {cost}.", **told),
    }


def past(game: Game, at: Position, move: MoveValue) -> str:
    """Return what a move cost that was made."""
    if move.status in GOOD:
        return tr(GOOD[move.status])
    doing = gerund(game.spoken(narration.told_at(game, at), move.move))
    told = {"doing": upper_first(doing), "cost": per_cent(game, move.cost)}
    return tr("{doing} cost you {cost}.", **told)


# Against the one who sits opposite.


def against(reply: Solution, at: Position, label: str) -> JsonObject:
    """Return what a position is worth against one opponent whose way to play is known."""
    game, value = reply.game, float(reply.value_at(at))
    best = [move.move for move in reply.moves_at(at) if move.status != WORSE]
    doing = tr(" or ").join(
        game.spoken(narration.told_at(game, at), move) for move in best[:MOST_NAMED]
    )
    told = {"opponent": label, "worth": said(game, value), "doing": doing}
    return {
        "label": label,
        **valued(game, value, *reply.bounds_at(at)),
        "said": said(game, value),
        "best": best,
        "sentence": tr(
            "Against {opponent}, with the best reply to them: {worth}. Here that is to {doing}.",
            **told,
        )
        if game.players > 2
        else tr(
            "Against {opponent}, with the best reply to it: {worth}. Here that is to {doing}.",
            **told,
        ),
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
