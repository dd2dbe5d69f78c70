"""Yahtzee and its family: one round of it, and the whole cards."""

from dicelab.games.yahtzee.rules import Kniffel, Yahtzee, YahtzeeRound, Yatzy

__all__ = ["Kniffel", "Yahtzee", "YahtzeeRound", "Yatzy"]
