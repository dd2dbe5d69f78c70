"""What the first answer about a scorecard would wait for."""

from __future__ import annotations

from dicelab.games.yahtzee.rules import Yahtzee
from dicelab.verbs.card_play import law_of_points, simulate, strategy_of
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.match import solve_match
from dicelab.verbs.solve import solve


def solving() -> None:
    """Solve a small card, for points and for a chance, and follow a strategy over it."""
    card = Yahtzee(only="aces+sixes+yahtzee+chance", enough=6)
    solve(card).moves_at("empty counted=0 | 66651, 2 left")
    solve(card, for_="at least 60")
    evaluate(card, "greedy")
    law_of_points(card, strategy_of(card, "greedy"))
    simulate(card, "greedy", games=10)
    solve_match(Yahtzee(dice=2, casts=2, only="aces+chance", enough=2))
