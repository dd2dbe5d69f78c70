"""What the first answers about Dice Battle would wait for: small games through every verb."""

from __future__ import annotations

from dicelab.games.dice_battle.rules import DiceBattle
from dicelab.table import compile
from dicelab.verbs.best_response import best_response
from dicelab.verbs.simulate import simulate
from dicelab.verbs.solve import solve


def _small(variant: str) -> DiceBattle:
    return DiceBattle(dice=3, target=6, variant=variant)


def solving() -> None:
    """Run what finds best play and best replies by turns."""
    battle = compile(_small("one"))
    best_response(battle, solve(battle).plan)


def playing() -> None:
    """Run what plays games by turns, and what plays those in which both throw at once."""
    simulate(compile(_small("one")), "blind:1", "blind:2", games=10)
    for variant in ("simultaneous", "simultaneous-zero"):
        best = solve(_small(variant)).plan
        best_response(best.table, best)
        for one in (best, "blind:1"):
            simulate(best.table, one, "blind:2", games=10)
