"""The coach: what a position is worth, what each move is, and what the others would cost.

It speaks from `explain`, so the numbers are those of the solver. A value also comes as a share from
0 to 1, to be drawn as a bar.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from dicelab.lab.arguments import RoundGame
from dicelab.rounds.induction import RoundSolution
from dicelab.rounds.review import Option, options
from dicelab.rounds.rules import Round
from dicelab.rules import Game, Position
from dicelab.verbs.at_once import SimultaneousSolution
from dicelab.verbs.explain import gerund, per_cent, percentage, sentence, stake
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
        return f"{100 * part:.1f}% to win"
    return f"{value:.2f} {game.unit}{' to go' if game.fewest else ''}"


def scale(game: Game | RoundGame) -> dict[str, Any] | None:
    """Return between what numbers a value lies, and what its percentage means."""
    if isinstance(game, RoundGame):
        if not set(game.utility.values.ravel().tolist()) <= {0, 1}:
            return None
        return {"low": 0.0, "high": 1.0, "means": "chance to make it"}
    bounds = stake(game)
    if bounds is None:
        return None
    return {"low": bounds[0], "high": bounds[1], "means": game.counts_as}


def advice(solution: Solution, at: Position) -> dict[str, Any]:
    """Return what the coach says about a position, to the player about to move there."""
    game = solution.game
    moves = solution.moves_at(at)
    value = float(solution.value_at(at))
    lower, upper = solution.bounds_at(at)
    return {
        "value": value,
        "lower": float(lower),
        "upper": float(upper),
        "share": share(game, value),
        "said": said(game, value),
        "moves": [told_move(game, at, move) for move in moves],
        "sentence": solution.advice_at(at)
        or sentence(game, moves, per_cent, partial(game.spoken, at)),
        "mixture": _mixture(solution, at),
        "assumes": "you play your best from here"
        if game.players == 1
        else "both play their best from here",
        "against": None,
    }


def _mixture(solution: Solution, at: Position) -> dict[str, float] | None:
    """Return the chances of moves where best play must not be predictable; None where it may be."""
    if not isinstance(solution, SimultaneousSolution):
        return None
    mixed = {move: float(chance) for move, chance in solution.mixture_at(at).items() if chance}
    return mixed if max(mixed.values()) < CERTAIN else None


def told_move(game: Game, at: Position, move: MoveValue) -> dict[str, Any]:
    """Return what the coach says about one move."""
    doing = gerund(game.spoken(at, move.move))
    costs = f"{doing[0].upper()}{doing[1:]} would cost you {per_cent(game, move.cost)}."
    return {
        "move": move.move,
        "label": game.label(at, move.move),
        "value": float(move.value),
        "lower": float(move.lower),
        "upper": float(move.upper),
        "share": share(game, float(move.value)),
        "cost": float(move.cost),
        "status": move.status,
        "sentence": GOOD.get(move.status, costs),
    }


# Against the one who sits opposite.


def against(reply: Solution, at: Position, label: str) -> dict[str, Any]:
    """Return what a position is worth against one opponent whose way to play is known."""
    game, value = reply.game, float(reply.value_at(at))
    lower, upper = reply.bounds_at(at)
    best = [move.move for move in reply.moves_at(at) if move.status != WORSE]
    doing = " or ".join(game.spoken(at, move) for move in best[:MOST_NAMED])
    return {
        "label": label,
        "value": value,
        "lower": float(lower),
        "upper": float(upper),
        "share": share(game, value),
        "said": said(game, value),
        "best": best,
        "sentence": f"Against {label}, with the best reply to it: {said(game, value)}. "
        f"Here that is to {doing}.",
        "pending": False,
    }


def unknown(label: str, sentence: str, pending: bool = False) -> dict[str, Any]:
    """Return that what a position is worth against an opponent is not known, or not yet."""
    names = ("value", "lower", "upper", "share", "said")
    return {
        "label": label,
        **dict.fromkeys(names),
        "best": [],
        "sentence": sentence,
        "pending": pending,
    }


# Rounds of keep-and-reroll.


def round_share(solution: RoundSolution, value: Fraction | float) -> float:
    """Return a worth as its place between the least and the most a result can bring."""
    worths = solution.utility.values
    low, high = float(worths.min()), float(worths.max())
    return min(1.0, max(0.0, (float(value) - low) / (high - low))) if high > low else 1.0


def round_advice(solution: RoundSolution, aside: str, thrown: str, cast: int) -> dict[str, Any]:
    """Return what the coach says about a table of a round."""
    choices = options(solution, aside, thrown, cast)
    best = [choice for choice in choices if not choice.cost]
    value = choices[0].value
    return {
        "value": float(value),
        "lower": float(value),
        "upper": float(value),
        "exact": str(value),
        "share": round_share(solution, value),
        "said": worth(solution, value) if is_chance(solution) else f"worth {_worth(value)}",
        "moves": [_option(solution, choice, len(best)) for choice in choices],
        "sentence": round_sentence(solution, choices),
        "mixture": None,
        "assumes": "you play your best from here",
        "against": None,
    }


def _option(solution: RoundSolution, choice: Option, bests: int) -> dict[str, Any]:
    status = WORSE if choice.cost else BEST if bests == 1 else TIED
    numbers = solution.game.numbers
    costs = f"Keeping {spoken(choice.kept)} would cost you {worth(solution, choice.cost)}."
    return {
        "move": f"keep {choice.kept}",
        "label": keep_label(solution.game, choice.number),
        "keep": list(numbers.faces_of(choice.number)[::-1]),
        "value": float(choice.value),
        "lower": float(choice.value),
        "upper": float(choice.value),
        "exact": str(choice.value),
        "share": round_share(solution, choice.value),
        "cost": float(choice.cost),
        "status": status,
        "sentence": GOOD.get(status, costs),
    }


def round_sentence(solution: RoundSolution, choices: list[Option]) -> str:
    """Return advice for a table in a sentence or two."""
    best = [spoken(choice.kept) for choice in choices if not choice.cost]
    worse = [choice for choice in choices if choice.cost]
    value = choices[0].value
    what = worth(solution, value) if is_chance(solution) else f"worth {_worth(value)}"
    text = f"Keep {' or '.join(best)}: {what} ({value})."
    if worse:
        cost = worth(solution, worse[0].cost)
        text += f" Keeping {spoken(worse[0].kept)} would cost you {cost}."
    return text


def is_chance(solution: RoundSolution) -> bool:
    """Return whether the worth of a round is the chance to make one of its goals."""
    return {0, 1} >= set(solution.utility.values.ravel().tolist())


def worth(solution: RoundSolution, value: Any) -> str:
    """Return a worth, or a cost: the chance to make it where it is one, else as a number."""
    return percentage(float(value)) if is_chance(solution) else _worth(value)


def _worth(value: Any) -> str:
    return f"{float(value):.4g}"


def spoken(kept: str) -> str:
    """Return a combination as one says it."""
    return "nothing" if kept == "-" else " ".join(kept) if kept.isdigit() else kept


def keep_label(game: Round, number: int) -> str:
    """Return what stands on the button of something to keep."""
    rest = game.dice - int(game.numbers.sizes[number])
    kept = spoken(game.numbers.write(number))
    if not rest:
        return f"Keep {kept} and stop"
    return f"Keep {kept}, cast {rest} {'die' if rest == 1 else 'dice'}"
