"""The coach: what a position is worth, what each move is, and what the others would cost.

It speaks from `explain`, so the numbers are those of the solver. A value also comes as a share from
0 to 1, to be drawn as a bar.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dicelab.games.dice_battle import DiceBattle
from dicelab.lab import narration
from dicelab.rounds.induction import RoundSolution
from dicelab.rounds.review import Option, options
from dicelab.rounds.rules import Round
from dicelab.rules import LOSS, WIN, Game, Position
from dicelab.verbs.at_once import SimultaneousSolution
from dicelab.verbs.explain import amount, explain, gerund
from dicelab.verbs.solution import BEST, TIED, WORSE, MoveValue, Solution

GOOD = {BEST: "Best.", TIED: "As good as any."}


def share(game: Game, value: float) -> float | None:
    """Return a value as a share of what can be won; None where that is no share of anything."""
    low, high = float(game.worth[LOSS]), float(game.worth[WIN])
    if game.fewest or low == high:
        return None
    return min(1.0, max(0.0, (value - low) / (high - low)))


def said(game: Game, value: float) -> str:
    """Return a value in a few words."""
    if game.unit == "chance to win":
        return f"{100 * value:.1f}% to win"
    if game.unit == "turns":
        return f"{value:.2f} turns to go"
    if isinstance(game, DiceBattle):
        return f"a gain of {value:+.3f}"
    return f"a {game.unit} of {value:.3f}"


def advice(solution: Solution, at: Position) -> dict[str, Any]:
    """Return what the coach says about a position, to the player about to move there."""
    game = solution.game
    told = explain(solution, at)
    value = float(told.value)
    mixture = None
    if isinstance(solution, SimultaneousSolution):
        mixed = solution.mixture_at(at)
        mixture = {move: float(chance) for move, chance in mixed.items()}
    return {
        "value": value,
        "lower": float(told.lower),
        "upper": float(told.upper),
        "share": share(game, value),
        "said": said(game, value),
        "moves": [told_move(game, at, move) for move in told.moves],
        "sentence": told.sentence,
        "mixture": mixture,
        "assumes": "you play your best from here"
        if game.players == 1
        else "both play their best from here",
    }


def told_move(game: Game, at: Position, move: MoveValue) -> dict[str, Any]:
    """Return what the coach says about one move."""
    return {
        "move": move.move,
        "label": narration.label(game, at, move.move),
        "value": float(move.value),
        "lower": float(move.lower),
        "upper": float(move.upper),
        "share": share(game, float(move.value)),
        "cost": float(move.cost),
        "status": move.status,
        "sentence": sentence(game, move),
    }


def sentence(game: Game, move: MoveValue) -> str:
    """Return what a move would cost, in a sentence."""
    if move.status != WORSE:
        return GOOD[move.status]
    doing = gerund(move.move)
    return f"{doing[0].upper()}{doing[1:]} would cost you {amount(game, move.cost)}."


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
        "said": f"worth {_worth(value)}",
        "moves": [_option(solution, choice, len(best)) for choice in choices],
        "sentence": round_sentence(solution, choices),
        "mixture": None,
        "assumes": "you play your best from here",
    }


def _option(solution: RoundSolution, choice: Option, bests: int) -> dict[str, Any]:
    status = WORSE if choice.cost else BEST if bests == 1 else TIED
    numbers = solution.game.numbers
    costs = f"Keeping {spoken(choice.kept)} would cost you {_worth(choice.cost)}."
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
    text = f"Keep {' or '.join(best)}: worth {_worth(value)} ({value})."
    if worse:
        text += f" Keeping {spoken(worse[0].kept)} would cost you {_worth(worse[0].cost)}."
    return text


def _worth(value: Fraction) -> str:
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
